// Why an editor can't be read, with a code for each remedy.

import type { EditorProblem } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import { sayInEnglish, t, type MessageKey, type MessageValues } from '../contract/messages.ts';

export type EditorFaultCode =
  | 'name-not-resolved'
  | 'refused'
  | 'no-route'
  | 'timed-out'
  /** The connection broke after a response, or the server speaks another protocol. */
  | 'broken'
  | 'tls-not-trusted'
  /** The server doesn't speak TLS, or only a version that this program doesn't accept. */
  | 'tls-failed'
  | 'redirected'
  | 'not-allowed-address'
  | 'status'
  | 'too-large'
  | 'no-discovery'
  | 'other-host'
  /** For the built-in editor: its port can't be opened, its address is the host's own, the host doesn't allow its calls. */
  | 'port-taken'
  | 'address-unavailable'
  | 'same-origin'
  | 'loopback-refused'
  /** The built-in editor could open it, but is switched off. */
  | 'switched-off';

/** What was found, and what to do. */
export type FaultWords = readonly [sentence: MessageKey, remedy: MessageKey];

/** The cause of an `editor-unreachable`, `discovery-invalid` or `editor-other-host`. Its own message is in English, for the log. */
export class EditorFault extends Error {
  readonly code: EditorFaultCode;
  readonly words: FaultWords;
  readonly values: MessageValues;

  constructor(code: EditorFaultCode, words: FaultWords, values: MessageValues = {}, cause?: unknown) {
    super(
      sayInEnglish(() => words.map((key) => t(key, values)).join(' ')),
      { cause },
    );
    this.name = 'EditorFault';
    this.code = code;
    this.words = words;
    this.values = values;
  }

  /** In the language of whoever reads it. */
  get sentence(): string {
    return t(this.words[0], this.values);
  }

  get remedy(): string {
    return t(this.words[1], this.values);
  }
}

/** The fault that caused an error. */
export function faultOf(error: unknown): EditorFault | undefined {
  if (error instanceof EditorFault) return error;
  return error instanceof AppError && error.cause instanceof EditorFault ? error.cause : undefined;
}

export function unreachable(fault: EditorFault): AppError {
  return new AppError('editor-unreachable', {
    cause: fault,
    detail: () => `${fault.sentence} ${fault.remedy}`,
  });
}

/** Worded when it is read. */
export function problemOf(fault: EditorFault, sinceMs: number): EditorProblem {
  return {
    code: fault.code,
    get sentence() {
      return fault.sentence;
    },
    get remedy() {
      return fault.remedy;
    },
    sinceMs,
  };
}
