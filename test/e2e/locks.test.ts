// An editor works over HTTP while the window shows it; a stale lock is force-cleared by hand, and restored by Undo.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createOnlyOffice, type OnlyOfficeTab } from '../editors/onlyoffice.ts';
import { createWire } from '../editors/wire.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';

let desk: DeskApp;
let tab: OnlyOfficeTab;
before(async () => {
  desk = await startDeskApp({ files: { 'Reports/letter.docx': 'as it was', 'budget.xlsx': 'numbers' } });
});
after(() => desk.close());
showFailures(() => desk);

const row = (name: string) => desk.page.getByRole('row').filter({ hasText: name });
/** The Undo button in the message with that title. */
const undoOf = (title: string) =>
  desk.page.locator('.toast').filter({ hasText: title }).getByRole('button', { name: 'Undo' });

test('The window shows live that an editor opens and saves a document', async () => {
  await desk.goTo('Locks');
  await desk.page.getByText('Locks appear here when an editor opens a document.').waitFor();
  const access = await desk.access('Reports/letter.docx');
  tab = await createOnlyOffice().open(access);
  await row('letter.docx').getByText('Editing: owner').waitFor();

  await desk.goTo('Sessions');
  await row('letter.docx').waitFor();
  tab.edit(Buffer.from('written in the editor'));
  assert.equal((await tab.forceSave()).status, 200);
  await row('letter.docx').click();
  await desk.page
    .getByRole('region', { name: 'letter.docx' })
    .getByText('21 bytes', { exact: true })
    .waitFor();
  assert.equal(await readFile(join(desk.folder, 'Reports/letter.docx'), 'utf8'), 'written in the editor');

  await desk.goTo('Activity');
  // The first row is the editor's session; the other is the page that opened it.
  await row('letter.docx').first().getByRole('button', { name: 'Show requests' }).click();
  for (const operation of ['CheckFileInfo', 'Lock', 'PutFile']) await row(operation).first().waitFor();
});

test('A stale lock is force-cleared, restored by Undo, and force-cleared again', async () => {
  await desk.moveClock(20 * 60_000);
  await desk.goTo('Locks');
  await row('letter.docx')
    .getByText(/Stale: .*, gone 20 min/)
    .waitFor();

  const forceClear = async (explanation: RegExp): Promise<void> => {
    await row('letter.docx').click();
    await desk.page.getByRole('button', { name: 'Force-clear…', exact: true }).click();
    const dialog = desk.page.getByRole('alertdialog', { name: 'Force-clear the lock on letter.docx?' });
    await dialog.getByText(explanation).waitFor();
    await dialog.getByRole('button', { name: 'Force-clear' }).click();
    await row('letter.docx').waitFor({ state: 'detached' });
  };
  await forceClear(/Its editor has been gone for 20 min\./);
  await undoOf('Lock on letter.docx cleared').click();
  await row('letter.docx').waitFor();
  // Undo restores the same lock, so its editor isn't interrupted.
  assert.equal((await tab.keepAlive()).status, 200);
  await row('letter.docx').getByText('Editing: owner').waitFor();

  await forceClear(/owner is editing this document now\./);
  tab.edit(Buffer.from('too late'));
  assert.equal((await tab.forceSave()).status, 409);
  await desk.goTo('Overview');
  await desk.page.getByText('A save of letter.docx was recovered').waitFor();
  assert.equal(await readFile(join(desk.folder, 'Reports/letter.docx'), 'utf8'), 'written in the editor');
});

test('Undo doesn’t replace a lock that was taken in between, and says so', async () => {
  const access = await desk.access('budget.xlsx');
  const first = await createOnlyOffice().open(access);
  await desk.goTo('Locks');
  await row('budget.xlsx').click();
  await desk.page.getByRole('button', { name: 'Force-clear…', exact: true }).click();
  const dialog = desk.page.getByRole('alertdialog', { name: 'Force-clear the lock on budget.xlsx?' });
  await dialog.getByText('owner is editing this document now.').waitFor();
  await dialog.getByRole('button', { name: 'Force-clear' }).click();
  await row('budget.xlsx').waitFor({ state: 'detached' });
  const other = await createWire().call({
    operation: 'Lock',
    access: await desk.access('budget.xlsx'),
    headers: { 'X-WOPI-Override': 'LOCK', 'X-WOPI-Lock': 'another editor' },
  });
  assert.equal(other.status, 200);
  await undoOf('Lock on budget.xlsx cleared').click();
  await desk.page.getByText('owner has locked the document since, so its lock wasn’t restored.').waitFor();
  assert.equal((await first.keepAlive()).status, 409);
});

test('Rejects the editor’s next call after its token was revoked', async () => {
  const access = await desk.access('budget.xlsx', 'view');
  const wire = createWire();
  const checkFileInfo = () => wire.call({ operation: 'CheckFileInfo', access, method: 'GET' });
  assert.equal((await checkFileInfo()).status, 200);
  await desk.goTo('Tokens');
  const token = row('budget.xlsx').filter({ hasText: 'View' });
  await token.click();
  await desk.page.getByRole('button', { name: 'Revoke…', exact: true }).click();
  const dialog = desk.page.getByRole('alertdialog', { name: 'Revoke this token of owner?' });
  await dialog.getByText('budget.xlsx (View)').waitFor();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await token.waitFor({ state: 'detached' });
  assert.equal((await checkFileInfo()).status, 401);
});
