// Prompts in the terminal. Passwords are typed without echo or piped in; they are never an argument, which every process on the
// computer could read.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { t } from '../contract/messages.ts';
import { Interrupted, UsageError } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** @throws UsageError if standard input isn't a terminal */
export function requireInteractive(terminal: Terminal): void {
  if (!terminal.stdin.isTTY) throw new UsageError(t('terminal.this-needs-your-confirmation'));
}

/** @throws UsageError if standard input isn't a terminal; Interrupted on Ctrl+C */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  requireInteractive(terminal);
  const answer = (await ask(terminal, t('terminal.yes-or-no', { question }), true)).trim().toLowerCase();
  const yes = t('terminal.yes');
  return ['y', 'yes', yes.charAt(0), yes].includes(answer);
}

/** @throws UsageError if standard input isn't a terminal or the passwords don't match; Interrupted on Ctrl+C */
export async function readPassword(
  terminal: Terminal,
  options: { fromStdin: boolean; login: string },
): Promise<string> {
  if (options.fromStdin) return readPiped(terminal);
  if (!terminal.stdin.isTTY) {
    throw new UsageError(t('terminal.pipe-the-password-in'));
  }
  const password = await ask(terminal, t('terminal.password-for', { login: options.login }), false);
  const repeated = await ask(terminal, t('terminal.repeat-the-password'), false);
  if (password !== repeated) throw new UsageError(t('terminal.the-passwords-dont-match'));
  return password;
}

/** Reads all of standard input, without the final newline. */
async function readPiped(terminal: Terminal): Promise<string> {
  const password = (await text(terminal.stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new UsageError(t('terminal.no-password-on-standard-input'));
  return password;
}

async function ask(terminal: Terminal, question: string, isEchoed: boolean): Promise<string> {
  // readline echoes the input and redraws its prompt by writing to its output.
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isEchoed ? terminal.stderr : silence;
  if (!isEchoed) terminal.stderr.write(question);
  const reader = createInterface({ input: terminal.stdin, output, terminal: true, historySize: 0 });
  const interrupted = new AbortController();
  reader.once('SIGINT', () => interrupted.abort());
  reader.once('close', () => interrupted.abort());
  try {
    return await reader.question(question, { signal: interrupted.signal });
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    throw new Interrupted();
  } finally {
    reader.close();
    if (!isEchoed) terminal.stderr.write('\n');
  }
}
