// What a request's way through the server leaves behind for the journal.

import type { User } from '../accounts/user.ts';
import type { AppError } from '../contract/errors.ts';
import type { Client } from './client-address.ts';

export interface RequestState {
  /** Set by the host guard, before anything is decided. */
  client: Client;
  /** Why the host guard would not let it in; whoever has a document open goes on. */
  refusal?: AppError;
  correlationId: string;
  /** The operation's name in the field's own words. */
  operation?: string;
  fileId?: string;
  /** Login. */
  user?: string;
  /** Of a host page: the user may change the settings. */
  isOwner?: boolean;
  /** What the lock decision was, in words; no lock id. */
  lock?: string;
  /** The lock headers, shortened: enough to tell locks apart, not enough to use one. For the journal alone, not the log. */
  lockHeaders?: string;
  /** Leaves out requests that are journaled elsewhere or not worth a line. Answers from 500 on are journaled anyway. */
  isUnjournaled?: boolean;
  /** Set once an API token was accepted. */
  caller?: { user: User; tokenId: string };
}
