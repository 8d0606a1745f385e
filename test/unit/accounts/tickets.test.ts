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

test('a ticket gives its grant once', () => {
  const { tickets } = open();
  const ticket = tickets.issue(grant);
  assert.match(ticket, /^[\w-]{43}$/);
  const first = tickets.redeem(ticket);
  assert.ok(first?.kind === 'granted');
  assert.deepEqual(first.grant, grant);
  assert.deepEqual(tickets.redeem(ticket), { kind: 'used', pageSessionId: undefined });
});

test('a second use within the minute names what the first one began', () => {
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

test('a ticket is too old after a minute, and a clock that was set back does not lengthen its life', () => {
  const { tickets, time } = open();
  const late = tickets.issue(grant);
  time.nowMs += ticketLifeMs;
  assert.equal(tickets.redeem(late), undefined);
  const early = tickets.issue(grant);
  time.nowMs -= 1;
  assert.equal(tickets.redeem(early), undefined);
});

test('the link of a start waits longer for its one use, and that use still shows when it comes twice', () => {
  const { tickets, time } = open();
  const link = tickets.issue(grant, null, startLinkLifeMs);
  const piped = tickets.issue(grant, null, pipedLinkLifeMs);
  time.nowMs += 5 * ticketLifeMs;
  begin(tickets, piped, 'p');
  time.nowMs += 12 * 60 * ticketLifeMs;
  begin(tickets, link, 's');
  time.nowMs += ticketLifeMs;
  assert.deepEqual(tickets.redeem(link), { kind: 'used', pageSessionId: 's' });
  const late = tickets.issue(grant, null, startLinkLifeMs);
  time.nowMs += startLinkLifeMs;
  assert.equal(tickets.redeem(late), undefined);
});

test('what was never issued opens nothing', () => {
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

function begin(tickets: Tickets, ticket: string, pageSessionId: string): void {
  const redeemed = tickets.redeem(ticket);
  assert.ok(redeemed?.kind === 'granted');
  redeemed.remember(pageSessionId);
}

test('what led on from a page session is found again and ended, over several steps, and nothing else', () => {
  const { tickets, time } = open();
  begin(tickets, tickets.issue(grant), 'first');
  const second = tickets.issue(grant, 'first');
  begin(tickets, second, 'second');
  const unused = tickets.issue(grant, 'second');
  begin(tickets, tickets.issue(grant, 'second'), 'third');
  const other = tickets.issue(grant, 'elsewhere');
  time.nowMs += ticketLifeMs - 1;
  assert.deepEqual(tickets.revokeForPageSession('first'), ['second', 'third']);
  assert.deepEqual([tickets.redeem(second), tickets.redeem(unused)], [undefined, undefined]);
  assert.equal(tickets.redeem(other)?.kind, 'granted');
  assert.deepEqual(tickets.revokeForPageSession('first'), []);
});

test('a page that asks for one ticket after another pushes out its own, and no trace of what it began', () => {
  const { tickets } = open(4);
  const others = tickets.issue(grant);
  begin(tickets, tickets.issue(grant), 'first');
  begin(tickets, tickets.issue(grant, 'first'), 'second');
  const flood = Array.from({ length: 20 }, () => tickets.issue(grant, 'second'));
  assert.equal(tickets.redeem(others)?.kind, 'granted');
  assert.deepEqual(tickets.revokeForPageSession('first'), ['second']);
  assert.equal(tickets.redeem(flood.at(-1) ?? ''), undefined);
});

test('a user who asks for any number of tickets pushes out no other user’s', () => {
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

test('there are never more tickets than fit, and the oldest go first', () => {
  const { tickets } = open(2);
  const [first, second, third] = [tickets.issue(grant), tickets.issue(grant), tickets.issue(grant)];
  assert.equal(tickets.redeem(first), undefined);
  assert.equal(tickets.redeem(second)?.kind, 'granted');
  assert.equal(tickets.redeem(third)?.kind, 'granted');
});
