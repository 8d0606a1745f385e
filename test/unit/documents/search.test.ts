import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { refused } from '../files/files-fixture.ts';
import { createSearch, searchKey, searchRank, searchWords } from '../../../app/documents/search.ts';
import { namesOf, openDocumentRoom, type DocumentRoom } from './documents-fixture.ts';

test('compares names ignoring case, accents and Unicode normalization', () => {
  const same = ['Résumé', 'Re\u0301sume\u0301', 'RESUME', 'resume'].map(searchKey);
  assert.equal(new Set(same).size, 1);
  assert.equal(searchKey('Straße'), searchKey('STRASSE'));
  assert.equal(searchKey('ΟΔΟΣ'), searchKey('οδος'));
  assert.notEqual(searchKey('ba'), searchKey('pa'));
  assert.deepEqual(searchWords('  two   Words '), ['TWO', 'WORDS']);
});

test('ranks the start of a name above the starts of its words, and those above other matches', () => {
  const rank = (name: string, text: string) => searchRank(searchKey(name), searchWords(text));
  assert.equal(rank('Report May.docx', 'report'), 0);
  assert.equal(rank('May report.docx', 'report'), 1);
  assert.equal(rank('may-REPORT_2.docx', 'rep may'), 1);
  assert.equal(rank('Unreported.docx', 'report'), 2);
  assert.equal(rank('Preport report.docx', 'report'), 1);
  assert.equal(rank('Report.docx', 'report may'), undefined);
  assert.equal(rank('file 02000.txt', 'file  02'), 0);
  assert.equal(rank('file 19402.txt', 'file 02'), 2);
  assert.equal(rank('Report of May.docx', 'report may'), 1);
  assert.equal(rank('Отчёт.docx', 'отчет'), 0);
});

test('finds documents and folders in all subfolders, the best match first, then by name', async (t) => {
  const window = await openDocumentRoom(t, {
    files: {
      'deep/er/Plan 10.txt': '',
      'Plan 9.txt': '',
      'My plan.txt': '',
      'explanation.txt': '',
      'other.txt': '',
      'plans/x.txt': '',
    },
  });
  await utimes(window.room.at('deep/er/Plan 10.txt'), 5e9, 5e9);
  const found = await window.run('documents.search', { text: 'PLAN', count: 10 });
  assert.deepEqual(
    found.items.map(({ path }) => path),
    ['Plan 9.txt', 'deep/er/Plan 10.txt', 'plans', 'My plan.txt', 'explanation.txt'],
  );
  assert.equal(found.isComplete, true);
  assert.equal(found.searched, 9);
  const [first] = found.items;
  assert.equal(
    first?.kind === 'document' && first.fileId,
    (await window.room.folder.openPath('Plan 9.txt')).id,
  );
});

test('returns the best of all matches, even if there are more than it keeps', async (t) => {
  const window = await manyNotes(t, 500);
  await mkdir(window.room.at('z'));
  await writeFile(window.room.at('z/e.txt'), '');
  const found = await createSearch({ maxMatches: 20 }).run(window.room.folder, 'e', 3);
  assert.deepEqual(
    [found.shown.map(({ path }) => path), found.searched, found.isComplete],
    [['z/e.txt', 'f0/note 0.txt', 'f1/note 1.txt'], 512, false],
  );
});

test('limits the number of results, and reports that there are more', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f/a${index}.txt`, '']));
  const window = await openDocumentRoom(t, { files });
  const found = await window.run('documents.search', { text: 'a', count: 5 });
  assert.deepEqual([found.items.length, found.isComplete, found.searched], [5, false, 21]);
  assert.equal(window.room.db.prepare('SELECT count(*) FROM files').pluck().get(), 5);
});

test('finds links inside the folder, but nothing hidden, outside, or inside linked folders', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'sub/match.txt': '', '.match/match.txt': '', '~$match.txt': '', '.~lock.match.txt#': '' },
  });
  const { room } = window;
  await mkdir(join(room.dataDir, 'match'));
  await symlink(join(room.dataDir, 'match'), room.at('match out'));
  await symlink('sub', room.at('match in'));
  await symlink('.', room.at('circle'));
  const found = await window.run('documents.search', { text: 'match', count: 10 });
  assert.deepEqual(namesOf(found).toSorted(), ['match in', 'match.txt']);
});

test('finds nothing for white space, and reports a missing hosted folder', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': '' } });
  const found = await window.run('documents.search', { text: ' \t', count: 10 });
  assert.deepEqual(found, { items: [], isComplete: true, searched: 0 });
  await rename(window.room.root, `${window.room.root}-away`);
  await assert.rejects(window.run('documents.search', { text: 'a', count: 1 }), refused('folder-missing'));
});

async function manyNotes(t: TestContext, count: number): Promise<DocumentRoom> {
  const window = await openDocumentRoom(t);
  for (let folder = 0; folder < 10; folder += 1) mkdirSync(window.room.at(`f${folder}`));
  for (let index = 0; index < count; index += 1) {
    writeFileSync(window.room.at(`f${index % 10}/note ${index}.txt`), '');
  }
  return window;
}

test('a newer search cancels an older one', async (t) => {
  const window = await manyNotes(t, 500);
  const search = createSearch();
  const older = search.run(window.room.folder, 'note', 4000);
  const newer = search.run(window.room.folder, 'note 499', 10);
  const [first, second] = await Promise.all([older, newer]);
  assert.deepEqual([first.shown.length, first.isComplete], [0, false]);
  assert.ok(first.searched < 510, String(first.searched));
  assert.deepEqual([second.shown.map(({ path }) => path), second.isComplete], [['f9/note 499.txt'], true]);
});

test('returns partial results after the time limit', async (t) => {
  const window = await manyNotes(t, 500);
  const found = await createSearch({ limitMs: 0 }).run(window.room.folder, 'note', 10_000);
  assert.equal(found.isComplete, false);
  assert.ok(found.searched < 510, String(found.searched));
  assert.ok(found.shown.length <= found.searched);
});
