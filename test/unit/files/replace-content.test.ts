import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, link, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { VersionFiles } from '../../../app/files/version-files.ts';
import type { FileRow } from '../../../app/store/files.ts';
import { pathOf } from '../../../app/files/move-file.ts';
import {
  nothing,
  openRoom,
  origin,
  otherDisk,
  present,
  refused,
  temporaryFolder,
  type Room,
} from './files-fixture.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

async function keptNames(room: Room, fileId: string): Promise<string[]> {
  return readdir(room.versionFiles.folderOf(fileId)).catch(() => []);
}

/** Runs what another program does right before or after a version is kept. */
function withHooks(hooks: { before?: () => Promise<void>; after?: () => Promise<void> }) {
  return (real: VersionFiles): VersionFiles => ({
    ...real,
    async keep(input) {
      await hooks.before?.();
      const kept = await real.keep(input);
      await hooks.after?.();
      return kept;
    },
  });
}

const withFullDisk = (real: VersionFiles): VersionFiles => ({
  ...real,
  keep: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
});

test('a save replaces the content, keeps the old content as a version and increments the counter', async (t) => {
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

test('passes on a kept version to be hashed only if its hash is unknown', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  await room.save('a.txt', 'two');
  assert.equal(room.unhashed.length, 1);
  await room.save('a.txt', 'three');
  assert.equal(room.unhashed.length, 1);
  const [newest] = room.versionsTable.list((await room.open('a.txt')).row.id);
  assert.deepEqual(newest?.sha256, sha256('two'));
});

test('a save keeps the document’s mode', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  await chmod(room.at('a.txt'), 0o604);
  await room.save('a.txt', 'new');
  assert.equal(room.stats('a.txt').mode & 0o7777n, 0o604n);
});

test('versions on another disk are copies', async (t) => {
  const versionsDirectory = await temporaryFolder(t, otherDisk);
  const room = await openRoom(t, { files: { 'a.txt': 'old' }, versionsDirectory });
  const { row } = await room.save('a.txt', 'new');
  const [version] = room.versionsTable.list(row.id);
  assert.equal(await readFile(room.versionFiles.pathOf(row.id, present(version).id), 'utf8'), 'old');
  if (otherDisk !== undefined) assert.equal(version?.kind, 'copy');
});

test('a conflict copy gets the first free name, and the document the new bytes', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'theirs', 'a (conflict).txt': 'older conflict' } });
  const found = await room.open('a.txt');
  const incoming = await room.receive('ours');
  const conflictNames = ['a (conflict).txt', 'a (conflict) (1).txt', 'a (conflict) (2).txt'];
  await room.content.replace({ found, incoming, origin, conflictNames, record: nothing });
  assert.equal(await room.read('a.txt'), 'ours');
  assert.equal(await room.read('a (conflict).txt'), 'older conflict');
  assert.equal(await room.read('a (conflict) (1).txt'), 'theirs');
  assert.deepEqual(await room.names(), ['a (conflict) (1).txt', 'a (conflict).txt', 'a.txt']);
  const copied = room.events.find(({ event }) => event === 'conflict-copy-made');
  assert.deepEqual(copied, {
    event: 'conflict-copy-made',
    fileId: found.row.id,
    path: 'a.txt',
    copy: 'a (conflict) (1).txt',
  });
});

