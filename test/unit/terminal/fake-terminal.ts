// A terminal for tests: streams in memory that are a TTY or not.

import { PassThrough } from 'node:stream';
import type { Terminal } from '../../../app/terminal/terminal.ts';

export interface FakeTerminal {
  terminal: Terminal;
  out(): string;
  err(): string;
  /** Types the text as soon as the question is shown. */
  answer(question: RegExp, text: string): Promise<void>;
}

export function fakeTerminal(options: {
  isTTY: boolean;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}): FakeTerminal {
  const { isTTY } = options;
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => stdin });
  const stdout = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  let out = '';
  let err = '';
  stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const terminal = {
    stdin,
    stdout,
    stderr,
    env: options.env ?? {},
    platform: 'linux',
    command: 'doctray',
    cwd: options.cwd ?? '/',
    isNpmScript: false,
  } as unknown as Terminal;
  return {
    terminal,
    out: () => out,
    err: () => err,
    async answer(question, text) {
      for (let tries = 0; !question.test(err); tries += 1) {
        if (tries > 2000) throw new Error(`never asked ${question}: ${err}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      // readline listens from the next turn of the event loop on.
      await new Promise((resolve) => setTimeout(resolve, 5));
      stdin.write(text);
    },
  };
}
