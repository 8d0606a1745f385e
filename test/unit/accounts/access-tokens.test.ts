import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createAccessTokens } from '../../../app/accounts/access-tokens.ts';
import { hour, openAccounts, type Accounts } from './accounts-fixture.ts';

let accounts: Accounts;
before(async () => {
  accounts = await openAccounts();
});
after(() => accounts.close());

const mint = (user: ReturnType<Accounts['addUser']>, file: string) =>
  accounts.accessTokens.mint({ user, fileId: accounts.addFile(file), mode: 'edit' });

test('issues a token for 10 hours and finds its file, user and mode, also after a restart', () => {
  const user = accounts.addUser('ada');
  const fileId = accounts.addFile('plain');
  const { id, token, expiresAtMs, mode } = accounts.accessTokens.mint({ user, fileId, mode: 'edit' });
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(expiresAtMs, accounts.time.nowMs + 10 * hour);
  assert.equal(mode, 'edit');
  const grant = {
    id,
    fileId,
    userId: user.id,
    userLogin: 'ada',
    userName: 'ADA',
    issuedMode: 'edit',
    mode: 'edit',
    canWrite: true,
    userCanEdit: true,
    isOwner: false,
    createdAtMs: accounts.time.nowMs,
    expiresAtMs,
    editorId: null,
    pageUrl: null,
    pageSessionId: null,
  };
  assert.deepEqual(accounts.accessTokens.find(token), grant);
  accounts.restart();
  assert.deepEqual(accounts.accessTokens.find(token), grant);
});

test('takes the lifetime from the setting when the token is issued, unless the caller gives an expiry', () => {
  const user = accounts.addUser('setting');
  const fileId = accounts.addFile('setting');
  accounts.lifetimes.accessTokenHours = 1;
  assert.equal(
    accounts.accessTokens.mint({ user, fileId, mode: 'edit' }).expiresAtMs,
    accounts.time.nowMs + hour,
  );
  accounts.lifetimes.accessTokenHours = 10;
  const given = accounts.accessTokens.mint({ user, fileId, mode: 'edit', expiresAtMs: 4711 });
  assert.equal(given.expiresAtMs, 4711);
});

test('a viewer’s token is read-only even if edit mode is requested, and stays so after the viewer becomes an editor', () => {
  const user = accounts.addUser('viewer', 'viewer');
  const { token, mode } = mint(user, 'viewed');
  assert.equal(mode, 'view');
  const expected = { mode: 'view', canWrite: false };
  const found = () => {
    const { mode: foundMode, canWrite } = accounts.accessTokens.find(token)!;
    return { mode: foundMode, canWrite };
  };
  assert.deepEqual(found(), expected);
  accounts.users.setRole('viewer', 'editor');
  assert.deepEqual(found(), expected);
});

test('tokens of an editor who becomes a viewer lose write access immediately', () => {
  const user = accounts.addUser('demoted');
  const { id, token } = mint(user, 'demoted');
  assert.equal(accounts.accessTokens.find(token)?.canWrite, true);
  accounts.users.setRole('demoted', 'viewer');
  assert.equal(accounts.accessTokens.find(token)?.canWrite, false);
  assert.equal(accounts.accessTokens.find(token)?.mode, 'view');
  assert.equal(accounts.accessTokens.list().find((summary) => summary.id === id)?.mode, 'view');
});

test('finds an expired token for 24 hours after its expiry and no longer, cached or not', () => {
  const user = accounts.addUser('late');
  const { token, expiresAtMs } = mint(user, 'late');
  accounts.time.nowMs = expiresAtMs + 24 * hour - 1;
  assert.equal(accounts.accessTokens.find(token)?.expiresAtMs, expiresAtMs);
  accounts.time.nowMs += 1;
  assert.equal(accounts.accessTokens.find(token), undefined);
  accounts.restart();
  assert.equal(accounts.accessTokens.find(token), undefined);
});

test('stores a token only as its HMAC under the token key', async () => {
  const user = accounts.addUser('hidden');
  const { id, token } = mint(user, 'hidden');
  const stored = accounts.db.prepare('SELECT hmac FROM access_tokens WHERE id = ?').pluck().get(id);
  assert.deepEqual(stored, createHmac('sha256', accounts.tokenKey).update(token).digest());
  accounts.restart();
  assert.ok(!(await readFile(join(accounts.dataDir, 'doctray.db'))).includes(token));
});

test('rejects a changed, truncated, padded or empty token, and an API token', () => {
  const user = accounts.addUser('exact');
  const { token } = mint(user, 'exact');
  const last = token.endsWith('A') ? 'B' : 'A';
  const wrong = [token.slice(0, -1) + last, token.slice(1), `${token}=`, ` ${token}`, `${token}\n`, ''];
  for (const text of [...wrong, accounts.apiTokens.issue(user).token]) {
    assert.equal(accounts.accessTokens.find(text), undefined);
  }
});

