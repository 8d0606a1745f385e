import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nowMs, openTables } from './store-fixture.ts';

const ids = (rows: { id: string }[]): string[] => rows.map(({ id }) => id).toSorted();

test('reads a row as it was written, including integers that a double can’t represent', async (t) => {
  const { files, file, tenantId } = await openTables(t);
  const row = file('a', {
    path: 'sub/ä.txt',
    inode: '18446744073709551615',
    birthNs: '1700000000123456789',
    mtimeNs: '1700000000123456789',
    ctimeNs: '1700000000987654321',
    sha256: Buffer.from([0, 1, 255]),
    savedAtMs: nowMs,
    savedBy: 'anna',
    savedHow: 'autosave',
    renamingFrom: 'b.txt',
  });
  assert.deepEqual(files.byId('a'), row);
  assert.deepEqual(files.byPath(tenantId, 'sub/ä.txt'), row);
  assert.equal(files.byId('b'), undefined);
});

test('assigns a path to one live document per folder, and distinguishes names by case', async (t) => {
  const { files, file, tenantId, tenants } = await openTables(t);
  const other = tenants.idOfRoot('/other', nowMs);
  file('a', { path: 'x.txt' });
  assert.throws(() => file('b', { path: 'x.txt' }), /UNIQUE/);
  file('c', { path: 'X.txt' });
  file('d', { path: 'x.txt', tenantId: other });
  assert.equal(files.byPath(tenantId, 'x.txt')?.id, 'a');
  assert.equal(files.byPath(other, 'x.txt')?.id, 'd');
  files.setDeleted('a', { nowMs });
  assert.equal(files.byPath(tenantId, 'x.txt'), undefined);
  assert.equal(files.byId('a')?.deletedAtMs, nowMs);
  file('b', { path: 'x.txt' });
  assert.equal(files.byPath(tenantId, 'x.txt')?.id, 'b');
});

test('byInode finds documents of this folder and device that aren’t deleted', async (t) => {
  const { files, file, tenantId, tenants } = await openTables(t);
  const wanted = file('a', { inode: '7' });
  file('same', { inode: '7', path: 'second name' });
  file('device', { inode: '7', device: '2' });
  file('inode', { inode: '8' });
  file('tenant', { inode: '7', tenantId: tenants.idOfRoot('/other', nowMs) });
  file('deleted', { inode: '7' });
  files.setDeleted('deleted', { nowMs });
  assert.deepEqual(ids(files.byInode(tenantId, wanted)), ['a', 'same']);
});

test('setContent records all of the content and changes neither path nor another document', async (t) => {
  const { files, file } = await openTables(t);
  const row = file('a');
  const other = file('b');
  const content = {
    device: '2',
    inode: '3',
    birthNs: '4',
    size: 99,
    mtimeNs: '5',
    ctimeNs: '6',
    sha256: Buffer.from('hash'),
    version: 2,
    savedAtMs: nowMs,
    savedBy: 'ben',
    savedHow: 'exit',
  };
  files.setContent('a', content);
  assert.deepEqual(files.byId('a'), { ...row, ...content });
  assert.deepEqual(files.byId('b'), other);
});

test('fills in a hash only for its own version', async (t) => {
  const { files, file } = await openTables(t);
  file('a', { version: 3 });
  files.setHash('a', { version: 2, sha256: Buffer.from('old') });
  assert.equal(files.byId('a')?.sha256, null);
  files.setHash('a', { version: 3, sha256: Buffer.from('now') });
  assert.deepEqual(files.byId('a')?.sha256, Buffer.from('now'));
});

test('vacate frees a path, and its document is still found by id and inode', async (t) => {
  const { files, file, tenantId, tenants } = await openTables(t);
  const row = file('a', { path: 'x.txt' });
  file('other', { path: 'x.txt', tenantId: tenants.idOfRoot('/other', nowMs) });
  file('neighbour', { path: 'y.txt' });
  files.vacate(tenantId, 'x.txt');
  assert.equal(files.byPath(tenantId, 'x.txt'), undefined);
  assert.equal(files.byId('other')?.path, 'x.txt');
  assert.equal(files.byId('neighbour')?.path, 'y.txt');
  assert.deepEqual(ids(files.byInode(tenantId, row)), ['a']);
  assert.equal(files.byId('a')?.deletedAtMs, null);
  assert.match(
    files.byId('a')?.path ?? '',
    /^\.~doctray-gone\//,
    'hidden, so that no document can have this path',
  );
});

test('vacates the same path repeatedly', async (t) => {
  const { files, file, tenantId } = await openTables(t);
  for (const id of ['a', 'b', 'c']) {
    file(id, { path: 'x.txt' });
    files.vacate(tenantId, 'x.txt');
  }
  assert.equal(new Set(['a', 'b', 'c'].map((id) => files.byId(id)?.path)).size, 3);
  files.vacate(tenantId, 'nothing there');
});

test('vacate doesn’t change trashed documents', async (t) => {
  const { files, file, tenantId } = await openTables(t);
  file('a', { path: 'x.txt' });
  files.setDeleted('a', { nowMs });
  files.vacate(tenantId, 'x.txt');
  assert.equal(files.byId('a')?.path, 'x.txt');
});

test('inUse finds documents with a lock, expired or not, or with a token that expired after the given time', async (t) => {
  const { files, file, lock, token, tenantId, tenants } = await openTables(t);
  for (const id of ['locked', 'lapsed', 'token', 'viewed', 'ended', 'idle', 'deleted']) file(id);
  file('elsewhere', { tenantId: tenants.idOfRoot('/other', nowMs) });
  lock('locked');
  lock('lapsed', { expiresAtMs: 1 });
  lock('deleted');
  lock('elsewhere');
  files.setDeleted('deleted', { nowMs });
  token('token', { expiresAtMs: 501 });
  token('token', { expiresAtMs: 502 });
  token('viewed', { mode: 'view', expiresAtMs: 501 });
  token('ended', { expiresAtMs: 500 });
  assert.deepEqual(ids(files.inUse(tenantId, 500)), ['lapsed', 'locked', 'token', 'viewed']);
});

test('a hosted folder keeps its tenant id', async (t) => {
  const { tenants, tenantId } = await openTables(t);
  assert.equal(tenants.idOfRoot('/documents', nowMs + 1), tenantId);
  assert.notEqual(tenants.idOfRoot('/Documents', nowMs), tenantId);
});
