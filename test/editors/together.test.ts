// Several editors at one host at the same time, with different documents and with the same one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCollabora } from './collabora.ts';
import { openHouse, openTextHouse } from './house.ts';
import { createMicrosoft } from './microsoft.ts';
import { withRemark } from './office-zip.ts';
import { createOnlyOffice } from './onlyoffice.ts';
import { createTextEditor } from './text-editor.ts';
import { lastOf } from './wire.ts';

test('three editors save three documents concurrently', async (context) => {
  const house = await openHouse(context);
  const onlyOffice = createOnlyOffice(house);
  const collabora = createCollabora(house);
  const microsoft = createMicrosoft(house);
  const [letter, sums, talk] = await Promise.all([
    onlyOffice.open(await house.access('letter.docx')),
    collabora.open(await house.access('sums.xlsx')),
    microsoft.open(await house.access('talk.pptx')),
  ]);
  for (let round = 1; round <= 5; round += 1) {
    const remark = `round ${String(round)}`;
    letter.edit(withRemark(house.fixtures['letter.docx'], remark));
    sums.edit(withRemark(house.fixtures['sums.xlsx'], remark));
    talk.edit(withRemark(house.fixtures['talk.pptx'], remark));
    const [first, second, third] = await Promise.all([
      letter.forceSave(),
      sums.save({ isAutosave: true }),
      talk.autosave(),
    ]);
    assert.deepEqual([first.status, second.exchange?.status, third.status], [200, 200, 200]);
    assert.deepEqual(await house.onDisk('letter.docx'), letter.content());
    assert.deepEqual(await house.onDisk('sums.xlsx'), sums.content());
    assert.deepEqual(await house.onDisk('talk.pptx'), talk.content());
  }
  assert.equal(house.host.host.services.locks.list().length, 3);
  await Promise.all([letter.close(), sums.close(), talk.close()]);
  assert.deepEqual(house.host.host.services.locks.list(), []);
  assert.deepEqual(await house.names(), ['letter.docx', 'letter.odt', 'sums.xlsx', 'talk.pptx']);
  house.assertRules(onlyOffice, collabora, microsoft);
});

test('of three editors that open the same document concurrently, one can edit it and the others open it read-only', async (context) => {
  const house = await openHouse(context);
  const onlyOffice = createOnlyOffice(house);
  const collabora = createCollabora(house);
  const microsoft = createMicrosoft(house);
  const accesses = await Promise.all([1, 2, 3].map(async () => house.access('letter.docx')));
  const opened = await Promise.all([
    onlyOffice.open(accesses[0]!),
    collabora.open(accesses[1]!),
    microsoft.open(accesses[2]!),
  ]);
  assert.deepEqual(opened.map(({ mode }) => mode).toSorted(), ['edit', 'view', 'view']);
  for (const view of opened) assert.deepEqual(view.content(), house.fixtures['letter.docx']);
  const editing = opened.find(({ mode }) => mode === 'edit')!;
  editing.edit(withRemark(editing.content(), 'edited by the one who may'));
  await Promise.all(opened.map(async (view) => view.close()));
  assert.deepEqual(await house.onDisk('letter.docx'), editing.content());
  house.assertRules(onlyOffice, collabora, microsoft);
});

