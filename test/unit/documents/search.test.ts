// Search by name. The searches run in the folder of a running host, each test in one with its own word.

import assert from 'node:assert/strict';
import { rename, symlink } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSearch, searchKey, searchRank, searchWords } from '../../../app/documents/search.ts';
import { windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;
before(async () => {
  place = await windowPlace({ files: [] });
});
after(() => place.close());

const search = (text: string, count = 10) => place.run('documents.search', { text, count });
const pathsOf = (found: readonly { path: string }[]) => found.map(({ path }) => path);
const folder = () => place.host().services.folders.require().folder;

test('compares names ignoring case, accents and Unicode normalization', () => {
  const same = ['Résumé', 'Re\u0301sume\u0301', 'RESUME', 'resume'].map(searchKey);
  assert.equal(new Set(same).size, 1);
  assert.equal(searchKey('Straße'), searchKey('STRASSE'));
  assert.equal(searchKey('ΟΔΟΣ'), searchKey('οδος'));
  assert.notEqual(searchKey('ba'), searchKey('pa'));
  assert.deepEqual(searchWords('  two   Words '), ['TWO', 'WORDS']);
});

test('ranks the start of a name above the starts of its words, and those above other matches', () => {
  for (const [name, text, rank] of [
    ['Report May.docx', 'report', 0],
    ['May report.docx', 'report', 1],
    ['may-REPORT_2.docx', 'rep may', 1],
    ['Unreported.docx', 'report', 2],
    ['Preport report.docx', 'report', 1],
    ['Report.docx', 'report may', undefined],
    ['file 02000.txt', 'file  02', 0],
    ['file 19402.txt', 'file 02', 2],
    ['Report of May.docx', 'report may', 1],
    ['Отчёт.docx', 'отчет', 0],
  ] as const)
    assert.equal(searchRank(searchKey(name), searchWords(text)), rank, name);
});

test('finds documents and folders in all subfolders, the best match first, then by name, and says if there are more', async () => {
  const names = ['deep/er/Plan 10.txt', 'Plan 9.txt', 'My plan.txt', 'explanation.txt', 'plans/x.txt'];
  await place.write(Object.fromEntries(names.map((name) => [name, ''])));
  const found = await search('PLAN');
  const expected = ['Plan 9.txt', 'deep/er/Plan 10.txt', 'plans', 'My plan.txt', 'explanation.txt'];
  assert.deepEqual([pathsOf(found.items), found.isComplete, found.searched], [expected, true, 8]);
  const [first] = found.items;
  assert.equal(first?.kind === 'document' && first.fileId, await place.idOf('Plan 9.txt'));
  const some = await search('plan', 2);
  assert.deepEqual([pathsOf(some.items), some.isComplete], [expected.slice(0, 2), false]);
  assert.deepEqual(await search(' \t'), { items: [], isComplete: true, searched: 0 });
});

test('finds links inside the folder, but nothing hidden, outside, or inside linked folders', async () => {
  const hidden = ['.match/match.txt', '~$match.txt', '.~lock.match.txt#'];
  await place.write(Object.fromEntries(['sub/match.txt', ...hidden].map((name) => [name, ''])));
  await symlink(place.dataDir, place.at('match out'));
  await symlink('sub', place.at('match in'));
  await symlink('.', place.at('circle'));
  assert.deepEqual(pathsOf((await search('match')).items), ['match in', 'sub/match.txt']);
});

test('a search ends when the next one starts or its time is over', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `many/f${index % 10}/note ${index}.txt`);
  await place.write(Object.fromEntries(names.map((name) => [name, ''])));
  const { run } = createSearch();
  const [older, newer] = await Promise.all([run(folder(), 'note', 4000), run(folder(), 'note 499', 10)]);
  assert.deepEqual([older.shown.length, older.isComplete], [0, false]);
  assert.deepEqual([pathsOf(newer.shown), newer.isComplete], [['many/f9/note 499.txt'], true]);
  const { jail } = folder();
  const openFolder: typeof jail.openFolder = async (path) => {
    await pause(20);
    return jail.openFolder(path);
  };
  const slow = { ...folder(), jail: { ...jail, openFolder } };
  const late = await createSearch({ limitMs: 1 }).run(slow, 'note', 10_000);
  assert.equal(late.isComplete, false);
  for (const { searched } of [older, late]) assert.ok(searched < newer.searched, String(searched));
});

test('reports a missing hosted folder', async () => {
  await rename(place.folder, `${place.folder}-away`);
  await assert.rejects(search('a'), { code: 'folder-missing' });
  const listing = place.run('documents.list', { path: '', startIndex: 0, count: 1 });
  await assert.rejects(listing, { code: 'folder-missing' });
});
