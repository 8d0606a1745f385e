import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, link, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { VersionFiles } from '../../../app/files/version-files.ts';
import type { FileRow } from '../../../app/store/files.ts';
import { pathOf } from '../../../app/files/move-file.ts';
import { nothing, openRoom, origin, present, refused, temporaryFolder, type Room } from './files-fixture.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
/** A second disk where the machine has one, so that versions are copied. */
const otherDisk = existsSync('/dev/shm') ? '/dev/shm' : undefined;

async function keptNames(room: Room, fileId: string): Promise<string[]> {
  return readdir(room.versionFiles.folderOf(fileId)).catch(() => []);
}

/** The keeping of versions with another program's deed right before or after it. */
function disturbed(deeds: { before?: () => Promise<void>; after?: () => Promise<void> }) {
  return (real: VersionFiles): VersionFiles => ({
    ...real,
    async keep(input) {
      await deeds.before?.();
      const kept = await real.keep(input);
      await deeds.after?.();
      return kept;
    },
  });
}

const broken = (real: VersionFiles): VersionFiles => ({
  ...real,
  keep: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
});

test('A save puts the new bytes in place, keeps the old ones as a version and counts on', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const found = await room.open('a.txt');
  const incoming = await room.receive('new');
  let recorded: FileRow | undefined;
  const saved = present(
    await room.content.replace({
      found,
      incoming,
      origin,
      record: (row) => {
        recorded = row;
      },
    }),
  );
  assert.equal(await room.read('a.txt'), 'new');
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.equal(saved.row.version, 2);
  assert.equal(recorded?.version, 2);
  const row = present(room.files.byId(found.row.id));
  assert.equal(row.version, 2);
  assert.deepEqual(row.sha256, sha256('new'));
  assert.equal(row.savedBy, 'anna');
  const [version, ...more] = room.versionsTable.list(row.id);
  assert.deepEqual(more, []);
  assert.equal(version?.version, 1);
  assert.equal(await readFile(room.versionFiles.pathOf(row.id, present(version).id), 'utf8'), 'old');
  assert.deepEqual(
    room.events.map(({ event }) => event),
    ['file-saved'],
  );
});

test('finds no change after a save', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const saved = await room.save('a.txt', 'new');
  const found = present(await room.folder.find(saved.row.id));
  assert.equal(found.row.version, 2);
  assert.deepEqual(found.row.sha256, sha256('new'));
});

test('A version kept without a hash is handed over to be hashed, one with a hash is not', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  await room.save('a.txt', 'two');
  assert.equal(room.unhashed.length, 1);
  await room.save('a.txt', 'three');
  assert.equal(room.unhashed.length, 1);
  const [newest] = room.versionsTable.list((await room.open('a.txt')).row.id);
  assert.deepEqual(newest?.sha256, sha256('two'));
});

test('A save keeps the mode of the document', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  await chmod(room.at('a.txt'), 0o604);
  await room.save('a.txt', 'new');
  assert.equal(room.stats('a.txt').mode & 0o7777n, 0o604n);
});

test('Versions on another disk are copies', async (t) => {
  const versionsDirectory = await temporaryFolder(t, otherDisk);
  const room = await openRoom(t, { files: { 'a.txt': 'old' }, versionsDirectory });
  const { row } = await room.save('a.txt', 'new');
  const [version] = room.versionsTable.list(row.id);
  assert.equal(await readFile(room.versionFiles.pathOf(row.id, present(version).id), 'utf8'), 'old');
  if (otherDisk !== undefined) assert.equal(version?.kind, 'copy');
});

test('A conflict copy takes the first free name and the document takes the new bytes', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'theirs', 'a (conflict).txt': 'older conflict' } });
  const found = await room.open('a.txt');
  const incoming = await room.receive('ours');
  const conflictNames = ['a (conflict).txt', 'a (conflict) (1).txt', 'a (conflict) (2).txt'];
  await room.content.replace({ found, incoming, origin, conflictNames, record: nothing });
  assert.equal(await room.read('a.txt'), 'ours');
  assert.equal(await room.read('a (conflict).txt'), 'older conflict');
  assert.equal(await room.read('a (conflict) (1).txt'), 'theirs');
  assert.deepEqual(await room.names(), ['a (conflict) (1).txt', 'a (conflict).txt', 'a.txt']);
  const made = room.events.find(({ event }) => event === 'conflict-copy-made');
  assert.deepEqual(made, {
    event: 'conflict-copy-made',
    fileId: found.row.id,
    path: 'a.txt',
    copy: 'a (conflict) (1).txt',
  });
});

