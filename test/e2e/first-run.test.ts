// From the very first start to an edited document: the default folder and the text editor, then another folder and a document server,
// a save and a kept version. Then a document is opened from the window and edited in the user's browser, and a restart, which doesn't show
// the first run again, and a sleeping computer get in between. At last, the browser shows the window, too.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { callHost } from '../../app/control/control-client.ts';
import { readFixture, withRemark } from '../editors/office-zip.ts';
import { startDocumentServer, type DocumentServer } from '../editors/servers/document-server.ts';
import { freePorts } from '../free-ports.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';
import { deeds } from './stand-in-hooks.ts';
import { startUserBrowser, type DocumentTab, type UserBrowser } from './user-browser.ts';
import { until } from './window-of.ts';

const hours = 60 * 60_000;
const sampleName = 'Welcome.docx';
let desk: DeskApp;
let server: DocumentServer;
let browser: UserBrowser;
let tab: DocumentTab;
let letter: Buffer;
before(async () => {
  server = await startDocumentServer({ kind: 'collabora' });
  browser = await startUserBrowser();
  letter = await readFixture('letter.docx');
  desk = await startDeskApp({
    isFirstRun: true,
    // The editor must find DocTray again after a restart.
    args: [`--port=${await freePorts()}`],
    env: { DOCTRAY_OWNER_PASSWORD: '' },
  });
});
after(async () => {
  await browser.close();
  await desk.close();
  await server.stop();
});
showFailures(() => desk);

const button = (name: string | RegExp) => desk.page.getByRole('button', { name, exact: true });
const heading = (name: string) => desk.page.getByRole('heading', { name, exact: true });

async function openedUrl(): Promise<string> {
  const opened = (await deeds(desk.app)).findLast(({ kind }) => kind === 'open-external');
  return String(opened?.['url']);
}

const rowWith = (name: string) => desk.page.getByRole('row').filter({ hasText: name });
const onDisk = (name: string): Promise<Buffer> => readFile(join(desk.folder, name));

/** Double-clicks a document and opens the link that the app passed to the system's browser. */
async function openInBrowser(name: string): Promise<DocumentTab> {
  const count = async (): Promise<number> =>
    (await deeds(desk.app)).filter(({ kind }) => kind === 'open-external').length;
  const before = await count();
  await rowWith(name).dblclick();
  await until(async () => (await count()) > before, 'the app opens a link in the browser');
  return browser.open(await openedUrl());
}

async function noLock(): Promise<void> {
  await desk.stateWhere(({ locks }) => locks.length === 0, 'no document is locked');
}

test('The first run needs only Enter and Skip to get to a text that can be edited and saved', async () => {
  await heading('Your documents').waitFor();
  const defaultFolder = join(desk.place, 'home', 'DocTray');
  await desk.page.getByText(defaultFolder, { exact: true }).waitFor();
  await desk.stateWhere(({ host }) => host.status === 'idle', 'nothing is served before the user goes on');
  assert.deepEqual(await readdir(join(desk.place, 'home')), [], 'nothing is created yet');
  await desk.page.keyboard.press('Enter');
  await heading('Your editor').waitFor();
  await desk.page.getByRole('listitem').filter({ hasText: 'Built in' }).getByText('Text editor').waitFor();
  await button('Skip').click();
  await heading('Ready').waitFor();
  await desk.page.getByText('Opened in Text editor.').waitFor();
  assert.deepEqual((await readdir(defaultFolder)).toSorted(), [
    'Shopping list.csv',
    'Welcome.docx',
    'Welcome.md',
  ]);
  const first = await browser.open(await openedUrl());
  const text = first.editor.locator('.cm-content:not([aria-readonly="true"])');
  await text.press('Control+End');
  await text.pressSequentially('written in the first minute');
  await desk.stateWhere(({ sessions }) => sessions.some(({ saves }) => saves > 0), 'it was saved');
  // A first save may have come while it was typed.
  const isWritten = async () =>
    /written in the first minute\n?$/.test(await readFile(join(defaultFolder, 'Welcome.md'), 'utf8'));
  await until(isWritten, 'the text is in the file');
  await first.page.close();
});

