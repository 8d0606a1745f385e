// Changes while editors have documents open: the folder, a pause, settings, the port. Open documents can still be saved.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createOnlyOffice, type OnlyOfficeTab } from '../editors/onlyoffice.ts';
import { createWire } from '../editors/wire.ts';
import { freePorts } from '../free-ports.ts';
import { pressMenu } from '../stand-in/press.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';

let desk: DeskApp;
let tab: OnlyOfficeTab;
let otherFolder: string;
let busyPort: number;
/** Another program, which listens on `busyPort`. */
let other: Server;
/** The host's address, updated for editors when it changes. */
let address = '';
before(async () => {
  desk = await startDeskApp({ files: { 'letter.docx': 'in the first folder' } });
  otherFolder = join(desk.place, 'Archive');
  await mkdir(otherFolder);
  await writeFile(join(otherFolder, 'letter.docx'), 'in the second folder');
  other = createServer();
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  busyPort = (other.address() as AddressInfo).port;
  address = await desk.baseUrl();
});
after(async () => {
  other.close();
  await desk.close();
});
showFailures(() => desk);

const button = (name: string) => desk.page.getByRole('button', { name, exact: true });
const field = (name: string) => desk.page.getByRole('textbox', { name, exact: true });
const checkFileInfo = (access: { wopiSrc: string; accessToken: string }) =>
  createWire({ address: () => address }).call({ operation: 'CheckFileInfo', method: 'GET', access });

test('Saves an open document to its old folder after another folder was chosen', async () => {
  const access = await desk.access('letter.docx');
  tab = await createOnlyOffice({ address: () => address }).open(access);
  await desk.openSettings('General');
  await button('Change folder…').click();
  const question = await desk.dialogs.chooseFolder(otherFolder);
  assert.equal(question.defaultPath, desk.folder);
  await desk.page.getByText(otherFolder, { exact: true }).waitFor();
  assert.equal((await desk.state()).host.folderName, 'Archive');

  tab.edit(Buffer.from('saved after the switch'));
  assert.equal((await tab.forceSave()).status, 200);
  assert.equal(await readFile(join(desk.folder, 'letter.docx'), 'utf8'), 'saved after the switch');
  assert.equal(await readFile(join(otherFolder, 'letter.docx'), 'utf8'), 'in the second folder');

  const opened = await createOnlyOffice().open(await desk.access('letter.docx'));
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
  await banner.getByText(/Documents can’t be opened, but open ones can still be saved/).waitFor();
  await assert.rejects(desk.access('letter.docx'), /paused/i);
  await assert.rejects(desk.call('documents.open', { path: 'letter.docx', mode: 'edit' }), /paused/);
  assert.notEqual((await checkFileInfo(before)).status, 200, 'an older token opens nothing either');
  tab.edit(Buffer.from('saved while paused'));
  assert.equal((await tab.forceSave()).status, 200);
  assert.equal(await readFile(join(desk.folder, 'letter.docx'), 'utf8'), 'saved while paused');

  await banner.getByRole('button', { name: 'Resume' }).click();
  await banner.waitFor({ state: 'detached' });
  assert.equal((await checkFileInfo(before)).status, 200);
  await pressMenu(desk.app, ['Pause', 'For 5 minutes']);
  await banner.waitFor();
  await pressMenu(desk.app, ['Resume']);
  await banner.waitFor({ state: 'detached' });
  await tab.close();
});

test('A setting takes effect at once; an invalid value is reported as it is typed', async () => {
  await desk.openSettings('Advanced');
  const largest = field('Largest document');
  await largest.fill('0');
  await desk.page.getByText('Enter a whole number from 1 to 1048576.').waitFor();
  assert.equal((await desk.state()).settings.maxUploadMiB, 4096);
  await largest.fill('1');
  await largest.press('Enter');
  await desk.stateWhere(({ settings }) => settings.maxUploadMiB === 1, 'it is saved');
  const editor = await createOnlyOffice().open(await desk.access('letter.docx'));
  editor.edit(Buffer.alloc(1024 * 1024 + 1, 'x'));
  assert.equal((await editor.forceSave()).status, 413);
  await largest.fill('4096');
  await largest.press('Enter');
  await desk.stateWhere(({ settings }) => settings.maxUploadMiB === 4096, 'it is saved');
  assert.equal((await editor.forceSave()).status, 200);
  await editor.close();

  const names = field('Additional host names');
  assert.equal(await statusUnder('docs.example.org'), 421);
  await names.fill('docs.example.org');
  await names.blur();
  await desk.stateWhere(({ settings }) => settings.allowedHosts.length === 1, 'it is saved');
  assert.notEqual(await statusUnder('docs.example.org'), 421);

  await desk.openSettings('General');
  await desk.page.getByText('Dark', { exact: true }).click();
  await desk.page.locator('html[data-appearance="dark"]').waitFor({ state: 'attached' });
  assert.equal(await desk.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource), 'dark');
});

test('Another port takes effect after a restart of the listener, which a notice offers', async () => {
  const free = await freePorts();
  await desk.openSettings('Network & HTTPS');
  const port = field('Port');
  await port.fill(String(free));
  await port.press('Enter');
  const restart = button('Reopen port');
  await restart.waitFor();
  assert.equal(await desk.baseUrl(), address, 'the port has not changed yet');
  await restart.click();
  await desk.page.getByText('The port was reopened').waitFor();
  await restart.waitFor({ state: 'detached' });
  address = await desk.baseUrl();
  assert.equal(address, `http://127.0.0.1:${free}`);
  assert.equal((await checkFileInfo(await desk.access('letter.docx', 'view'))).status, 200);
});

test('Reports a port that is taken, keeps serving on the old one, and recovers with another', async () => {
  const port = field('Port');
  await port.fill(String(busyPort));
  await port.press('Enter');
  await button('Reopen port').click();
  await desk.page.getByText('Couldn’t reopen the port').waitFor();
  await desk.page.getByText(/^Port \d+ is already in use\. Choose another in the settings/).waitFor();
  assert.equal(await desk.baseUrl(), address);
  assert.equal((await checkFileInfo(await desk.access('letter.docx', 'view'))).status, 200);

  // after a restart there is no old port to keep
  await desk.restart();
  await desk.page.getByText('Not serving').first().waitFor();
  await desk.openSettings('Network & HTTPS');
  const notice = desk.page.getByRole('region', { name: 'Not serving' });
  await field('Port').fill(String(await freePorts()));
  await field('Port').press('Enter');
  await desk.stateWhere(({ settings }) => settings.port !== busyPort, 'it is saved');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await desk.stateWhere(({ host }) => host.status === 'serving', 'it serves again');
  await notice.waitFor({ state: 'detached' });
  address = await desk.baseUrl();
  assert.equal((await checkFileInfo(await desk.access('letter.docx', 'view'))).status, 200);
});

/** The status of a request with another Host header. */
function statusUnder(name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(`${address}/help/start`, { headers: { Host: name }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
