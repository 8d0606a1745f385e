import assert from 'node:assert/strict';
import { link, mkdir, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { searchFile } from '../../../app/files/file-search.ts';
import type { FileSignature } from '../../../app/store/files.ts';
import { openRoom, type Room } from './files-fixture.ts';

/** The recorded signature of `a.txt`, which another program then moved to that path. */
async function moveByOther(room: Room, to: string): Promise<FileSignature> {
  const { row } = await room.open('a.txt');
  await mkdir(dirname(room.at(to)), { recursive: true });
  await rename(room.at('a.txt'), room.at(to));
  return row;
}

for (const to of ['b.txt', 'sub/a.txt', 'one/two/three/four/a.txt']) {
  test(`finds a document moved to ${to}`, async (t) => {
    const room = await openRoom(t, {
      files: { 'a.txt': 'text', 'other/b.txt': 'text', 'one/b.txt': 'text' },
    });
    const known = await moveByOther(room, to);
    assert.equal(await searchFile(room.jail, known, ''), to);
    assert.equal(await searchFile(room.jail, known, 'other'), to, 'from elsewhere in the folder');
    assert.equal(await searchFile(room.jail, known, 'gone/long ago'), to, 'from a missing folder');
  });
}

test('finds a document among more names than one batch', async (t) => {
  const names = Array.from({ length: 200 }, (_, index) => `${index}.txt`);
  const room = await openRoom(t, {
    files: { 'a.txt': 'text', ...Object.fromEntries(names.map((name) => [name, ''])) },
  });
  const known = await moveByOther(room, 'zz.txt');
  assert.equal(await searchFile(room.jail, known, ''), 'zz.txt');
});

test('finds the one of two hard links that is nearest to the old path', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'near/x': '', 'far/x': '' } });
  const known = await moveByOther(room, 'top.txt');
  await link(room.at('top.txt'), room.at('near/b.txt'));
  assert.equal(await searchFile(room.jail, known, 'near/a.txt'), 'near/b.txt');
  assert.equal(await searchFile(room.jail, known, 'far/a.txt'), 'top.txt');
});

test('prefers the document’s old name to a nearer one', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'near/x': '', 'far/x': '' } });
  const known = await moveByOther(room, 'far/a.txt');
  await link(room.at('far/a.txt'), room.at('near/b.txt'));
  assert.equal(await searchFile(room.jail, known, 'near/a.txt'), 'far/a.txt');
});

for (const hidden of [
  '.hidden/a.txt',
  'sub/.a.txt',
  '~$a.txt',
  '.Trash-1000/files/a.txt',
  '$RECYCLE.BIN/S-1/$R1.txt',
]) {
  test(`doesn’t find a document moved to ${hidden}`, async (t) => {
    const room = await openRoom(t, { files: { 'a.txt': 'text' } });
    const known = await moveByOther(room, hidden);
    assert.equal(await searchFile(room.jail, known, ''), undefined);
  });
}

test('doesn’t follow links', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { row } = await room.open('a.txt');
  await rename(room.at('a.txt'), join(room.dataDir, 'a.txt'));
  await symlink(room.dataDir, room.at('sub'));
  await symlink(join(room.dataDir, 'a.txt'), room.at('a.txt'));
  assert.equal(await searchFile(room.jail, row, ''), undefined);
});

test('doesn’t mistake another file for the document', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'b.txt': 'text' } });
  const { row } = await room.open('a.txt');
  const { ino } = room.stats('b.txt');
  const recycled = { ...row, inode: String(ino), birthNs: String(BigInt(row.birthNs) - 1n) };
  assert.equal(await searchFile(room.jail, recycled, ''), undefined, 'a reused inode');
  assert.equal(await searchFile(room.jail, { ...row, device: '1' }, ''), undefined, 'on another disk');
});

test('stops at its time limit', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'one/x': '' } });
  const known = await moveByOther(room, 'one/two/a.txt');
  assert.equal(await searchFile(room.jail, known, ''), 'one/two/a.txt');
  let nowMs = 0;
  const now = t.mock.method(performance, 'now', () => nowMs);
  assert.equal(await searchFile(room.jail, known, ''), 'one/two/a.txt', 'found within the limit');
  let lookups = 0;
  now.mock.mockImplementation(() => {
    lookups += 1;
    return lookups === 1 ? 0 : (nowMs += 800);
  });
  assert.equal(await searchFile(room.jail, known, ''), undefined);
});

test('reads no further folder after its time limit', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const known = await moveByOther(room, 'one/two/a.txt');
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const read: string[] = [];
  const slow = {
    ...room.jail,
    openFolder(path: string) {
      read.push(path);
      nowMs += 1000;
      return room.jail.openFolder(path);
    },
  };
  assert.equal(await searchFile(slow, known, ''), undefined);
  assert.deepEqual(read, ['', 'one']);
});

test('skips a folder that can’t be read', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const known = await moveByOther(room, 'z/a.txt');
  const gone = {
    ...room.jail,
    openFolder: (path: string) => room.jail.openFolder(path === 'b' ? 'missing' : path),
  };
  await mkdir(room.at('b'));
  assert.equal(await searchFile(gone, known, 'b'), 'z/a.txt');
});
