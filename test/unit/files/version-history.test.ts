import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { open, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pruneVersions, type VersionSummary } from '../../../app/files/version-history.ts';
import {
  day,
  keepNamed,
  minute,
  openRoom,
  present,
  refused,
  otherDisk,
  temporaryFolder,
  type Room,
} from './files-fixture.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** `a.txt` with the versions `one` and `two`, and the content `three`. */
async function savedThrice(t: TestContext): Promise<{ room: Room; id: string; versions: VersionSummary[] }> {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  await room.save('a.txt', 'two');
  room.time.nowMs += day;
  const { row } = await room.save('a.txt', 'three');
  return { room, id: row.id, versions: room.versions.list(row.id) };
}

function prune(
  { versionsTable: table, versionFiles, mutex, clock }: Room,
  limits: { days: number; count: number },
) {
  return pruneVersions({ table, versionFiles, mutex, clock }, limits);
}

/** Writes into the same inode, as a program does that has the file open. */
async function writeInto(path: string, text: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.writeFile(text);
  await handle.close();
}

/** Contents of every version, newest first. */
async function kept(room: Room, id: string): Promise<string[]> {
  return Promise.all(
    room.versions.list(id).map((entry) => readFile(room.versionFiles.pathOf(id, entry.id), 'utf8')),
  );
}

test('lists versions newest first, each with the item version that editors knew', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  await utimes(room.at('a.txt'), 5, 5);
  const first = await room.folder.openPath('a.txt');
  await room.save('a.txt', 'second');
  const second = await room.folder.openPath('a.txt');
  room.time.nowMs += minute;
  await room.save('a.txt', 'three');
  const versions = room.versions.list(first.id);
  assert.deepEqual(
    versions.map(({ itemVersion, size, keptAtMs, writtenAtMs, savedBy, savedHow, savedAtMs }) => ({
      itemVersion,
      size,
      keptAtMs,
      writtenAtMs,
      savedBy,
      savedHow,
      savedAtMs,
    })),
    [
      {
        itemVersion: second.itemVersion,
        size: 6,
        keptAtMs: room.time.nowMs,
        writtenAtMs: 7,
        savedBy: 'anna',
        savedHow: 'explicit',
        savedAtMs: 7,
      },
      {
        itemVersion: first.itemVersion,
        size: 3,
        keptAtMs: room.time.nowMs - minute,
        // Another program wrote it.
        writtenAtMs: 5000,
        savedBy: null,
        savedHow: null,
        savedAtMs: null,
      },
    ],
  );
  assert.deepEqual(await kept(room, first.id), ['second', 'one']);
});

test('lists and restores no versions of an unknown or trashed document', async (t) => {
  const { room, id } = await savedThrice(t);
  assert.deepEqual(room.versions.list('unknown'), []);
  await room.documents.trash(present(await room.folder.find(id)));
  assert.deepEqual(room.versions.list(id), []);
  await assert.rejects(room.versions.restore(id, '1', 'ben'), refused('file-missing'));
});

for (const [what, name] of [
  ['its id', (version: VersionSummary) => version.id],
  ['its item version', (version: VersionSummary) => version.itemVersion],
  ['its counter', (version: VersionSummary) => version.itemVersion.split('.')[0]],
] as const) {
  test(`restores a version by ${what} after it keeps the current content`, async (t) => {
    const { room, id, versions } = await savedThrice(t);
    const restored = await room.versions.restore(id, present(name(present(versions[1]))), 'ben');
    assert.equal(await room.read('a.txt'), 'one');
    assert.deepEqual(await kept(room, id), ['three', 'two', 'one']);
    const now = await room.folder.openPath('a.txt');
    assert.deepEqual(restored, now);
    assert.equal(now.itemVersion.split('.')[0], '4');
    const row = present(room.files.byId(id));
    assert.deepEqual([row.savedHow, row.savedAtMs], ['restored', room.time.nowMs]);
    assert.deepEqual(row.sha256, sha256('one'));
    assert.deepEqual(room.events.at(-1), {
      event: 'file-restored',
      fileId: id,
      path: 'a.txt',
      itemVersion: now.itemVersion,
    });
    assert.deepEqual(await room.names(), ['a.txt']);
  });
}

test('a restored document doesn’t share its inode with the kept version', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  const oldest = present(versions[1]).id;
  await room.versions.restore(id, oldest, 'ben');
  const keptInode = (await stat(room.versionFiles.pathOf(id, oldest), { bigint: true })).ino;
  assert.notEqual(room.stats('a.txt').ino, keptInode);
  await writeInto(room.at('a.txt'), 'scribbled over by another program');
  await room.versions.restore(id, oldest, 'ben');
  assert.equal(await room.read('a.txt'), 'one');
});

