import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
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
  temporaryFolder,
  type Room,
} from './files-fixture.ts';

const otherDisk = existsSync('/dev/shm') ? '/dev/shm' : undefined;
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** `a.txt` with the contents `one`, `two` and `three` as saves, of which the last is present. */
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

/** Writes into the very file, as a program does that still holds it open. */
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

test('Versions are listed newest first, each under the item version that editors knew it by', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  const first = await room.folder.openPath('a.txt');
  await room.save('a.txt', 'second');
  const second = await room.folder.openPath('a.txt');
  room.time.nowMs += minute;
  await room.save('a.txt', 'three');
  const versions = room.versions.list(first.id);
  assert.deepEqual(
    versions.map(({ itemVersion, size, keptAtMs, savedBy, savedHow, savedAtMs }) => ({
      itemVersion,
      size,
      keptAtMs,
      savedBy,
      savedHow,
      savedAtMs,
    })),
    [
      {
        itemVersion: second.itemVersion,
        size: 6,
        keptAtMs: room.time.nowMs,
        savedBy: 'anna',
        savedHow: 'explicit',
        savedAtMs: 7,
      },
      {
        itemVersion: first.itemVersion,
        size: 3,
        keptAtMs: room.time.nowMs - minute,
        savedBy: null,
        savedHow: null,
        savedAtMs: null,
      },
    ],
  );
  assert.deepEqual(await kept(room, first.id), ['second', 'one']);
});

test('A document that is unknown or in the trash has no versions to list', async (t) => {
  const { room, id } = await savedThrice(t);
  assert.deepEqual(room.versions.list('unknown'), []);
  await room.documents.trash(present(await room.folder.find(id)));
  assert.deepEqual(room.versions.list(id), []);
  await assert.rejects(room.versions.restore(id, '1'), refused('file-missing'));
});

for (const [what, name] of [
  ['its id', (version: VersionSummary) => version.id],
  ['its item version', (version: VersionSummary) => version.itemVersion],
  ['its counter', (version: VersionSummary) => version.itemVersion.split('.')[0]],
] as const) {
  test(`A version is restored by ${what}, and what was there is kept first`, async (t) => {
    const { room, id, versions } = await savedThrice(t);
    const restored = await room.versions.restore(id, present(name(present(versions[1]))));
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

test('A restored version is never a link to what is kept', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  const oldest = present(versions[1]).id;
  await room.versions.restore(id, oldest);
  const keptInode = (await stat(room.versionFiles.pathOf(id, oldest), { bigint: true })).ino;
  assert.notEqual(room.stats('a.txt').ino, keptInode);
  await writeInto(room.at('a.txt'), 'scribbled over by another program');
  await room.versions.restore(id, oldest);
  assert.equal(await room.read('a.txt'), 'one');
});

test('Restoring keeps who made the content', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  await room.versions.restore(id, present(versions[0]).id);
  assert.equal(await room.read('a.txt'), 'two');
  assert.equal(room.files.byId(id)?.savedBy, 'anna');
});

test('What another program wrote last is kept before a version takes its place', async (t) => {
  const { room, id } = await savedThrice(t);
  await room.write('a.txt', 'written by another program');
  await room.versions.restore(id, '1');
  assert.equal(await room.read('a.txt'), 'one');
  assert.deepEqual((await kept(room, id))[0], 'written by another program');
});

test('A version that there is not is refused, that of another document too', async (t) => {
  const { room, id } = await savedThrice(t);
  await room.write('b.txt', 'b');
  const other = await room.save('b.txt', 'b2');
  const [foreign] = room.versions.list(other.row.id);
  for (const version of ['', '0', '3', '99', '1.00000000', '01', '../../doctray.db', present(foreign).id]) {
    await assert.rejects(room.versions.restore(id, version), refused('version-unknown'), version);
  }
  await assert.rejects(room.versions.restore('unknown', '1'), refused('file-missing'));
  assert.equal(await room.read('a.txt'), 'three');
});

test('A version whose file is gone is unknown, and the document untouched', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  await rm(room.versionFiles.pathOf(id, present(versions[0]).id));
  await assert.rejects(room.versions.restore(id, '2'), refused('version-unknown'));
  assert.equal(await room.read('a.txt'), 'three');
  assert.equal(room.files.byId(id)?.version, 3);
});

test('A version that another program changed after it was hashed is damaged, and not restored', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  const { id: oldest } = present(versions[1]);
  await room.versions.fingerprint(id, oldest);
  await writeInto(room.versionFiles.pathOf(id, oldest), 'OnE');
  await assert.rejects(room.versions.restore(id, oldest), refused('version-damaged'));
  assert.equal(await room.read('a.txt'), 'three');
  assert.deepEqual(await room.names(), ['a.txt'], 'no temporary file is left');
  assert.equal(room.versions.list(id).length, 2);
  assert.equal(room.files.byId(id)?.version, 3);
});

test('A version that was never hashed is damaged when it has another size', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  const oldest = present(versions[1]).id;
  assert.equal(room.versionsTable.get(id, oldest)?.sha256, null);
  await writeInto(room.versionFiles.pathOf(id, oldest), 'one and more');
  await assert.rejects(room.versions.restore(id, oldest), refused('version-damaged'));
  assert.equal(await room.read('a.txt'), 'three');
});

test('A version of a save is checked against the hash of that save', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  const newest = present(versions[0]).id;
  assert.deepEqual(room.versionsTable.get(id, newest)?.sha256, sha256('two'));
  await writeInto(room.versionFiles.pathOf(id, newest), 'TWO');
  await assert.rejects(room.versions.restore(id, newest), refused('version-damaged'));
});

