// The desktop app as a child of `npm start`: it gets the options, the signals and the terminal's two outputs, and its exit
// code is passed on.

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { exitCode, type ExitCode } from './exit-code.ts';
import type { ServeOptions } from './serve-options.ts';
import type { Terminal } from './terminal.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const orphanCheckMs = 1000;

export async function runApp(
  program: string,
  projectRoot: string,
  options: ServeOptions,
  { env, cwd, isNpmScript }: Terminal,
): Promise<ExitCode> {
  const childEnv = { ...env };
  // set in terminals of editors that are Electron apps themselves; it would make a plain Node of ours
  delete childEnv['ELECTRON_RUN_AS_NODE'];
  const child = spawn(program, [projectRoot, ...appArguments(options, cwd)], {
    cwd: projectRoot,
    env: childEnv,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of signals) process.on(signal, passOn);
  // npm's shell dies of a signal without passing it on, see ending.ts
  const parent = process.ppid;
  const orphanWatch = setInterval(() => {
    if (isNpmScript && process.ppid !== parent) child.kill('SIGTERM');
  }, orphanCheckMs);
  try {
    const { promise, resolve: end, reject } = Promise.withResolvers<number | null>();
    child.on('error', reject).on('exit', end);
    const code = await promise;
    return Object.values(exitCode).find((known) => known === code) ?? exitCode.failed;
  } finally {
    clearInterval(orphanWatch);
    for (const signal of signals) process.off(signal, passOn);
  }
}

/** One argument each, since Chromium may change their order; paths as they were meant here. */
export function appArguments(options: ServeOptions, cwd: string): string[] {
  const { folder, data, host, port, publicUrl, owner, json } = options;
  const flag = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`--${name}=${value}`];
  return [
    ...flag('folder', folder === undefined ? undefined : resolve(cwd, folder)),
    ...flag('data', data === undefined ? undefined : resolve(cwd, data)),
    ...flag('host', host),
    ...flag('port', port),
    ...flag('public-url', publicUrl),
    ...flag('owner', owner),
    ...(json === true ? ['--json'] : []),
  ];
}
