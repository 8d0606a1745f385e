import assert from 'node:assert/strict';
import fs, { fstatSync, readFileSync, statSync } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { replaceBuiltin } from '../../replace-builtin.ts';
import {
  killedBeforeRename,
  nothing,
  openRoom,
  origin,
  present,
  otherDisk,
  type Room,
} from './files-fixture.ts';

test('removes only temporary files of earlier runs with the same data folder', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'a', 'b.txt': 'b' } });
  const { row } = await room.open('sub/a.txt');
  await room.open('b.txt');
  room.lock(row.id);
  const earlier = room.tempNames.next();
  await room.restart();
  const present = room.tempNames.next();
  const foreign = earlier.replace('room0001', 'room0002');
  const others = [present, foreign, '.~lock.a.txt#', 'kept.tmp', `${earlier}.docx`];
  for (const name of [earlier, ...others]) await room.write(`sub/${name}`, 'half');
  await room.write(earlier, 'no document in use is here');
  await writeFile(join(room.recoveredDirectory, earlier), 'half');
  await writeFile(join(room.recoveredDirectory, 'abc.file'), 'a recovered body');

  await room.recover();
  assert.deepEqual(await room.names('sub'), ['a.txt', ...others].toSorted());
  assert.deepEqual((await room.names()).includes(earlier), true);
  assert.deepEqual(await readdir(room.recoveredDirectory), ['abc.file']);
});

for (const [what, interrupted, contents] of [
  ['before the new name existed', async () => undefined, { 'a.txt': 'text' }],
  ['while both names existed', link, { 'b.txt': 'text' }],
  ['after the old name was removed', rename, { 'b.txt': 'text' }],
  [
    'before another program took the new name',
    (_from, to) => writeFile(to, 'another'),
    { 'a.txt': 'text', 'b.txt': 'another' },
  ],
] as [string, (from: string, to: string) => Promise<void>, Record<string, string>][])
  for (const isLocked of [true, false])
    test(`a rename of a ${isLocked ? 'locked' : 'closed'} document that was killed ${what} leaves one name`, async (t) => {
      const room = await openRoom(t, { files: { 'a.txt': 'text' } });
      const { row } = await room.open('a.txt');
      if (isLocked) room.lock(row.id);
      room.files.setPath(row.id, { path: 'b.txt', renamingFrom: 'a.txt' });
      await interrupted(room.at('a.txt'), room.at('b.txt'));
      await room.restart();
      await room.recover();
      assert.deepEqual(await room.names(), Object.keys(contents));
      for (const [name, content] of Object.entries(contents)) assert.equal(await room.read(name), content);
      const now = present(room.files.byId(row.id));
      const [path] = Object.keys(contents);
      assert.deepEqual([now.path, now.renamingFrom, now.version], [path, null, 1]);
      assert.equal((await room.folder.find(row.id))?.row.path, path);
    });

test('finishes a move to another folder that was killed while both names existed', async (t) => {
  const room = await openRoom(t, { files: { 'from/a.txt': 'text', 'to/b.txt': 'b' } });
  const { row } = await room.open('from/a.txt');
  room.lock(row.id);
  room.files.setPath(row.id, { path: 'to/a.txt', renamingFrom: 'from/a.txt' });
  await link(room.at('from/a.txt'), room.at('to/a.txt'));
  await room.restart();
  await room.recover();
  assert.deepEqual([await room.names('from'), await room.names('to')], [[], ['a.txt', 'b.txt']]);
  const now = present(room.files.byId(row.id));
  assert.deepEqual([now.path, now.renamingFrom, now.version], ['to/a.txt', null, 1]);
});

test('an interrupted case-only rename doesn’t remove the document’s only name', async (t) => {
  // On a case-insensitive file system `a.txt` and `A.txt` are one directory entry. A link to the folder has the same effect on this
  // file system: two paths for one entry.
  const room = await openRoom(t, { files: { 'sub/a.txt': 'the only copy' } });
  await symlink(room.at('sub'), room.at('SUB'));
  const { row } = await room.open('sub/a.txt');
  room.lock(row.id);
  room.files.setPath(row.id, { path: 'sub/a.txt', renamingFrom: 'SUB/a.txt' });
  await room.restart();
  await room.recover();
  assert.deepEqual(await room.names('sub'), ['a.txt']);
  assert.equal(await room.read('sub/a.txt'), 'the only copy');
});

