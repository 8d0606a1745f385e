// The Documents view on a real folder: creating, renaming, trashing, importing and restoring change the files on disk.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createOnlyOffice } from '../editors/onlyoffice.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';
import { deeds, setPathOfDropped } from './stand-in-hooks.ts';
import { until } from './window-of.ts';

let desk: DeskApp;
before(async () => {
  desk = await startDeskApp({
    files: {
      'Reports/2026/Deep report.docx': 'deep',
      'letter.docx': 'the first content',
      'notes.odt': 'notes',
      '.hidden.docx': 'never shown',
    },
  });
  await desk.goTo('Documents');
});
after(() => desk.close());
showFailures(() => desk);

const button = (name: string) => desk.page.getByRole('button', { name, exact: true });
const rowWith = (name: string) => desk.page.getByRole('row').filter({ hasText: name });
const onDisk = (path: string) => readFile(join(desk.folder, path));
const act = async (name: string, entry: string): Promise<void> => {
  await rowWith(name).click({ button: 'right' });
  await desk.page.getByRole('menuitem', { name: entry }).click();
};

test('Lists the folder without hidden files, and shows files that other programs add', async () => {
  for (const name of ['Reports', 'letter.docx', 'notes.odt']) await rowWith(name).waitFor();
  assert.equal(await rowWith('.hidden.docx').count(), 0);
  await writeFile(join(desk.folder, 'from elsewhere.ods'), 'put there by another program');
  await rowWith('from elsewhere.ods').waitFor();
  await rowWith('Reports').dblclick();
  await rowWith('2026').waitFor();
  await desk.page.keyboard.press('Alt+ArrowUp');
  await rowWith('letter.docx').waitFor();
});

test('Creates a document from every template, of which only those of text are empty', async () => {
  const templates = await desk.call('documents.templates', {});
  assert.equal(templates.length, 8);
  await button('New').click();
  const menu = desk.page.getByRole('menu');
  for (const { title } of templates) await menu.getByRole('menuitem', { name: title, exact: true }).waitFor();
  await menu.getByRole('menuitem', { name: 'Word document' }).click();
  const dialog = desk.page.getByRole('dialog', { name: 'New Word document' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await name.fill('letter');
  await dialog.getByText('“letter.docx” already exists. Choose another name.').waitFor();
  await name.fill('Made as docx');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });
  await rowWith('Made as docx.docx').waitFor();
  assert.equal((await onDisk('letter.docx')).toString(), 'the first content');

  for (const { id, title, extension } of templates) {
    if (extension !== 'docx')
      await desk.call('documents.create', { folderPath: '', template: id, name: `Made as ${extension}` });
    const made = await onDisk(`Made as ${extension}.${extension}`);
    if (['txt', 'md'].includes(extension)) {
      assert.equal(made.length, 0, title);
      continue;
    }
    assert.equal(made.subarray(0, 2).toString(), 'PK', title);
    assert.ok(made.length > 500, title);
  }
});

test('F2 renames a document, also on disk', async () => {
  await rowWith('notes.odt').click();
  await desk.page.keyboard.press('F2');
  await desk.page.getByRole('textbox', { name: 'New name' }).fill('notes of May');
  await desk.page.keyboard.press('Enter');
  await rowWith('notes of May.odt').waitFor();
  assert.equal((await onDisk('notes of May.odt')).toString(), 'notes');
  assert.equal(existsSync(join(desk.folder, 'notes.odt')), false);
});

