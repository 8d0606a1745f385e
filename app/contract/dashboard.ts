// What the dashboard's page and the host say to each other through their WebSocket. The first message of the page opens the session;
// everything else before it ends the connection.

import type { Push } from './pushes.ts';
import type { CommandAnswer } from './results.ts';

/** The path of the WebSocket. */
export const socketPath = '/socket';

/** What prints another link in a terminal, as text: `doctray dashboard`. */
export const commandPath = '/command';

/** Why the host closes a connection. The page retries after any other code. */
export const closeCodes = {
  /** The link has expired, or is unknown. */
  linkInvalid: 4401,
  /** The session has expired or was ended. */
  sessionEnded: 4402,
  /** The link was used before, and the session that it opened was ended. */
  linkUsed: 4403,
  /** The link that opened the session was used again, which ended it. */
  linkUsedAgain: 4404,
  /** A message that the page never sends. */
  unexpected: 4400,
  tooMany: 4429,
} as const;

/** What needs the user, whose password proves that it isn't a script in the page. */
export type DashboardQuestion =
  | { kind: 'confirm'; message: string; detail: string; button: string }
  /** The answer has the absolute path of a folder on the host's computer. */
  | { kind: 'folder'; startIn: string | null };

export interface DashboardAnswer {
  /** The owner's. */
  password: string;
  /** For `folder`. */
  path?: string;
}

/** Why an answer wasn't accepted. */
export interface AnswerProblem {
  field: 'password' | 'path';
  message: string;
}

/** What a page keeps for its tab. */
export interface DashboardSessionKey {
  id: string;
  secret: string;
}

export type DashboardRequest =
  /** `link`: the secret of a link from the terminal, valid once. */
  | { type: 'open'; link: string }
  /** `id` of a session. The host answers with `prove`. */
  | { type: 'resume'; id: string; nonce: string }
  /** That the page knows the session: see `prove`. */
  | { type: 'proof'; proof: string }
  | { type: 'call'; id: number; name: string; args: unknown }
  /** Null: the user canceled. */
  | { type: 'answer'; id: number; answer: DashboardAnswer | null };

export type DashboardMessage =
  /** `session`: a new one, null if it was resumed. `nowMs`: the host's time. */
  | { type: 'opened'; session: DashboardSessionKey | null; nowMs: number }
  /**
   * That the host knows the session. Both proofs are an HMAC-SHA-256 in base64url of `host` or `page`, a space, and the other
   * side's nonce, under the SHA-256 of the session's secret.
   */
  | { type: 'prove'; nonce: string; proof: string }
  | { type: 'result'; id: number; answer: CommandAnswer<unknown> }
  | { type: 'push'; push: Push }
  /** The same id again if the last answer wasn't accepted; `problem` says why. */
  | { type: 'ask'; id: number; question: DashboardQuestion; problem: AnswerProblem | null }
  /** The question needs no answer any more. */
  | { type: 'settled'; id: number }
  | { type: 'save'; name: string; text: string }
  /** In a new tab. */
  | { type: 'show'; url: string };
