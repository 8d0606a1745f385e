// Child processes that `npm start` runs before the window opens. A signal that interrupts `npm start` kills them too.

import { spawn } from 'node:child_process';
import { Interrupted } from './exit-code.ts';
import { onStopSignal } from './stop-signals.ts';

export interface ChildRun {
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Kills the child. */
  stop?: AbortSignal;
  /** Called about every second. */
  onSecond?: (seconds: number) => void;
}

export interface ChildEnd {
  /** Null if the child was killed or couldn't be started. */
  code: number | null;
  /** The end of its output. */
  output: string;
}

const keptCharacters = 8000;

/** @throws Interrupted if this process received a signal */
export async function runChild({ command, args, cwd, env, stop, onSecond }: ChildRun): Promise<ChildEnd> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-keptCharacters);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);

  const { promise: ended, resolve: end } = Promise.withResolvers<number | null>();
  child.on('error', (error) => {
    keep(Buffer.from(error.message));
    end(null);
  });
  child.on('close', end);

  const kill = (): void => void child.kill('SIGKILL');
  let isInterrupted = false;
  const onSignal = (): void => {
    isInterrupted = true;
    kill();
  };
  if (stop?.aborted === true) kill();
  stop?.addEventListener('abort', kill);
  const startedAtMs = performance.now();
  const ticker = setInterval(() => onSecond?.(Math.round((performance.now() - startedAtMs) / 1000)), 1000);
  const removeHandlers = onStopSignal(onSignal);
  try {
    const code = await ended;
    if (isInterrupted) throw new Interrupted();
    return { code, output };
  } finally {
    stop?.removeEventListener('abort', kill);
    clearInterval(ticker);
    removeHandlers();
  }
}
