// From the very first start to a document that was edited: the default folder, another one, address, sample, password, editor, save, kept version. And
// none of it again at the next start.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createCollabora } from '../editors/collabora.ts';
import { createOnlyOffice } from '../editors/onlyoffice.ts';
import { axeFinds, setLook } from './axe.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';

const sampleName = 'Welcome.md';
let desk: DeskApp;
before(async () => {
  desk = await startDeskApp({ isFirstRun: true, env: { DOCTRAY_OWNER_PASSWORD: '' } });
});
after(() => desk.close());
showFailures(() => desk);

const button = (name: string) => desk.page.getByRole('button', { name, exact: true });
const heading = (name: string) => desk.page.getByRole('heading', { name, exact: true });

/** Of the step that is shown, in every look. */
const faults: string[] = [];
async function lookOver(step: string): Promise<void> {
  for (const look of ['dark', 'forced colours', 'light'] as const) {
    await setLook(desk, look);
    faults.push(...(await axeFinds(desk)).map((text) => `${step}, ${look}: ${text}`));
  }
}

test('The first start leads through folder, address and sample to a document that can be opened', async () => {
  await heading('Your own files, in a full document editor').waitFor();
  const { host } = await desk.stateWhere(
    ({ host }) => host.status === 'serving',
    'it serves the default folder',
  );
  const defaultFolder = join(desk.place, 'home', 'DocTray');
  assert.equal(host.folder, defaultFolder);
  assert.deepEqual((await readdir(defaultFolder)).toSorted(), [
    'Shopping list.csv',
    'Welcome.docx',
    'Welcome.md',
  ]);
  await lookOver('welcome');
  await button('Begin').click();

  await heading('Which folder holds your documents?').waitFor();
  await desk.page.getByText(defaultFolder, { exact: true }).waitFor();
  await button('Next').waitFor();
  await button('Choose another…').click();
  await desk.dialogs.chooseFolder(null);
  assert.equal((await desk.state()).host.folder, defaultFolder, 'a person may think better of it');
  await button('Choose another…').click();
  const { message } = await desk.dialogs.chooseFolder(desk.folder);
  assert.equal(message, 'Choose the folder to serve');
  await desk.page.getByText(desk.folder, { exact: true }).waitFor();
  await lookOver('folder');
  await button('Next').click();

  await heading('Connect your editor').waitFor();
  await lookOver('editor');
  await button('Skip this step').click();

  await heading('Try it with a sample').waitFor();
  await button('Make a sample').click();
  await desk.page.getByText('It is in your folder now.').waitFor();
  await lookOver('sample');
  const sample = await readFile(join(desk.folder, sampleName));
  assert.match(sample.toString(), /^# Welcome to DocTray\n/);
  await button('Next').click();

  await heading('Ready').waitFor();
  await button('Copy password').click();
  await desk.page.getByText('The password is on the clipboard.').waitFor();
  await lookOver('done');
  const password = await desk.app.evaluate(({ clipboard }) => clipboard.readText());
  await desk.access(sampleName, 'view', { login: 'owner', password });
  await button('Show the sample').click();

  await heading('Documents').waitFor();
  await desk.page.locator('[data-row][aria-selected="true"]').filter({ hasText: sampleName }).waitFor();
});

test('axe finds nothing in any of the first steps, in light, dark and forced colours', () => {
  assert.deepEqual(faults, []);
});

test('What the window hands out opens the sample; a save replaces the file and keeps what was there', async () => {
  const before = await readFile(join(desk.folder, sampleName));
  await desk.page.keyboard.press('Enter');
  const unconnected = desk.page.getByRole('dialog', { name: 'No editor is connected yet' });
  await unconnected.getByRole('button', { name: 'Show WOPI address…' }).click();
  const dialog = desk.page.getByRole('alertdialog', { name: `WOPI address of “${sampleName}”` });
  const wopiSrc = await dialog.getByRole('status', { name: 'WOPI address' }).innerText();
  assert.doesNotMatch(await dialog.innerText(), /[A-Za-z0-9_-]{30,}$/m, 'the token is behind dots');
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

  const { versions } = await desk.call('documents.versions', { path: sampleName });
  assert.deepEqual(
    versions.map(({ size }) => size),
    [21, before.length],
  );
  await desk.call('documents.restoreVersion', { path: sampleName, versionId: versions[1]?.id ?? '' });
  assert.deepEqual(await readFile(join(desk.folder, sampleName)), before);
});

test('The next start shows the folder and no first steps', async () => {
  await desk.restart();
  await heading('Overview').waitFor();
  await desk.page.getByText('Serving Documents').waitFor();
  assert.equal(await heading('Your own files, in a full document editor').count(), 0);
  assert.equal((await desk.state()).host.folder, desk.folder);
});