test('a restored document names who restored it', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  await room.versions.restore(id, present(versions[0]).id, 'ben');
  assert.equal(await room.read('a.txt'), 'two');
  assert.equal(room.files.byId(id)?.savedBy, 'ben');
});

test('keeps what another program wrote before it restores a version', async (t) => {
  const { room, id } = await savedThrice(t);
  await room.write('a.txt', 'written by another program');
  await room.versions.restore(id, '1', 'ben');
  assert.equal(await room.read('a.txt'), 'one');
  assert.deepEqual((await kept(room, id))[0], 'written by another program');
});

test('rejects an unknown version, and one of another document', async (t) => {
  const { room, id } = await savedThrice(t);
  await room.write('b.txt', 'b');
  const other = await room.save('b.txt', 'b2');
  const [foreign] = room.versions.list(other.row.id);
  for (const version of ['', '0', '3', '99', '1.00000000', '01', '../../doctray.db', present(foreign).id]) {
    await assert.rejects(room.versions.restore(id, version, 'ben'), refused('version-unknown'), version);
  }
  await assert.rejects(room.versions.restore('unknown', '1', 'ben'), refused('file-missing'));
  assert.equal(await room.read('a.txt'), 'three');
});

test('a version whose file is missing is unknown, and the document stays unchanged', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  await rm(room.versionFiles.pathOf(id, present(versions[0]).id));
  await assert.rejects(room.versions.restore(id, '2', 'ben'), refused('version-unknown'));
  assert.equal(await room.read('a.txt'), 'three');
  assert.equal(room.files.byId(id)?.version, 3);
});

test('doesn’t restore a version that another program changed after it was hashed', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  const { id: oldest } = present(versions[1]);
  await room.versions.fingerprint(id, oldest);
  await writeInto(room.versionFiles.pathOf(id, oldest), 'OnE');
  await assert.rejects(room.versions.restore(id, oldest, 'ben'), refused('version-damaged'));
  assert.equal(await room.read('a.txt'), 'three');
  assert.deepEqual(await room.names(), ['a.txt'], 'no temporary file is left');
  assert.equal(room.versions.list(id).length, 2);
  assert.equal(room.files.byId(id)?.version, 3);
});

test('a version without a hash is damaged if its size changed', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  const oldest = present(versions[1]).id;
  assert.equal(room.versionsTable.get(id, oldest)?.sha256, null);
  await writeInto(room.versionFiles.pathOf(id, oldest), 'one and more');
  await assert.rejects(room.versions.restore(id, oldest, 'ben'), refused('version-damaged'));
  assert.equal(await room.read('a.txt'), 'three');
});

test('checks the version of a save against the hash of that save', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  const newest = present(versions[0]).id;
  assert.deepEqual(room.versionsTable.get(id, newest)?.sha256, sha256('two'));
  await writeInto(room.versionFiles.pathOf(id, newest), 'TWO');
  await assert.rejects(room.versions.restore(id, newest, 'ben'), refused('version-damaged'));
});

test('restores nothing while the document is locked, until the lock expires', async (t) => {
  const { room, id } = await savedThrice(t);
  room.lock(id);
  await assert.rejects(room.versions.restore(id, '1', 'ben'), refused('file-locked'));
  assert.equal(await room.read('a.txt'), 'three');
  room.time.nowMs += 30 * minute;
  await room.versions.restore(id, '1', 'ben');
  assert.equal(await room.read('a.txt'), 'one');
});

test('rejects a restore if the document was locked while it waited for the mutex', async (t) => {
  const { room, id } = await savedThrice(t);
  const pending = Promise.withResolvers<void>();
  const before = room.mutex.run(id, () => pending.promise);
  const restoring = room.versions.restore(id, '1', 'ben');
  room.lock(id);
  pending.resolve();
  await before;
  await assert.rejects(restoring, refused('file-locked'));
});

test('doesn’t restore over a document that another program keeps writing', async (t) => {
  let isBusy = false;
  const room: Room = await openRoom(t, {
    files: { 'a.txt': 'one' },
    versionFiles: (real) => ({
      ...real,
      async keep(input) {
        if (isBusy) await writeFile(room.at('a.txt'), 'being written');
        return real.keep(input);
      },
    }),
  });
  const { row } = await room.save('a.txt', 'two');
  isBusy = true;
  await assert.rejects(room.versions.restore(row.id, '1', 'ben'), refused('file-changed'));
  assert.equal(await room.read('a.txt'), 'being written');
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.equal(
    room.events.some(({ event }) => event === 'file-restored'),
    false,
  );
});