test('Moves a document to the system’s trash, and back with Undo; an open one stays', async () => {
  const trash = join(desk.env['XDG_DATA_HOME'] ?? '', 'Trash', 'files');
  const records = join(desk.env['XDG_DATA_HOME'] ?? '', 'Trash', 'info');
  await rowWith('notes of May.odt').click();
  await desk.page.keyboard.press('Delete');
  await rowWith('notes of May.odt').waitFor({ state: 'detached' });
  assert.equal(existsSync(join(desk.folder, 'notes of May.odt')), false);
  const [trashed = ''] = await readdir(trash);
  assert.equal(await readFile(join(trash, trashed), 'utf8'), 'notes');

  await desk.page.getByRole('button', { name: /^Undo/u }).click();
  await rowWith('notes of May.odt').waitFor();
  assert.equal((await onDisk('notes of May.odt')).toString(), 'notes');
  assert.deepEqual([await readdir(trash), await readdir(records)], [[], []]);

  const tab = await createOnlyOffice().open(await desk.access('letter.docx'));
  await rowWith('letter.docx').getByText('owner').first().waitFor();
  await rowWith('letter.docx').click();
  await desk.page.keyboard.press('Delete');
  await desk.page.getByText('Can’t move “letter.docx” to the trash').waitFor();
  assert.equal((await onDisk('letter.docx')).toString(), 'the first content');
  tab.edit(Buffer.from('the second content'));
  assert.equal((await tab.forceSave()).status, 200);
  await tab.close();
});

test('Moves a document to a folder that it is dragged onto', async () => {
  await rowWith('notes of May.odt').locator('[draggable]').dragTo(rowWith('Reports'));
  await rowWith('notes of May.odt').waitFor({ state: 'detached' });
  assert.equal((await onDisk('Reports/notes of May.odt')).toString(), 'notes');
});

test('Restores a version, and keeps the content that it replaces', async () => {
  await act('letter.docx', 'Versions');
  const dialog = desk.page.getByRole('region', { name: 'Versions' });
  const versions = dialog.getByRole('list', { name: 'Versions' }).getByRole('listitem');
  await versions.first().waitFor();
  assert.equal(await versions.count(), 2);
  await versions
    .nth(1)
    .getByRole('button', { name: /^Restore the version/ })
    .click();
  const question = desk.page.getByRole('alertdialog', { name: 'Restore “letter.docx”?' });
  await question.getByRole('button', { name: 'Restore' }).click();
  await desk.page.getByText('Restored “letter.docx”.').first().waitFor();
  assert.equal((await onDisk('letter.docx')).toString(), 'the first content');
  await versions.nth(2).waitFor();
  await dialog.getByRole('button', { name: 'Close details' }).click();
});

test('Copies a file dropped onto the window without overwriting one of the same name', async () => {
  const elsewhere = join(desk.place, 'Elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'letter.docx'), 'another letter');
  await setPathOfDropped(desk.app, 'letter.docx', join(elsewhere, 'letter.docx'));
  const dropped = await desk.page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['another letter'], 'letter.docx'));
    return data;
  });
  const area = desk.page.locator('.documents-drop-area');
  await area.dispatchEvent('dragenter', { dataTransfer: dropped });
  await desk.page.getByText('Drop to copy into “Documents”').waitFor();
  await area.dispatchEvent('drop', { dataTransfer: dropped });
  await desk.page.getByText('1 file (14 bytes) copied.').waitFor();
  assert.equal((await onDisk('letter.docx')).toString(), 'the first content');
  const copy = (await readdir(desk.folder)).find((name) => /^letter.+\.docx$/.test(name)) ?? '';
  assert.equal((await onDisk(copy)).toString(), 'another letter');
  await rowWith(copy).waitFor();
});

test('A search finds names in every folder, and shows the folder of a result', async () => {
  await desk.page.keyboard.press('/');
  await desk.page.keyboard.type('deep rep');
  await desk.page.getByRole('grid', { name: 'Search results' }).waitFor();
  await rowWith('Deep report.docx').waitFor();
  await act('Deep report.docx', 'Show in its folder');
  await desk.page.getByRole('grid', { name: 'Documents in 2026' }).waitFor();
  await act('Deep report.docx', 'Show in the file manager');
  const deep = join(desk.folder, 'Reports/2026/Deep report.docx');
  const isShown = async (): Promise<boolean> =>
    (await deeds(desk.app)).some(({ kind, path }) => kind === 'show-item-in-folder' && path === deep);
  await until(isShown, 'the file manager shows it');
});
