// From the very first start to an edited document: the default folder and the text editor, then another folder and a document server,
// a save and a kept version. The next start doesn't show the first run again.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createCollabora } from '../editors/collabora.ts';
import { createOnlyOffice } from '../editors/onlyoffice.ts';
import { withRemark } from '../editors/office-zip.ts';
import { startDocumentServer, type DocumentServer } from '../editors/servers/document-server.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';
import { deeds } from './stand-in-hooks.ts';
import { startUserBrowser, type UserBrowser } from './user-browser.ts';

const sampleName = 'Welcome.docx';
let desk: DeskApp;
let server: DocumentServer;
let browser: UserBrowser;
before(async () => {
  server = await startDocumentServer({ kind: 'collabora' });
  browser = await startUserBrowser();
  desk = await startDeskApp({ isFirstRun: true, env: { DOCTRAY_OWNER_PASSWORD: '' } });
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
  const tab = await browser.open(await openedUrl());
  const text = tab.editor.locator('.cm-content');
  await text.press('Control+End');
  await text.pressSequentially('written in the first minute');
  await desk.stateWhere(({ sessions }) => sessions.some(({ saves }) => saves > 0), 'it was saved');
  assert.match(await readFile(join(defaultFolder, 'Welcome.md'), 'utf8'), /written in the first minute\n?$/);
  await tab.page.close();
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
  await desk.page.getByLabel('Address of the editor').fill(server.url);
  await button('Connect').click();
  const connected = desk.page.getByRole('listitem').filter({ hasText: server.url });
  await connected.getByText('Works', { exact: true }).waitFor({ timeout: 40_000 });
  await button('Next').click();

  await heading('Ready').waitFor();
  assert.deepEqual(await readdir(desk.folder), [], 'an existing folder gets no samples unless asked for');
  await button('Open sample').click();
  await desk.page.getByText(/^Opened in Collabora/).waitFor();
  const sample = await readFile(join(desk.folder, sampleName));
  const tab = await browser.open(await openedUrl());
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

test('The WOPI address and token from the window work; a save keeps the previous version', async () => {
  const before = await readFile(join(desk.folder, sampleName));
  await desk.page.keyboard.press('Shift+F10');
  await desk.page.getByRole('menuitem', { name: 'Advanced' }).click();
  await desk.page.getByRole('menuitem', { name: 'Show WOPI address…' }).click();
  const dialog = desk.page.getByRole('alertdialog', { name: `WOPI address of “${sampleName}”` });
  const wopiSrc = await dialog.getByRole('status', { name: 'WOPI address' }).innerText();
  assert.doesNotMatch(await dialog.innerText(), /[A-Za-z0-9_-]{30,}$/m, 'the token is masked');
  await dialog.getByRole('button', { name: 'Show the access token' }).click();
  const accessToken = await dialog.getByRole('status', { name: 'Access token' }).innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();

  const tab = await createOnlyOffice().open({ wopiSrc, accessToken });
  assert.deepEqual(tab.content(), before);
  tab.edit(Buffer.from('written in the editor'));
  assert.equal((await tab.forceSave()).status, 200);
  await tab.close();
  assert.equal(await readFile(join(desk.folder, sampleName), 'utf8'), 'written in the editor');
  const collabora = await createCollabora().open({ wopiSrc, accessToken });
  collabora.edit(Buffer.from('and in another'));
  assert.equal((await collabora.save()).result, 'ok');
  await collabora.close();

  const { versions } = await desk.call('versions.list', { path: sampleName });
  assert.deepEqual(
    versions.slice(0, 2).map(({ size }) => size),
    [21, before.length],
  );
  await desk.call('versions.restore', { path: sampleName, versionId: versions[1]?.id ?? '' });
  assert.deepEqual(await readFile(join(desk.folder, sampleName)), before);
});

test('The next start serves the folder without the first run', async () => {
  await desk.restart();
  await heading('Overview').waitFor();
  await desk.page.getByText('Serving “Documents”').waitFor();
  assert.equal(await heading('Your documents').count(), 0);
  assert.equal((await desk.state()).host.folder, desk.folder);
});
