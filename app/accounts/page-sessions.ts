// Page sessions: a browser that may show one document. It has a cookie of 256 random bits, of which the database stores only the
// HMAC, as with tokens. A session expires twelve hours after its last use, or ends when its user loses the rights.

import type { Clock } from '../contract/clock.ts';
import type { PageSessionRow, PageSessionsTable } from '../store/page-sessions.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { RandomBytes } from './password.ts';
import type { TicketGrant, Tickets } from './tickets.ts';
import { createTokenMint, isSameHmac } from './token.ts';
import type { Users } from './users.ts';

export const pageSessionLifeMs = 12 * 60 * 60 * 1000;
/** Precision of the expiry, so that a page that polls every few seconds doesn't write each time. */
const touchStepMs = 60_000;

/** `mode` is the highest mode it allows, by the role its user had when it began. */
export type PageSession = Omit<PageSessionRow, 'hmac'>;

export interface PageSessions {
  /** The user and the document must exist. The cookie's value is returned here and never again. */
  begin(grant: TicketGrant): { session: PageSession; cookie: string };
  /** By the cookie's value; counts as a use. Undefined if unknown, malformed or expired. */
  find(cookie: string): PageSession | undefined;
  /** Ends the session; documents opened in it stay open. False if there is none. */
  end(id: string): boolean;
  /** Ends the session, everything opened in it, and the sessions its tickets led to: the link may have been stolen. */
  revoke(id: string): void;
  /** Call it for every revoked access token: the page that it was issued for returns no other. */
  noteRevokedToken(accessTokenId: string): void;
  /** Forgets expired ones. */
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

  // After a password change open documents stay open, as with tokens; their pages require the new password.
  deps.users.beforeChange(({ userId }) => void table.removeByUser(userId));

  const revoke = (id: string): void => {
    for (const one of [id, ...tickets.revokeForPageSession(id)]) {
      table.remove(one);
      accessTokens.revokeOfPageSession(one);
    }
  };

  return {
    begin({ userId, fileId, mode, editorId }) {
      const { token: cookie, hmac } = mint.create();
      const createdAtMs = clock();
      const session: PageSession = {
        id: mint.createId(),
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
