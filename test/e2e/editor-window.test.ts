// An editor is connected and tested in the window, and a document is opened from there and edited in the user's browser; then a
// restart, a sleeping computer and a crashed editor get in between.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readFixture, withRemark } from '../editors/office-zip.ts';
import { startDocumentServer, type DocumentServer } from '../editors/servers/document-server.ts';
import { freePorts } from '../free-ports.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';
import { deeds } from './stand-in-hooks.ts';
import { startUserBrowser, type DocumentTab, type UserBrowser } from './user-browser.ts';

const hours = 60 * 60_000;
let desk: DeskApp;
let server: DocumentServer;
let browser: UserBrowser;
let tab: DocumentTab;
let letter: Buffer;

before(async () => {
  letter = await readFixture('letter.docx');
  server = await startDocumentServer({ kind: 'collabora' });
  browser = await startUserBrowser();
  // The editor must find DocTray again after a restart.
  const settings = { port: await freePorts() };
  desk = await startDeskApp({ files: { 'letter.docx': letter, 'notes.xyz': 'notes' }, settings });
});
after(async () => {
  await browser.close();
  await desk.close();
  await server.stop();
});
showFailures(() => desk);

const button = (name: string | RegExp) => desk.page.getByRole('button', { name });
const rowWith = (name: string) => desk.page.getByRole('row').filter({ hasText: name });
const onDisk = (name: string): Promise<Buffer> => readFile(join(desk.folder, name));

/** Double-clicks a document and opens the link that the app passed to the system's browser. */
async function openInBrowser(name: string): Promise<DocumentTab> {
  const before = (await deeds(desk.app)).length;
  await rowWith(name).dblclick();
  const endsAtMs = performance.now() + 15_000;
  for (;;) {
    const opened = (await deeds(desk.app)).slice(before).find(({ kind }) => kind === 'open-external');
    if (opened !== undefined) return browser.open(String(opened['url']));
    assert.ok(performance.now() < endsAtMs, 'the app opened no link in the browser');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function noLock(): Promise<void> {
  await desk.stateWhere(({ locks }) => locks.length === 0, 'no document is locked');
}

test('Connects a document server by its URL, and tests both directions', async () => {
  await desk.openSettings('Editors');
  await button(/^Connect editor/)
    .first()
    .click();
  const connecting = desk.page.getByRole('dialog', { name: 'Connect an editor' });
  await connecting.getByLabel('Address of the editor').fill(`${server.url}/hosting/discovery`);
  await connecting.getByRole('button', { name: 'Connect', exact: true }).click();
  const { editors } = await desk.stateWhere(
    (state) => state.editors.some(({ lastTest }) => lastTest?.isGood === true),
    'it is connected and works',
  );
  await desk.page.getByRole('button', { name: /^Details of (?!Text editor)/ }).click();
  const steps = desk.page.getByRole('list', { name: 'Steps of the test' });
  assert.deepEqual(await steps.locator('.visually-hidden').allInnerTexts(), Array(5).fill(', passed'));
  assert.ok(editors.some(({ kind, lastTest }) => kind === 'collabora' && lastTest?.isGood === true));
});

test('A double click opens a document in the browser; its save is on disk, and a version is kept', async () => {
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

test('Saves an edit after a restart of DocTray and an hour of sleep', async () => {
  await tab.type('before the sleep');
  await desk.restart();
  await desk.moveClock(hours);
  server.keys.skew(hours);
  await tab.save();
  assert.deepEqual(await onDisk('renamed.docx'), withRemark(letter, 'before the sleep'));
  await tab.editor.getByRole('button', { name: 'Close document' }).click();
  await tab.page.waitForURL(/\/closed(?:#saved=\d+)?$/);
  await noLock();
});

test('After the editor crashes, its lock becomes stale, is force-cleared, and the document opens again', async () => {
  await desk.goTo('Documents');
  const lost = await openInBrowser('renamed.docx');
  await lost.ready();
  await desk.stateWhere(({ locks }) => locks.length === 1, 'the document is locked');
  await server.crash();
  await desk.moveClock(20 * 60_000);
  server.keys.skew(hours + 20 * 60_000);
  await desk.goTo('Locks');
  await rowWith('renamed.docx')
    .getByText(/^Stale/)
    .waitFor();
  await rowWith('renamed.docx').click();
  await button('Force-clear…').click();
  const dialog = desk.page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Force-clear' }).click();
  await noLock();
  await server.start();
  await desk.goTo('Documents');
  const again = await openInBrowser('renamed.docx');
  await again.ready();
  await again.editor.getByText('before the sleep').waitFor();
  await again.page.close();
  await noLock();
});

test('Says that no editor opens a type, and opens nothing', async () => {
  const before = (await deeds(desk.app)).length;
  await rowWith('notes.xyz').dblclick();
  await desk.page
    .getByText(/No connected editor opens “notes.xyz”/)
    .first()
    .waitFor();
  assert.equal((await deeds(desk.app)).length, before);
});

test('No token, ticket or cookie is in the log', () => {
  const log = desk.log();
  for (const session of server.sessions) assert.ok(!log.includes(session.access.accessToken));
  assert.doesNotMatch(log, /ticket=[\w-]{20,}|doctray-page=[\w-]{20,}/);
});
