import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createTickets,
  pipedLinkLifeMs,
  startLinkLifeMs,
  ticketLifeMs,
  type TicketGrant,
  type Tickets,
} from '../../../app/accounts/tickets.ts';
import type { UserChange } from '../../../app/accounts/users.ts';

const grant: TicketGrant = { userId: 'u1', fileId: 'f1', mode: 'edit', editorId: null };

function open(maxTickets?: number, maxPerUser?: number) {
  const time = { nowMs: 1_000_000 };
  const listeners: ((change: UserChange) => void)[] = [];
  const tickets = createTickets({
    clock: () => time.nowMs,
    users: {
      beforeChange(listener) {
        listeners.push(listener);
        return () => undefined;
      },
    },
    ...(maxTickets !== undefined && { maxTickets }),
    ...(maxPerUser !== undefined && { maxPerUser }),
  });
  return { time, tickets, change: (change: UserChange) => listeners.forEach((listener) => listener(change)) };
}

test('redeems a ticket once', () => {
  const { tickets } = open();
  const ticket = tickets.issue(grant);
  assert.match(ticket, /^[\w-]{43}$/);
  const first = tickets.redeem(ticket);
  assert.ok(first?.kind === 'granted');
  assert.deepEqual(first.grant, grant);
  assert.deepEqual(tickets.redeem(ticket), { kind: 'used', pageSessionId: undefined });
});

test('a second use within a minute returns the page session of the first', () => {
  const { tickets, time } = open();
  const ticket = tickets.issue(grant);
  const first = tickets.redeem(ticket);
  assert.ok(first?.kind === 'granted');
  first.remember('s1');
  time.nowMs += ticketLifeMs - 1;
  assert.deepEqual(tickets.redeem(ticket), { kind: 'used', pageSessionId: 's1' });
  time.nowMs += 1;
  assert.equal(tickets.redeem(ticket), undefined);
});

test('a start link stays valid longer than a ticket, and a second use is still recognized', () => {
  const { tickets, time } = open();
  const link = tickets.issue(grant, null, startLinkLifeMs);
  const piped = tickets.issue(grant, null, pipedLinkLifeMs);
  time.nowMs += 5 * ticketLifeMs;
  redeemFor(tickets, piped, 'p');
  time.nowMs += 12 * 60 * ticketLifeMs;
  redeemFor(tickets, link, 's');
  time.nowMs += ticketLifeMs;
  assert.deepEqual(tickets.redeem(link), { kind: 'used', pageSessionId: 's' });
  const late = tickets.issue(grant, null, startLinkLifeMs);
  time.nowMs += startLinkLifeMs;
  assert.equal(tickets.redeem(late), undefined);
});

test('rejects a ticket that was never issued', () => {
  const { tickets } = open();
  const ticket = tickets.issue(grant);
  const last = ticket.endsWith('A') ? 'B' : 'A';
  for (const wrong of ['', 'x', ticket.slice(1), ticket.slice(0, -1) + last, `${ticket}=`]) {
    assert.equal(tickets.redeem(wrong), undefined);
  }
});

test('drops the tickets of a user who loses rights, and no others', () => {
  for (const kind of ['password', 'role', 'removal'] as const) {
    const { tickets, change } = open();
    const ticket = tickets.issue(grant);
    const other = tickets.issue({ ...grant, userId: 'u2' });
    change({ userId: 'u1', kind });
    assert.equal(tickets.redeem(ticket), undefined, kind);
    assert.equal(tickets.redeem(other)?.kind, 'granted');
  }
});

function redeemFor(tickets: Tickets, ticket: string, pageSessionId: string): void {
  const redeemed = tickets.redeem(ticket);
  assert.ok(redeemed?.kind === 'granted');
  redeemed.remember(pageSessionId);
}

test('revoking a page session drops its tickets and returns all page sessions that followed from it, and no others', () => {
  const { tickets, time } = open();
  redeemFor(tickets, tickets.issue(grant), 'first');
  const second = tickets.issue(grant, 'first');
  redeemFor(tickets, second, 'second');
  const unused = tickets.issue(grant, 'second');
  redeemFor(tickets, tickets.issue(grant, 'second'), 'third');
  const other = tickets.issue(grant, 'elsewhere');
  time.nowMs += ticketLifeMs - 1;
  assert.deepEqual(tickets.revokeForPageSession('first'), ['second', 'third']);
  assert.deepEqual([tickets.redeem(second), tickets.redeem(unused)], [undefined, undefined]);
  assert.equal(tickets.redeem(other)?.kind, 'granted');
  assert.deepEqual(tickets.revokeForPageSession('first'), []);
});

test('a page that requests many tickets evicts no one else’s, and its page sessions can still be revoked', () => {
  const { tickets } = open(4);
  const others = tickets.issue(grant);
  redeemFor(tickets, tickets.issue(grant), 'first');
  redeemFor(tickets, tickets.issue(grant, 'first'), 'second');
  const flood = Array.from({ length: 20 }, () => tickets.issue(grant, 'second'));
  assert.equal(tickets.redeem(others)?.kind, 'granted');
  assert.deepEqual(tickets.revokeForPageSession('first'), ['second']);
  assert.equal(tickets.redeem(flood.at(-1) ?? ''), undefined);
});

test('a user who requests many tickets evicts no other user’s', () => {
  for (const limits of [
    [4, 100],
    [100, 2],
  ]) {
    const { tickets } = open(...limits);
    const fromPage = tickets.issue({ ...grant, userId: 'u2' }, 'a page');
    const unused = tickets.issue({ ...grant, userId: 'u2' });
    for (let count = 0; count < 20; count += 1) tickets.issue(grant);
    const last = tickets.issue(grant);
    for (const ticket of [fromPage, unused, last]) assert.equal(tickets.redeem(ticket)?.kind, 'granted');
  }
});

test('keeps at most the maximum number of tickets, and evicts the oldest first', () => {
  const { tickets } = open(2);
  const [first, second, third] = [tickets.issue(grant), tickets.issue(grant), tickets.issue(grant)];
  assert.equal(tickets.redeem(first), undefined);
  assert.equal(tickets.redeem(second)?.kind, 'granted');
  assert.equal(tickets.redeem(third)?.kind, 'granted');
});
