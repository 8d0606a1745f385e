// Starts a packed app as its user would: the terminal commands, then the window. The window is driven by Playwright, which
// needs Node's inspector; the fuse for it is switched on in a copy of the executable, never in the one that is shipped.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, parse, relative } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { _electron } from 'playwright';
import type { Finding } from './pack-checks.ts';
import type { UnpackedApp } from './unpacked-app.ts';

const limitMs = 30_000;

/** Everything the app writes goes below `scratch`. */
export async function smokeTest(app: UnpackedApp, scratch: string): Promise<Finding[]> {
  const env = environment(scratch);
  const { executable } = app;
  return [
    await found('doctray --version prints the version', async () => {
      const { stdout } = await promisify(execFile)(executable, ['--version'], { env, timeout: limitMs });
      if (!stdout.split('\n').includes(ownVersion())) throw new Error(`it printed ${JSON.stringify(stdout)}`);
    }),
    await found('doctray --help lists the commands', async () => {
      const { stdout } = await promisify(execFile)(executable, ['--help'], { env, timeout: limitMs });
      if (!/^\s+serve\b/m.test(stdout)) throw new Error(`it printed ${JSON.stringify(stdout.slice(0, 200))}`);
    }),
    await found('the window opens, and the app quits', () => openAndQuit(app, scratch, env)),
  ];
}

async function found(what: string, look: () => Promise<void>): Promise<Finding> {
  try {
    await look();
    return { what, problem: undefined };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    // Playwright tells in colours, and at length
    return { what, problem: stripVTControlCharacters(text).split('\n').slice(0, 30).join('\n') };
  }
}

function ownVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** A home of its own, without a way to the keychain of whoever runs this. */
function environment(scratch: string): Record<string, string> {
  const kept = ['PATH', 'LANG', 'DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'STANDIN_CHROMIUM', 'SystemRoot'];
  const env: Record<string, string> = { DBUS_SESSION_BUS_ADDRESS: '', DOCTRAY_SECRETS: 'file' };
  for (const name of kept) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  const homes = { HOME: 'home', XDG_CONFIG_HOME: 'config', XDG_DATA_HOME: 'data', XDG_CACHE_HOME: 'cache' };
  const onWindows = { USERPROFILE: 'home', APPDATA: 'config', LOCALAPPDATA: 'data', TEMP: 'tmp', TMP: 'tmp' };
  const folders = { ...homes, XDG_RUNTIME_DIR: 'run', TMPDIR: 'tmp' };
  for (const [name, folder] of Object.entries(
    process.platform === 'win32' ? { ...folders, ...onWindows } : folders,
  )) {
    env[name] = join(scratch, folder);
    mkdirSync(env[name], { recursive: true, mode: 0o700 });
  }
  return env;
}

/** A copy of the executable, or on macOS, whose fuses are in a library, of the app. */
function copyExecutable(
  { folder, executable }: UnpackedApp,
  scratch: string,
): { path: string; copy: string } {
  if (process.platform === 'darwin') {
    const copy = join(scratch, basename(folder));
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    return { path: join(copy, relative(folder, executable)), copy };
  }
  const { dir, name, ext } = parse(executable);
  const path = join(dir, `${name}-inspected${ext}`);
  copyFileSync(executable, path);
  return { path, copy: path };
}

async function openAndQuit(app: UnpackedApp, scratch: string, env: Record<string, string>): Promise<void> {
  const { path: executable, copy } = copyExecutable(app, scratch);
  try {
    await flipFuses(executable, {
      version: FuseVersion.V1,
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
      resetAdHocDarwinSignature: process.platform === 'darwin',
    });
    const folder = join(scratch, 'documents');
    mkdirSync(folder, { recursive: true });
    const args = ['--data', join(scratch, 'doctray'), '--folder', folder, '--port', '0'];
    // Chromium refuses its sandbox to root; for everyone else, Playwright mustn't switch it off.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) args.unshift('--no-sandbox');
    const running = await _electron.launch({
      executablePath: executable,
      args,
      env,
      chromiumSandbox: !isRoot,
      timeout: limitMs,
    });
    // Playwright forgets the process with the app
    const child = running.process();
    try {
      const page = await running.firstWindow({ timeout: limitMs });
      // what shows that renderer, preload and handlers found each other
      await page.getByRole('heading').first().waitFor({ timeout: limitMs });
      const isPackaged = await running.evaluate(({ app: { isPackaged: answer } }) => answer);
      if (!isPackaged) throw new Error('it doesn’t know that it is packed');
      const hasNoSandbox = await running.evaluate(({ app: electronApp }) =>
        electronApp.commandLine.hasSwitch('no-sandbox'),
      );
      if (hasNoSandbox !== isRoot) throw new Error('it runs without a sandbox');
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(limitMs) });
      await running.evaluate(({ app: electronApp }) => {
        setImmediate(() => electronApp.quit());
      });
      const [code] = (await ended) as [number | null];
      if (code !== 0) throw new Error(`it exited with ${code}`);
    } finally {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
