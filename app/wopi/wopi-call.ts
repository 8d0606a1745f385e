// One WOPI request as the operations see it, and what they answer: values without HTTP. The caller may lie in every header
// and in the body; the grant was checked against the token and the file before.

import type { AccessGrant } from '../accounts/access-tokens.ts';

export interface WopiCall {
  grant: AccessGrant;
  /** The raw access token, for the addresses that have to carry one. */
  token: string;
  fileId: string;
  /** HEAD: the client wants the headers alone. */
  isHead: boolean;
  /** A request header by its name, whatever its case. */
  header(name: string): string | undefined;
  body: AsyncIterable<Uint8Array>;
  /** Content-Length, where one was declared. */
  declaredBytes: number | undefined;
  /** Address of this host as the editor reaches it, without a final '/'. */
  baseUrl: string;
  /** Address of this host as the browser that shows the document reaches it, without a final '/'. */
  pageUrl: string;
  /** Largest upload of the tenant. */
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
  /** Text (JSON already encoded) or content; nothing when absent. */
  json?: object;
  /** A small document's content, read whole. */
  bytes?: Buffer;
  /** The system has taken `bytes`: their memory can be used again. Not called if the connection broke. */
  onSent?: () => void;
  /** A large one's, to be read while it is sent. */
  content?: ContentBody;
  /** Bytes of document content the request brought, for the session's count. */
  savedBytes?: number;
  /** For the journal: what the lock looked like to the decision. */
  lockNote?: string;
}

export interface WopiOperation {
  /** The field's own name, as the journal shows it. */
  name: string;
  run(call: WopiCall): Promise<WopiAnswer>;
}

/**
 * Every lock conflict: the holder's id, empty when there is none, a reason for the log, and what an editor shows its user, as a
 * header value.
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

/** The answer of a token that is not (any more) good for this call. */
export const unauthorized: WopiAnswer = { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } };
