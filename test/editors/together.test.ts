// Several editors at one host at the same time, with different documents and with the same one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCollabora } from './collabora.ts';
import { openSetup, openTextSetup } from './setup.ts';
import { createMicrosoft } from './microsoft.ts';
import { withRemark } from './office-zip.ts';
import { createOnlyOffice } from './onlyoffice.ts';
import { createTextEditor } from './text-editor.ts';
import { lastOf } from './wire.ts';

test('three editors save three documents concurrently', async (context) => {
  const setup = await openSetup(context);
  const onlyOffice = createOnlyOffice(setup);
  const collabora = createCollabora(setup);
  const microsoft = createMicrosoft(setup);
  const [letter, sums, talk] = await Promise.all([
    onlyOffice.open(await setup.access('letter.docx')),
    collabora.open(await setup.access('sums.xlsx')),
    microsoft.open(await setup.access('talk.pptx')),
  ]);
  for (let round = 1; round <= 5; round += 1) {
    const remark = `round ${String(round)}`;
    letter.edit(withRemark(setup.fixtures['letter.docx'], remark));
    sums.edit(withRemark(setup.fixtures['sums.xlsx'], remark));
    talk.edit(withRemark(setup.fixtures['talk.pptx'], remark));
    const [first, second, third] = await Promise.all([
      letter.forceSave(),
      sums.save({ isAutosave: true }),
      talk.autosave(),
    ]);
    assert.deepEqual([first.status, second.exchange?.status, third.status], [200, 200, 200]);
    assert.deepEqual(await setup.onDisk('letter.docx'), letter.content());
    assert.deepEqual(await setup.onDisk('sums.xlsx'), sums.content());
    assert.deepEqual(await setup.onDisk('talk.pptx'), talk.content());
  }
  assert.equal(setup.host.host.services.locks.list().length, 3);
  await Promise.all([letter.close(), sums.close(), talk.close()]);
  assert.deepEqual(setup.host.host.services.locks.list(), []);
  assert.deepEqual(await setup.names(), ['letter.docx', 'letter.odt', 'sums.xlsx', 'talk.pptx']);
  setup.assertRules(onlyOffice, collabora, microsoft);
});

test('of three editors that open the same document concurrently, one can edit it and the others open it read-only', async (context) => {
  const setup = await openSetup(context);
  const onlyOffice = createOnlyOffice(setup);
  const collabora = createCollabora(setup);
  const microsoft = createMicrosoft(setup);
  const accesses = await Promise.all([1, 2, 3].map(async () => setup.access('letter.docx')));
  const opened = await Promise.all([
    onlyOffice.open(accesses[0]!),
    collabora.open(accesses[1]!),
    microsoft.open(accesses[2]!),
  ]);
  assert.deepEqual(opened.map(({ mode }) => mode).toSorted(), ['edit', 'view', 'view']);
  for (const view of opened) assert.deepEqual(view.content(), setup.fixtures['letter.docx']);
  const editing = opened.find(({ mode }) => mode === 'edit')!;
  editing.edit(withRemark(editing.content(), 'edited by the one who may'));
  await Promise.all(opened.map(async (view) => view.close()));
  assert.deepEqual(await setup.onDisk('letter.docx'), editing.content());
  setup.assertRules(onlyOffice, collabora, microsoft);
});

test('the text editor and three others save concurrently, and one of the four gets the lock of a shared document', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n', 'list.txt': 'one\n' });
  const onlyOffice = createOnlyOffice(setup);
  const collabora = createCollabora(setup);
  const microsoft = createMicrosoft(setup);
  const textEditor = createTextEditor(setup);
  const [letter, sums, talk, list] = await Promise.all([
    onlyOffice.open(await setup.access('letter.docx')),
    collabora.open(await setup.access('sums.xlsx')),
    microsoft.open(await setup.access('talk.pptx')),
    textEditor.open('list.txt'),
  ]);
  for (let round = 1; round <= 5; round += 1) {
    const remark = `round ${String(round)}`;
    letter.edit(withRemark(setup.fixtures['letter.docx'], remark));
    sums.edit(withRemark(setup.fixtures['sums.xlsx'], remark));
    talk.edit(withRemark(setup.fixtures['talk.pptx'], remark));
    list.edit(`${remark}\n`);
    const saves = [letter.forceSave(), sums.save(), talk.autosave(), list.autosave()] as const;
    const [first, second, third, fourth] = await Promise.all(saves);
    const statuses = [first.status, second.exchange?.status, third.status, fourth.status];
    assert.deepEqual(statuses, [200, 200, 200, 200]);
    assert.equal((await setup.onDisk('list.txt')).toString(), `${remark}\n`);
  }
  await Promise.all([letter.close(), sums.close(), talk.close(), list.close()]);

  const accesses = await Promise.all([1, 2, 3].map(async () => setup.access('notes.md')));
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
  assert.equal((await setup.onDisk('notes.md')).toString(), 'by the one who may\n');
  assert.deepEqual(setup.host.host.services.locks.list(), []);
  setup.assertRules(onlyOffice, collabora, microsoft, textEditor);
});

test('a second editor opens a locked document read-only, and can edit it once the first has closed it', async (context) => {
  const setup = await openSetup(context);
  const onlyOffice = createOnlyOffice(setup);
  const collabora = createCollabora(setup);
  const first = await onlyOffice.open(await setup.access('letter.docx'));
  const access = await setup.access('letter.docx');
  const waiting = await collabora.open(access);
  assert.equal(waiting.mode, 'view');
  const { received } = lastOf(collabora.exchanges, 'Lock');
  assert.equal(received['x-wopi-lock'], access.fileId);
  first.edit(withRemark(first.content(), 'first'));
  await first.close();

  const second = await collabora.open(access);
  assert.equal(second.mode, 'edit');
  assert.deepEqual(second.content(), withRemark(setup.fixtures['letter.docx'], 'first'));
  second.edit(withRemark(setup.fixtures['letter.docx'], 'second'));
  await second.close();
  assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(setup.fixtures['letter.docx'], 'second'));
  setup.assertRules(onlyOffice, collabora);
});

test('concurrent saves of one document leave one complete content, each with its own version', async (context) => {
  const setup = await openSetup(context);
  const microsoft = createMicrosoft(setup);
  const access = await setup.access('letter.docx');
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
  const onDisk = await setup.onDisk('letter.docx');
  assert.ok(saves.some((content) => content.equals(onDisk)));
  await tab.close();
  assert.deepEqual(await setup.names(), ['letter.docx', 'letter.odt', 'sums.xlsx', 'talk.pptx']);
  setup.assertRules(microsoft);
});
