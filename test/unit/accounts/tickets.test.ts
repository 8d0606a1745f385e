import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTickets, ticketLifeMs, type TicketGrant } from '../../../app/accounts/tickets.ts';
import type { UserChange } from '../../../app/accounts/users.ts';

const grant: TicketGrant = { userId: 'u1', fileId: 'f1', mode: 'edit', editorId: null };

function open(maxTickets?: number) {
  const time = { nowMs: 1_000_000 };
  const listeners: ((change: UserChange) => void)[] = [];
  const tickets = createTickets({
    clock: () => time.nowMs,
    users: {
      onChange(listener) {
        listeners.push(listener);
        return () => undefined;
      },
    },
    ...(maxTickets !== undefined && { maxTickets }),
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

test('what was never issued opens nothing', () => {
  const { tickets } = open();
  const ticket = tickets.issue(grant);
  const last = ticket.endsWith('A') ? 'B' : 'A';
  for (const wrong of ['', 'x', ticket.slice(1), ticket.slice(0, -1) + last, `${ticket}=`]) {
    assert.equal(tickets.redeem(wrong), undefined);
  }
});

test('a user who loses rights loses the tickets too, and nobody else does', () => {
  for (const kind of ['password', 'role', 'removal'] as const) {
    const { tickets, change } = open();
    const ticket = tickets.issue(grant);
    const other = tickets.issue({ ...grant, userId: 'u2' });
    change({ userId: 'u1', kind });
    assert.equal(tickets.redeem(ticket), undefined, kind);
    assert.equal(tickets.redeem(other)?.kind, 'granted');
  }
});

test('there are never more tickets than fit, and the oldest go first', () => {
  const { tickets } = open(2);
  const [first, second, third] = [tickets.issue(grant), tickets.issue(grant), tickets.issue(grant)];
  assert.equal(tickets.redeem(first), undefined);
  assert.equal(tickets.redeem(second)?.kind, 'granted');
  assert.equal(tickets.redeem(third)?.kind, 'granted');
});
