import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { candidateNames } from '../../../app/wopi/target-names.ts';
import { pathOf } from '../../../app/files/move-file.ts';
import { minute, openRoom, origin, present, refused } from './files-fixture.ts';

test('a new document gets the first free name, its bytes, the mode of new files and an id', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one', 'a (1).txt': 'two' }, newFileMode: 0o604 });
  const incoming = await room.receive('three');
  const created = present(
    await room.documents.create({ folderPath: '', names: candidateNames('a.txt'), incoming, origin }),
  );
  assert.equal(created.row.path, 'a (2).txt');
  assert.equal(created.row.version, 1);
  assert.deepEqual(await room.names(), ['a (1).txt', 'a (2).txt', 'a.txt']);
  assert.deepEqual([await room.read('a.txt'), await room.read('a (1).txt')], ['one', 'two']);
  assert.equal(await room.read('a (2).txt'), 'three');
  assert.equal(room.stats('a (2).txt').mode & 0o7777n, 0o604n);
  const seen = present(await room.folder.find(created.row.id));
  assert.equal(seen.row.version, 1);
  assert.deepEqual(seen.row.sha256, incoming.sha256);
  assert.deepEqual(room.events, [{ event: 'file-created', fileId: created.row.id, path: 'a (2).txt' }]);
});

test('a name that differs only in case or normalization form counts as taken', async (t) => {
  const room = await openRoom(t, { files: { 'Re\u0301sume\u0301.TXT': 'one' } });
  const incoming = await room.receive('two');
  const names = ['r\u00e9sum\u00e9.txt', 'free.txt'];
  const created = await room.documents.create({ folderPath: '', names, incoming, origin });
  assert.equal(created?.row.path, 'free.txt');
});

test('a new document doesn’t overwrite a file that another program creates at the last moment', async (t) => {
  const room = await openRoom(t);
  const incoming = await room.receive('ours');
  const names = function* () {
    // This runs after the folder was listed and before the name is taken.
    writeFileSync(room.at('a.txt'), 'theirs');
    yield 'a.txt';
    yield 'b.txt';
  };
  const created = await room.documents.create({ folderPath: '', names: names(), incoming, origin });
  assert.equal(created?.row.path, 'b.txt');
  assert.equal(await room.read('a.txt'), 'theirs');
});

test('documents created at the same time get names that differ in more than case', async (t) => {
  const room = await openRoom(t);
  const create = async (name: string): Promise<string> => {
    const incoming = await room.receive(name);
    const names = candidateNames(name);
    return present(await room.documents.create({ folderPath: '', names, incoming, origin })).row.path;
  };
  const paths = await Promise.all([create('a.txt'), create('A.txt'), create('a.txt'), create('A.txt')]);
  assert.equal(new Set(paths.map((path) => path.toLowerCase())).size, 4);
  assert.equal((await room.names()).length, 4);
});

test('creates nothing without a free name, and leaves the body to the caller', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  const incoming = await room.receive('two');
  const created = await room.documents.create({ folderPath: '', names: ['a.txt'], incoming, origin });
  assert.equal(created, undefined);
  assert.equal(await readFile(pathOf(incoming.location), 'utf8'), 'two');
  await incoming.discard();
  assert.deepEqual(await room.names(), ['a.txt']);
});

test('creates no document from a body that the folder couldn’t take', async (t) => {
  const room = await openRoom(t);
  const incoming = await room.receive('body', 'missing');
  assert.notEqual(incoming.refusal, undefined);
  await assert.rejects(
    room.documents.create({ folderPath: '', names: ['a.txt'], incoming, origin }),
    refused('disk-refused'),
  );
  await incoming.discard();
  assert.deepEqual(await room.names(), []);
});

test('a document created at the path of a deleted one gets a new id', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  const { row } = await room.open('a.txt');
  await rm(room.at('a.txt'));
  const incoming = await room.receive('two');
  const created = present(
    await room.documents.create({ folderPath: '', names: ['a.txt'], incoming, origin }),
  );
  assert.notEqual(created.row.id, row.id);
  assert.deepEqual([created.row.path, created.row.version], ['a.txt', 1]);
  assert.equal((await room.folder.openPath('a.txt')).id, created.row.id);
  assert.equal(await room.folder.find(row.id), undefined);
  assert.notEqual(room.folder.rowOf(row.id), undefined, 'the file may reappear elsewhere');
});

test('a moved document keeps its id when a new one is created at its old path', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one', 'sub/b.txt': 'b' } });
  const { row } = await room.open('a.txt');
  await rename(room.at('a.txt'), room.at('sub/moved.txt'));
  const incoming = await room.receive('two');
  const created = present(
    await room.documents.create({ folderPath: '', names: ['a.txt'], incoming, origin }),
  );
  assert.equal(created.row.path, 'a.txt');
  const found = present(await room.folder.find(row.id));
  assert.equal(found.row.path, 'sub/moved.txt');
  assert.equal(await room.read('sub/moved.txt'), 'one');
});

