// What a request collects for the journal on its way through the server.

import type { AppError } from '../contract/errors.ts';
import type { Client } from './client-address.ts';

export interface RequestState {
  /** Set by the host guard, before any decision. */
  client: Client;
  /** Why the host guard refused it; clients with an open document may continue. */
  refusal?: AppError;
  correlationId: string;
  /** The operation's name in the specification. */
  operation?: string;
  fileId?: string;
  /** Of an earlier version of that document. */
  isVersion?: boolean;
  /** Why it was refused: the code of an AppError, or `session-over` for a token or page that was valid once. */
  code?: string;
  /** Login. */
  user?: string;
  /** The id of the access token, for calls of editors. @see Sessions */
  sessionId?: string;
  /** For a host page: the user may change the settings. */
  isOwner?: boolean;
  /** The lock decision, without a lock id. */
  lock?: string;
  /** The lock headers, shortened: enough to tell locks apart, not enough to use one. For the journal only, not the log. */
  lockHeaders?: string;
  /** For requests that are journaled elsewhere or not worth a line. Responses from 500 on are journaled anyway. */
  isUnjournaled?: boolean;
}