test('When no conflict name is free nothing changes', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'theirs', 'b.txt': 'b' } });
  const found = await room.open('a.txt');
  const incoming = await room.receive('ours');
  await assert.rejects(
    room.content.replace({ found, incoming, origin, conflictNames: ['b.txt'], record: nothing }),
    refused('disk-refused'),
  );
  assert.equal(await room.read('a.txt'), 'theirs');
  assert.equal(await room.read('b.txt'), 'b');
  assert.deepEqual(await keptNames(room, found.row.id), []);
  await incoming.discard();
  assert.deepEqual(await room.names(), ['a.txt', 'b.txt']);
});

test('Confirming leaves the file untouched and counts on', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'same' } });
  const found = await room.open('a.txt');
  const before = room.stats('a.txt');
  const confirmed = present(await room.content.confirm(found, origin, nothing));
  assert.deepEqual(room.stats('a.txt'), before);
  assert.equal(confirmed.row.version, 2);
  const row = present(room.files.byId(found.row.id));
  assert.equal(row.version, 2);
  assert.equal(row.savedBy, 'anna');
  assert.deepEqual(room.versionsTable.list(row.id), []);
});

test('Bytes that another program has changed since they were seen are not confirmed', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'same' } });
  const found = await room.open('a.txt');
  await room.write('a.txt', 'another content');
  const record = t.mock.fn();
  assert.equal(await room.content.confirm(found, origin, record), undefined);
  await rm(room.at('a.txt'));
  assert.equal(await room.content.confirm(found, origin, record), undefined);
  assert.equal(record.mock.callCount(), 0);
  assert.equal(room.files.byId(found.row.id)?.version, 1);
  assert.deepEqual(room.events, []);
});

test('The same bytes are recognised by size and hash, and the hash is recorded', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'same' } });
  const found = await room.open('a.txt');
  const [equal, other, longer] = await Promise.all([
    room.receive('same'),
    room.receive('samf'),
    room.receive('same+'),
  ]);
  assert.equal(await room.content.hasSameBytes(found, longer), false);
  assert.equal(room.files.byId(found.row.id)?.sha256, null, 'another size needs no hash');
  assert.equal(await room.content.hasSameBytes(found, equal), true);
  assert.equal(await room.content.hasSameBytes(found, other), false);
  assert.deepEqual(room.files.byId(found.row.id)?.sha256, sha256('same'));
  for (const incoming of [equal, other, longer]) await incoming.discard();
});

test('The hash of a content that changed after it was seen is not recorded for the old version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'seen' } });
  const found = await room.open('a.txt');
  await room.write('a.txt', 'newer content');
  await room.content.hashOf(found);
  assert.equal(room.files.byId(found.row.id)?.sha256, null);
});

test('When the old content cannot be kept, document, record, version and temporary file are as before', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' }, versionFiles: broken });
  const found = await room.open('a.txt');
  const rowBefore = present(room.files.byId(found.row.id));
  const incoming = await room.receive('new');
  await assert.rejects(
    room.content.replace({ found, incoming, origin, record: nothing }),
    refused('disk-refused'),
  );
  assert.equal(await room.read('a.txt'), 'old');
  assert.equal(
    await readFile(pathOf(incoming.location), 'utf8'),
    'new',
    'the body is still there to be recovered',
  );
  await incoming.discard();
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.deepEqual(room.files.byId(found.row.id), rowBefore);
  assert.deepEqual(room.events, []);
});

for (const [when, deed] of [
  ['before the old content was kept', 'before'],
  ['after the old content was kept', 'after'],
] as const) {
  test(`A save meets what another program wrote ${when}: nothing changes, look again`, async (t) => {
    let isBusy = true;
    const room: Room = await openRoom(t, {
      files: { 'a.txt': 'known' },
      versionFiles: disturbed({
        [deed]: async () => {
          if (isBusy) await writeFile(room.at('a.txt'), 'written by another program');
          isBusy = false;
        },
      }),
    });
    const found = await room.open('a.txt');
    const incoming = await room.receive('ours');
    const record = t.mock.fn();
    const conflictNames = ['a (conflict).txt'];
    const saved = await room.content.replace({ found, incoming, origin, conflictNames, record });
    assert.equal(saved, undefined);
    assert.equal(await room.read('a.txt'), 'written by another program');
    assert.deepEqual(await keptNames(room, found.row.id), []);
    assert.equal(record.mock.callCount(), 0);
    assert.deepEqual(room.events, []);

    const again = present(await room.folder.find(found.row.id));
    assert.equal(again.row.version, 2);
    const done = present(await room.content.replace({ found: again, incoming, origin, record: nothing }));
    assert.deepEqual([done.row.version, await room.read('a.txt')], [3, 'ours']);
    assert.deepEqual(await room.names(), ['a.txt']);
    await assertRecoverable(room, found.row.id, 'written by another program');
  });
}