test('a new document keeps the id that a listing gave it before it was recorded', async (t) => {
  const room = await openRoom(t);
  const incoming = await room.receive('two');
  const ids: string[] = [];
  const listedOnRelease = {
    ...incoming,
    // Here the file has its name and isn't recorded yet.
    async release(): Promise<void> {
      ids.push((await room.folder.openPath('a.txt')).id);
      await incoming.release();
    },
  };
  const names = ['a.txt'];
  const created = await room.documents.create({ folderPath: '', names, incoming: listedOnRelease, origin });
  assert.deepEqual([created?.row.id], ids);
  assert.equal((await room.folder.openPath('a.txt')).id, ids[0]);
  assert.equal(room.files.byId(ids[0] ?? '')?.savedBy, origin.savedBy);
});

test('doesn’t reuse the path of a deleted document until its lock expires', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one', 'c.txt': 'c' } });
  const { row } = await room.open('a.txt');
  const other = await room.open('c.txt');
  room.lock(row.id);
  await rm(room.at('a.txt'));
  const incoming = await room.receive('two');
  const names = ['a.txt', 'A.TXT', 'b.txt'];
  const created = present(await room.documents.create({ folderPath: '', names, incoming, origin }));
  assert.equal(created.row.path, 'b.txt');
  assert.equal(await room.documents.rename(other, ['a.txt']), undefined);
  assert.equal(room.files.byId(row.id)?.path, 'a.txt', 'the next save recreates it there');
  room.time.nowMs += 31 * minute;
  assert.equal((await room.documents.rename(other, ['a.txt']))?.row.path, 'a.txt');
});

test('doesn’t create a document through a link that leads out of the folder', async (t) => {
  const room = await openRoom(t);
  const outside = join(room.dataDir, '..', 'outside');
  await mkdir(outside);
  await symlink(outside, room.at('sub'));
  const incoming = await room.receive('body');
  await assert.rejects(room.documents.create({ folderPath: 'sub', names: ['a.txt'], incoming, origin }));
  await incoming.discard();
  assert.deepEqual(await readdir(outside), []);
});

test('a rename keeps id and version, leaves one name and emits an event', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'text' } });
  const seen = await room.open('sub/a.txt');
  const renamed = present(await room.documents.rename(seen, ['b.txt']));
  assert.equal(renamed.row.path, 'sub/b.txt');
  assert.deepEqual(await room.names('sub'), ['b.txt']);
  const now = present(await room.folder.find(seen.row.id));
  assert.equal(now.row.path, 'sub/b.txt');
  assert.equal(now.row.version, 1);
  assert.equal(now.row.renamingFrom, null);
  assert.equal(room.events[0]?.event, 'file-renamed');
});

test('a rename can change case only', async (t) => {
  const room = await openRoom(t, { files: { 'report.txt': 'text' } });
  const seen = await room.open('report.txt');
  const renamed = await room.documents.rename(seen, ['Report.TXT']);
  assert.equal(renamed?.row.path, 'Report.TXT');
  assert.deepEqual(await room.names(), ['Report.TXT']);
  assert.equal((await room.folder.find(seen.row.id))?.row.path, 'Report.TXT');
});

test('a rename to the same name changes nothing', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const seen = await room.open('a.txt');
  assert.deepEqual(await room.documents.rename(seen, ['a.txt']), seen);
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.deepEqual(room.events, []);
});

test('a rename skips taken names, including those of unrecorded files', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const seen = await room.open('a.txt');
  const renamed = await room.documents.rename(seen, ['B.txt', 'b.txt', 'c.txt']);
  assert.equal(renamed?.row.path, 'c.txt');
  assert.equal(await room.read('b.txt'), 'b');
});

for (const [what, name] of [
  ['', 'b.txt'],
  // On a file system that ignores case, both would be the same file.
  ...(process.platform === 'linux' ? [[' that changes only case', 'A.txt'] as const] : []),
] as const) {
  test(`a rename${what} doesn’t overwrite a file that appears at the last moment`, async (t) => {
    const room = await openRoom(t, { files: { 'a.txt': 'a' } });
    const seen = await room.open('a.txt');
    const names = function* () {
      writeFileSync(room.at(name), 'theirs');
      yield name;
    };
    assert.equal(await room.documents.rename(seen, names()), undefined);
    assert.deepEqual([await room.read('a.txt'), await room.read(name)], ['a', 'theirs']);
    const row = present(room.files.byId(seen.row.id));
    assert.deepEqual([row.path, row.renamingFrom], ['a.txt', null]);
  });
}

