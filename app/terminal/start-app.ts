// Runs the desktop app as a child process of `npm start` and forwards options, signals, output and the exit code. If Electron
// exits or hangs before the app runs, `npm start` serves without a window.

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { t } from '../contract/messages.ts';
import { callCommand } from './call-command.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import type { ServeOptions } from './serve-options.ts';
import { onOrphaned, onStopSignal } from './stop-signals.ts';
import type { Terminal } from './terminal.ts';

/** `reason`: a sentence that says why the app didn't run. */
export type AppEnd = { code: ExitCode } | { reason: string };

export interface RunAppDeps {
  program: string;
  projectRoot: string;
  options: ServeOptions;
  terminal: Terminal;
  /** The time limit for the app's first event. */
  startLimitMs?: number;
  /** Asks the running app to quit. On Windows, where a signal ends a process by force. */
  quit?: () => Promise<unknown>;
}

const usualStartLimitMs = 30_000;
const keptCharacters = 32_000;

/** Resolves when the child has exited: with its exit code, or with a reason if the app never ran in it. */
export async function runApp(deps: RunAppDeps): Promise<AppEnd> {
  const { program, projectRoot, options, terminal, startLimitMs = usualStartLimitMs } = deps;
  const { env, cwd, isNpmScript, platform, stdout, stderr } = terminal;
  const { quit = () => callCommand(terminal, options.data, 'host.quit', {}) } = deps;
  const childEnv = { ...env };
  // The terminal of an Electron-based editor may set this. It makes Electron run as plain Node.
  delete childEnv['ELECTRON_RUN_AS_NODE'];
  // The child's standard error is a pipe, so it can't detect the terminal itself.
  if (stderr.isTTY) childEnv['DOCTRAY_PRETTY_LOG'] = '1';
  // The first event shows that the app runs. Events are forwarded only if the user passed --json.
  const args = [projectRoot, ...appArguments({ ...options, json: true }, cwd)];
  let isSignaled = false;
  const forwardSignal = (signal: NodeJS.Signals): void => {
    isSignaled = true;
    if (platform !== 'win32') child.kill(signal);
    // Without a host, no save is running.
    else quit().catch(() => child.kill());
  };
  // Before the child starts, which could run for a while before this process continues.
  const removeHandlers = onStopSignal(forwardSignal, (signal) => void child.kill(signal));
  const child = spawn(program, args, { cwd: projectRoot, env: childEnv, stdio: ['ignore', 'pipe', 'pipe'] });

  let isRunning = false;
  let isTimedOut = false;
  /** Chromium's output before the app runs. Printed only if the app runs, else summarized in one sentence. */
  let earlyOutput = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (isRunning) stderr.write(chunk);
    else earlyOutput = (earlyOutput + chunk.toString()).slice(-keptCharacters);
  });
  child.stdout.on('data', (chunk: Buffer) => {
    if (!isRunning) {
      isRunning = true;
      clearTimeout(startLimit);
      stderr.write(earlyOutput);
    }
    if (options.json === true) stdout.write(chunk);
  });
  const startLimit = setTimeout(() => {
    isTimedOut = true;
    child.kill('SIGKILL');
  }, startLimitMs);
  const stopOrphanWatch = isNpmScript ? onOrphaned(() => isSignaled || forwardSignal('SIGTERM')) : undefined;
  try {
    const { promise, resolve: end } = Promise.withResolvers<ChildEnd>();
    child.on('error', (error) => end({ code: null, signal: null, error }));
    child.on('close', (code, signal) => end({ code, signal }));
    const ended = await promise;
    // A second instance activates the running one and exits immediately with 0.
    if (!isRunning && !isSignaled && ended.code !== 0) {
      const limit = Math.round(startLimitMs / 1000);
      return {
        reason: isTimedOut ? t('terminal.the-window-didnt-open', { limit }) : reasonOf(ended, earlyOutput),
      };
    }
    return { code: Object.values(exitCode).find((known) => known === ended.code) ?? exitCode.failed };
  } finally {
    clearTimeout(startLimit);
    stopOrphanWatch?.();
    removeHandlers();
  }
}

interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  error?: Error;
}

/** What Chromium prints about it. */
const sandboxProblem = /no usable sandbox|setuid sandbox|sandbox_host|clone_flags|user namespace/iu;

function reasonOf({ code, signal, error }: ChildEnd, earlyOutput: string): string {
  if (error !== undefined) return t('terminal.electron-cant-be-started', { reason: error.message });
  const how = signal ?? t('terminal.exit-code', { code: String(code) });
  if (sandboxProblem.test(earlyOutput)) return t('terminal.electrons-sandbox-is-blocked', { how });
  const lastLine = earlyOutput.trim().split('\n').at(-1)?.trim().slice(0, 160) ?? '';
  return t('terminal.electron-exited', { how: lastLine === '' ? how : `${how}: ${lastLine}` });
}

/** `--name=value` in one argument each, since Chromium may reorder arguments. Relative paths are resolved from `cwd`. */
export function appArguments(options: ServeOptions, cwd: string): string[] {
  const paths = ['folder', 'data'] as const;
  const texts = ['host', 'port', 'publicUrl', 'owner'] as const;
  return [
    ...paths.flatMap((name) =>
      options[name] === undefined ? [] : `--${name}=${resolve(cwd, options[name])}`,
    ),
    ...texts.flatMap((name) =>
      options[name] === undefined ? [] : `--${name === 'publicUrl' ? 'public-url' : name}=${options[name]}`,
    ),
    ...(options.json === true ? ['--json'] : []),
    ...(options.disableGpu === true ? ['--disable-gpu'] : []),
  ];
}