test('changes nothing if no name for the conflict copy is free', async (t) => {
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

test('confirm increments the counter and leaves the file untouched', async (t) => {
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

test('confirm records nothing if another program changed or deleted the document', async (t) => {
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

test('recognizes the same bytes by size and hash, and records the hash', async (t) => {
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

test('doesn’t record the hash of content that changed after the lookup', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'seen' } });
  const found = await room.open('a.txt');
  await room.write('a.txt', 'newer content');
  await room.content.hashOf(found);
  assert.equal(room.files.byId(found.row.id)?.sha256, null);
});

test('if the old content can’t be kept, document, record and received body stay as they are', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' }, versionFiles: withFullDisk });
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

for (const [when, hook] of [
  ['before the old content was kept', 'before'],
  ['after the old content was kept', 'after'],
] as const) {
  test(`a save changes nothing if another program wrote ${when}, and succeeds after another lookup`, async (t) => {
    let isBusy = true;
    const room: Room = await openRoom(t, {
      files: { 'a.txt': 'known' },
      versionFiles: withHooks({
        [hook]: async () => {
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
    await assertRecoverable(room, found.row.id);
  });
}

test('saves nothing if another program deleted the document', async (t) => {
  const room: Room = await openRoom(t, {
    files: { 'a.txt': 'known' },
    versionFiles: withHooks({ after: async () => rm(room.at('a.txt')) }),
  });
  const found = await room.open('a.txt');
  const incoming = await room.receive('ours');
  assert.equal(await room.content.replace({ found, incoming, origin, record: nothing }), undefined);
  assert.equal(await readFile(pathOf(incoming.location), 'utf8'), 'ours');
  await incoming.discard();
  assert.deepEqual(await room.names(), []);
  assert.deepEqual(await keptNames(room, found.row.id), []);
});

/** The rename is the step that fails: the received body is deleted after the version was kept. */
async function failRename(t: TestContext): Promise<{ room: Room; fileId: string }> {
  const room = await openRoom(t, { files: { 'a.txt': 'theirs' } });
  const found = await room.open('a.txt');
  const incoming = await room.receive('ours');
  const keepAndRemoveBody: VersionFiles['keep'] = async (input) => {
    const kept = await keep(input);
    await rm(pathOf(incoming.location));
    return kept;
  };
  const { keep } = room.versionFiles;
  room.versionFiles.keep = keepAndRemoveBody;
  await assert.rejects(
    room.content.replace({ found, incoming, origin, conflictNames: ['a (conflict).txt'], record: nothing }),
    refused('disk-refused'),
  );
  await incoming.discard();
  return { room, fileId: found.row.id };
}

test('a save whose rename fails leaves no version and no new content', async (t) => {
  const { room, fileId } = await failRename(t);
  assert.equal(await room.read('a.txt'), 'theirs');
  assert.deepEqual(await keptNames(room, fileId), []);
  const found = present(await room.folder.find(fileId));
  assert.equal(found.row.version, 1, 'a new ctime alone isn’t new content');
});

test('a save whose rename fails leaves no conflict copy', async (t) => {
  const { room } = await failRename(t);
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.equal(room.stats('a.txt').nlink, 1n, 'a second name would be changed with the document');
});

test('what another program wrote during a failed save is an external change', async (t) => {
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
  assert.equal(now.row.sha256, null, 'the hash was that of the previous content');
});

test('content that another program wrote right before the save stays recoverable', async (t) => {
  const room: Room = await openRoom(t, {
    files: { 'a.txt': 'known' },
    versionFiles: withHooks({
      before: async () => {
        await writeFile(room.at('theirs.tmp'), 'written by another program');
        await rename(room.at('theirs.tmp'), room.at('a.txt'));
      },
    }),
  });
  await assertRecoverable(room, await saveOurs(room));
});

test('content that another program wrote right after the old content was copied stays recoverable', async (t) => {
  const versionsDirectory = await temporaryFolder(t, otherDisk);
  const room: Room = await openRoom(t, {
    files: { 'a.txt': 'known' },
    versionsDirectory,
    versionFiles: withHooks({ after: async () => writeFile(room.at('a.txt'), 'written by another program') }),
  });
  await assertRecoverable(room, await saveOurs(room));
});

/** Saves to `a.txt`, which may be refused. @returns the document's id */
async function saveOurs(room: Room): Promise<string> {
  const found = await room.open('a.txt');
  await room.content.hashOf(found);
  const incoming = await room.receive('ours');
  await room.content.replace({ found, incoming, origin, record: nothing }).catch(nothing);
  await incoming.discard();
  return found.row.id;
}

/** What another program wrote is in a file of the folder or in a version that can be restored. */
async function assertRecoverable(room: Room, fileId: string): Promise<void> {
  const content = 'written by another program';
  for (const name of await room.names()) if ((await room.read(name)) === content) return;
  for (const { id } of room.versions.list(fileId)) {
    const file = await room.versions.restore(fileId, id, 'ben').catch(nothing);
    if (file !== undefined && (await room.read(file.path)) === content) return;
  }
  assert.fail('The content is neither in the folder nor in a version that can be restored.');
}

test('recreates a deleted document under its id, with the next version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const { row } = await room.open('a.txt');
  await rm(room.at('a.txt'));
  const incoming = await room.receive('again');
  const recreated = present(await room.content.recreate({ row, incoming, origin, record: nothing }));
  assert.equal(await room.read('a.txt'), 'again');
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.equal(recreated.row.version, 2);
  const found = present(await room.folder.find(row.id));
  assert.equal(found.row.version, 2);
  assert.deepEqual(found.row.sha256, sha256('again'));
});

test('attributes a document recreated by a save that was killed before it was recorded to the lock’s editor', async (t) => {
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

test('doesn’t recreate a document if a file replaced its folder', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
  const { row } = await room.open('sub/a.txt');
  await rm(room.at('sub'), { recursive: true });
  await room.write('sub', 'a file');
  const incoming = await room.receive('again');
  await assert.rejects(room.content.recreate({ row, incoming, origin, record: nothing }));
  assert.equal(room.files.byId(row.id)?.version, 1);
  assert.equal(await readFile(pathOf(incoming.location), 'utf8'), 'again');
});

test('recreating a document doesn’t overwrite a file at its path', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  const { row } = await room.open('a.txt');
  await room.write('a.txt', 'another program');
  const incoming = await room.receive('again');
  assert.equal(await room.content.recreate({ row, incoming, origin, record: nothing }), undefined);
  assert.equal(await room.read('a.txt'), 'another program');
  assert.equal(await readFile(pathOf(incoming.location), 'utf8'), 'again');
  assert.equal(room.files.byId(row.id)?.version, 1);
  await incoming.discard();
});

test('doesn’t recreate a document through a link that leads out of the folder', async (t) => {
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

test('doesn’t recreate a document in a folder that replaced the hosted one', async (t) => {
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

test('a save doesn’t change another hard link to the old content', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  await link(room.at('a.txt'), room.at('second name.txt'));
  await room.save('a.txt', 'new');
  assert.equal(await room.read('second name.txt'), 'old');
});

test('a conflict copy is a separate file: editing it changes no version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'theirs' } });
  const found = await room.open('a.txt');
  const incoming = await room.receive('ours');
  await room.content.replace({ found, incoming, origin, conflictNames: ['copy.txt'], record: nothing });
  const [version] = room.versions.list(found.row.id);
  const kept = room.versionFiles.pathOf(found.row.id, present(version).id);
  await writeFile(room.at('copy.txt'), 'THEIRS');
  assert.equal(await readFile(kept, 'utf8'), 'theirs');
});

test('copies the content of a document that has a second hard link: editing that link changes no version', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  await link(room.at('a.txt'), room.at('second.txt'));
  const { row } = await room.save('a.txt', 'new');
  const [version] = room.versions.list(row.id);
  await writeFile(room.at('second.txt'), 'OLD');
  assert.equal(await readFile(room.versionFiles.pathOf(row.id, present(version).id), 'utf8'), 'old');
});
