import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { dropCachedRows, keepingRows } from '../../../app/store/sql.ts';
import { nowMs, openTables } from './store-fixture.ts';

const fileIds = (rows: { fileId: string }[]): string[] => rows.map(({ fileId }) => fileId);

test('a document has one lock; put replaces all its columns, and writes one page', async (t) => {
  const { db, locks, file, lock } = await openTables(t);
  file('a');
  const first = lock('a', { baseSha256: Buffer.from('hash'), lapsedVersion: 4, userId: 'u1' });
  assert.deepEqual(locks.get('a'), first);
  const second = lock('a', { lockId: 'ä'.repeat(512), accessTokenId: 't1' });
  assert.deepEqual(locks.get('a'), second);
  locks.remove('a');
  assert.equal(locks.get('a'), undefined);
  locks.remove('a');
  const logSize = () => statSync(`${db.name}-wal`).size;
  const before = logSize();
  lock('a');
  assert.equal(logSize() - before, 24 + 4096);
});

test('rows that a transaction wrote are cached as the database has them', async (t) => {
  const { store, files, locks, file, lock } = await openTables(t);
  const row = { ...file('a'), version: 7, path: 'not written' };
  const read = () => [locks.get('a'), files.byId('a')];
  const cached = keepingRows(store.db, () => {
    read();
    lock('a', { lapsedVersion: 2 });
    locks.refresh('a', { refreshedAtMs: nowMs + 5, expiresAtMs: nowMs + 9, seenVersion: 3 });
    locks.setBase('a', { ...row, sha256: Buffer.from('hash') });
    files.setContent('a', row);
    return read();
  });
  dropCachedRows(store.db);
  assert.deepEqual(cached, read());
});

test('rejects a lock on an unknown document', async (t) => {
  const { lock } = await openTables(t);
  assert.throws(() => lock('missing'), /FOREIGN KEY/);
});

test('shows only locks that expire later than now, the longest held first', async (t) => {
  const { locks, file, lock } = await openTables(t);
  for (const id of ['late', 'early', 'exact', 'over']) file(id);
  lock('late', { takenAtMs: 2, expiresAtMs: nowMs + 1 });
  lock('early', { takenAtMs: 1, expiresAtMs: nowMs + 1 });
  lock('exact', { expiresAtMs: nowMs });
  lock('over', { expiresAtMs: nowMs - 1 });
  assert.deepEqual(fileIds(locks.shown({ nowMs, tokensAfterMs: 0 })), ['early', 'late']);
});

test('newlyLapsed returns expired locks until their expiry was recorded, and no held ones', async (t) => {
  const { locks, file, lock } = await openTables(t);
  for (const id of ['held', 'exact', 'noticed']) file(id);
  lock('held', { expiresAtMs: nowMs + 1 });
  lock('exact', { expiresAtMs: nowMs });
  lock('noticed', { expiresAtMs: nowMs - 1 });
  locks.setLapsed('noticed', { version: 3 });
  assert.deepEqual(fileIds(locks.newlyLapsed(nowMs)), ['exact']);
  locks.setLapsed('exact', { version: 0 });
  assert.deepEqual(locks.newlyLapsed(nowMs), [], 'version 0 is also a version');
  assert.deepEqual(fileIds(locks.newlyLapsed(nowMs + 1)), ['held']);
});

test('refresh changes times and the seen version, and clears a recorded expiry', async (t) => {
  const { locks, file, lock } = await openTables(t);
  file('a');
  file('b');
  const row = lock('a', { lapsedVersion: 2 });
  const other = lock('b');
  const change = { refreshedAtMs: nowMs + 5, expiresAtMs: nowMs + 9, seenVersion: 3 };
  locks.refresh('a', change);
  assert.deepEqual(locks.get('a'), { ...row, ...change, lapsedVersion: null });
  assert.deepEqual(locks.get('b'), other);
});

