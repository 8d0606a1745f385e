// Programs that `npm start` runs on the way to the window. Each is bounded in time and ends with whoever started it.

import { spawn } from 'node:child_process';
import { BrokenOff } from './exit-code.ts';

export interface ChildRun {
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  limitMs: number;
  /** Called about every second. */
  onSecond?: (seconds: number) => void;
}

export interface ChildEnd {
  /** 0 when it did what it was to do. */
  code: number | null;
  isOutOfTime: boolean;
  /** The last of what it printed. */
  output: string;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const keptCharacters = 8000;

/** @throws BrokenOff when a signal ended it */
export async function runChild({ command, args, cwd, env, limitMs, onSecond }: ChildRun): Promise<ChildEnd> {
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

  let stoppedBy: 'limit' | 'signal' | undefined;
  const stop = (why: 'limit' | 'signal'): void => {
    stoppedBy ??= why;
    child.kill('SIGKILL');
  };
  const onSignal = (): void => stop('signal');
  const limit = setTimeout(() => stop('limit'), limitMs);
  const startedAtMs = performance.now();
  const ticker = setInterval(() => onSecond?.(Math.round((performance.now() - startedAtMs) / 1000)), 1000);
  for (const signal of signals) process.on(signal, onSignal);
  try {
    const code = await ended;
    if (stoppedBy === 'signal') throw new BrokenOff();
    return { code, isOutOfTime: stoppedBy === 'limit', output };
  } finally {
    clearTimeout(limit);
    clearInterval(ticker);
    for (const signal of signals) process.off(signal, onSignal);
  }
}
