// Tickets: what a link to a host page contains instead of a token. Valid for one use, within a minute by default, kept only in
// memory, as a hash. Others may see a link (a process list, a shared screen), so a second use within its lifetime is
// distinguished from an expired ticket: the first user may have been the wrong one.

import { createHash, randomBytes as systemRandomBytes } from 'node:crypto';
import { hasExpired } from '../contract/age.ts';
import type { Clock } from '../contract/clock.ts';
import type { AccessMode } from '../store/access-tokens.ts';
import type { RandomBytes } from './password.ts';
import type { Users } from './users.ts';

export const ticketLifeMs = 60_000;
/** For the link back from a conversion: ONLYOFFICE Docs waits for the user to press a button there. */
export const conversionLinkLifeMs = 10 * 60_000;
/** For the link that a start prints on a terminal, which a user may come back to. */
export const startLinkLifeMs = 24 * 60 * 60_000;
/** The same in a pipe or a log, which others may read later. */
export const pipedLinkLifeMs = 10 * 60_000;
const defaultMaxTickets = 10_000;
const defaultMaxPerUser = 1000;

export interface TicketGrant {
  userId: string;
  fileId: string;
  /** The highest mode it allows. */
  mode: AccessMode;
  /** The editor to open the document in; null: the one for its type. */
  editorId: string | null;
  /** An access token that was issued along with the link, for an editor that isn't connected. */
  accessTokenId?: string;
}

export type Redeemed =
  | {
      kind: 'granted';
      grant: TicketGrant;
      /** Records the page session that the ticket became, in case it is used again. */
      remember(pageSessionId: string): void;
    }
  /** Within its lifetime, but already used. */
  | { kind: 'used'; pageSessionId: string | undefined };

export interface Tickets {
  /**
   * 43 characters of base64url.
   * @param pageSessionId the page that it leads on from, or whose token requested it
   * @param lifeMs a minute by default
   */
  issue(grant: TicketGrant, pageSessionId?: string | null, lifeMs?: number): string;
  /** Undefined: unknown or expired. */
  redeem(ticket: string): Redeemed | undefined;
  /**
   * Revokes the tickets issued to this page session and returns the page sessions they became, since a stolen link may have been
   * used to open more. Tickets are remembered for as long as they would have been valid.
   */
  revokeForPageSession(pageSessionId: string): string[];
}

export interface TicketsDeps {
  clock: Clock;
  /** A user who loses rights loses the tickets issued before. */
  users: Pick<Users, 'beforeChange'>;
  randomBytes?: RandomBytes;
  /** Above this number, the oldest tickets of the user with the most are dropped. */
  maxTickets?: number;
  /** Above this number, the user's own oldest tickets are dropped. */
  maxPerUser?: number;
}

interface IssuedTicket {
  grant: TicketGrant;
  issuedAtMs: number;
  lifeMs: number;
  isUsed: boolean;
  pageSessionId: string | undefined;
  /** The chain of page sessions it comes from, the oldest first; may be empty. */
  ancestors: readonly string[];
}

export function createTickets(deps: TicketsDeps): Tickets {
  const { clock, randomBytes = systemRandomBytes } = deps;
  const { maxTickets = defaultMaxTickets, maxPerUser = defaultMaxPerUser } = deps;
  /** By hash, oldest first. */
  const issued = new Map<string, IssuedTicket>();

  const isLive = ({ issuedAtMs, lifeMs }: IssuedTicket): boolean => !hasExpired(issuedAtMs, lifeMs, clock());

  /** Pages and editors can request any number, and must not push out another user's tickets. */
  const makeRoom = (userId: string): void => {
    // Including the one about to be issued.
    const counts = new Map([[userId, 1]]);
    for (const [key, ticket] of issued) {
      const { userId } = ticket.grant;
      if (isLive(ticket)) counts.set(userId, (counts.get(userId) ?? 0) + 1);
      else issued.delete(key);
    }
    if ((counts.get(userId) ?? 0) > maxPerUser) dropTicketOf(userId);
    else if (issued.size >= maxTickets) {
      const [most] = [...counts].toSorted(([, left], [, right]) => right - left);
      if (most !== undefined) dropTicketOf(most[0]);
    }
  };

  /** Unused tickets from a page first: a used one records which page session it became. */
  const dropTicketOf = (userId: string): void => {
    const own = [...issued].filter(([, { grant }]) => grant.userId === userId);
    const [key] = own.find(([, { ancestors, isUsed }]) => ancestors.length > 0 && !isUsed) ?? own[0] ?? [];
    if (key !== undefined) issued.delete(key);
  };

  const ancestorsOf = (pageSessionId: string): readonly string[] => {
    for (const ticket of issued.values()) {
      if (ticket.pageSessionId === pageSessionId) return [...ticket.ancestors, pageSessionId];
    }
    return [pageSessionId];
  };

  deps.users.beforeChange(({ userId }) => {
    for (const [key, { grant }] of issued) if (grant.userId === userId) issued.delete(key);
  });

  return {
    issue(grant, pageSessionId = null, lifeMs = ticketLifeMs) {
      makeRoom(grant.userId);
      const ancestors = pageSessionId === null ? [] : ancestorsOf(pageSessionId);
      const ticket = randomBytes(32).toString('base64url');
      issued.set(hashOf(ticket), {
        grant,
        issuedAtMs: clock(),
        lifeMs,
        isUsed: false,
        pageSessionId: undefined,
        ancestors,
      });
      return ticket;
    },

    redeem(ticket) {
      const found = issued.get(hashOf(ticket));
      if (found === undefined || !isLive(found)) return undefined;
      if (found.isUsed) return { kind: 'used', pageSessionId: found.pageSessionId };
      found.isUsed = true;
      return {
        kind: 'granted',
        grant: found.grant,
        remember(pageSessionId) {
          found.pageSessionId = pageSessionId;
        },
      };
    },

    revokeForPageSession(pageSessionId) {
      const startedSessions: string[] = [];
      for (const [key, ticket] of issued) {
        if (!ticket.ancestors.includes(pageSessionId)) continue;
        if (ticket.pageSessionId !== undefined) startedSessions.push(ticket.pageSessionId);
        issued.delete(key);
      }
      return startedSessions;
    },
  };
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64');
}