test('hashes a version without a hash, leaves other hashes unchanged and skips a missing file', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  const [newest, oldest] = [present(versions[0]).id, present(versions[1]).id];
  await room.versions.fingerprint(id, oldest);
  assert.deepEqual(room.versionsTable.get(id, oldest)?.sha256, sha256('one'));
  await writeInto(room.versionFiles.pathOf(id, newest), 'TWO');
  await room.versions.fingerprint(id, newest);
  assert.deepEqual(room.versionsTable.get(id, newest)?.sha256, sha256('two'));
  await room.versions.fingerprint(id, 'missing');

  await room.save('a.txt', 'four');
  await room.write('a.txt', 'theirs');
  await room.save('a.txt', 'five');
  const theirs = present(room.versions.list(id)[0]).id;
  await rm(room.versionFiles.pathOf(id, theirs));
  await room.versions.fingerprint(id, theirs);
  assert.equal(room.versionsTable.get(id, theirs)?.sha256, null);
});

test('records nothing if fingerprinting is aborted', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  const oldest = present(versions[1]).id;
  const signal = AbortSignal.abort(new Error('closing'));
  await assert.rejects(room.versions.fingerprint(id, oldest, signal), /closing/);
  assert.equal(room.versionsTable.get(id, oldest)?.sha256, null);
});

/** Keeps a version of another document, and advances the clock by the day after which ages count from it. */
async function keepAnother(room: Room): Promise<string> {
  await room.write('b.txt', String(room.time.nowMs));
  const { row } = await room.save('b.txt', `saved at ${room.time.nowMs}`);
  room.time.nowMs += day;
  return row.id;
}

test('pruning by age removes rows and files of versions that are too old, and nothing else', async (t) => {
  const { room, id } = await savedThrice(t);
  room.time.nowMs += 29 * day;
  const other = await keepAnother(room);
  await prune(room, { days: 30, count: 100 });
  assert.deepEqual(await kept(room, id), ['two', 'one'], 'kept exactly 30 days ago is not too old');
  room.time.nowMs += 1;
  await keepAnother(room);
  await prune(room, { days: 30, count: 100 });
  assert.deepEqual(await kept(room, id), ['two']);
  assert.equal((await readdir(room.versionFiles.folderOf(id))).length, 1);
  assert.equal(room.versions.list(other).length, 2);
  assert.equal(await room.read('a.txt'), 'three');
});

test('pruning by age keeps the newest version of a document', async (t) => {
  const { room, id } = await savedThrice(t);
  room.time.nowMs += 400 * day;
  await keepAnother(room);
  await prune(room, { days: 30, count: 100 });
  assert.deepEqual(await kept(room, id), ['two']);
});

test('pruning by age removes nothing while a clock is weeks ahead for some hours, even after a save', async (t) => {
  const { room, id } = await savedThrice(t);
  const all = ['three', 'two', 'one'];
  room.time.wrongByMs = 40 * day;
  await prune(room, { days: 30, count: 100 });
  await room.save('a.txt', 'four');
  await prune(room, { days: 30, count: 100 });
  assert.deepEqual(await kept(room, id), all);
  room.time.wrongByMs = 0;
  await prune(room, { days: 30, count: 100 });
  assert.deepEqual(await kept(room, id), all, 'after it was corrected');
  room.time.nowMs += 2 * day;
  await prune(room, { days: 30, count: 100 });
  assert.deepEqual(await kept(room, id), all, 'no age counts from what was kept in the future');
});

test('a version kept while the clock was behind isn’t too old until a day later', async (t) => {
  const { room, id } = await savedThrice(t);
  room.time.wrongByMs = -40 * day;
  await room.save('a.txt', 'four');
  await room.save('a.txt', 'five');
  await prune(room, { days: 30, count: 100 });
  room.time.wrongByMs = 0;
  room.time.nowMs += day - 1;
  await prune(room, { days: 30, count: 100 });
  assert.deepEqual(await kept(room, id), ['four', 'three', 'two', 'one']);
  room.time.nowMs += 1;
  await prune(room, { days: 30, count: 100 });
  assert.deepEqual(await kept(room, id), ['four', 'two', 'one']);
});

test('pruning by count keeps the newest versions of each document', async (t) => {
  const { room, id } = await savedThrice(t);
  await room.save('a.txt', 'four');
  await room.write('b.txt', 'b');
  const other = await room.save('b.txt', 'b2');
  await prune(room, { days: 30, count: 2 });
  assert.deepEqual(await kept(room, id), ['three', 'two']);
  assert.equal((await readdir(room.versionFiles.folderOf(id))).length, 2);
  assert.deepEqual(await kept(room, other.row.id), ['b']);
});

test('removes the versions beyond the count with a save, of its own document only', async (t) => {
  const { room, id } = await savedThrice(t);
  await room.write('b.txt', 'b');
  const other = await room.save('b.txt', 'b2');
  await room.save('b.txt', 'b3');
  room.limits.versionCount = 1;
  await room.save('a.txt', 'four');
  assert.deepEqual(await kept(room, id), ['three']);
  assert.equal((await readdir(room.versionFiles.folderOf(id))).length, 1);
  assert.equal(room.versions.list(other.row.id).length, 2);
});

