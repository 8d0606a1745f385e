// Why an editor cannot be read, told apart so that each gets its own remedy.

import { AppError } from '../contract/errors.ts';

export type EditorFaultCode =
  | 'name-not-resolved'
  | 'refused'
  | 'no-route'
  | 'timed-out'
  /** It answered and the connection broke, or what answers speaks something else. */
  | 'broken'
  | 'tls-not-trusted'
  /** What answers there does not speak TLS, or none that this program takes. */
  | 'tls-failed'
  | 'redirected'
  | 'not-allowed-address'
  | 'status'
  | 'too-large'
  | 'no-discovery'
  | 'other-host'
  /** Of the built-in editor: its port can't be opened, its address is the host's own, the host lets no call of it in. */
  | 'port-taken'
  | 'port-forbidden'
  | 'address-unavailable'
  | 'not-opened'
  | 'same-origin'
  | 'loopback-refused'
  /** The built-in editor could open it, and is switched off. */
  | 'switched-off';

export const textEditorOff = {
  sentence: 'The text editor is off.',
  /** In the terminal. */
  remedy: 'Switch it on with `settings set textEditor true`.',
} as const;

/** The cause of an `editor-unreachable`, `discovery-invalid` or `editor-other-host`. */
export class EditorFault extends Error {
  readonly code: EditorFaultCode;
  /** What was seen. */
  readonly sentence: string;
  /** What to do. */
  readonly remedy: string;

  constructor(code: EditorFaultCode, sentence: string, remedy: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = 'EditorFault';
    this.code = code;
    this.sentence = sentence;
    this.remedy = remedy;
  }
}

/** The one that an error was made from. */
export function faultOf(error: unknown): EditorFault | undefined {
  if (error instanceof EditorFault) return error;
  return error instanceof AppError && error.cause instanceof EditorFault ? error.cause : undefined;
}

export function unreachable(fault: EditorFault): AppError {
  return new AppError('editor-unreachable', { cause: fault, detail: `${fault.sentence} ${fault.remedy}` });
}
