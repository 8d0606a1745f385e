// The messages of the control socket: one line of JSON in each direction, one request per connection. An error is sent as its
// code and sentence, without a stack.

import { AppError, describeError, isErrorCode, messageFor } from '../contract/errors.ts';

export interface ControlRequest {
  command: string;
  args: unknown;
  /** The caller's language, in which its answer is: a BCP 47 tag. Undefined, as of an older version: English. */
  language?: string | undefined;
}

export type ControlAnswer =
  | { ok: true; result: unknown }
  | { ok: false; error: { code: string; message: string; detail?: string; retryAfterSeconds?: number } };

/** Enough for an import of a thousand paths. */
export const maxRequestBytes = 1 << 20;
export const maxAnswerBytes = 64 << 20;

export function toLine(message: ControlRequest | ControlAnswer): string {
  return `${JSON.stringify(message)}\n`;
}

/** @throws AppError malformed-json, invalid-argument */
export function readRequest(line: string): ControlRequest {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new AppError('malformed-json', { cause: error });
  }
  if (
    typeof value !== 'object' ||
    value === null ||
    !('command' in value) ||
    typeof value.command !== 'string'
  ) {
    throw new AppError('invalid-argument');
  }
  const language = 'language' in value && typeof value.language === 'string' ? value.language : undefined;
  return { command: value.command, args: 'args' in value ? value.args : {}, language };
}

export function errorAnswer(thrown: unknown): ControlAnswer {
  const { code, detail, retryAfterSeconds } = describeError(thrown);
  return {
    ok: false,
    error: {
      code,
      message: messageFor('terminal', thrown),
      ...(detail !== undefined && { detail }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  };
}

/** The result of the command. @throws AppError the host's error; no-answer if the line isn't JSON */
export function readAnswer(line: string): unknown {
  let answer: ControlAnswer | null;
  try {
    answer = JSON.parse(line) as ControlAnswer | null;
  } catch (error) {
    throw new AppError('no-answer', { cause: error });
  }
  if (answer === null) throw new AppError('no-answer');
  if (answer.ok) return answer.result;
  const { code, message, detail, retryAfterSeconds } = answer.error;
  if (!isErrorCode(code)) throw new AppError('internal', { detail: message });
  throw new AppError(code, {
    ...(detail !== undefined && { detail }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
