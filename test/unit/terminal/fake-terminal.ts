// A terminal for tests: streams in memory that are a TTY or not.

import { PassThrough } from 'node:stream';
import type { Terminal } from '../../../app/terminal/terminal.ts';

export type FakeTerminal = ReturnType<typeof fakeTerminal>;

export interface FakeTerminalOptions {
  isTTY?: boolean;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  command?: string;
  /** All of standard input. */
  input?: string;
}

export function fakeTerminal(options: FakeTerminalOptions = {}) {
  const { isTTY = false, cwd = '/', env = {}, platform = 'linux', command = 'doctray', input } = options;
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => stdin });
  const stdout = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  if (input !== undefined) stdin.end(input);
  let out = '';
  let err = '';
  stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const streams = { stdin, stdout, stderr } as unknown as Pick<Terminal, 'stdin' | 'stdout' | 'stderr'>;
  const terminal: Terminal = { ...streams, env: { ...env }, platform, command, cwd, isNpmScript: false };
  return {
    terminal,
    out: () => out,
    err: () => err,
    /** Types the text as soon as the question is shown. */
    async answer(question: RegExp, text: string): Promise<void> {
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
