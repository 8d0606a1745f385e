import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { candidateNames } from '../../../app/wopi/target-names.ts';
import { pathOf } from '../../../app/files/move-file.ts';
import { minute, openRoom, origin, present, refused } from './files-fixture.ts';

test('A new document takes the first free name, with its bytes, its mode and an id of its own', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one', 'a (1).txt': 'two' }, newFileMode: 0o604 });
  const incoming = await room.receive('three');
  const made = present(
    await room.documents.create({ folderPath: '', names: candidateNames('a.txt'), incoming, origin }),
  );
  assert.equal(made.row.path, 'a (2).txt');
  assert.equal(made.row.version, 1);
  assert.deepEqual(await room.names(), ['a (1).txt', 'a (2).txt', 'a.txt']);
  assert.deepEqual([await room.read('a.txt'), await room.read('a (1).txt')], ['one', 'two']);
  assert.equal(await room.read('a (2).txt'), 'three');
  assert.equal(room.stats('a (2).txt').mode & 0o7777n, 0o604n);
  const seen = present(await room.folder.find(made.row.id));
  assert.equal(seen.row.version, 1);
  assert.deepEqual(seen.row.sha256, incoming.sha256);
  assert.deepEqual(room.events, [{ event: 'file-created', fileId: made.row.id, path: 'a (2).txt' }]);
});

test('Names that only differ in case or normal form count as taken', async (t) => {
  const room = await openRoom(t, { files: { 'Re\u0301sume\u0301.TXT': 'one' } });
  const incoming = await room.receive('two');
  const names = ['r\u00e9sum\u00e9.txt', 'free.txt'];
  const made = await room.documents.create({ folderPath: '', names, incoming, origin });
  assert.equal(made?.row.path, 'free.txt');
});

test('A name that another program takes at the last moment is not overwritten', async (t) => {
  const room = await openRoom(t);
  const incoming = await room.receive('ours');
  const names = function* () {
    // After the folder was listed and before the name is taken.
    writeFileSync(room.at('a.txt'), 'theirs');
    yield 'a.txt';
    yield 'b.txt';
  };
  const made = await room.documents.create({ folderPath: '', names: names(), incoming, origin });
  assert.equal(made?.row.path, 'b.txt');
  assert.equal(await room.read('a.txt'), 'theirs');
});

test('Two documents made at once get two names that also differ without case', async (t) => {
  const room = await openRoom(t);
  const make = async (name: string): Promise<string> => {
    const incoming = await room.receive(name);
    const names = candidateNames(name);
    return present(await room.documents.create({ folderPath: '', names, incoming, origin })).row.path;
  };
  const paths = await Promise.all([make('a.txt'), make('A.txt'), make('a.txt'), make('A.txt')]);
  assert.equal(new Set(paths.map((path) => path.toLowerCase())).size, 4);
  assert.equal((await room.names()).length, 4);
});

test('creates nothing without a free name, and leaves the body to the caller', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  const incoming = await room.receive('two');
  const made = await room.documents.create({ folderPath: '', names: ['a.txt'], incoming, origin });
  assert.equal(made, undefined);
  assert.equal(await readFile(pathOf(incoming.location), 'utf8'), 'two');
  await incoming.discard();
  assert.deepEqual(await room.names(), ['a.txt']);
});

test('A body that the folder refused makes no document', async (t) => {
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

test('A document made where a deleted one was is another document', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  const { row } = await room.open('a.txt');
  await rm(room.at('a.txt'));
  const incoming = await room.receive('two');
  const made = present(await room.documents.create({ folderPath: '', names: ['a.txt'], incoming, origin }));
  assert.notEqual(made.row.id, row.id);
  assert.deepEqual([made.row.path, made.row.version], ['a.txt', 1]);
  assert.equal((await room.folder.openPath('a.txt')).id, made.row.id);
  assert.equal(await room.folder.find(row.id), undefined);
  assert.notEqual(room.folder.rowOf(row.id), undefined, 'it may come back somewhere else');
});

test('A document that was moved away keeps its id when a new one is made at its old path', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one', 'sub/b.txt': 'b' } });
  const { row } = await room.open('a.txt');
  await rename(room.at('a.txt'), room.at('sub/moved.txt'));
  const incoming = await room.receive('two');
  const made = present(await room.documents.create({ folderPath: '', names: ['a.txt'], incoming, origin }));
  assert.equal(made.row.path, 'a.txt');
  const found = present(await room.folder.find(row.id));
  assert.equal(found.row.path, 'sub/moved.txt');
  assert.equal(await room.read('sub/moved.txt'), 'one');
});

