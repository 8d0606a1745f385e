// One WOPI request as the operations see it, and their answers: values without HTTP. Headers and body are untrusted; the grant
// was already checked against the token and the file.

import type { AccessGrant } from '../accounts/access-tokens.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { MissedSave } from '../contract/page-state.ts';

export interface WopiCall {
  grant: AccessGrant;
  /** The raw access token, for addresses that must contain one. */
  token: string;
  fileId: string;
  /** HEAD: the client wants only the headers. */
  isHead: boolean;
  /** A request header by name, case-insensitive. */
  header(name: string): string | undefined;
  body: AsyncIterable<Uint8Array>;
  /** Content-Length, if declared. */
  declaredBytes: number | undefined;
  /** This host's address for the editor, without a trailing '/'. */
  baseUrl: string;
  /** This host's address for the browser that shows the document, without a trailing '/'. */
  pageUrl: string;
  /** The tenant's upload limit. */
  maxUploadBytes: number;
}

/** A document's content, or a part of it, to be sent from one open descriptor. */
export interface ContentBody {
  /** Reads up to `length` bytes at `position` into the buffer; 0 at the end. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Inclusive start and exclusive end within the document. */
  start: number;
  end: number;
  close(): void;
}

export interface WopiAnswer {
  status: number;
  headers?: Record<string, string>;
  /** A string is JSON already. There is no body without `json`, `bytes` or `content`. */
  json?: object | string;
  /** A small document's whole content. */
  bytes?: Buffer;
  /** The system has taken `bytes`: their buffer can be reused. Not called if the connection broke. */
  onSent?: () => void;
  /** A large document's content, read while it is sent. */
  content?: ContentBody;
  /** Bytes of document content the request contained, for the session's count. */
  savedBytes?: number;
  /** Where a PutFile's body is, if it isn't in the document; `file`: the document had these bytes already. */
  kept?: 'file' | Pick<MissedSave, 'kind' | 'keptId'>;
  /** For the journal: why it was refused, and the state of the lock at the decision. */
  code?: ErrorCode;
  lockNote?: string;
}

export interface WopiOperation {
  /** The operation's name in the specification, as the journal shows it. */
  name: string;
  run(call: WopiCall): Promise<WopiAnswer>;
}

/**
 * Every lock conflict: the holder's id, empty if there is none, a reason for the log, and the header value that an editor shows
 * its user.
 */
export function lockConflict(currentLockId: string, note: string, shown = note): WopiAnswer {
  return {
    status: 409,
    headers: { 'X-WOPI-Lock': currentLockId, 'X-WOPI-LockFailureReason': shown },
    lockNote: note,
  };
}

export function badRequest(reason: string): WopiAnswer {
  return { status: 400, json: { error: reason } };
}

export const notFound: WopiAnswer = { status: 404 };

/** For a token that isn't valid for this call, or no longer is. */
export const unauthorized: WopiAnswer = { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } };
