import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { hostedFile } from '../../../app/files/document-index.ts';
import { listFolder } from '../../../app/files/list-folder.ts';
import { openRoom, present, refused } from './files-fixture.ts';

test('the first open assigns an id, which later opens return, also after a restart', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'text' } });
  const first = await room.folder.openPath('sub/a.txt');
  assert.deepEqual([first.path, first.name, first.size], ['sub/a.txt', 'a.txt', 4]);
  assert.equal((await room.folder.openPath('/sub//./a.txt'.slice(1))).id, first.id);
  await room.restart();
  assert.equal((await room.folder.openPath('sub/a.txt')).id, first.id);
  assert.equal(hostedFile(present(await room.folder.find(first.id))).itemVersion, first.itemVersion);
});

test('an id follows a document that another program renamed or moved', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'sub/other.txt': 'other' } });
  const { id } = await room.folder.openPath('a.txt');
  await rename(room.at('a.txt'), room.at('b.txt'));
  assert.equal((await room.folder.find(id))?.row.path, 'b.txt');
  await rename(room.at('b.txt'), room.at('sub/c.txt'));
  const found = present(await room.folder.find(id));
  assert.equal(found.row.path, 'sub/c.txt');
  assert.equal(found.row.version, 1, 'a move isn’t new content');
});

test('a moved document that is opened by its new path keeps its id', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { id } = await room.folder.openPath('a.txt');
  await mkdir(room.at('sub'));
  await rename(room.at('a.txt'), room.at('sub/b.txt'));
  assert.equal((await room.folder.openPath('sub/b.txt')).id, id);
});

test('an atomic replacement by another program keeps the id and is a new version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const before = await room.folder.openPath('a.txt');
  await writeFile(room.at('new'), 'newer text');
  await rename(room.at('new'), room.at('a.txt'));
  const now = hostedFile(present(await room.folder.find(before.id)));
  assert.notEqual(now.itemVersion, before.itemVersion);
  assert.equal((await room.folder.openPath('a.txt')).id, before.id);
});

test('a new file that reuses the inode of a deleted document gets a new id', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'b.txt': 'text' } });
  const { row } = await room.open('a.txt');
  await rm(room.at('a.txt'));
  // Simulates a reused inode: only the birth time differs.
  const { ino, birthtimeNs } = room.stats('b.txt');
  room.files.setContent(row.id, { ...row, inode: String(ino), birthNs: String(birthtimeNs - 1n) });
  assert.notEqual((await room.folder.openPath('b.txt')).id, row.id);
  assert.equal(await room.folder.find(row.id), undefined);
});

test('a document and links to it inside the folder have one id', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'text' } });
  await symlink(room.at('sub/a.txt'), room.at('link.txt'));
  await symlink('sub', room.at('folder link'));
  const { id, path } = await room.folder.openPath('link.txt');
  assert.equal(path, 'sub/a.txt');
  assert.equal((await room.folder.openPath('folder link/a.txt')).id, id);
  assert.equal((await room.folder.openPath('sub/a.txt')).id, id);
});

test('a document that is moved over another one gets that one’s id', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'aaa', 'b.txt': 'b' } });
  const a = await room.folder.openPath('a.txt');
  const b = await room.folder.openPath('b.txt');
  await rename(room.at('a.txt'), room.at('b.txt'));
  assert.equal((await room.folder.find(b.id))?.row.size, 3);
  assert.equal(await room.folder.find(a.id), undefined);
});

test('doesn’t find documents in a trash folder', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const [a, b] = [await room.folder.openPath('a.txt'), await room.folder.openPath('b.txt')];
  await mkdir(room.at('.Trash-1000/files'), { recursive: true });
  await mkdir(room.at('$Recycle.Bin/S-1-5'), { recursive: true });
  await rename(room.at('a.txt'), room.at('.Trash-1000/files/a.txt'));
  await rename(room.at('b.txt'), room.at('$Recycle.Bin/S-1-5/$R123.txt'));
  assert.equal(await room.folder.find(a.id), undefined);
  assert.equal(await room.folder.find(b.id), undefined);
});

test('a path that the file system can’t have is a missing document', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  await assert.rejects(room.folder.openPath('x'.repeat(300)), refused('file-missing'));
  await assert.rejects(room.folder.openPath('a.txt/b.txt'), refused('file-missing'));
});

test('a document keeps its id when a program saves by moving the old file aside', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { id } = await room.folder.openPath('a.txt');
  await rename(room.at('a.txt'), room.at('a.bak'));
  const finding = room.folder.find(id);
  await room.write('a.txt', 'newer text');
  const { row } = present(await finding);
  assert.deepEqual([row.path, row.size], ['a.txt', 10]);
  assert.notEqual((await room.folder.openPath('a.bak')).id, id);
});

test('a document keeps its id when a listing sees the old file that a program moved aside', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { id } = await room.folder.openPath('a.txt');
  await rename(room.at('a.txt'), room.at('a.bak'));
  const listing = listFolder(room.folder, '', { startIndex: 0, count: 10 });
  await Promise.race([listing, wait(100)]);
  // At once: on a busy computer, the listing's own wait may be over as well.
  writeFileSync(room.at('a.txt'), 'newer text');
  await listing;
  assert.equal((await room.folder.openPath('a.txt')).id, id);
});

test('rejects lookups in a folder that replaced the hosted one, and keeps the records', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { id } = await room.folder.openPath('a.txt');
  await rename(room.root, `${room.root}-away`);
  await mkdir(room.root);
  await assert.rejects(room.folder.openPath('a.txt'), refused('folder-missing'));
  await assert.rejects(room.folder.find(id), refused('folder-missing'));
  assert.notEqual(room.folder.rowOf(id), undefined);
});