test('a version that can’t be removed doesn’t fail the save', async (t) => {
  const room = await openRoom(t, {
    files: { 'a.txt': 'one' },
    versionFiles: (real) => ({ ...real, discard: () => Promise.reject(new Error('held')) }),
  });
  room.limits.versionCount = 1;
  await room.save('a.txt', 'two');
  const { row } = await room.save('a.txt', 'three');
  assert.deepEqual(await kept(room, row.id), ['two']);
  assert.match(room.logged.join(), /couldn’t be removed/);
});

test('on a low disk, a save removes the oldest versions of its document and keeps what it replaces', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one', 'b.txt': 'b' } });
  for (const body of ['two', 'three', 'four', 'five']) await room.save('a.txt', body);
  const other = await room.save('b.txt', 'b2');
  room.limits.minFreeMB = 16_000_000;
  await sleep(1100);
  const { row } = await room.save('a.txt', 'sixth');
  assert.equal(await room.read('a.txt'), 'sixth');
  assert.deepEqual(await kept(room, row.id), ['five', 'four', 'three'], '5 bytes cost the oldest two');
  assert.equal((await readdir(room.versionFiles.folderOf(row.id))).length, 3);
  assert.equal(room.versions.list(other.row.id).length, 1);
  assert.match(room.logged.join(), /almost full/);
});

test('on a low disk, a save never removes the version that it has just kept', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  room.limits.minFreeMB = 16_000_000;
  const { row } = await room.save('a.txt', 'longer than what it replaces');
  assert.deepEqual(await kept(room, row.id), ['one']);
  await room.save('a.txt', 'even longer than both contents before');
  assert.deepEqual(await kept(room, row.id), ['longer than what it replaces']);
});

test('continues pruning if a version’s file is missing', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  await rm(room.versionFiles.pathOf(id, present(versions[1]).id));
  await prune(room, { days: 30, count: 1 });
  assert.deepEqual(await kept(room, id), ['two']);
});

test('waits for the document’s mutex before pruning', async (t) => {
  const { room, id } = await savedThrice(t);
  const pending = Promise.withResolvers<void>();
  const holding = room.mutex.run(id, () => pending.promise);
  const pruning = prune(room, { days: 30, count: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(room.versions.list(id).length, 2);
  pending.resolve();
  await Promise.all([holding, pruning]);
  assert.equal(room.versions.list(id).length, 1);
});

test('prunes versions of a trashed document', async (t) => {
  const { room, id } = await savedThrice(t);
  await room.documents.trash(present(await room.folder.find(id)));
  room.time.nowMs += 31 * day;
  await keepAnother(room);
  await prune(room, { days: 30, count: 100 });
  assert.deepEqual(room.versionsTable.list(id), []);
  assert.deepEqual(await readdir(room.versionFiles.folderOf(id)), []);
});

for (const [where, disk] of [
  ['on the same disk', undefined],
  ['on another disk', otherDisk],
] as const) {
  test(`the name of a version file describes it, so that an unrecorded one is recognized (${where})`, async (t) => {
    const room = await openRoom(t, {
      files: { 'a.txt': 'old' },
      ...(disk !== undefined && { versionsDirectory: await temporaryFolder(t, disk) }),
    });
    const { row, stats } = await room.open('a.txt');
    const successorInode = 2n ** 64n - 1n;
    const first = await keepNamed(room, 'a.txt', { stats, fileId: row.id, version: 12, successorInode });
    const second = await keepNamed(room, 'a.txt', { stats, fileId: row.id, version: 12, successorInode });
    assert.notEqual(first.id, second.id);
    for (const name of ['note', '12-zz-x1', '-1-2-l3', '.hidden']) {
      await writeFile(room.versionFiles.pathOf(row.id, name), 'no version');
    }
    const orphans = await room.versionFiles.orphans(row.id, new Set([second.id]));
    assert.deepEqual(
      orphans.map(({ id, version, successorInode: inode, kind, stats }) => [
        id,
        version,
        inode,
        kind,
        stats.size,
      ]),
      [[first.id, 12, String(successorInode), first.kind, 3n]],
    );
    if (disk !== undefined) assert.equal(first.kind, 'copy');
    assert.equal(await readFile(room.versionFiles.pathOf(row.id, first.id), 'utf8'), 'old');
  });
}

test('an unsaved document has no unrecorded versions, and a missing one can’t be kept', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  assert.deepEqual(await room.versionFiles.orphans('nothing', new Set()), []);
  const { stats } = await room.open('a.txt');
  const keeping = keepNamed(room, 'missing', { stats, fileId: 'f', version: 1, successorInode: 1n });
  await assert.rejects(keeping, refused('file-changed'));
  assert.deepEqual(await room.versionFiles.orphans('f', new Set()), []);
});