test('A new document keeps the id under which a listing has met it already', async (t) => {
  const room = await openRoom(t);
  const incoming = await room.receive('two');
  const ids: string[] = [];
  const listedAtOnce = {
    ...incoming,
    // It has its name by now, and is not recorded yet.
    async release(): Promise<void> {
      ids.push((await room.folder.openPath('a.txt')).id);
      await incoming.release();
    },
  };
  const names = ['a.txt'];
  const made = await room.documents.create({ folderPath: '', names, incoming: listedAtOnce, origin });
  assert.deepEqual([made?.row.id], ids);
  assert.equal((await room.folder.openPath('a.txt')).id, ids[0]);
});

test('The path of a document that its editor still holds is not given away', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one', 'c.txt': 'c' } });
  const { row } = await room.open('a.txt');
  const other = await room.open('c.txt');
  room.lock(row.id);
  await rm(room.at('a.txt'));
  const incoming = await room.receive('two');
  const names = ['a.txt', 'b.txt'];
  const made = present(await room.documents.create({ folderPath: '', names, incoming, origin }));
  assert.equal(made.row.path, 'b.txt');
  assert.equal(await room.documents.rename(other, ['a.txt']), undefined);
  assert.equal(room.files.byId(row.id)?.path, 'a.txt', 'there it will be made again');
  room.time.nowMs += 31 * minute;
  assert.equal((await room.documents.rename(other, ['a.txt']))?.row.path, 'a.txt');
});

test('No document is made through a link that leads out of the folder', async (t) => {
  const room = await openRoom(t);
  const outside = join(room.dataDir, '..', 'outside');
  await mkdir(outside);
  await symlink(outside, room.at('sub'));
  const incoming = await room.receive('body');
  await assert.rejects(room.documents.create({ folderPath: 'sub', names: ['a.txt'], incoming, origin }));
  await incoming.discard();
  assert.deepEqual(await readdir(outside), []);
});

test('A rename keeps id, content and version, and leaves one name', async (t) => {
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

test('A case-only rename works', async (t) => {
  const room = await openRoom(t, { files: { 'report.txt': 'text' } });
  const seen = await room.open('report.txt');
  const renamed = await room.documents.rename(seen, ['Report.TXT']);
  assert.equal(renamed?.row.path, 'Report.TXT');
  assert.deepEqual(await room.names(), ['Report.TXT']);
  assert.equal((await room.folder.find(seen.row.id))?.row.path, 'Report.TXT');
});

test('A rename to its own name changes nothing', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const seen = await room.open('a.txt');
  assert.deepEqual(await room.documents.rename(seen, ['a.txt']), seen);
  assert.deepEqual(await room.names(), ['a.txt']);
  assert.deepEqual(room.events, []);
});

test('A rename passes over taken names, those of unknown files too', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const seen = await room.open('a.txt');
  const renamed = await room.documents.rename(seen, ['B.txt', 'b.txt', 'c.txt']);
  assert.equal(renamed?.row.path, 'c.txt');
  assert.equal(await room.read('b.txt'), 'b');
});

test('A rename overwrites nothing that comes at the last moment', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  const seen = await room.open('a.txt');
  const names = function* () {
    writeFileSync(room.at('b.txt'), 'theirs');
    yield 'b.txt';
  };
  assert.equal(await room.documents.rename(seen, names()), undefined);
  assert.equal(await room.read('b.txt'), 'theirs');
  assert.equal(await room.read('a.txt'), 'a');
  const row = present(room.files.byId(seen.row.id));
  assert.deepEqual([row.path, row.renamingFrom], ['a.txt', null]);
});

test('A document whose name was wanted at a moment when it was missing keeps its id', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const a = await room.open('a.txt');
  const b = await room.open('b.txt');
  await rm(room.at('b.txt'));
  const names = function* () {
    // A program that saves by removing first and writing then.
    writeFileSync(room.at('b.txt'), 'written anew by another program');
    yield 'b.txt';
  };
  assert.equal(await room.documents.rename(a, names()), undefined);
  assert.equal((await room.folder.openPath('b.txt')).id, b.row.id);
  assert.equal((await room.folder.find(b.row.id))?.row.path, 'b.txt');
});