for (const [how, versions] of [
  ['linked', undefined],
  ['copied', otherDisk],
] as const) {
  test(`removes a version that was ${how} for a save that never happened`, async (t) => {
    const { room, id } = await killedBeforeRename(t, versions);
    await room.recover();
    assert.deepEqual(await readdir(room.versionFiles.folderOf(id)), []);
    assert.deepEqual(await room.names(), ['a.txt']);
    assert.equal((await room.folder.find(id))?.row.size, 3);
    assert.equal(room.files.byId(id)?.version, 1);
  });
}

test('recovers other documents if the folder of one is missing', async (t) => {
  const room = await openRoom(t, { files: { 'gone/a.txt': 'a', 'z/b.txt': 'b' } });
  const gone = await room.open('gone/a.txt');
  const other = await room.open('z/b.txt');
  room.lock(gone.row.id);
  room.lock(other.row.id);
  room.files.setPath(other.row.id, { path: 'z/c.txt', renamingFrom: 'z/b.txt' });
  await rm(room.at('gone'), { recursive: true });
  await mkdir(room.at('elsewhere'));
  await room.restart();
  await room.recover();
  assert.equal(room.files.byId(other.row.id)?.path, 'z/b.txt');
});

test('reports a document whose versions folder can’t be read, and recovers the others', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const bad = await room.open('a.txt');
  const other = await room.open('b.txt');
  room.lock(bad.row.id);
  room.lock(other.row.id);
  room.files.setPath(other.row.id, { path: 'c.txt', renamingFrom: 'b.txt' });
  // A link to itself can't be read.
  await mkdir(dirname(room.versionFiles.folderOf(bad.row.id)), { recursive: true });
  await symlink(room.versionFiles.folderOf(bad.row.id), room.versionFiles.folderOf(bad.row.id));
  await room.restart();
  await room.recover();
  assert.equal(room.failures.length, 1);
  const now = present(room.files.byId(other.row.id));
  assert.deepEqual([now.path, now.renamingFrom], ['b.txt', null]);
});

/** A temporary name as the run before the next restart gives it to an upload for this document. */
function uploadName(room: Room, fileId: string, declaredBytes: number | undefined): string {
  return room.tempNames.next({ fileId, declaredBytes });
}

/** `old` was replaced by `new`, and the power failed before the rename was on disk: the database is ahead of the folder. */
async function saveWithUndoneRename(room: Room): Promise<string> {
  const { row } = await room.open('a.txt');
  room.lock(row.id);
  const name = uploadName(room, row.id, 3);
  await room.save('a.txt', 'new');
  await rename(room.at('a.txt'), room.at(name));
  const [version] = room.versionsTable.list(row.id);
  const kept = room.versionFiles.pathOf(row.id, present(version).id);
  await copyFile(kept, room.at('a.txt'));
  // Half a millisecond extra, because a fraction of a second may be rounded down.
  const modifiedAt = (present(version).mtimeMs + 0.5) / 1000;
  await utimes(room.at('a.txt'), modifiedAt, modifiedAt);
  await room.restart();
  return row.id;
}

test('applies an acknowledged save again if a power failure undid its rename, and syncs it', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const id = await saveWithUndoneRename(room);
  const synced: string[] = [];
  const { fsync } = fs;
  replaceBuiltin(t, fs, 'fsync', (fd: number, done: (error: Error | null) => void) => {
    if (fstatSync(fd).ino === statSync(room.at('')).ino) synced.push(readFileSync(room.at('a.txt'), 'utf8'));
    fsync(fd, done);
  });
  await room.recover();
  assert.equal(synced.at(-1), 'new', 'a second power failure doesn’t undo it again');
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.equal(await room.read('a.txt'), 'new');
  const seen = present(await room.folder.find(id));
  assert.equal(seen.row.version, 2, 'the version that was acknowledged');
  assert.equal(room.versions.list(id).length, 1);
  assert.deepEqual(room.recoveredSaves.list(), []);
});