test('the text editor and three others save concurrently, and one of the four gets the lock of a shared document', async (context) => {
  const house = await openTextHouse(context, { 'notes.md': 'one\n', 'list.txt': 'one\n' });
  const onlyOffice = createOnlyOffice(house);
  const collabora = createCollabora(house);
  const microsoft = createMicrosoft(house);
  const textEditor = createTextEditor(house);
  const [letter, sums, talk, list] = await Promise.all([
    onlyOffice.open(await house.access('letter.docx')),
    collabora.open(await house.access('sums.xlsx')),
    microsoft.open(await house.access('talk.pptx')),
    textEditor.open('list.txt'),
  ]);
  for (let round = 1; round <= 5; round += 1) {
    const remark = `round ${String(round)}`;
    letter.edit(withRemark(house.fixtures['letter.docx'], remark));
    sums.edit(withRemark(house.fixtures['sums.xlsx'], remark));
    talk.edit(withRemark(house.fixtures['talk.pptx'], remark));
    list.edit(`${remark}\n`);
    const saves = [letter.forceSave(), sums.save(), talk.autosave(), list.autosave()] as const;
    const [first, second, third, fourth] = await Promise.all(saves);
    const statuses = [first.status, second.exchange?.status, third.status, fourth.status];
    assert.deepEqual(statuses, [200, 200, 200, 200]);
    assert.equal((await house.onDisk('list.txt')).toString(), `${remark}\n`);
  }
  await Promise.all([letter.close(), sums.close(), talk.close(), list.close()]);

  const accesses = await Promise.all([1, 2, 3].map(async () => house.access('notes.md')));
  const views = await Promise.all([
    onlyOffice.open(accesses[0]!),
    collabora.open(accesses[1]!),
    microsoft.open(accesses[2]!),
    textEditor.open('notes.md'),
  ]);
  const modes = views.map(({ mode }) => (typeof mode === 'function' ? mode() : mode));
  assert.deepEqual(modes.toSorted(), ['edit', 'view', 'view', 'view']);
  for (const view of views) assert.equal(view.content().toString(), 'one\n');
  const editing = views[modes.indexOf('edit')]!;
  editing.edit(Buffer.from('by the one who may\n'));
  await Promise.all(views.map(async (view) => view.close()));
  assert.equal((await house.onDisk('notes.md')).toString(), 'by the one who may\n');
  assert.deepEqual(house.host.host.services.locks.list(), []);
  house.assertRules(onlyOffice, collabora, microsoft, textEditor);
});

test('a second editor opens a locked document read-only, and can edit it once the first has closed it', async (context) => {
  const house = await openHouse(context);
  const onlyOffice = createOnlyOffice(house);
  const collabora = createCollabora(house);
  const first = await onlyOffice.open(await house.access('letter.docx'));
  const access = await house.access('letter.docx');
  const waiting = await collabora.open(access);
  assert.equal(waiting.mode, 'view');
  const { received } = lastOf(collabora.exchanges, 'Lock');
  assert.equal(received['x-wopi-lock'], access.fileId);
  first.edit(withRemark(first.content(), 'first'));
  await first.close();

  const second = await collabora.open(access);
  assert.equal(second.mode, 'edit');
  assert.deepEqual(second.content(), withRemark(house.fixtures['letter.docx'], 'first'));
  second.edit(withRemark(house.fixtures['letter.docx'], 'second'));
  await second.close();
  assert.deepEqual(await house.onDisk('letter.docx'), withRemark(house.fixtures['letter.docx'], 'second'));
  house.assertRules(onlyOffice, collabora);
});

test('concurrent saves of one document leave one complete content, each with its own version', async (context) => {
  const house = await openHouse(context);
  const microsoft = createMicrosoft(house);
  const access = await house.access('letter.docx');
  const tab = await microsoft.open(access);
  const saves = Array.from({ length: 12 }, (_, index) => withRemark(tab.content(), `save ${String(index)}`));
  const answers = await Promise.all(
    saves.map(async (content) => {
      tab.edit(content);
      return tab.autosave();
    }),
  );
  for (const answer of answers) assert.equal(answer.status, 200);
  const versions = answers.map(({ received }) => received['x-wopi-itemversion']);
  assert.equal(new Set(versions).size, saves.length);
  const onDisk = await house.onDisk('letter.docx');
  assert.ok(saves.some((content) => content.equals(onDisk)));
  await tab.close();
  assert.deepEqual(await house.names(), ['letter.docx', 'letter.odt', 'sums.xlsx', 'talk.pptx']);
  house.assertRules(microsoft);
});