test('A rename may take the name of a document that another program has deleted', async (t) => {
  const room = await openRoom(t, { files: { 'draft.txt': 'draft', 'final.txt': 'final' } });
  const seen = await room.open('draft.txt');
  const deleted = await room.open('final.txt');
  await rm(room.at('final.txt'));
  const renamed = present(await room.documents.rename(seen, ['final.txt']));
  assert.equal(renamed.row.path, 'final.txt');
  assert.equal((await room.folder.openPath('final.txt')).id, seen.row.id);
  assert.equal(await room.folder.find(deleted.row.id), undefined);
});

test('A rename of a document that is gone leaves its record as it was', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  const seen = await room.open('a.txt');
  await rm(room.at('a.txt'));
  await assert.rejects(room.documents.rename(seen, ['b.txt']), refused('disk-refused'));
  const row = present(room.files.byId(seen.row.id));
  assert.deepEqual([row.path, row.renamingFrom], ['a.txt', null]);
});

test('A trashed document ends its id, and a new one at its path gets another', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  const seen = await room.open('a.txt');
  await room.documents.trash(seen);
  assert.equal(await readFile(join(room.trash, 'a.txt'), 'utf8'), 'a');
  assert.equal(await room.folder.find(seen.row.id), undefined);
  assert.equal(room.folder.rowOf(seen.row.id), undefined);
  await room.write('a.txt', 'another');
  assert.notEqual((await room.folder.openPath('a.txt')).id, seen.row.id);
});

test('Where the trash refuses, document and id stay', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  const seen = await room.open('a.txt');
  room.faults.failsToTrash = true;
  await assert.rejects(room.documents.trash(seen), refused('disk-refused'));
  assert.equal(await room.read('a.txt'), 'a');
  assert.equal((await room.folder.find(seen.row.id))?.row.id, seen.row.id);
  assert.deepEqual(room.events, []);
});

test('Where the trash did not take the document, the id stays', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  const seen = await room.open('a.txt');
  room.faults.trashesNothing = true;
  await assert.rejects(room.documents.trash(seen), refused('disk-refused'));
  assert.equal((await room.folder.find(seen.row.id))?.row.id, seen.row.id);
});

test('A rename passes over a name that another document has in another spelling', async (t) => {
  const [composed, decomposed] = ['\u00e9.txt', 'e\u0301.txt'];
  const room = await openRoom(t, { files: { [composed]: 'one', [decomposed]: 'two' } });
  const seen = await room.open(decomposed);
  const renamed = await room.documents.rename(seen, ['\u00c9.txt', 'free.txt']);
  assert.equal(renamed?.row.path, 'free.txt');
  assert.equal(await room.read(composed), 'one');
});

test('A name that an editor still holds is not given away in another spelling', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  const { row } = await room.open('a.txt');
  room.lock(row.id);
  await rm(room.at('a.txt'));
  const incoming = await room.receive('two');
  const names = ['A.TXT', 'b.txt'];
  const made = await room.documents.create({ folderPath: '', names, incoming, origin });
  assert.equal(made?.row.path, 'b.txt');
});

test('Of several spellings of a name the one that was asked for is found', async (t) => {
  const [composed, decomposed] = ['\u00e9.txt', 'e\u0301.txt'];
  const room = await openRoom(t, { files: { [composed]: 'one', [decomposed]: 'two' } });
  assert.equal(await room.documents.named('', composed), composed);
  assert.equal(await room.documents.named('', decomposed), decomposed);
  assert.ok([composed, decomposed].includes((await room.documents.named('', '\u00c9.TXT')) ?? ''));
  await room.write('\u00c9.txt', 'three');
  await rm(room.at(composed));
  assert.equal(await room.documents.named('', composed), decomposed, 'the form counts less than the case');
});

test('A name is found as people and file systems compare names', async (t) => {
  const room = await openRoom(t, { files: { 'sub/Letter.DOCX': 'text' } });
  assert.equal(await room.documents.named('sub', 'letter.docx'), 'Letter.DOCX');
  assert.equal(await room.documents.named('sub', 'letters.docx'), undefined);
  await assert.rejects(room.documents.named('missing', 'a'), refused('folder-missing'));
});