test('saves nothing if another program deleted the document', async (t) => {
  const room: Room = await openRoom(t, {
    files: { 'a.txt': 'known' },
    versionFiles: disturbed({ after: async () => rm(room.at('a.txt')) }),
  });
  const found = await room.open('a.txt');
  const incoming = await room.receive('ours');
  assert.equal(await room.content.replace({ found, incoming, origin, record: nothing }), undefined);
  assert.equal(await readFile(pathOf(incoming.location), 'utf8'), 'ours');
  await incoming.discard();
  assert.deepEqual(await room.names(), []);
  assert.deepEqual(await keptNames(room, found.row.id), []);
});

/** The rename fails because the body is gone; until then everything went well. */
async function failRename(t: TestContext): Promise<{ room: Room; fileId: string }> {
  const room = await openRoom(t, { files: { 'a.txt': 'theirs' } });
  const found = await room.open('a.txt');
  const incoming = await room.receive('ours');
  const away: VersionFiles['keep'] = async (input) => {
    const kept = await keep(input);
    await rm(pathOf(incoming.location));
    return kept;
  };
  const { keep } = room.versionFiles;
  room.versionFiles.keep = away;
  await assert.rejects(
    room.content.replace({ found, incoming, origin, conflictNames: ['a (conflict).txt'], record: nothing }),
    refused('disk-refused'),
  );
  await incoming.discard();
  return { room, fileId: found.row.id };
}

test('A save whose rename fails leaves no version and no new content behind', async (t) => {
  const { room, fileId } = await failRename(t);
  assert.equal(await room.read('a.txt'), 'theirs');
  assert.deepEqual(await keptNames(room, fileId), []);
  const found = present(await room.folder.find(fileId));
  assert.equal(found.row.version, 1, 'the ctime alone is no new content');
});

test('A save whose rename fails leaves no conflict copy behind', async (t) => {
  const { room } = await failRename(t);
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.equal(room.stats('a.txt').nlink, 1n, 'a second name would be changed with the document');
});

test('What another program wrote while a save failed is noticed as its content', async (t) => {
  const room: Room = await openRoom(t, {
    files: { 'a.txt': 'known' },
    versionFiles: (real) => ({
      ...real,
      async keep() {
        await writeFile(room.at('a.txt'), 'written by another program');
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      },
    }),
  });
  const found = await room.open('a.txt');
  await room.content.hashOf(found);
  const incoming = await room.receive('ours');
  await assert.rejects(
    room.content.replace({ found, incoming, origin, record: nothing }),
    refused('disk-refused'),
  );
  await incoming.discard();
  const now = present(await room.folder.find(found.row.id));
  assert.equal(now.row.version, 2);
  assert.equal(now.row.sha256, null, 'the hash belongs to the content before');
});

test('keeps content that another program wrote just before the save as a version', async (t) => {
  const room: Room = await openRoom(t, {
    files: { 'a.txt': 'known' },
    versionFiles: disturbed({
      before: async () => {
        await writeFile(room.at('theirs.tmp'), 'written by another program');
        await rename(room.at('theirs.tmp'), room.at('a.txt'));
      },
    }),
  });
  const found = await room.open('a.txt');
  await room.content.hashOf(found);
  const incoming = await room.receive('ours');
  await room.content.replace({ found, incoming, origin, record: nothing }).catch(nothing);
  await incoming.discard();
  await assertRecoverable(room, found.row.id, 'written by another program');
});

test('What another program wrote while the old content was copied away can be restored', async (t) => {
  const versionsDirectory = await temporaryFolder(t, otherDisk);
  const room: Room = await openRoom(t, {
    files: { 'a.txt': 'known' },
    versionsDirectory,
    versionFiles: disturbed({ after: async () => writeFile(room.at('a.txt'), 'written by another program') }),
  });
  const found = await room.open('a.txt');
  await room.content.hashOf(found);
  const incoming = await room.receive('ours');
  await room.content.replace({ found, incoming, origin, record: nothing }).catch(nothing);
  await incoming.discard();
  await assertRecoverable(room, found.row.id, 'written by another program');
});

/** It is the document, a file beside it, or a version that can be restored. */
async function assertRecoverable(room: Room, fileId: string, content: string): Promise<void> {
  for (const name of await room.names()) if ((await room.read(name)) === content) return;
  for (const { id } of room.versions.list(fileId)) {
    const file = await room.versions.restore(fileId, id).catch(nothing);
    if (file !== undefined && (await room.read(file.path)) === content) return;
  }
  assert.fail('It is neither in the folder nor among the versions that can be restored.');
}