test('keeps the replaced version again if it was lost with the rename', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const id = await saveWithUndoneRename(room);
  await rm(room.versionFiles.pathOf(id, present(room.versions.list(id)[0]).id));
  await room.recover();
  assert.equal(await room.read('a.txt'), 'new');
  const [version] = room.versions.list(id);
  assert.equal(await readFile(room.versionFiles.pathOf(id, present(version).id), 'utf8'), 'old');
});

test('an acknowledged save whose rename was undone becomes a recovered save if another program changed the document', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  await saveWithUndoneRename(room);
  await room.write('a.txt', 'written since by another program');
  await room.recover();
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.equal(await room.read('a.txt'), 'written since by another program');
  const restored = await room.recoveredSaves.restore(present(room.recoveredSaves.list()[0]).id);
  assert.equal(await room.read(restored), 'new');
});

for (const [what, declaredBytes, body, recovered] of [
  ['complete', 4, 'work', 1],
  ['of undeclared length', undefined, 'work', 1],
  ['truncated', 5, 'work', 0],
  ['empty', 0, '', 0],
  ['identical to the document', 3, 'old', 0],
] as const) {
  test(`an upload left behind that is ${what} becomes ${recovered} recovered saves`, async (t) => {
    const room = await openRoom(t, { files: { 'a.txt': 'old' } });
    const { row } = await room.open('a.txt');
    room.lock(row.id);
    const name = uploadName(room, row.id, declaredBytes);
    await room.write(name, body);
    await writeFile(join(room.recoveredDirectory, name.replace('1x', '1xb')), body);
    await room.restart();
    await room.recover();
    assert.deepEqual(await room.names(), ['a.txt']);
    assert.equal(await room.read('a.txt'), 'old');
    assert.equal(room.recoveredSaves.list().length, recovered, 'the same bytes are kept once');
    assert.equal(room.missed.has(row.id), recovered > 0);
  });
}

test('an upload left behind from before the last save is kept, but isn’t the newest', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const { row } = await room.open('a.txt');
  room.lock(row.id);
  const name = uploadName(room, row.id, 4);
  await room.write(name, 'work');
  await utimes(room.at(name), 0, 0);
  await room.save('a.txt', 'new');
  await room.restart();
  await room.recover();
  assert.equal(room.recoveredSaves.list().length, 1);
  assert.deepEqual(room.missed, new Set());
});

test('complete uploads left behind stay until there is room for them', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old', 'b.txt': 'old' } });
  for (const path of ['a.txt', 'b.txt']) {
    const { row } = await room.open(path);
    room.lock(row.id);
    await room.write(uploadName(room, row.id, 13), `work of ${path}`);
  }
  room.limits.recoveredMB = 0;
  await room.restart();
  await room.recover();
  assert.equal(room.recoveredSaves.list().length, 1, 'a first one is always kept');
  const [left = '', ...others] = await room.names();
  assert.deepEqual(others, ['a.txt', 'b.txt']);
  const onlyCopy = await room.read(left);
  assert.match(onlyCopy, /^work of [ab]\.txt$/u);

  room.limits.recoveredMB = 2000;
  await room.restart();
  await room.recover();
  assert.deepEqual(await room.names(), ['a.txt', 'b.txt']);
  const [newest, ...older] = room.recoveredSaves.list();
  assert.equal(older.length, 1);
  assert.equal(await room.read(await room.recoveredSaves.restore(newest?.id ?? '')), onlyCopy);
});

test('applies the save that recreated a deleted document again if its rename was undone', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const { row } = await room.open('a.txt');
  room.lock(row.id);
  await rm(room.at('a.txt'));
  const incoming = await room.receive('again');
  await room.content.recreate({ row, incoming, origin, record: nothing });
  await rename(room.at('a.txt'), room.at(uploadName(room, row.id, 5)));
  await room.restart();
  await room.recover();
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.equal(await room.read('a.txt'), 'again');
});
