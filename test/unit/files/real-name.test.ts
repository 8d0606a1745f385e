// test/disks/other-disks.test.ts tests the same on a real exFAT disk.

import assert from 'node:assert/strict';
import { link, rename, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { listFolder } from '../../../app/files/list-folder.ts';
import { openRoom, present, type Room } from './files-fixture.ts';
import { ignoringSpelling } from './ignoring-spelling.ts';

async function idsIn(room: Room, path = ''): Promise<Record<string, string>> {
  const { items } = await listFolder(room.folder, path, { startIndex: 0, count: 100 });
  return Object.fromEntries(
    items.flatMap((item) => (item.kind === 'document' ? [[item.name, item.id]] : [])),
  );
}

const respellings = [
  ['case', 'report.txt', 'Report.TXT'],
  ['normalization form', 're\u0301sume\u0301.txt', 'r\u00e9sum\u00e9.txt'],
] as const;

for (const [what, before, after] of respellings) {
  test(`a document that another program renamed in ${what} only keeps its id and is listed once`, async (t) => {
    const room = await openRoom(t, { files: { [before]: 'text' }, jail: ignoringSpelling });
    const { row } = await room.open(before);
    await rename(room.at(before), room.at(after));
    assert.deepEqual(await idsIn(room), { [after]: row.id });
    for (const spelling of [before, after]) {
      assert.equal((await room.folder.openPath(spelling)).id, row.id, spelling);
    }
    const now = present(await room.folder.find(row.id));
    assert.deepEqual([now.row.path, now.row.version], [after, 1]);
  });

  test(`a lookup by id finds a document under its new name that differs in ${what} only`, async (t) => {
    const room = await openRoom(t, { files: { [before]: 'text' }, jail: ignoringSpelling });
    const { row } = await room.open(before);
    await rename(room.at(before), room.at(after));
    assert.equal((await room.folder.find(row.id))?.row.path, after);
    assert.deepEqual(await idsIn(room), { [after]: row.id });
  });

  test(`a path in another ${what} opens the document under the name its folder lists`, async (t) => {
    const room = await openRoom(t, { files: { [before]: 'text' }, jail: ignoringSpelling });
    const opened = await room.folder.openPath(after);
    assert.equal(opened.path, before);
    assert.deepEqual(await idsIn(room), { [before]: opened.id });
  });
}

test('a document keeps its id when its folder is renamed in case only', async (t) => {
  const room = await openRoom(t, { files: { 'letters/a.txt': 'text' }, jail: ignoringSpelling });
  const { row } = await room.open('letters/a.txt');
  await rename(room.at('letters'), room.at('Letters'));
  assert.deepEqual(await idsIn(room, 'Letters'), { 'a.txt': row.id });
  assert.equal((await room.folder.find(row.id))?.row.path, 'Letters/a.txt');
});

test('a deleted document isn’t found as another one that has its name in another spelling', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' }, jail: ignoringSpelling });
  const { row } = await room.open('a.txt');
  await rm(room.at('a.txt'));
  await room.write('A.TXT', 'another one');
  const other = room.folder.newRow(present(await room.jail.stat('A.TXT')));
  room.files.insert(other);
  assert.equal(await room.folder.find(row.id), undefined);
  assert.equal((await room.folder.find(other.id))?.row.path, 'A.TXT');
});

test('treats two hard links as two documents, even if only case distinguishes them', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const { row } = await room.open('a.txt');
  await link(room.at('a.txt'), room.at('A.txt'));
  const ids = await idsIn(room);
  assert.equal(ids['a.txt'], row.id);
  assert.notEqual(ids['A.txt'], row.id);
  assert.equal((await room.folder.find(row.id))?.row.path, 'a.txt');
});
