import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createPageCopies } from '../../../app/accounts/page-copies.ts';
import {
  createPageSessions,
  pageSessionLifeMs,
  type PageSessions,
} from '../../../app/accounts/page-sessions.ts';
import { createTickets } from '../../../app/accounts/tickets.ts';
import type { User } from '../../../app/store/users.ts';
import { createPageSessionsTable } from '../../../app/store/page-sessions.ts';
import { openAccounts, type Accounts } from './accounts-fixture.ts';

let accounts: Accounts;
let sessions: PageSessions;
before(async () => {
  accounts = await openAccounts();
  sessions = build();
});
after(() => accounts.close());

function build(): PageSessions {
  const { db, users, accessTokens, time, tokenKey } = accounts;
  const table = createPageSessionsTable(db);
  const clock = (): number => time.nowMs;
  const tickets = createTickets({ clock, users });
  return createPageSessions({ table, users, accessTokens, tickets, clock, tokenKey });
}

const files = new Set<string>();

function file(id: string): string {
  if (!files.has(id)) accounts.addFile(id);
  files.add(id);
  return id;
}

function begin(user: User, fileId: string) {
  return sessions.begin({ userId: user.id, fileId: file(fileId), mode: 'edit', editorId: 'ab12cd34' });
}

function token(user: User, fileId: string, pageSessionId: string) {
  const place = { editorId: null, pageUrl: null, pageSessionId };
  return accounts.accessTokens.mint({ user, fileId: file(fileId), mode: 'edit', place });
}

test('finds a session by its cookie, also after a restart, and stores only its HMAC', () => {
  const { session, cookie } = begin(accounts.addUser('first'), 'f1');
  assert.match(cookie, /^[\w-]{43}$/);
  assert.deepEqual(sessions.find(cookie), session);
  const stored = accounts.db.prepare('SELECT hmac FROM page_sessions WHERE id = ?').pluck().get(session.id);
  assert.deepEqual(stored, createHmac('sha256', accounts.tokenKey).update(cookie).digest());
  accounts.restart();
  sessions = build();
  assert.deepEqual(sessions.find(cookie), session);
});

test('a session expires twelve hours after its last use, which is recorded at most once a minute', () => {
  const { session, cookie } = begin(accounts.addUser('lasting'), 'f2');
  const { time } = accounts;
  time.nowMs += 59_999;
  assert.equal(sessions.find(cookie)?.expiresAtMs, session.expiresAtMs);
  time.nowMs += pageSessionLifeMs - 60_000;
  assert.equal(sessions.find(cookie)?.expiresAtMs, time.nowMs + pageSessionLifeMs);
  time.nowMs += pageSessionLifeMs;
  assert.equal(sessions.find(cookie), undefined);
  sessions.sweep();
  assert.equal(sessions.end(session.id), false);
});

test('finds nothing for an invalid cookie or an access token', () => {
  const user = accounts.addUser('exact');
  const { session, cookie } = begin(user, 'f3');
  const last = cookie.endsWith('A') ? 'B' : 'A';
  const access = token(user, 'f3', session.id).token;
  for (const wrong of ['', cookie.slice(1), cookie.slice(0, -1) + last, `${cookie} `, access]) {
    assert.equal(sessions.find(wrong), undefined);
  }
});

test('ending a session keeps its access tokens valid; revoking it revokes them', () => {
  const user = accounts.addUser('closer');
  const ended = begin(user, 'f4');
  const kept = token(user, 'f4', ended.session.id);
  assert.equal(sessions.end(ended.session.id), true);
  assert.equal(sessions.find(ended.cookie), undefined);
  assert.ok(accounts.accessTokens.find(kept.token));
  const revoked = begin(user, 'f4');
  const lost = token(user, 'f4', revoked.session.id);
  sessions.revoke(revoked.session.id);
  assert.equal(sessions.find(revoked.cookie), undefined);
  assert.equal(accounts.accessTokens.find(lost.token), undefined);
});

test('a new password or role ends page sessions but not their access tokens; removing the user ends both', async () => {
  const user = accounts.addUser('changing');
  const first = begin(user, 'f5');
  const open = token(user, 'f5', first.session.id);
  await accounts.users.setPassword('changing', 'another password');
  assert.equal(sessions.find(first.cookie), undefined);
  assert.ok(accounts.accessTokens.find(open.token));
  const next = begin(user, 'f5');
  accounts.users.setRole('changing', 'viewer');
  assert.equal(sessions.find(next.cookie), undefined);
  const last = begin(user, 'f5');
  accounts.users.remove('changing');
  assert.equal(sessions.find(last.cookie), undefined);
  assert.equal(accounts.accessTokens.find(open.token), undefined);
});

test('revoking an access token ends its page session and revokes its renewed tokens', () => {
  const user = accounts.addUser('revoked');
  const { session, cookie } = begin(user, 'f6');
  const [first, renewed] = [token(user, 'f6', session.id), token(user, 'f6', session.id)];
  accounts.events.length = 0;
  accounts.accessTokens.revoke(first.id);
  sessions.noteRevokedToken(first.id);
  const once = [first, renewed].map(({ id }) => ({ event: 'token-revoked', tokenId: id }));
  assert.deepEqual(accounts.events, once);
  assert.equal(sessions.find(cookie), undefined);
  assert.equal(accounts.accessTokens.find(renewed.token), undefined);
  sessions.noteRevokedToken(renewed.id);
  sessions.noteRevokedToken('unknown');
});

test('revoking the token of a copy keeps the page session that created the copy', () => {
  const user = accounts.addUser('copier');
  const { session, cookie } = begin(user, 'f7');
  const copy = token(user, 'f7-copy', session.id);
  accounts.accessTokens.revoke(copy.id);
  sessions.noteRevokedToken(copy.id);
  assert.deepEqual(sessions.find(cookie), session);
});

test('lists copies by page, without duplicates, oldest first and limited in number', () => {
  const time = { nowMs: 1 };
  const copies = createPageCopies({ clock: () => time.nowMs });
  assert.deepEqual(copies.forPage('s1'), []);
  copies.note('s1', 'a');
  copies.note('s2', 'b');
  time.nowMs = 2;
  copies.note('s1', 'c', 'token');
  copies.note('s1', 'a');
  assert.deepEqual(copies.forPage('s1'), [
    { fileId: 'c', madeAtMs: 2, tokenId: 'token' },
    { fileId: 'a', madeAtMs: 2, tokenId: null },
  ]);
  for (let number = 0; number < 60; number += 1) copies.note('s3', `${number}`);
  assert.equal(copies.forPage('s3').length, 50);
  for (let number = 0; number < 1000; number += 1) copies.note(`t${number}`, 'a');
  assert.deepEqual(copies.forPage('s1'), []);
});
