// `npm start`: the desktop app where a window can be shown, else the host in the terminal, with one line that says why.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasDisplay } from './display.ts';
import type { ExitCode } from './exit-code.ts';
import { checkOptions, type ServeOptions } from './serve-options.ts';
import type { Terminal } from './terminal.ts';

export interface StartPlace {
  projectRoot: string;
  nodePath: string;
  /** Undefined on Windows. */
  userId: number | undefined;
}

/** @throws AppError, UsageError, BrokenOff */
export async function start(
  options: ServeOptions,
  terminal: Terminal,
  place: StartPlace = ownPlace(),
): Promise<ExitCode> {
  await checkOptions(options, terminal.cwd);
  const found = await findWindow(terminal, place);
  if ('program' in found) {
    const { runApp } = await import('./start-app.ts');
    return runApp(found.program, place.projectRoot, options, terminal);
  }
  const { serve } = await import('./serve.ts');
  return serve(options, terminal, () => terminal.stderr.write(`${found.lack}: serving from the terminal.\n`));
}

async function findWindow(
  { env, platform, stderr }: Terminal,
  { projectRoot, nodePath, userId }: StartPlace,
): Promise<{ program: string } | { lack: string }> {
  if (!hasDisplay(env, platform)) return { lack: 'No display here' };
  if (platform === 'linux' && userId === 0) {
    return { lack: 'Electron runs as root only with its sandbox switched off, which DocTray does not do' };
  }
  const { findElectron } = await import('./start-program.ts');
  const packageFolder = join(projectRoot, 'node_modules', 'electron');
  const found = await findElectron({ packageFolder, nodePath, env, platform, stderr });
  if ('lack' in found) return { lack: `Electron's program could not be fetched (${found.lack})` };
  const { buildWhereNeeded } = await import('./start-build.ts');
  const fault = await buildWhereNeeded({ projectRoot, nodePath, env, stderr });
  return fault === undefined ? found : { lack: `The window could not be built (${fault})` };
}

function ownPlace(): StartPlace {
  let projectRoot = import.meta.dirname;
  while (!existsSync(join(projectRoot, 'package.json')) && dirname(projectRoot) !== projectRoot) {
    projectRoot = dirname(projectRoot);
  }
  return { projectRoot, nodePath: process.execPath, userId: process.getuid?.() };
}
