import assert from 'node:assert/strict';
import { link, mkdir, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { searchFile } from '../../../app/files/file-search.ts';
import type { FileSignature } from '../../../app/store/files.ts';
import { openRoom, type Room } from './files-fixture.ts';

/** `a.txt`, known to the host, as another program has moved it to that path. */
async function moved(room: Room, to: string): Promise<FileSignature> {
  const { row } = await room.open('a.txt');
  await mkdir(dirname(room.at(to)), { recursive: true });
  await rename(room.at('a.txt'), room.at(to));
  return row;
}

for (const to of ['b.txt', 'sub/a.txt', 'one/two/three/four/a.txt']) {
  test(`A document moved to ${to} is found`, async (t) => {
    const room = await openRoom(t, {
      files: { 'a.txt': 'text', 'other/b.txt': 'text', 'one/b.txt': 'text' },
    });
    const known = await moved(room, to);
    assert.equal(await searchFile(room.jail, known, ''), to);
    assert.equal(await searchFile(room.jail, known, 'other'), to, 'from elsewhere in the folder');
    assert.equal(await searchFile(room.jail, known, 'gone/long ago'), to, 'from a folder that is gone');
  });
}

test('finds a document among more names than one batch', async (t) => {
  const names = Array.from({ length: 200 }, (_, index) => `${index}.txt`);
  const room = await openRoom(t, {
    files: { 'a.txt': 'text', ...Object.fromEntries(names.map((name) => [name, ''])) },
  });
  const known = await moved(room, 'zz.txt');
  assert.equal(await searchFile(room.jail, known, ''), 'zz.txt');
});

test('Of two names of the document the one nearest to where it was is found', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'near/x': '', 'far/x': '' } });
  const known = await moved(room, 'top.txt');
  await link(room.at('top.txt'), room.at('near/b.txt'));
  assert.equal(await searchFile(room.jail, known, 'near/a.txt'), 'near/b.txt');
  assert.equal(await searchFile(room.jail, known, 'far/a.txt'), 'top.txt');
});

test('prefers the document’s old name to a nearer one', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'near/x': '', 'far/x': '' } });
  const known = await moved(room, 'far/a.txt');
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
  test(`What was moved to ${hidden} is not found`, async (t) => {
    const room = await openRoom(t, { files: { 'a.txt': 'text' } });
    const known = await moved(room, hidden);
    assert.equal(await searchFile(room.jail, known, ''), undefined);
  });
}

test('Nothing is searched behind a link', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { row } = await room.open('a.txt');
  await rename(room.at('a.txt'), join(room.dataDir, 'a.txt'));
  await symlink(room.dataDir, room.at('sub'));
  await symlink(join(room.dataDir, 'a.txt'), room.at('a.txt'));
  assert.equal(await searchFile(room.jail, row, ''), undefined);
});

test('Another file is never taken for the document', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'b.txt': 'text' } });
  const { row } = await room.open('a.txt');
  const { ino } = room.stats('b.txt');
  const recycled = { ...row, inode: String(ino), birthNs: String(BigInt(row.birthNs) - 1n) };
  assert.equal(await searchFile(room.jail, recycled, ''), undefined, 'its inode was used again');
  assert.equal(await searchFile(room.jail, { ...row, device: '1' }, ''), undefined, 'on another disk');
});

test('The search ends when its time is over, in the middle of a folder and between folders', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'one/x': '' } });
  const known = await moved(room, 'one/two/a.txt');
  assert.equal(await searchFile(room.jail, known, ''), 'one/two/a.txt');
  let nowMs = 0;
  const now = t.mock.method(performance, 'now', () => nowMs);
  assert.equal(await searchFile(room.jail, known, ''), 'one/two/a.txt', 'with time it is found');
  let lookups = 0;
  now.mock.mockImplementation(() => {
    lookups += 1;
    return lookups === 1 ? 0 : (nowMs += 800);
  });
  assert.equal(await searchFile(room.jail, known, ''), undefined);
});

test('When the time is over no further folder is read', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const known = await moved(room, 'one/two/a.txt');
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

test('A folder that cannot be read holds nothing and stops nothing', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const known = await moved(room, 'z/a.txt');
  const gone = {
    ...room.jail,
    openFolder: (path: string) => room.jail.openFolder(path === 'b' ? 'missing' : path),
  };
  await mkdir(room.at('b'));
  assert.equal(await searchFile(gone, known, 'b'), 'z/a.txt');
});