test('a document that is missing while another program replaces it keeps its id and name', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const a = await room.open('a.txt');
  const b = await room.open('b.txt');
  await rm(room.at('b.txt'));
  const names = function* () {
    // Another program saves by deleting the file first.
    writeFileSync(room.at('b.txt'), 'rewritten by another program');
    yield 'b.txt';
  };
  assert.equal(await room.documents.rename(a, names()), undefined);
  assert.equal((await room.folder.openPath('b.txt')).id, b.row.id);
  assert.equal((await room.folder.find(b.row.id))?.row.path, 'b.txt');
});

test('a rename can take the name of a document that another program deleted', async (t) => {
  const room = await openRoom(t, { files: { 'draft.txt': 'draft', 'final.txt': 'final' } });
  const seen = await room.open('draft.txt');
  const deleted = await room.open('final.txt');
  await rm(room.at('final.txt'));
  const renamed = present(await room.documents.rename(seen, ['final.txt']));
  assert.equal(renamed.row.path, 'final.txt');
  assert.equal((await room.folder.openPath('final.txt')).id, seen.row.id);
  assert.equal(await room.folder.find(deleted.row.id), undefined);
});

test('a rename of a missing document fails and leaves its record unchanged', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  const seen = await room.open('a.txt');
  await rm(room.at('a.txt'));
  await assert.rejects(room.documents.rename(seen, ['b.txt']), refused('disk-refused'));
  const row = present(room.files.byId(seen.row.id));
  assert.deepEqual([row.path, row.renamingFrom], ['a.txt', null]);
});

test('a trashed document loses its id, and a new one at its path gets another', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  const seen = await room.open('a.txt');
  await room.documents.trash(seen);
  assert.equal(await readFile(join(room.trash, 'a.txt'), 'utf8'), 'a');
  assert.equal(await room.folder.find(seen.row.id), undefined);
  assert.equal(room.folder.rowOf(seen.row.id), undefined);
  await room.write('a.txt', 'another');
  assert.notEqual((await room.folder.openPath('a.txt')).id, seen.row.id);
});

test('keeps document and id if the trash returns an error', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  const seen = await room.open('a.txt');
  room.faults.failsToTrash = true;
  await assert.rejects(room.documents.trash(seen), {
    code: 'disk-refused',
    message:
      /“a\.txt” couldn’t be moved to the trash\. The disk is full\. Delete it with the file manager\.$/u,
  });
  assert.equal(await room.read('a.txt'), 'a');
  assert.equal((await room.folder.find(seen.row.id))?.row.id, seen.row.id);
  assert.deepEqual(room.events, []);
});

test('a file in the trash that isn’t the one that was moved there can’t be put back', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  assert.notEqual(await room.documents.trash(await room.open('a.txt')), undefined);
  room.faults.trashesElsewhere = true;
  assert.equal(await room.documents.trash(await room.open('b.txt')), undefined);
});

test('keeps the id if the trash left the document in place', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  const seen = await room.open('a.txt');
  room.faults.trashesNothing = true;
  await assert.rejects(room.documents.trash(seen), refused('disk-refused'));
  assert.equal((await room.folder.find(seen.row.id))?.row.id, seen.row.id);
});

test('a rename skips a name that another document has in another spelling', async (t) => {
  const [composed, decomposed] = ['\u00e9.txt', 'e\u0301.txt'];
  const room = await openRoom(t, { files: { [composed]: 'one', [decomposed]: 'two' } });
  const seen = await room.open(decomposed);
  const renamed = await room.documents.rename(seen, ['\u00c9.txt', 'free.txt']);
  assert.equal(renamed?.row.path, 'free.txt');
  assert.equal(await room.read(composed), 'one');
});

test('finds the requested spelling of a name, or else one in the same case', async (t) => {
  const [composed, decomposed] = ['\u00e9.txt', 'e\u0301.txt'];
  const room = await openRoom(t, { files: { [composed]: 'one', [decomposed]: 'two' } });
  assert.equal(await room.documents.named('', composed), composed);
  assert.equal(await room.documents.named('', decomposed), decomposed);
  assert.ok([composed, decomposed].includes((await room.documents.named('', '\u00c9.TXT')) ?? ''));
  await room.write('\u00c9.txt', 'three');
  await rm(room.at(composed));
  assert.equal(
    await room.documents.named('', composed),
    decomposed,
    'case counts more than normalization form',
  );
});

test('finds a name in another case, and rejects a missing folder', async (t) => {
  const room = await openRoom(t, { files: { 'sub/Letter.DOCX': 'text' } });
  assert.equal(await room.documents.named('sub', 'letter.docx'), 'Letter.DOCX');
  assert.equal(await room.documents.named('sub', 'letters.docx'), undefined);
  await assert.rejects(room.documents.named('missing', 'a'), refused('folder-missing'));
});