test('revokes a cached token immediately and only once, with an event that contains its id', () => {
  const user = accounts.addUser('revoked');
  const { id, token } = mint(user, 'revoked');
  assert.ok(accounts.accessTokens.find(token));
  accounts.events.length = 0;
  assert.equal(accounts.accessTokens.revoke(id), true);
  assert.equal(accounts.accessTokens.find(token), undefined);
  assert.equal(accounts.accessTokens.revoke(id), false);
  assert.equal(accounts.accessTokens.revoke('unknown'), false);
  assert.deepEqual(accounts.events, [{ event: 'token-revoked', tokenId: id }]);
  accounts.restart();
  assert.equal(accounts.accessTokens.find(token), undefined);
});

test('revokes all tokens of a user, and no one else’s', () => {
  const user = accounts.addUser('all');
  const fileId = accounts.addFile('all');
  const other = accounts.accessTokens.mint({ user: accounts.addUser('other'), fileId, mode: 'edit' });
  const minted = [1, 2, 3].map(() => accounts.accessTokens.mint({ user, fileId, mode: 'edit' }));
  for (const { token } of [...minted, other]) assert.ok(accounts.accessTokens.find(token));
  accounts.accessTokens.revoke(minted[0]!.id);
  accounts.events.length = 0;
  assert.equal(accounts.accessTokens.revokeOfUser(user.id), 2);
  assert.equal(accounts.events.length, 2);
  for (const { token } of minted) assert.equal(accounts.accessTokens.find(token), undefined);
  assert.ok(accounts.accessTokens.find(other.token));
  assert.equal(accounts.accessTokens.revokeOfUser(user.id), 0);
});

/** A second service over the same database, which caches at most two tokens, and its number of database reads. */
function countReads() {
  const counter = { reads: 0 };
  const accessTokens = createAccessTokens({
    table: {
      ...accounts.accessTokensTable,
      byHmac(hmac) {
        counter.reads += 1;
        return accounts.accessTokensTable.byHmac(hmac);
      },
    },
    users: accounts.users,
    clock: () => accounts.time.nowMs,
    tokenKey: accounts.tokenKey,
    accessTokenHours: () => 10,
    emit: () => undefined,
    maxHotTokens: 2,
  });
  return { counter, accessTokens };
}

test('doesn’t query the database for a cached or a malformed token', () => {
  const user = accounts.addUser('hot');
  const { token } = mint(user, 'hot');
  const { counter, accessTokens } = countReads();
  const grant = accessTokens.find(token);
  assert.ok(grant && Object.isFrozen(grant));
  for (let call = 0; call < 5; call += 1) assert.equal(accessTokens.find(token), grant);
  assert.equal(counter.reads, 1);
  for (const text of ['', 'short', 'x'.repeat(44), `${token}=`, `${token.slice(1)}+`])
    accessTokens.find(text);
  assert.equal(counter.reads, 1);
});

test('caches a limited number of tokens, and evicts the oldest first', () => {
  const user = accounts.addUser('bounded');
  const fileId = accounts.addFile('bounded');
  const tokens = [1, 2, 3].map(() => accounts.accessTokens.mint({ user, fileId, mode: 'edit' }).token);
  const { counter, accessTokens } = countReads();
  for (const token of tokens) assert.ok(accessTokens.find(token));
  assert.ok(accessTokens.find(tokens[2]!));
  assert.equal(counter.reads, 3);
  assert.ok(accessTokens.find(tokens[0]!));
  assert.equal(counter.reads, 4);
});

test('rejects a token key that isn’t 32 bytes long', () => {
  assert.throws(
    () =>
      createAccessTokens({
        table: accounts.accessTokensTable,
        users: accounts.users,
        clock: () => 0,
        tokenKey: Buffer.alloc(16),
        accessTokenHours: () => 10,
        emit: () => undefined,
      }),
    /32 bytes/,
  );
});

test('lists only tokens that are still found, and a sweep deletes those that expired 24 hours ago', () => {
  const user = accounts.addUser('swept');
  const fileId = accounts.addFile('swept');
  const expired = accounts.accessTokens.mint({ user, fileId, mode: 'edit' });
  accounts.accessTokens.find(expired.token);
  accounts.time.nowMs += 20 * hour;
  const late = accounts.accessTokens.mint({ user, fileId, mode: 'view' });
  const revoked = accounts.accessTokens.mint({ user, fileId, mode: 'edit' });
  accounts.accessTokens.revoke(revoked.id);
  accounts.time.nowMs = expired.expiresAtMs + 24 * hour;
  const mine = accounts.accessTokens.list().filter((summary) => summary.userId === user.id);
  assert.deepEqual(mine, [
    {
      id: late.id,
      fileId,
      userId: user.id,
      userLogin: 'swept',
      userName: 'SWEPT',
      mode: 'view',
      createdAtMs: late.expiresAtMs - 10 * hour,
      expiresAtMs: late.expiresAtMs,
      lastUsedAtMs: null,
    },
  ]);
  accounts.accessTokens.sweep();
  const rows = accounts.db.prepare('SELECT id FROM access_tokens WHERE user_id = ?').pluck().all(user.id);
  assert.deepEqual(new Set(rows), new Set([late.id, revoked.id]));
  assert.ok(accounts.accessTokens.find(late.token));
});