test('A deleted document is made again under its id with the next version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const { row } = await room.open('a.txt');
  await rm(room.at('a.txt'));
  const incoming = await room.receive('again');
  const made = present(await room.content.recreate({ row, incoming, origin, record: nothing }));
  assert.equal(await room.read('a.txt'), 'again');
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.equal(made.row.version, 2);
  const found = present(await room.folder.find(row.id));
  assert.equal(found.row.version, 2);
  assert.deepEqual(found.row.sha256, sha256('again'));
});

test("A document made again but killed before it was recorded is the holder's own content", async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const { row } = await room.open('a.txt');
  room.lock(row.id);
  await rm(room.at('a.txt'));
  const incoming = await room.receive('again');
  room.faults.failsToRecord = true;
  await assert.rejects(
    room.content.recreate({ row, incoming, origin, record: nothing }),
    refused('save-unconfirmed'),
  );
  assert.equal(room.locks.get(row.id)?.baseVersion, 1, 'the base moves only with the record');
  await room.restart();
  const found = present(await room.folder.find(row.id));
  assert.equal(found.row.version, 2);
  assert.deepEqual(found.row.sha256, sha256('again'));
  const lock = present(room.locks.get(row.id));
  assert.deepEqual([lock.baseVersion, lock.baseSha256], [2, sha256('again')]);
  assert.equal((await room.folder.find(row.id))?.row.version, 2);
});

test('A document is not made again where a file has taken the place of its folder', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
  const { row } = await room.open('sub/a.txt');
  await rm(room.at('sub'), { recursive: true });
  await room.write('sub', 'a file');
  const incoming = await room.receive('again');
  await assert.rejects(room.content.recreate({ row, incoming, origin, record: nothing }));
  assert.equal(room.files.byId(row.id)?.version, 1);
  assert.equal(await readFile(pathOf(incoming.location), 'utf8'), 'again');
});

test('Making a document again never overwrites what has come to its place', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const { row } = await room.open('a.txt');
  await room.write('a.txt', 'somebody else');
  const incoming = await room.receive('again');
  assert.equal(await room.content.recreate({ row, incoming, origin, record: nothing }), undefined);
  assert.equal(await room.read('a.txt'), 'somebody else');
  assert.equal(await readFile(pathOf(incoming.location), 'utf8'), 'again');
  assert.equal(room.files.byId(row.id)?.version, 1);
  await incoming.discard();
});

test('A document is not made again through a link that leads out of the folder', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
  const { row } = await room.open('sub/a.txt');
  await rm(room.at('sub'), { recursive: true });
  const outside = join(room.dataDir, '..', 'outside');
  await mkdir(outside);
  await symlink(outside, room.at('sub'));
  const incoming = await room.receive('again');
  await assert.rejects(room.content.recreate({ row, incoming, origin, record: nothing }));
  await incoming.discard();
  assert.deepEqual(await readdir(outside), []);
});

test('A document is not made again in a folder that took the place of the hosted one', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const { row } = await room.open('a.txt');
  const incoming = await room.receive('again');
  await rename(room.root, `${room.root}-away`);
  await mkdir(room.root);
  await assert.rejects(
    room.content.recreate({ row, incoming, origin, record: nothing }),
    refused('folder-missing'),
  );
  assert.deepEqual(await room.names(), []);
});

test('A version that shares its inode with a name outside stays what it was when the document is saved', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  await link(room.at('a.txt'), room.at('second name.txt'));
  await room.save('a.txt', 'new');
  assert.equal(await room.read('second name.txt'), 'old');
});

test('A conflict copy is a file of its own: editing it changes no version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'theirs' } });
  const found = await room.open('a.txt');
  const incoming = await room.receive('ours');
  await room.content.replace({ found, incoming, origin, conflictNames: ['copy.txt'], record: nothing });
  const [version] = room.versions.list(found.row.id);
  const kept = room.versionFiles.pathOf(found.row.id, present(version).id);
  await writeFile(room.at('copy.txt'), 'THEIRS');
  assert.equal(await readFile(kept, 'utf8'), 'theirs');
});

test('A document with a second name elsewhere is kept as a copy, so that editing that name changes no version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  await link(room.at('a.txt'), room.at('second.txt'));
  const { row } = await room.save('a.txt', 'new');
  const [version] = room.versions.list(row.id);
  await writeFile(room.at('second.txt'), 'OLD');
  assert.equal(await readFile(room.versionFiles.pathOf(row.id, present(version).id), 'utf8'), 'old');
});
