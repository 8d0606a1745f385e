// How a browser gets in: by a ticket, by the cookie that the ticket became, or by signing in. Whoever comes may hold a link
// that was meant for somebody else, so a ticket that comes twice ends what it began.

import type { Context } from 'koa';
import { effectiveMode, type AccessMode } from '../../accounts/access-mode.ts';
import type { PageSession, PageSessions } from '../../accounts/page-sessions.ts';
import type { TicketGrant, Tickets } from '../../accounts/tickets.ts';
import type { User } from '../../accounts/user.ts';
import type { Users } from '../../accounts/users.ts';
import { pageCookies, setPageCookies } from './page-call.ts';

export interface PageEntranceDeps {
  tickets: Pick<Tickets, 'redeem'>;
  pageSessions: Pick<PageSessions, 'begin' | 'find' | 'revoke'>;
  users: Pick<Users, 'byId'>;
}

export interface Visitor {
  session: PageSession;
  user: User;
  /** The session may have ended since: to be asked right before anything is given out. */
  isStillIn(): boolean;
}

export interface PageEntrance {
  /** Who holds a page of this document; undefined: nobody, or not any more. */
  visitor(context: Context, fileId: string): Visitor | undefined;
  /** Whether the ticket let the browser in, or it was in already. `base`: the host's address as the browser sees it. */
  enter(context: Context, input: { fileId: string; ticket: string; base: string }): boolean;
  /** Begins a session for somebody who signed in. */
  admit(context: Context, input: { user: User; fileId: string; base: string }): void;
}

export function createPageEntrance(deps: PageEntranceDeps): PageEntrance {
  const { tickets, pageSessions, users } = deps;

  const visitor = (context: Context, fileId: string): Visitor | undefined => {
    for (const cookie of pageCookies(context.req.headers.cookie)) {
      const session = pageSessions.find(cookie);
      const user = session?.fileId === fileId ? users.byId(session.userId) : undefined;
      if (session !== undefined && user !== undefined) {
        return { session, user, isStillIn: () => pageSessions.find(cookie) !== undefined };
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
      const present = visitor(context, fileId);
      const redeemed = tickets.redeem(ticket);
      if (redeemed === undefined) return present !== undefined;
      if (redeemed.kind === 'used') {
        const { pageSessionId } = redeemed;
        if (pageSessionId !== undefined && present?.session.id !== pageSessionId) {
          pageSessions.revoke(pageSessionId);
        }
        return present !== undefined;
      }
      const { grant, remember } = redeemed;
      const user = users.byId(grant.userId);
      if (grant.fileId !== fileId || user === undefined) return present !== undefined;
      const mode = effectiveMode(user.role, grant.mode);
      // The same again, in another tab: one session for both, which this ticket did not begin and cannot end.
      if (present !== undefined && isCovered(present.session, { ...grant, mode })) return true;
      remember(begin(context, { ...grant, mode }, base).id);
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
