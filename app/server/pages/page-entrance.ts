// How a browser gets access: with a ticket, with the cookie that replaced the ticket, or by signing in. A link may have been
// intercepted, so a ticket that is used twice ends the session that it started.

import type { Context } from 'koa';
import { effectiveMode } from '../../accounts/access-mode.ts';
import type { AccessMode } from '../../store/access-tokens.ts';
import type { User } from '../../store/users.ts';
import type { AccessTokens } from '../../accounts/access-tokens.ts';
import type { PageSession, PageSessions } from '../../accounts/page-sessions.ts';
import type { TicketGrant, Tickets } from '../../accounts/tickets.ts';
import type { Users } from '../../accounts/users.ts';
import { pageCookies, setPageCookies } from './page-call.ts';

export interface PageEntranceDeps {
  tickets: Pick<Tickets, 'redeem'>;
  pageSessions: Pick<PageSessions, 'begin' | 'find' | 'revoke'>;
  users: Pick<Users, 'byId'>;
  accessTokens: Pick<AccessTokens, 'replaceUnused'>;
}

export interface Visitor {
  session: PageSession;
  user: User;
  /** False if the session has ended: check right before any token is returned. */
  hasAccess(): boolean;
}

export interface PageEntrance {
  /** Who has a page of this document open; undefined if nobody has. */
  visitor(context: Context, fileId: string): Visitor | undefined;
  /** Whether the ticket is valid, or the browser already has access. `base`: the host's address as the browser sees it. */
  enter(context: Context, input: { fileId: string; ticket: string; base: string }): boolean;
  /** Starts a session for a user who signed in. */
  admit(context: Context, input: { user: User; fileId: string; base: string }): void;
}

export function createPageEntrance(deps: PageEntranceDeps): PageEntrance {
  const { tickets, pageSessions, users, accessTokens } = deps;

  const visitor = (context: Context, fileId: string): Visitor | undefined => {
    for (const cookie of pageCookies(context.req.headers.cookie)) {
      const session = pageSessions.find(cookie);
      const user = session?.fileId === fileId ? users.byId(session.userId) : undefined;
      if (session !== undefined && user !== undefined) {
        return { session, user, hasAccess: () => pageSessions.find(cookie) !== undefined };
      }
    }
    return undefined;
  };

  const begin = (context: Context, grant: TicketGrant, base: string): PageSession => {
    const { session, cookie } = pageSessions.begin(grant);
    context.append('Set-Cookie', setPageCookies(base, grant.fileId, cookie));
    return session;
  };

  return {
    visitor,

    enter(context, { fileId, ticket, base }) {
      const current = visitor(context, fileId);
      const redeemed = tickets.redeem(ticket);
      if (redeemed === undefined) return current !== undefined;
      if (redeemed.kind === 'used') {
        const { pageSessionId } = redeemed;
        if (pageSessionId !== undefined && current?.session.id !== pageSessionId) {
          pageSessions.revoke(pageSessionId);
        }
        return current !== undefined;
      }
      const { grant, remember } = redeemed;
      const user = users.byId(grant.userId);
      if (grant.fileId !== fileId || user === undefined) return current !== undefined;
      const mode = effectiveMode(user.role, grant.mode);
      // The same page in another tab: one session for both, which this ticket didn't start and can't end.
      const shared = current !== undefined && isCovered(current.session, { ...grant, mode });
      const { id } = shared ? current.session : begin(context, { ...grant, mode }, base);
      if (!shared) remember(id);
      if (grant.accessTokenId !== undefined) accessTokens.replaceUnused(grant.accessTokenId, id);
      return true;
    },

    admit(context, { user, fileId, base }) {
      const mode = effectiveMode(user.role, 'edit');
      begin(context, { userId: user.id, fileId, mode, editorId: null }, base);
    },
  };
}

function isCovered(session: PageSession, grant: TicketGrant): boolean {
  const rank = (mode: AccessMode): number => (mode === 'edit' ? 1 : 0);
  return (
    session.userId === grant.userId &&
    session.editorId === grant.editorId &&
    rank(session.mode) >= rank(grant.mode)
  );
}
