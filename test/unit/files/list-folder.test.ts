import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { listFolder, type FolderPage } from '../../../app/files/list-folder.ts';
import { readFolder } from '../../../app/files/read-folder.ts';
import { openRoom, refused, type Room } from './files-fixture.ts';

const all = { startIndex: 0, count: 1000 };
const list = (room: Room, path = '', page = all): Promise<FolderPage> => listFolder(room.folder, path, page);
const namesOf = (page: FolderPage): string[] => page.items.map(({ name }) => name);

test('lists folders first, then documents, each by name regardless of case, numbers by value', async (t) => {
  const room = await openRoom(t, {
    files: {
      'b.txt': '1',
      'A.txt': '22',
      'a.txt': '333',
      'Z/x': '',
      'y/x': '',
      'É.txt': '',
      '10.txt': '',
      '9.txt': '',
    },
  });
  const page = await list(room);
  assert.deepEqual(namesOf(page), ['y', 'Z', '9.txt', '10.txt', 'A.txt', 'a.txt', 'b.txt', 'É.txt']);
  assert.equal(page.total, 8);
  assert.deepEqual(
    page.items.map(({ kind }) => kind),
    ['folder', 'folder', ...Array<string>(6).fill('document')],
  );
});

test('lists documents as openPath returns them, and folders with path and time', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'text', 'sub/deep/b.txt': '' } });
  const [folder, document] = (await list(room, 'sub')).items;
  assert.deepEqual(document, { kind: 'document', ...(await room.folder.openPath('sub/a.txt')) });
  const lastModifiedMs = Number(room.stats('sub/deep').mtimeNs / 1_000_000n);
  assert.deepEqual(folder, { kind: 'folder', path: 'sub/deep', name: 'deep', lastModifiedMs });
});

test('pages join to the whole list, and each has the total of all pages', async (t) => {
  const names = Array.from({ length: 7 }, (_, index) => `${index}.txt`);
  const room = await openRoom(t, { files: Object.fromEntries(names.map((name) => [name, name])) });
  const pages = await Promise.all([0, 3, 6].map((startIndex) => list(room, '', { startIndex, count: 3 })));
  assert.deepEqual(pages.flatMap(namesOf), names);
  assert.deepEqual(
    pages.map(({ total, items }) => [total, items.length]),
    [
      [7, 3],
      [7, 3],
      [7, 1],
    ],
  );
  const beyond = await list(room, '', { startIndex: 7, count: 3 });
  assert.deepEqual(beyond, { items: [], total: 7 });
  assert.deepEqual(await list(room, '', { startIndex: 0, count: 0 }), { items: [], total: 7 });
});

test('lets editors have a turn while it reads a large folder', async (t) => {
  const names = Array.from({ length: 600 }, (_, index) => [`${index}.txt`, '']);
  const room = await openRoom(t, { files: Object.fromEntries(names) as Record<string, string> });
  let turns = 0;
  const entries = await readFolder(room.jail, '', async () => void (turns += 1));
  assert.equal(entries.length, names.length);
  assert.ok(turns > 1, `${turns}`);
});

test('assigns ids only to the documents of the page, which keep them', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' } });
  const page = await list(room, '', { startIndex: 1, count: 1 });
  assert.deepEqual(
    room.db
      .prepare('SELECT path FROM files')
      .all()
      .map((row) => Object.values(row as object)),
    [['b.txt']],
  );
  assert.deepEqual(await list(room, '', { startIndex: 1, count: 1 }), page);
  await room.restart();
  assert.deepEqual(await list(room, '', { startIndex: 1, count: 1 }), page);
});

test('omits hidden names and links to hidden files', async (t) => {
  const room = await openRoom(t, {
    files: { 'a.txt': 'a', '.secret': 's', '~$a.docx': 'l', '.git/config': 'c', '.~lock.a.txt#': 'l' },
  });
  await symlink('.secret', room.at('shown.txt'));
  await symlink('.git', room.at('repository'));
  await symlink('.git/config', room.at('config.txt'));
  const page = await list(room);
  assert.deepEqual(namesOf(page), ['a.txt']);
  assert.equal(page.total, 1);
});

