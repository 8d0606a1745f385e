// Exit codes of all commands. Documented in --help.

import type { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';

export const exitCode = { done: 0, failed: 1, wrongUse: 2, notThere: 3, interrupted: 130 } as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** For --help. */
export function exitCodeHelp(): string {
  return `
${t('terminal.exit-codes')}
  0    ${t('terminal.exit-done')}
  1    ${t('terminal.exit-failed')}
  2    ${t('terminal.exit-wrong-use')}
  3    ${t('terminal.exit-not-there')}
  130  ${t('terminal.exit-interrupted')}`;
}

/** Invalid input on the command line. The message is one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The user answered no, or pressed Ctrl+C at a prompt. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export function exitCodeOf(error: AppError): ExitCode {
  if (error.status === 404 || error.code === 'file-not-locked') return exitCode.notThere;
  return error.status === 400 ? exitCode.wrongUse : exitCode.failed;
}
