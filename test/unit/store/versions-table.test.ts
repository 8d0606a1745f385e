import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { editors } from '../../../app/store/migrations/0003-editors.ts';
import { initial } from '../../../app/store/migrations/0001-initial.ts';
import { window } from '../../../app/store/migrations/0002-window.ts';
import { createRecoveredTable, type RecoveredRow, type VersionRow } from '../../../app/store/versions.ts';
import { dataFolder, day, nowMs, openNoted, openTables } from './store-fixture.ts';

function version(fileId: string, id: string, change: Partial<VersionRow> = {}): VersionRow {
  return {
    id,
    fileId,
    version: 1,
    size: 4,
    sha256: null,
    kind: 'link',
    mtimeMs: 1,
    keptAtMs: nowMs,
    savedAtMs: null,
    savedBy: null,
    savedHow: null,
    ...change,
  };
}

function recoveredSave(id: string, change: Partial<RecoveredRow> = {}): RecoveredRow {
  return {
    id,
    fileId: 'a',
    path: 'a.txt',
    size: 4,
    sha256: Buffer.from('hash'),
    userId: null,
    tokenId: null,
    savedBy: null,
    reason: 'Not saved.',
    receivedAtMs: nowMs,
    isUnreadable: 0,
    ...change,
  };
}

const names = (rows: VersionRow[]): string[] => rows.map(({ fileId, id }) => `${fileId} ${id}`).toSorted();

test('reads a version as it was written; its id is unique within its document', async (t) => {
  const { versions, file } = await openTables(t);
  file('a');
  file('b');
  const row = version('a', 'v', {
    sha256: Buffer.from('hash'),
    savedAtMs: 3,
    savedBy: 'anna',
    savedHow: 'exit',
  });
  versions.insert(row);
  versions.insert(version('b', 'v', { kind: 'copy' }));
  assert.deepEqual(versions.get('a', 'v'), row);
  assert.equal(versions.get('b', 'v')?.kind, 'copy');
  assert.throws(() => versions.insert(version('a', 'v')), /UNIQUE/);
  versions.setHash({ fileId: 'b', id: 'v', sha256: Buffer.from('other') });
  assert.deepEqual(versions.get('a', 'v'), row);
  versions.remove('b', 'v');
  assert.deepEqual([versions.get('b', 'v'), versions.get('a', 'v')], [undefined, row]);
});

test('lists the highest counter first, and of equal counters the version kept last', async (t) => {
  const { versions, file } = await openTables(t);
  file('a');
  file('b');
  versions.insert(version('a', 'ten', { version: 10, keptAtMs: 1 }));
  versions.insert(version('a', 'nine', { version: 9, keptAtMs: 5 }));
  versions.insert(version('a', 'nine later', { version: 9, keptAtMs: 6 }));
  versions.insert(version('b', 'other', { version: 99 }));
  assert.deepEqual(
    versions.list('a').map(({ id }) => id),
    ['ten', 'nine later', 'nine'],
  );
});

test('prunable returns versions kept before a time, but the newest of a document only if it was trashed', async (t) => {
  const { versions, file, time } = await openTables(t);
  file('a');
  file('b', { deletedAtMs: 50 });
  versions.insert(version('a', 'newest', { version: 3, keptAtMs: 98 }));
  versions.insert(version('a', 'old', { version: 2, keptAtMs: 99 }));
  versions.insert(version('a', 'exact', { version: 1, keptAtMs: 100 }));
  versions.insert(version('b', 'trashed', { version: 1, keptAtMs: 99 }));
  time.livedMs = day - 1;
  assert.deepEqual(names(versions.prunable(100, 10)), [], 'all are recent');
  time.livedMs = day;
  assert.deepEqual(names(versions.prunable(100, 10)), ['a old', 'b trashed']);
  assert.deepEqual(names(versions.prunable(Number.NEGATIVE_INFINITY, 10)), []);
});

test('counts ages from the newest version or recovered save that is neither recent nor in the future', async (t) => {
  const { versions, recovered, file, time } = await openTables(t);
  const before = (atMs: number): number => versions.prunedBefore(5, atMs);
  assert.equal(before(100), Number.NEGATIVE_INFINITY);
  file('a');
  file('b');
  versions.insert(version('a', 'one', { keptAtMs: 10 }));
  versions.insert(version('b', 'two', { keptAtMs: 20 }));
  recovered.insert(recoveredSave('r1', { receivedAtMs: 30 }));
  assert.equal(before(100), Number.NEGATIVE_INFINITY);
  time.livedMs = day;
  versions.insert(version('a', 'young', { keptAtMs: 40 }));
  assert.deepEqual([9, 10, 20, 29, 30, 100].map(before), [Number.NEGATIVE_INFINITY, 5, 15, 15, 25, 25]);
});