test('omits Windows system folders, and rejects them and the files in them', async (t) => {
  const room = await openRoom(t, {
    files: { 'a.txt': 'a', '$Recycle.Bin/S-1/x.txt': 'x', 'System Volume Information/y': 'y' },
  });
  assert.deepEqual(namesOf(await list(room)), ['a.txt']);
  await assert.rejects(list(room, '$Recycle.Bin'), refused('folder-unknown'));
  await assert.rejects(room.folder.openPath('$Recycle.Bin/S-1/x.txt'), refused('file-missing'));
});

test('omits links that lead out of the folder or nowhere', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  await writeFile(join(room.dataDir, 'secret.txt'), 'secret');
  await symlink(join(room.dataDir, 'secret.txt'), room.at('out.txt'));
  await symlink(room.dataDir, room.at('out'));
  await symlink('..', room.at('up'));
  await symlink('missing', room.at('dangling'));
  await symlink('circle', room.at('circle'));
  assert.deepEqual(namesOf(await list(room)), ['a.txt']);
});

test('lists links inside the folder as their targets, with one id per document', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'text', 'z.txt': 'z' } });
  await symlink('sub', room.at('alias'));
  await symlink('sub/a.txt', room.at('one.txt'));
  await symlink('sub/a.txt', room.at('two.txt'));
  const { items, total } = await list(room);
  assert.equal(total, 5);
  assert.deepEqual(
    items.map(({ kind }) => kind),
    ['folder', 'folder', 'document', 'document', 'document'],
  );
  const { id } = await room.folder.openPath('sub/a.txt');
  const ids = items.flatMap((item) => (item.kind === 'document' ? [item.id] : []));
  assert.deepEqual(ids.slice(0, 2), [id, id]);
  assert.deepEqual(namesOf(await list(room, 'alias')), ['a.txt']);
});

test('two hard links to one inode are two documents', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  await link(room.at('a.txt'), room.at('b.txt'));
  const ids = (await list(room)).items.map((item) => (item.kind === 'document' ? item.id : ''));
  assert.equal(new Set(ids).size, 2);
});

test('omits what is neither a folder nor a document', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  execFileSync('mkfifo', [room.at('pipe')]);
  await symlink('pipe', room.at('link to pipe'));
  assert.deepEqual(namesOf(await list(room)), ['a.txt']);
});

test('lists the other names if one isn’t valid UTF-8', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  // The second is too long for a name after it was decoded.
  for (const bytes of [Buffer.from([0x62, 0xff, 0x2e]), Buffer.alloc(200, 0xff)]) {
    await writeFile(Buffer.concat([Buffer.from(`${room.root}/`), bytes]), 'b');
  }
  assert.deepEqual(namesOf(await list(room)), ['a.txt']);
});

test('lists a document that another program moved under its old id', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text', 'sub/b.txt': 'b' } });
  const { id } = await room.folder.openPath('a.txt');
  await rename(room.at('a.txt'), room.at('sub/moved.txt'));
  const moved = (await list(room, 'sub')).items.find(({ name }) => name === 'moved.txt');
  assert.equal(moved?.kind === 'document' ? moved.id : undefined, id);
});

test('rejects listing documents, hidden folders, and paths that are outside or missing', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', '.git/config': 'c', 'sub/b.txt': 'b' } });
  await symlink('.git', room.at('repository'));
  await symlink('..', room.at('up'));
  for (const path of ['a.txt', '.git', 'repository', 'up', 'missing', 'a.txt/b', 'sub/b.txt']) {
    await assert.rejects(list(room, path), refused('folder-unknown'), path);
  }
  await assert.rejects(list(room, '..'), refused('path-invalid'));
  assert.deepEqual(namesOf(await list(room, './sub/')), ['b.txt']);
});

test('an empty folder is an empty page, a missing hosted folder an error', async (t) => {
  const room = await openRoom(t);
  assert.deepEqual(await list(room), { items: [], total: 0 });
  await rm(room.root, { recursive: true });
  await assert.rejects(list(room), refused('folder-missing'));
  await mkdir(room.root);
  await assert.rejects(list(room), refused('folder-missing'));
});