test('While the document is locked nothing is restored; once the lock has lapsed it is', async (t) => {
  const { room, id } = await savedThrice(t);
  room.lock(id);
  await assert.rejects(room.versions.restore(id, '1'), refused('file-locked'));
  assert.equal(await room.read('a.txt'), 'three');
  room.time.nowMs += 30 * minute;
  await room.versions.restore(id, '1');
  assert.equal(await room.read('a.txt'), 'one');
});

test('A lock that is taken while the restoring waits its turn is respected', async (t) => {
  const { room, id } = await savedThrice(t);
  const gate = Promise.withResolvers<void>();
  const before = room.mutex.run(id, () => gate.promise);
  const restoring = room.versions.restore(id, '1');
  room.lock(id);
  gate.resolve();
  await before;
  await assert.rejects(restoring, refused('file-locked'));
});

test('A document that another program writes to again and again is not restored over', async (t) => {
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
  await assert.rejects(room.versions.restore(row.id, '1'), refused('file-changed'));
  assert.equal(await room.read('a.txt'), 'being written');
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.equal(
    room.events.some(({ event }) => event === 'file-restored'),
    false,
  );
});

test('A version kept without a hash gets one, another’s is not touched, a missing one is passed over', async (t) => {
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

/** Keeps a version of another document, and waits for the day after which ages count from it. */
async function keepAnother(room: Room): Promise<string> {
  await room.write('b.txt', String(room.time.nowMs));
  const { row } = await room.save('b.txt', `saved at ${room.time.nowMs}`);
  room.time.nowMs += day;
  return row.id;
}

test('Pruning by age takes rows and files of what was kept too long ago, and nothing else', async (t) => {
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

test('The newest version of a document is never too old', async (t) => {
  const { room, id } = await savedThrice(t);
  room.time.nowMs += 400 * day;
  await keepAnother(room);
  await prune(room, { days: 30, count: 100 });
  assert.deepEqual(await kept(room, id), ['two']);
});

test('A clock that is ahead by weeks for some hours makes no version too old, also after a save under it', async (t) => {
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

test('What was kept while the clock was behind has the age that its time says only a day later', async (t) => {
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

test('Pruning by count keeps the newest of each document', async (t) => {
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

test('A version that cannot be removed does not fail the save', async (t) => {
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

test('While the disk is low a save is paid for by the oldest versions of its document, and keeps what it replaces', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one', 'b.txt': 'b' } });
  for (const body of ['two', 'three', 'four', 'five']) await room.save('a.txt', body);
  const other = await room.save('b.txt', 'b2');
  room.limits.minFreeMiB = 16_777_216;
  await sleep(1100);
  const { row } = await room.save('a.txt', 'sixth');
  assert.equal(await room.read('a.txt'), 'sixth');
  assert.deepEqual(await kept(room, row.id), ['five', 'four', 'three'], '5 bytes cost the oldest two');
  assert.equal((await readdir(room.versionFiles.folderOf(row.id))).length, 3);
  assert.equal(room.versions.list(other.row.id).length, 1);
  assert.match(room.logged.join(), /almost full/);
});

test('continues pruning if a version’s file is missing', async (t) => {
  const { room, id, versions } = await savedThrice(t);
  await rm(room.versionFiles.pathOf(id, present(versions[1]).id));
  await prune(room, { days: 30, count: 1 });
  assert.deepEqual(await kept(room, id), ['two']);
});

test('waits for the document’s mutex before pruning', async (t) => {
  const { room, id } = await savedThrice(t);
  const gate = Promise.withResolvers<void>();
  const holding = room.mutex.run(id, () => gate.promise);
  const pruning = prune(room, { days: 30, count: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(room.versions.list(id).length, 2);
  gate.resolve();
  await Promise.all([holding, pruning]);
  assert.equal(room.versions.list(id).length, 1);
});

test('Versions of a document that is in the trash are pruned, too', async (t) => {
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
  test(`A kept file's name says what it is, and a stray one is known by it (${where})`, async (t) => {
    const room = await openRoom(t, {
      files: { 'a.txt': 'old' },
      ...(disk !== undefined && { versionsDirectory: await temporaryFolder(t, disk) }),
    });
    const { row, stats } = await room.open('a.txt');
    const successorInode = 2n ** 64n - 1n;
    const made = await keepNamed(room, 'a.txt', { stats, fileId: row.id, version: 12, successorInode });
    const again = await keepNamed(room, 'a.txt', { stats, fileId: row.id, version: 12, successorInode });
    assert.notEqual(made.id, again.id);
    for (const name of ['note', '12-zz-x1', '-1-2-l3', '.hidden']) {
      await writeFile(room.versionFiles.pathOf(row.id, name), 'no version');
    }
    const orphans = await room.versionFiles.orphans(row.id, new Set([again.id]));
    assert.deepEqual(
      orphans.map(({ id, version, successorInode: inode, kind, stats }) => [
        id,
        version,
        inode,
        kind,
        stats.size,
      ]),
      [[made.id, 12, String(successorInode), made.kind, 3n]],
    );
    if (disk !== undefined) assert.equal(made.kind, 'copy');
    assert.equal(await readFile(room.versionFiles.pathOf(row.id, made.id), 'utf8'), 'old');
  });
}

test('A document that was never saved has no stray versions, one that is gone cannot be kept', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  assert.deepEqual(await room.versionFiles.orphans('nothing', new Set()), []);
  const { stats } = await room.open('a.txt');
  const keeping = keepNamed(room, 'missing', { stats, fileId: 'f', version: 1, successorInode: 1n });
  await assert.rejects(keeping, refused('file-changed'));
  assert.deepEqual(await room.versionFiles.orphans('f', new Set()), []);
});
