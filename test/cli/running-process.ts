// A process whose output a test follows, and which it ends by its id.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

interface HostEvent {
  event: string;
  [key: string]: unknown;
}

export type Running = ReturnType<typeof startProcess>;

const limitMs = 120_000;

/** An argument of node: a larger initial young generation saves a fifth of the processor time of a host's start. */
export const quickStart = '--min-semi-space-size=32';

export function startProcess(command: readonly string[], options: { cwd?: string; env: NodeJS.ProcessEnv }) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  let isOver = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    isOver = true;
    return { code, signal, stdout, stderr };
  });
  const printed = async (text: RegExp, stream: 'stdout' | 'stderr' = 'stdout'): Promise<void> => {
    const signal = AbortSignal.timeout(limitMs);
    while (!text.test(stream === 'stdout' ? stdout : stderr)) {
      assert.ok(!isOver && !signal.aborted, `It didn’t print ${String(text)}: ${stdout}${stderr}`);
      await Promise.race([once(child[stream], 'data', { signal }).catch(() => undefined), ended]);
    }
  };
  /** Of `serve --json`, so far. */
  const events = (): HostEvent[] =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as HostEvent);
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    isRunning: () => !isOver,
    /** Resolves when it has printed this; rejects if the process ends before. */
    printed,
    events,
    /** Waits for the first event of that name; rejects if the process ends before it. */
    async event(name: string): Promise<HostEvent> {
      await printed(new RegExp(`"event":"${name}".*\n`, 'u'));
      return events().find(({ event }) => event === name)!;
    },
    ended,
    /** Sends the signal and waits for the end. */
    stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
      child.kill(signal);
      return ended;
    },
  };
}
