// The Documents view on a real folder: creating, renaming, trashing, moving and importing change the files on disk. Then changes while
// editors have documents open: the folder, a pause, settings, the port. Open documents can still be saved.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createEditor, type EditorTab } from '../editors/scripted-editor.ts';
import { createWire } from '../editors/wire.ts';
import { freePorts } from '../free-ports.ts';
import { listen, type Site } from '../listen.ts';
import { pressMenu } from '../stand-in/press.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';
import { deeds, setPathOfDropped } from './stand-in-hooks.ts';
import { until } from './window-of.ts';

let desk: DeskApp;
let tab: EditorTab;
let otherFolder: string;
/** Another program, with a port of its own. */
let other: Site;
/** The host's address, updated for editors when it changes. */
let address = '';
before(async () => {
  desk = await startDeskApp({
    files: {
      'Reports/2026/Deep report.docx': 'deep',
      'letter.docx': 'the first content',
      'notes.odt': 'notes',
      '.hidden.docx': 'never shown',
    },
  });
  otherFolder = join(desk.place, 'Archive');
  await mkdir(otherFolder);
  await writeFile(join(otherFolder, 'letter.docx'), 'in the second folder');
  other = await listen(() => undefined);
  address = await desk.baseUrl();
  await desk.goTo('Documents');
});
after(async () => {
  await other.close();
  await desk.close();
});
showFailures(() => desk);

const button = (name: string) => desk.page.getByRole('button', { name, exact: true });
const rowWith = (name: string) => desk.page.getByRole('row').filter({ hasText: name });
const field = (name: string) => desk.page.getByRole('textbox', { name, exact: true });
const checkFileInfo = (access: { wopiSrc: string; accessToken: string }) =>
  createWire({ address: () => address }).call({ operation: 'CheckFileInfo', access });
const onDisk = (path: string) => readFile(join(desk.folder, path));

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

test('Moves a document to the system’s trash, and back with Undo; an open one stays', async () => {
  const trash = join(desk.env['XDG_DATA_HOME'] ?? '', 'Trash', 'files');
  const records = join(desk.env['XDG_DATA_HOME'] ?? '', 'Trash', 'info');
  await rowWith('notes.odt').click();
  await desk.page.keyboard.press('Delete');
  await rowWith('notes.odt').waitFor({ state: 'detached' });
  assert.equal(existsSync(join(desk.folder, 'notes.odt')), false);
  const [trashed = ''] = await readdir(trash);
  assert.equal(await readFile(join(trash, trashed), 'utf8'), 'notes');

  await desk.page.getByRole('button', { name: /^Undo/u }).click();
  await rowWith('notes.odt').waitFor();
  assert.equal((await onDisk('notes.odt')).toString(), 'notes');
  assert.deepEqual([await readdir(trash), await readdir(records)], [[], []]);

  const opened = await createEditor('onlyoffice').open(await desk.access('letter.docx'));
  await rowWith('letter.docx').getByText('owner').first().waitFor();
  await rowWith('letter.docx').click();
  await desk.page.keyboard.press('Delete');
  await desk.page.getByText('Can’t move “letter.docx” to the trash').waitFor();
  assert.equal((await onDisk('letter.docx')).toString(), 'the first content');
  opened.edit(Buffer.from('the second content'));
  assert.equal((await opened.save())?.status, 200);
  await opened.close();
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
  assert.equal((await onDisk('letter.docx')).toString(), 'the second content');
  const copy = (await readdir(desk.folder)).find((name) => /^letter.+\.docx$/.test(name)) ?? '';
  assert.equal((await onDisk(copy)).toString(), 'another letter');
  await rowWith(copy).waitFor();
});

test('Shows a document in the file manager', async () => {
  await rowWith('letter.docx').first().click({ button: 'right' });
  await desk.page.getByRole('menuitem', { name: 'Show in file manager' }).click();
  const isShown = async (): Promise<boolean> =>
    (await deeds(desk.app)).some(
      ({ kind, path }) => kind === 'show-item-in-folder' && String(path).includes('letter'),
    );
  await until(isShown, 'the file manager shows it');
});

