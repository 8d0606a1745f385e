// Exit codes of all commands. Documented in --help.

import type { AppError } from '../contract/errors.ts';

export const exitCode = { done: 0, failed: 1, wrongUse: 2, notThere: 3, interrupted: 130 } as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export const exitCodeHelp = `
Exit codes:
  0    done
  1    the operation failed
  2    wrong usage, or a value that isn’t allowed
  3    not found: a document, version, user, token, lock, editor or container
  130  interrupted`;

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