test('a recovered save that arrives again counts as recent again', async (t) => {
  const { recovered, time } = await openTables(t);
  recovered.insert(recoveredSave('r1'));
  time.livedMs = day;
  assert.equal(recovered.receivedBefore(nowMs + 1).length, 1);
  recovered.renew({
    id: 'r1',
    userId: null,
    tokenId: null,
    reason: 'Not saved.',
    isUnreadable: 0,
    receivedAtMs: nowMs - 1,
  });
  assert.deepEqual(recovered.receivedBefore(nowMs + 1), []);
});

test('returns versions beyond the newest of their own document as prunable', async (t) => {
  const { versions, file } = await openTables(t);
  for (const id of ['a', 'b', 'c']) file(id);
  for (const number of [1, 2, 3, 4]) versions.insert(version('a', `v${number}`, { version: number }));
  for (const number of [1, 2]) versions.insert(version('b', `v${number}`, { version: number }));
  versions.insert(version('c', 'v1'));
  assert.deepEqual(names(versions.prunable(0, 2)), ['a v1', 'a v2']);
  assert.deepEqual(names(versions.prunable(0, 1)), ['a v1', 'a v2', 'a v3', 'b v1']);
  assert.equal(versions.prunable(0, 0).length, 4, 'never the newest');
});

test('prunable returns a version that is both too old and beyond the count once', async (t) => {
  const { versions, file, time } = await openTables(t);
  file('a');
  versions.insert(version('a', 'v1', { version: 1, keptAtMs: 1 }));
  versions.insert(version('a', 'v2', { version: 2 }));
  time.livedMs = day;
  assert.deepEqual(names(versions.prunable(100, 1)), ['a v1']);
});

test('lists recovered saves newest first, and finds them by document and hash', async (t) => {
  const { recovered } = await openTables(t);
  const row = recoveredSave('r1', { userId: 'u1', savedBy: 'anna' });
  recovered.insert(row);
  recovered.insert(recoveredSave('r3', { receivedAtMs: nowMs + 1, sha256: Buffer.from('other') }));
  recovered.insert(recoveredSave('r2', { fileId: 'b' }));
  assert.deepEqual(
    recovered.list().map(({ id }) => id),
    ['r3', 'r2', 'r1'],
  );
  assert.deepEqual(recovered.get('r1'), row);
  assert.equal(recovered.same('a', Buffer.from('hash'))?.id, 'r1');
  assert.equal(recovered.same('b', Buffer.from('hash'))?.id, 'r2');
  assert.equal(recovered.same('b', Buffer.from('other')), undefined);
  recovered.remove('r1');
  assert.equal(recovered.same('a', Buffer.from('hash')), undefined);
});

test('recovered saves of a database from before the quotas have no token, and count as recent', async (t) => {
  const dataDir = await dataFolder(t);
  const old = new Database(join(dataDir, 'doctray.db'));
  for (const sql of [initial, window, editors]) old.exec(sql);
  old.exec(`INSERT INTO rescued_saves VALUES ('r1', 'a', 'a.txt', 4, x'00', 'u1', NULL, 'Not saved.', 5)`);
  old.pragma('user_version = 3');
  old.close();
  const { store, notices } = openNoted(dataDir);
  t.after(() => store.close());
  assert.deepEqual(notices, []);
  let livedMs = 0;
  const recovered = createRecoveredTable(store.db, () => livedMs);
  const [row] = recovered.list();
  assert.deepEqual([row?.id, row?.userId, row?.tokenId], ['r1', 'u1', null]);
  livedMs = day - 1;
  assert.deepEqual(recovered.receivedBefore(nowMs), [], 'recent since the upgrade');
  livedMs = day;
  assert.deepEqual(recovered.receivedBefore(nowMs), [row]);
});

test('trim removes all but the newest versions of one document, and returns their ids', async (t) => {
  const { versions, file } = await openTables(t);
  file('a');
  file('b');
  for (const number of [1, 2, 3]) versions.insert(version('a', `v${number}`, { version: number }));
  versions.insert(version('b', 'v1'));
  assert.deepEqual(versions.trim({ fileId: 'a', count: 3 }), []);
  assert.deepEqual(versions.trim({ fileId: 'a', count: 1 }).toSorted(), ['v1', 'v2']);
  assert.deepEqual(
    [...versions.list('a'), ...versions.list('b')].map(({ fileId, id }) => `${fileId} ${id}`),
    ['a v3', 'b v1'],
  );
});
