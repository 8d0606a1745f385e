// Page sessions: a browser that may show one document. It holds a cookie of 256 random bits, of which the database has the
// HMAC alone, as with tokens. A session lives twelve hours from its last use and ends with whatever takes its user's rights.

import type { Clock } from '../contract/clock.ts';
import type { PageSessionRow, PageSessionsTable } from '../store/page-sessions.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { RandomBytes } from './password.ts';
import type { TicketGrant, Tickets } from './tickets.ts';
import { createTokenMint, isSameHmac } from './token.ts';
import type { Users } from './users.ts';

export const pageSessionLifeMs = 12 * 60 * 60 * 1000;
/** The end is that coarse, so that a page that asks every few seconds costs no write each time. */
const touchStepMs = 60_000;

/** `mode` is the most that may be done in it, by the role its user had when it began. */
export type PageSession = Omit<PageSessionRow, 'hmac'>;

export interface PageSessions {
  /** The user and the document must be known. The cookie's value is told here and never again. */
  begin(grant: TicketGrant): { session: PageSession; cookie: string };
  /** By the cookie's value; counts as a use. Undefined when unknown, malformed or over. */
  find(cookie: string): PageSession | undefined;
  /** Ends the session; documents open in it go on. False when there is none. */
  end(id: string): boolean;
  /** Ends the session, all that was opened in it, and where its tickets led: somebody else may hold it. */
  revoke(id: string): void;
  /** To be called for every access token that was revoked: the page that it was made for gives out no other. */
  noteRevokedToken(accessTokenId: string): void;
  /** Forgets those that are over. */
  sweep(): void;
}

export interface PageSessionsDeps {
  table: PageSessionsTable;
  users: Pick<Users, 'beforeChange'>;
  accessTokens: Pick<AccessTokens, 'revokeOfPageSession'>;
  tickets: Pick<Tickets, 'revokeForPageSession'>;
  clock: Clock;
  tokenKey: Buffer;
  randomBytes?: RandomBytes;
}

export function createPageSessions(deps: PageSessionsDeps): PageSessions {
  const { table, clock, accessTokens, tickets } = deps;
  const mint = createTokenMint(deps);

  // After a new password open documents go on, as they do with tokens; their pages want the new one.
  deps.users.beforeChange(({ userId }) => void table.removeByUser(userId));

  const revoke = (id: string): void => {
    for (const one of [id, ...tickets.revokeForPageSession(id)]) {
      table.remove(one);
      accessTokens.revokeOfPageSession(one);
    }
  };

  return {
    begin({ userId, fileId, mode, editorId }) {
      const { token: cookie, hmac } = mint.make();
      const createdAtMs = clock();
      const session: PageSession = {
        id: mint.makeId(),
        userId,
        fileId,
        mode,
        editorId,
        createdAtMs,
        expiresAtMs: createdAtMs + pageSessionLifeMs,
      };
      table.insert({ ...session, hmac });
      return { session, cookie };
    },

    find(cookie) {
      const hmac = mint.hmacOf(cookie);
      const found = hmac && table.byHmac(hmac);
      if (!found || !isSameHmac(found.hmac, hmac)) return undefined;
      const { hmac: _hmac, ...session } = found;
      const nowMs = clock();
      if (nowMs >= session.expiresAtMs) return undefined;
      const expiresAtMs = nowMs + pageSessionLifeMs;
      if (expiresAtMs - session.expiresAtMs < touchStepMs) return session;
      table.setExpiry(session.id, { expiresAtMs });
      return { ...session, expiresAtMs };
    },

    end: table.remove,
    revoke,

    noteRevokedToken(accessTokenId) {
      const id = table.idByAccessToken(accessTokenId);
      if (id !== undefined) revoke(id);
    },

    sweep: () => void table.removeExpired(clock()),
  };
}
