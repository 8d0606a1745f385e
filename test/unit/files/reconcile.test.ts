import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import {
  keepNamed,
  killedBeforeRename,
  nothing,
  openRoom,
  origin,
  present,
  refused,
  otherDisk,
  temporaryFolder,
  type Room,
} from './files-fixture.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A locked document with `old`, whose save of `new` was killed right before it was recorded. */
async function killedBeforeRecord(t: TestContext, versions?: string): Promise<{ room: Room; id: string }> {
  const room = await openRoom(t, {
    files: { 'a.txt': 'old' },
    ...(versions !== undefined && { versionsDirectory: await temporaryFolder(t, versions) }),
  });
  const found = await room.open('a.txt');
  await room.content.hashOf(found);
  room.lock(found.row.id, { baseSha256: sha256('old') });
  const incoming = await room.receive('new');
  room.faults.failsToRecord = true;
  await assert.rejects(
    room.content.replace({ found, incoming, origin, record: nothing }),
    refused('save-unconfirmed'),
  );
  await room.restart();
  return { room, id: found.row.id };
}

async function versionContents(room: Room, id: string): Promise<string[]> {
  const contents: string[] = [];
  for (const version of room.versions.list(id)) {
    await room.versions.restore(id, version.id, 'ben');
    contents.push(await room.read('a.txt'));
  }
  return contents;
}

for (const [where, disk] of [
  ['on the same disk', undefined],
  ['on another disk', otherDisk],
] as const) {
  test(`attributes a save killed before it was recorded to its editor, and keeps the replaced version (${where})`, async (t) => {
    const { room, id } = await killedBeforeRecord(t, disk);
    const found = present(await room.folder.find(id));
    assert.equal(found.row.version, 2);
    assert.equal(room.versions.list(id).length, 1);
    const lock = present(room.locks.get(id));
    assert.equal(lock.baseVersion, 2, 'the editor knows what it has saved');
    room.locks.remove(id);
    assert.deepEqual(await versionContents(room, id), ['old']);
  });

  test(`a save killed before its rename leaves document, versions and lock unchanged (${where})`, async (t) => {
    const { room, id } = await killedBeforeRename(t, disk);
    const found = present(await room.folder.find(id));
    assert.equal(found.row.version, 1);
    assert.deepEqual(room.versions.list(id), []);
    assert.equal(room.locks.get(id)?.baseVersion, 1);
    assert.equal(
      present(await room.folder.find(id)).row.version,
      1,
      'nor does the next lookup find a change',
    );
  });

  test(`after a save killed before its rename, another program’s content is an external change (${where})`, async (t) => {
    const { room, id } = await killedBeforeRename(t, disk);
    await writeFile(room.at('theirs'), 'theirs');
    await rename(room.at('theirs'), room.at('a.txt'));
    const found = present(await room.folder.find(id));
    assert.equal(found.row.version, 2);
    assert.equal(room.locks.get(id)?.baseVersion, 1, 'the editor does not know this content');
    assert.equal(await room.read('a.txt'), 'theirs');
    room.locks.remove(id);
    // The version kept for the interrupted save is the only copy of the old content.
    assert.deepEqual(await versionContents(room, id), ['old']);
  });
}

test('after an unrecorded save, another program’s content is an external change', async (t) => {
  const { room, id } = await killedBeforeRecord(t);
  await writeFile(room.at('theirs'), 'theirs');
  await rename(room.at('theirs'), room.at('a.txt'));
  const found = present(await room.folder.find(id));
  assert.equal(found.row.version, 2);
  const lock = present(room.locks.get(id));
  assert.equal(lock.baseVersion, 1);
  assert.deepEqual(lock.baseSha256, sha256('old'));
  assert.equal(found.row.savedBy, null);
});

test('another program’s content is a new version without author and hash', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  const saved = await room.save('a.txt', 'ours');
  await room.write('a.txt', 'theirs');
  const { row } = present(await room.folder.find(saved.row.id));
  assert.equal(row.version, 3);
  assert.deepEqual([row.savedBy, row.savedAtMs, row.savedHow, row.sha256], [null, null, null, null]);
});

test('keeps the hash of the content that the editor knows when another program changes the document', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'known' } });
  const found = await room.open('a.txt');
  room.lock(found.row.id);
  await room.content.hashOf(found);
  await room.write('a.txt', 'theirs now');
  await room.folder.find(found.row.id);
  assert.deepEqual(room.locks.get(found.row.id)?.baseSha256, sha256('known'));
});

test('a new mtime is a new version if the hash of the content is unknown', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'same' } });
  const { row } = await room.open('a.txt');
  await utimes(room.at('a.txt'), 1, 1);
  assert.equal((await room.folder.find(row.id))?.row.version, 2);
});

for (const [what, change] of [
  ['times', (room: Room) => utimes(room.at('a.txt'), 1, 1)],
  ['mode', (room: Room) => chmod(room.at('a.txt'), 0o600)],
  [
    'inode',
    async (room: Room) => {
      await room.write('new', 'same');
      await rename(room.at('new'), room.at('a.txt'));
    },
  ],
] as const) {
  test(`keeps the version if the ${what} changed and the hash didn’t`, async (t) => {
    const room = await openRoom(t, { files: { 'a.txt': 'same' } });
    const found = await room.open('a.txt');
    const hash = await room.content.hashOf(found);
    await change(room);
    const now = present(await room.folder.find(found.row.id));
    assert.deepEqual([now.row.version, now.row.sha256], [1, hash]);
    assert.equal(now.row.inode, String(room.stats('a.txt').ino));
  });
}

test('other bytes of the same length and mtime are a new version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'mine' } });
  await utimes(room.at('a.txt'), 1, 1);
  const found = await room.open('a.txt');
  await room.content.hashOf(found);
  await room.write('a.txt', 'them');
  await utimes(room.at('a.txt'), 1, 1);
  assert.equal((await room.folder.find(found.row.id))?.row.version, 2);
});

test('keeps a version on another disk whose inode number equals the document’s', async (t) => {
  const inodes: bigint[] = [];
  const room = await openRoom(t, {
    files: { 'a.txt': 'old' },
    versionFiles: (real) => ({
      ...real,
      orphans: async (...parameters) =>
        (await real.orphans(...parameters)).map((orphan) => ({
          ...orphan,
          stats: { ...orphan.stats, ino: inodes[0] ?? orphan.stats.ino, dev: orphan.stats.dev + 1n },
        })),
    }),
  });
  const { row, stats } = await room.open('a.txt');
  await keepNamed(room, 'a.txt', { stats, fileId: row.id, version: 1, successorInode: 1n });
  await writeFile(room.at('theirs'), 'theirs');
  await rename(room.at('theirs'), room.at('a.txt'));
  inodes.push(room.stats('a.txt').ino);
  await room.folder.find(row.id);
  assert.deepEqual(await versionContents(room, row.id), ['old']);
});

test('doesn’t adopt a truncated copy as a version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'the whole old content' } });
  const found = await room.open('a.txt');
  await room.content.hashOf(found);
  const { id } = found.row;
  await room.save('a.txt', 'makes the folder of versions');
  await writeFile(room.versionFiles.pathOf(id, '2-zzz-cabcdef'), 'makes the');
  await room.restart();
  await writeFile(room.at('theirs'), 'theirs');
  await rename(room.at('theirs'), room.at('a.txt'));
  await room.folder.find(id);
  assert.equal((await readdir(room.versionFiles.folderOf(id))).length >= 1, true);
  assert.deepEqual(
    room.versions.list(id).map(({ size }) => size),
    ['the whole old content'.length],
  );
});