test('setBase changes version and hash; keepBaseHash adds a hash once, only for its own version', async (t) => {
  const { locks, file, lock } = await openTables(t);
  file('a');
  lock('a', { baseVersion: 2 });
  locks.keepBaseHash('a', { version: 1, sha256: Buffer.from('of another version') });
  assert.equal(locks.get('a')?.baseSha256, null);
  locks.keepBaseHash('a', { version: 2, sha256: Buffer.from('first') });
  locks.keepBaseHash('a', { version: 2, sha256: Buffer.from('second') });
  assert.deepEqual(locks.get('a')?.baseSha256, Buffer.from('first'));
  locks.setBase('a', { version: 3, sha256: null });
  assert.deepEqual([locks.get('a')?.baseVersion, locks.get('a')?.baseSha256], [3, null]);
});

test('shows how a lock’s tokens ended, unless one of them is valid', async (t) => {
  const { locks, file, lock, token } = await openTables(t);
  const ids = ['view', 'revoked', 'ended', 'other', 'good', 'both'];
  for (const id of ids) {
    file(id);
    lock(id);
  }
  token('view', { mode: 'view', expiresAtMs: 1001 });
  token('revoked', { revokedAtMs: 1, expiresAtMs: 1001 });
  token('revoked', { lockTakenAtMs: null, expiresAtMs: 1001 });
  token('revoked', { lockTakenAtMs: 1, expiresAtMs: 1001 });
  token('ended', { expiresAtMs: 1000 });
  token('good', { mode: 'view', expiresAtMs: 1001 });
  token('good', { expiresAtMs: 1 });
  token('good', { expiresAtMs: 1001 });
  token('both', { expiresAtMs: 5 });
  token('both', { revokedAtMs: 6, expiresAtMs: 1001 });
  const ends = ids.map((id) => locks.shownOne(id, { nowMs, tokensAfterMs: 1000 })?.tokensEnded);
  assert.deepEqual(ends, ['expired', 'revoked', 'expired', 'expired', null, 'revoked']);
});

test('shows a lock with its document, its user and the last recorded call of its token', async (t) => {
  const { db, locks, file, lock, token } = await openTables(t);
  file('a');
  file('b');
  const row = lock('a', { userId: 'u1', accessTokenId: 't1' });
  lock('b', { userId: 'gone' });
  token('a', {});
  token('a', {});
  const setCall = db.prepare('UPDATE access_tokens SET last_call_at_ms = ? WHERE rowid = ?');
  setCall.run(5, 1);
  setCall.run(7, 2);
  assert.deepEqual(locks.shownOne('a', { nowMs, tokensAfterMs: 0 }), {
    fileId: 'a',
    accessTokenId: 't1',
    takenAtMs: row.takenAtMs,
    refreshedAtMs: row.refreshedAtMs,
    expiresAtMs: row.expiresAtMs,
    path: 'a.txt',
    userLogin: 'anna',
    userName: 'Anna',
    editorName: null,
    client: null,
    lastCallAtMs: 5,
    tokensEnded: null,
  });
  const other = locks.shownOne('b', { nowMs, tokensAfterMs: 0 });
  assert.deepEqual([other?.userLogin, other?.userName, other?.lastCallAtMs], [null, null, null]);
  assert.equal(
    locks.shownOne('a', { nowMs: row.expiresAtMs, tokensAfterMs: 0 }),
    undefined,
    'it has expired',
  );
});

test('removes only locks that expired before the given time', async (t) => {
  const { locks, file, lock } = await openTables(t);
  for (const id of ['before', 'exact', 'held']) file(id);
  lock('before', { expiresAtMs: 99 });
  lock('exact', { expiresAtMs: 100 });
  lock('held');
  locks.sweep(100);
  assert.deepEqual(
    ['before', 'exact', 'held'].filter((id) => locks.get(id) !== undefined),
    ['exact', 'held'],
  );
});
