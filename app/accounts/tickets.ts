// Tickets: what a link to a host page carries instead of a token. Good for one minute and one use, kept in memory alone, and
// there as a hash. A link can be seen by others (a process list, a shared screen), so a second use within that minute is told
// apart from an old ticket: whoever was first may be the wrong one.

import { createHash, randomBytes as systemRandomBytes } from 'node:crypto';
import type { Clock } from '../contract/clock.ts';
import type { AccessMode } from './access-mode.ts';
import type { RandomBytes } from './password.ts';
import type { Users } from './users.ts';

export const ticketLifeMs = 60_000;
const defaultMaxTickets = 10_000;

export interface TicketGrant {
  userId: string;
  fileId: string;
  /** The most that may be done by it. */
  mode: AccessMode;
  /** The editor to open the document in; null: the one for its type. */
  editorId: string | null;
}

export type Redeemed =
  | {
      kind: 'granted';
      grant: TicketGrant;
      /** Notes the page session that the ticket became, for the case that it is used again. */
      remember(pageSessionId: string): void;
    }
  /** Within its life, but not for the first time. */
  | { kind: 'used'; pageSessionId: string | undefined };

export interface Tickets {
  /** 43 characters of base64url. */
  issue(grant: TicketGrant): string;
  /** Undefined: unknown, or too old. */
  redeem(ticket: string): Redeemed | undefined;
}

export interface TicketsDeps {
  clock: Clock;
  /** Whoever loses rights loses the tickets made before. */
  users: Pick<Users, 'onChange'>;
  randomBytes?: RandomBytes;
  /** More than that at once: the oldest end. */
  maxTickets?: number;
}

interface IssuedTicket {
  grant: TicketGrant;
  issuedAtMs: number;
  isUsed: boolean;
  pageSessionId: string | undefined;
}

export function createTickets(deps: TicketsDeps): Tickets {
  const { clock, randomBytes = systemRandomBytes, maxTickets = defaultMaxTickets } = deps;
  /** By hash, oldest first. */
  const issued = new Map<string, IssuedTicket>();

  /** A clock that was set back must not lengthen a ticket's life. */
  const isLive = ({ issuedAtMs }: IssuedTicket): boolean => {
    const ageMs = clock() - issuedAtMs;
    return ageMs >= 0 && ageMs < ticketLifeMs;
  };

  deps.users.onChange(({ userId }) => {
    for (const [key, { grant }] of issued) if (grant.userId === userId) issued.delete(key);
  });

  return {
    issue(grant) {
      for (const [key, ticket] of issued) {
        if (isLive(ticket) && issued.size < maxTickets) break;
        issued.delete(key);
      }
      const ticket = randomBytes(32).toString('base64url');
      issued.set(hashOf(ticket), { grant, issuedAtMs: clock(), isUsed: false, pageSessionId: undefined });
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
  };
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64');
}
