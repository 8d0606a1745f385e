import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { day, openAccounts, type Accounts } from './accounts-fixture.ts';

let accounts: Accounts;
before(async () => {
  accounts = await openAccounts();
});
after(() => accounts.close());

test('a token authenticates its user until it expires, also after a restart', () => {
  const user = accounts.addUser('first');
  const { id, token, expiresAtMs } = accounts.apiTokens.issue(user);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(expiresAtMs, accounts.time.nowMs + 30 * day);
  assert.deepEqual(accounts.apiTokens.authenticate(token), { tokenId: id, user });
  accounts.restart();
  accounts.time.nowMs = expiresAtMs - 1;
  assert.deepEqual(accounts.apiTokens.authenticate(token), { tokenId: id, user });
  accounts.time.nowMs = expiresAtMs;
  assert.equal(accounts.apiTokens.authenticate(token), undefined);
});

test('takes the lifetime from the setting when the token is issued', () => {
  accounts.lifetimes.apiTokenDays = 2;
  const { expiresAtMs } = accounts.apiTokens.issue(accounts.addUser('short-lived'));
  accounts.lifetimes.apiTokenDays = 30;
  assert.equal(expiresAtMs, accounts.time.nowMs + 2 * day);
});

test('stores a token only as its HMAC under the token key', async () => {
  const { id, token } = accounts.apiTokens.issue(accounts.addUser('hidden'));
  const stored = accounts.db.prepare('SELECT hmac FROM api_tokens WHERE id = ?').pluck().get(id);
  assert.deepEqual(stored, createHmac('sha256', accounts.tokenKey).update(token).digest());
  accounts.restart();
  assert.ok(!(await readFile(join(accounts.dataDir, 'doctray.db'))).includes(token));
});

test('rejects a changed, truncated, padded or empty token, and an access token', () => {
  const user = accounts.addUser('exact');
  const { token } = accounts.apiTokens.issue(user);
  const last = token.endsWith('A') ? 'B' : 'A';
  const access = accounts.accessTokens.mint({ user, fileId: accounts.addFile('f1'), mode: 'edit' });
  const wrong = [token.slice(0, -1) + last, token.slice(1), `${token}=`, ` ${token}`, `${token}\n`, ''];
  for (const text of [...wrong, access.token]) {
    assert.equal(accounts.apiTokens.authenticate(text), undefined);
  }
});

test('revokes a token immediately and only once, with an event that contains only its id', () => {
  const { id, token } = accounts.apiTokens.issue(accounts.addUser('revoked'));
  accounts.events.length = 0;
  assert.equal(accounts.apiTokens.revoke(id), true);
  assert.equal(accounts.apiTokens.authenticate(token), undefined);
  assert.equal(accounts.apiTokens.revoke(id), false);
  assert.equal(accounts.apiTokens.revoke('unknown'), false);
  assert.deepEqual(accounts.events, [{ event: 'token-revoked', tokenId: id }]);
});

test('revokes all API tokens of a user whose password changes, and no others', async () => {
  const user = accounts.addUser('changer');
  const other = accounts.apiTokens.issue(accounts.addUser('bystander'));
  const issued = [accounts.apiTokens.issue(user), accounts.apiTokens.issue(user)];
  const access = accounts.accessTokens.mint({ user, fileId: accounts.addFile('f2'), mode: 'edit' });
  accounts.events.length = 0;
  await accounts.users.setPassword('changer', 'a new password');
  for (const { token } of issued) assert.equal(accounts.apiTokens.authenticate(token), undefined);
  assert.deepEqual(
    accounts.events.map((event) => event.event),
    ['token-revoked', 'token-revoked'],
  );
  assert.ok(accounts.apiTokens.authenticate(other.token));
  assert.ok(accounts.accessTokens.find(access.token));
});

test('a new role applies to the next call with an existing token', () => {
  const { token } = accounts.apiTokens.issue(accounts.addUser('demoted'));
  assert.equal(accounts.apiTokens.authenticate(token)?.user.role, 'editor');
  accounts.users.setRole('demoted', 'viewer');
  assert.equal(accounts.apiTokens.authenticate(token)?.user.role, 'viewer');
});

test('updates the last use at most every ten minutes', () => {
  const { id, token } = accounts.apiTokens.issue(accounts.addUser('used'));
  const lastUsed = () => accounts.apiTokens.list().find((summary) => summary.id === id)?.lastUsedAtMs;
  assert.equal(lastUsed(), null);
  const firstUse = accounts.time.nowMs;
  accounts.apiTokens.authenticate(token);
  accounts.time.nowMs += 9 * 60_000;
  accounts.apiTokens.authenticate(token);
  assert.equal(lastUsed(), firstUse);
  accounts.time.nowMs += 60_000;
  accounts.apiTokens.authenticate(token);
  assert.equal(lastUsed(), accounts.time.nowMs);
});

test('doesn’t list expired or revoked tokens, and a sweep deletes only those', () => {
  const user = accounts.addUser('swept');
  const expired = accounts.apiTokens.issue(user);
  accounts.time.nowMs += 15 * day;
  const live = accounts.apiTokens.issue(user);
  const revoked = accounts.apiTokens.issue(user);
  accounts.apiTokens.revoke(revoked.id);
  accounts.time.nowMs = expired.expiresAtMs;
  const mine = () => accounts.apiTokens.list().filter((summary) => summary.userId === user.id);
  const { createdAtMs, ...rest } = mine()[0]!;
  assert.equal(createdAtMs, live.expiresAtMs - 30 * day);
  assert.deepEqual(rest, {
    id: live.id,
    userId: user.id,
    userLogin: 'swept',
    userName: 'SWEPT',
    expiresAtMs: live.expiresAtMs,
    lastUsedAtMs: null,
    name: null,
  });
  assert.equal(mine().length, 1);
  accounts.apiTokens.sweep();
  const left = accounts.db.prepare('SELECT id FROM api_tokens WHERE user_id = ?').pluck().all(user.id);
  assert.deepEqual(left, [live.id]);
  assert.ok(accounts.apiTokens.authenticate(live.token));
});
