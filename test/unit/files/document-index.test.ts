import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { hostedFile } from '../../../app/files/document-index.ts';
import { listFolder } from '../../../app/files/list-folder.ts';
import { openRoom, present, refused } from './files-fixture.ts';

test('The first open makes an id, every later one finds it, after a restart too', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'text' } });
  const first = await room.folder.openPath('sub/a.txt');
  assert.deepEqual([first.path, first.name, first.size], ['sub/a.txt', 'a.txt', 4]);
  assert.equal((await room.folder.openPath('/sub//./a.txt'.slice(1))).id, first.id);
  await room.restart();
  assert.equal((await room.folder.openPath('sub/a.txt')).id, first.id);
  assert.equal(hostedFile(present(await room.folder.find(first.id))).itemVersion, first.itemVersion);
});

test('An id follows a document that another program renamed or moved', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'sub/other.txt': 'other' } });
  const { id } = await room.folder.openPath('a.txt');
  await rename(room.at('a.txt'), room.at('b.txt'));
  assert.equal((await room.folder.find(id))?.row.path, 'b.txt');
  await rename(room.at('b.txt'), room.at('sub/c.txt'));
  const found = present(await room.folder.find(id));
  assert.equal(found.row.path, 'sub/c.txt');
  assert.equal(found.row.version, 1, 'a move is no new content');
});

test('A moved document that is opened by its new path keeps its id', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { id } = await room.folder.openPath('a.txt');
  await mkdir(room.at('sub'));
  await rename(room.at('a.txt'), room.at('sub/b.txt'));
  assert.equal((await room.folder.openPath('sub/b.txt')).id, id);
});

test('An atomic replacement by another program keeps the id and is a new version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const before = await room.folder.openPath('a.txt');
  await writeFile(room.at('new'), 'newer text');
  await rename(room.at('new'), room.at('a.txt'));
  const now = hostedFile(present(await room.folder.find(before.id)));
  assert.notEqual(now.itemVersion, before.itemVersion);
  assert.equal((await room.folder.openPath('a.txt')).id, before.id);
});

test('A new file on the inode of a deleted document gets an id of its own', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'b.txt': 'text' } });
  const { row } = await room.open('a.txt');
  await rm(room.at('a.txt'));
  // The inode of the deleted document is used again; only the birth time tells the two apart.
  const { ino, birthtimeNs } = room.stats('b.txt');
  room.files.setContent(row.id, { ...row, inode: String(ino), birthNs: String(birthtimeNs - 1n) });
  assert.notEqual((await room.folder.openPath('b.txt')).id, row.id);
  assert.equal(await room.folder.find(row.id), undefined);
});

test('A document and a link to it inside the folder have one id', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'text' } });
  await symlink(room.at('sub/a.txt'), room.at('link.txt'));
  await symlink('sub', room.at('folder link'));
  const { id, path } = await room.folder.openPath('link.txt');
  assert.equal(path, 'sub/a.txt');
  assert.equal((await room.folder.openPath('folder link/a.txt')).id, id);
  assert.equal((await room.folder.openPath('sub/a.txt')).id, id);
});

test('A document moved over another one leaves that one its id', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'aaa', 'b.txt': 'b' } });
  const a = await room.folder.openPath('a.txt');
  const b = await room.folder.openPath('b.txt');
  await rename(room.at('a.txt'), room.at('b.txt'));
  assert.equal((await room.folder.find(b.id))?.row.size, 3);
  assert.equal(await room.folder.find(a.id), undefined);
});

test('does not find what is in a trash', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const [a, b] = [await room.folder.openPath('a.txt'), await room.folder.openPath('b.txt')];
  await mkdir(room.at('.Trash-1000/files'), { recursive: true });
  await mkdir(room.at('$Recycle.Bin/S-1-5'), { recursive: true });
  await rename(room.at('a.txt'), room.at('.Trash-1000/files/a.txt'));
  await rename(room.at('b.txt'), room.at('$Recycle.Bin/S-1-5/$R123.txt'));
  assert.equal(await room.folder.find(a.id), undefined);
  assert.equal(await room.folder.find(b.id), undefined);
});

test('A path that the file system cannot have is a missing document', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  await assert.rejects(room.folder.openPath('x'.repeat(300)), refused('file-missing'));
  await assert.rejects(room.folder.openPath('a.txt/b.txt'), refused('file-missing'));
});

test('A program that saves by moving the old file aside leaves the document its id', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { id } = await room.folder.openPath('a.txt');
  await rename(room.at('a.txt'), room.at('a.bak'));
  const looking = room.folder.find(id);
  await room.write('a.txt', 'newer text');
  const { row } = present(await looking);
  assert.deepEqual([row.path, row.size], ['a.txt', 10]);
  assert.notEqual((await room.folder.openPath('a.bak')).id, id);
});

test('What is listed while a program moves the old file aside does not take the id along', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { id } = await room.folder.openPath('a.txt');
  await rename(room.at('a.txt'), room.at('a.bak'));
  const listing = listFolder(room.folder, '', { startIndex: 0, count: 10 });
  await Promise.race([listing, wait(100)]);
  await room.write('a.txt', 'newer text');
  await listing;
  assert.equal((await room.folder.openPath('a.txt')).id, id);
});

test('A folder that took the place of the hosted one has none of its documents', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { id } = await room.folder.openPath('a.txt');
  await rename(room.root, `${room.root}-away`);
  await mkdir(room.root);
  await assert.rejects(room.folder.openPath('a.txt'), refused('folder-missing'));
  await assert.rejects(room.folder.find(id), refused('folder-missing'));
  assert.notEqual(room.folder.rowOf(id), undefined);
});
