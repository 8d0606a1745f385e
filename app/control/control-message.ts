// What passes over the control socket: one line of JSON each way, one request a connection. Errors cross as their code and
// sentence; stacks stay where they are.

import { AppError, describeError, isErrorCode } from '../contract/errors.ts';

export interface ControlRequest {
  command: string;
  args: unknown;
}

export type ControlAnswer =
  { ok: true; result: unknown } | { ok: false; error: { code: string; message: string; detail?: string } };

/** A thousand paths of files to import fit in. */
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
  return { command: value.command, args: 'args' in value ? value.args : {} };
}

export function errorAnswer(thrown: unknown): ControlAnswer {
  const { code, message, detail } = describeError(thrown);
  return { ok: false, error: { code, message, ...(detail === undefined ? {} : { detail }) } };
}

/** The result, or the host's error thrown here. @throws AppError */
export function readAnswer(line: string): unknown {
  let answer: ControlAnswer;
  try {
    answer = JSON.parse(line) as ControlAnswer;
  } catch (error) {
    throw new AppError('no-answer', { cause: error });
  }
  if (answer.ok) return answer.result;
  const { code, message, detail } = answer.error;
  if (!isErrorCode(code)) throw new AppError('internal', { detail: message });
  throw new AppError(code, detail === undefined ? {} : { detail });
}