test('Going back, a user chooses another folder, connects a document server and edits the sample', async () => {
  await button('Back').click();
  await button('Back').click();
  await heading('Your documents').waitFor();
  const { folder } = (await desk.state()).host;
  await button('Choose another…').click();
  await desk.dialogs.chooseFolder(null);
  assert.equal((await desk.state()).host.folder, folder, 'canceling the dialog changes nothing');
  await button('Choose another…').click();
  const { message } = await desk.dialogs.chooseFolder(desk.folder);
  assert.equal(message, 'Choose the folder to serve');
  await desk.page.getByText(desk.folder, { exact: true }).waitFor();
  await button('Next').click();

  await heading('Your editor').waitFor();
  await button('Enter address…').click();
  await desk.page.getByLabel('Address of the document server').fill(server.url);
  await button('Connect').click();
  const connected = desk.page.getByRole('listitem').filter({ hasText: server.url });
  await connected.getByText('Works', { exact: true }).waitFor();
  await button('Next').click();

  await heading('Ready').waitFor();
  assert.deepEqual(await readdir(desk.folder), [], 'an existing folder gets no samples unless asked for');
  await button('Open sample').click();
  await desk.page.getByText(/^Opened in Collabora/).waitFor();
  const sample = await readFile(join(desk.folder, sampleName));
  tab = await browser.open(await openedUrl());
  await tab.ready();
  await tab.type('written in the first minute');
  await tab.save();
  assert.deepEqual(
    await readFile(join(desk.folder, sampleName)),
    withRemark(sample, 'written in the first minute'),
  );
  await tab.editor.getByRole('button', { name: 'Close document' }).click();
  await desk.stateWhere(({ locks }) => locks.length === 0, 'no document is locked');

  await button('Show in Documents').click();
  await heading('Documents').waitFor();
  await desk.page.locator('[data-row][aria-selected="true"]').filter({ hasText: sampleName }).waitFor();
});

test('A double click opens a document in the browser; its save is on disk, and a version is kept', async () => {
  await writeFile(join(desk.folder, 'letter.docx'), letter);
  await desk.goTo('Documents');
  tab = await openInBrowser('letter.docx');
  await tab.ready();
  await desk.page
    .getByText(/Opened “?letter.docx”? in/)
    .first()
    .waitFor();
  await tab.type('written in the browser');
  await tab.save();
  assert.deepEqual(await onDisk('letter.docx'), withRemark(letter, 'written in the browser'));
  await rowWith('letter.docx').getByText('owner', { exact: true }).waitFor();
  assert.doesNotMatch(tab.page.url(), /ticket|token/);
  const { versions } = await desk.call('versions.list', { path: 'letter.docx' });
  assert.deepEqual(
    versions.map(({ size }) => size),
    [letter.length],
  );
});

test('Documents shows a rename and a copy made in the editor', async () => {
  await tab.rename('renamed');
  await rowWith('renamed.docx').waitFor();
  await tab.page.getByRole('heading', { name: 'renamed.docx' }).waitFor();
  await tab.editor.getByRole('textbox', { name: 'Name' }).fill('copy.docx');
  await tab.editor.getByRole('button', { name: 'Save copy as' }).click();
  const dialog = tab.page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('copy.docx');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await rowWith('copy.docx').waitFor();
  assert.deepEqual(await onDisk('copy.docx'), withRemark(letter, 'written in the browser'));
});

test('A restart doesn’t show the first run again, and an open document is saved after it and an hour of sleep', async () => {
  await tab.type('before the sleep');
  await desk.restart();
  await heading('Overview').waitFor();
  await desk.page.getByText('Serving “Documents”').waitFor();
  assert.equal(await heading('Your documents').count(), 0);
  assert.equal((await desk.state()).host.folder, desk.folder);
  await desk.moveClock(hours);
  server.keys.skew(hours);
  await tab.save();
  assert.deepEqual(await onDisk('renamed.docx'), withRemark(letter, 'before the sleep'));
  await tab.editor.getByRole('button', { name: 'Close document' }).click();
  await tab.page.waitForURL(/\/closed#/);
  await noLock();
});

test('A link opens the window in the browser, where an export is a download', async () => {
  const { url } = await callHost<'host.dashboardLink'>(desk.dataDir, 'host.dashboardLink', {});
  const { page } = await browser.open(url);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.keyboard.press('Control+6');
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /as JSON…$/ }).click();
  const download = await downloading;
  assert.match(download.suggestedFilename(), /activity\.json$/);
  const rows = JSON.parse(await readFile(await download.path(), 'utf8')) as unknown[];
  assert.equal(rows.length, (await desk.call('activity.list', {})).items.length);
});

test('No token, ticket or cookie is in the log', () => {
  const log = desk.log();
  for (const session of server.sessions) assert.ok(!log.includes(session.access.accessToken));
  assert.doesNotMatch(log, /ticket=[\w-]{20,}|doctray-page=[\w-]{20,}/);
});