test('Saves an open document to its old folder after another folder was chosen', async () => {
  const access = await desk.access('letter.docx');
  tab = await createEditor('onlyoffice', { address: () => address }).open(access);
  await desk.openSettings('General');
  await button('Change folder…').click();
  const question = await desk.dialogs.chooseFolder(otherFolder);
  assert.equal(question.defaultPath, desk.folder);
  await desk.page.getByText(otherFolder, { exact: true }).waitFor();
  assert.equal((await desk.state()).host.folderName, 'Archive');

  tab.edit(Buffer.from('saved after the switch'));
  assert.equal((await tab.save())?.status, 200);
  assert.equal(await readFile(join(desk.folder, 'letter.docx'), 'utf8'), 'saved after the switch');
  assert.equal(await readFile(join(otherFolder, 'letter.docx'), 'utf8'), 'in the second folder');

  const opened = await createEditor('onlyoffice').open(await desk.access('letter.docx'));
  assert.equal(opened.content().toString(), 'in the second folder');
  await opened.close();
  await desk.goTo('Documents');
  await desk.page.getByRole('grid', { name: 'Documents in Archive' }).waitFor();
  // its lock is listed, and can be force-cleared, as long as it is being edited
  await desk.goTo('Locks');
  await desk.page.getByRole('row').filter({ hasText: 'letter.docx' }).waitFor();
});

test('While paused from the tray, refuses to open documents but still saves', async () => {
  const before = await desk.access('letter.docx', 'view');
  await pressMenu(desk.app, ['Pause', 'Until resumed']);
  const banner = desk.page.getByRole('region', { name: 'Paused' });
  await banner.getByText('Until you resume, documents can be saved, but not opened.').waitFor();
  await assert.rejects(desk.access('letter.docx'), /paused/i);
  await assert.rejects(desk.call('documents.open', { path: 'letter.docx', mode: 'edit' }), /paused/);
  assert.notEqual((await checkFileInfo(before)).status, 200, 'an older token opens nothing either');
  tab.edit(Buffer.from('saved while paused'));
  assert.equal((await tab.save())?.status, 200);
  assert.equal(await readFile(join(desk.folder, 'letter.docx'), 'utf8'), 'saved while paused');

  await banner.getByRole('button', { name: 'Resume' }).click();
  await banner.waitFor({ state: 'detached' });
  assert.equal((await checkFileInfo(before)).status, 200);
  await tab.close();
});

test('Reports a port that is taken, keeps serving on the old one, and reopens on another', async () => {
  await desk.openSettings('Network & HTTPS');
  const choose = async (chosen: number): Promise<void> => {
    await field('Port').fill(String(chosen));
    await field('Port').press('Enter');
  };
  await choose(Number(new URL(other.url).port));
  await button('Restart connection').click();
  await desk.page.getByText('Couldn’t restart the connection').waitFor();
  await desk.page.getByText(/^Port \d+ is already in use\. Change it/).waitFor();
  assert.equal(await desk.baseUrl(), address);
  assert.equal((await checkFileInfo(await desk.access('letter.docx', 'view'))).status, 200);

  // after a restart there is no old port to keep
  await desk.restart();
  const notice = desk.page.getByRole('region', { name: 'Not serving' });
  await desk.openSettings('Network & HTTPS');
  await notice.waitFor();
  await choose(await freePorts());
  await desk.stateWhere(({ host }) => host.status === 'serving', 'it serves again');
  await notice.waitFor({ state: 'detached' });
  const free = await freePorts();
  await choose(free);
  await button('Restart connection').click();
  await desk.page.getByText('The connection was restarted').waitFor();
  await button('Restart connection').waitFor({ state: 'detached' });
  address = await desk.baseUrl();
  assert.equal(address, `http://127.0.0.1:${free}`);
  assert.equal((await checkFileInfo(await desk.access('letter.docx', 'view'))).status, 200);
});
