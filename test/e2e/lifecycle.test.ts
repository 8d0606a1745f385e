// What a restart keeps, and what a second launch, a link and a file from outside the folder do. Then an editor works over HTTP while the
// window shows it; locks are force-cleared by hand, and restored by Undo; Activity is saved; and a crashed window recovers.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createEditor, type EditorTab } from '../editors/scripted-editor.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { launchSecond } from './second-launch.ts';
import { showFailures } from './show-failure.ts';
import { closeWindow, crashWindow, textOfWindow, until, windowWhere } from './window-of.ts';

let desk: DeskApp;
let tab: EditorTab;
before(async () => {
  desk = await startDeskApp({
    files: {
      'Reports/letter.docx': 'as it was',
      'Reports/minutes.docx': 'as it was',
      'budget.xlsx': 'numbers',
    },
  });
});
after(() => desk.close());
showFailures(() => desk);

const row = (name: string) => desk.page.getByRole('row').filter({ hasText: name });
const selected = () => desk.page.locator('[data-row][aria-selected="true"]');
/** The Undo button in the message with that title. */
const undoOf = (title: string) =>
  desk.page.locator('.toast').filter({ hasText: title }).getByRole('button', { name: 'Undo' });

test('A restart keeps locks, sessions, tokens and settings, and the editor can still save', async () => {
  let address = await desk.baseUrl();
  const access = await desk.access('Reports/minutes.docx');
  tab = await createEditor('onlyoffice', { address: () => address }).open(access);
  tab.edit(Buffer.from('before the restart'));
  assert.equal((await tab.save())?.status, 200);
  await desk.call('settings.set', { key: 'versionDays', value: 45 });
  await desk.call('settings.set', { key: 'appearance', value: 'dark' });
  const before = await desk.stateWhere(
    ({ sessions, locks, settings }) =>
      sessions[0]?.saves === 1 && locks.length === 1 && settings.appearance === 'dark',
    'the save is counted and the settings are known',
  );

  await desk.restart();
  address = await desk.baseUrl();
  const then = await desk.stateWhere(({ locks }) => locks.length === 1, 'the lock is there again');
  const heldBy = ({ id, path, user, takenAtMs, state }: (typeof then.locks)[number]) => {
    return { id, path, user, takenAtMs, state };
  };
  assert.deepEqual(then.locks.map(heldBy), before.locks.map(heldBy));
  assert.deepEqual(then.tokens.map(({ id }) => id).toSorted(), before.tokens.map(({ id }) => id).toSorted());
  const [session] = then.sessions;
  assert.deepEqual(
    { id: session?.id, saves: session?.saves, bytesWritten: session?.bytesWritten },
    { id: before.sessions[0]?.id, saves: 1, bytesWritten: before.sessions[0]?.bytesWritten },
  );
  assert.deepEqual(then.settings, before.settings);
  assert.equal(await desk.page.locator('html').getAttribute('data-appearance'), 'dark');
  assert.equal(await desk.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource), 'dark');
  await desk.call('settings.set', { key: 'appearance', value: 'system' });

  tab.edit(Buffer.from('after the restart'));
  assert.equal((await tab.save())?.status, 200);
  assert.equal(await readFile(join(desk.folder, 'Reports/minutes.docx'), 'utf8'), 'after the restart');
  // signed in before the restart
  await desk.access('Reports/minutes.docx', 'view');
  await tab.close();
});

test('A second launch shows the window with the document that it was given, and exits', async () => {
  await closeWindow(desk.app);
  await windowWhere(desk.app, ({ isVisible }) => !isVisible, 'the window is hidden');
  const { code, output } = await launchSecond(desk, [join(desk.folder, 'Reports/minutes.docx')]);
  assert.equal(code, 0, output);
  await windowWhere(desk.app, ({ isVisible, count }) => isVisible && count === 1, 'the window is shown');
  await desk.page.getByRole('heading', { name: 'Documents' }).waitFor();
  await selected().filter({ hasText: 'minutes.docx' }).waitFor();
});

test('A doctray: link shows a view or selects a document, and opens no editor', async () => {
  await launchSecond(desk, ['doctray://open?path=budget.xlsx&mode=edit']);
  await desk.page.getByRole('heading', { name: 'Documents' }).waitFor();
  await selected().filter({ hasText: 'budget.xlsx' }).waitFor();
  assert.equal(await desk.page.getByRole('alertdialog').count(), 0);
  await desk.app.evaluate(({ app }) => {
    app.emit('open-url', { preventDefault: () => undefined }, 'doctray://sessions');
  });
  await desk.page.getByRole('heading', { name: 'Sessions' }).waitFor();
});

test('Asks before it copies a file from outside the folder', async () => {
  const elsewhere = join(desk.place, 'Elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'offer.docx'), 'an offer');
  await launchSecond(desk, [join(elsewhere, 'offer.docx')]);
  const question = await desk.dialogs.press('Copy into the folder');
  assert.equal(question.message, 'offer.docx isn’t in the folder Documents.');
  await desk.page.getByRole('heading', { name: 'Documents' }).waitFor();
  await row('offer.docx').waitFor();
  assert.equal(await readFile(join(desk.folder, 'offer.docx'), 'utf8'), 'an offer');
  assert.equal(await readFile(join(elsewhere, 'offer.docx'), 'utf8'), 'an offer');
});

test('The window shows live that an editor opens and saves a document', async () => {
  await desk.goTo('Locks');
  await desk.page.getByText('Locks appear here when an editor opens a document.').waitFor();
  const access = await desk.access('Reports/letter.docx');
  tab = await createEditor('onlyoffice').open(access);
  await row('letter.docx').getByText('Editing: owner').waitFor();

  await desk.goTo('Sessions');
  await row('letter.docx').waitFor();
  tab.edit(Buffer.from('written in the editor'));
  assert.equal((await tab.save())?.status, 200);
  await row('letter.docx').click();
  await desk.page
    .getByRole('region', { name: 'letter.docx' })
    .getByText('21 bytes', { exact: true })
    .waitFor();
  assert.equal(await readFile(join(desk.folder, 'Reports/letter.docx'), 'utf8'), 'written in the editor');

  await desk.goTo('Activity');
  // The first row is what the editor's user did; the other is what was done in the window.
  await row('letter.docx').first().getByRole('button', { name: 'Show requests' }).click();
  for (const operation of ['Read details', 'Lock', 'Save']) await row(operation).first().waitFor();
});

test('A stale lock is force-cleared, restored by Undo, and force-cleared again', async () => {
  await desk.moveClock(20 * 60_000);
  await desk.goTo('Locks');
  await row('letter.docx')
    .getByText(/Stale: .*, gone for 20\smin/)
    .waitFor();

  const forceClear = async (explanation: RegExp): Promise<void> => {
    await row('letter.docx').click();
    await desk.page.getByRole('button', { name: 'Force-clear…', exact: true }).click();
    const dialog = desk.page.getByRole('alertdialog', { name: 'Force-clear the lock on letter.docx?' });
    await dialog.getByText(explanation).waitFor();
    await dialog.getByRole('button', { name: 'Force-clear' }).click();
    await row('letter.docx').waitFor({ state: 'detached' });
  };
  await forceClear(/Its editor has been gone for 20\smin\./);
  await undoOf('Lock on letter.docx cleared').click();
  await row('letter.docx').waitFor();
  // Undo restores the same lock, so its editor isn't interrupted.
  assert.equal((await tab.keepAlive()).status, 200);
  await row('letter.docx').getByText('Editing: owner').waitFor();

  await forceClear(/You’re editing this document now\./);
  tab.edit(Buffer.from('too late'));
  assert.equal((await tab.save())?.status, 409);
  await desk.goTo('Overview');
  await desk.page.getByText('letter.docx wasn’t saved').waitFor();
  assert.equal(await readFile(join(desk.folder, 'Reports/letter.docx'), 'utf8'), 'written in the editor');
});

test('Activity is saved where the user chooses, without secrets, or not at all', async () => {
  await desk.goTo('Activity');
  const save = async (path: string | null): Promise<void> => {
    await desk.page.getByRole('button', { name: 'Export' }).click();
    await desk.page.getByRole('menuitem', { name: /as CSV…$/i }).click();
    assert.match((await desk.dialogs.chooseSavePath(path)).defaultPath, /activity\.csv$/);
    await desk.page.getByText(path === null ? 'Not saved' : `Saved ${path}`).waitFor();
  };
  await save(null);
  const { items } = await desk.call('activity.list', {});
  const csv = join(desk.place, 'saved.csv');
  await save(csv);
  const table = await readFile(csv, 'utf8');
  assert.equal(table.trimEnd().split('\r\n').length, items.length + 1);
  assert.doesNotMatch(table, /access_token|Bearer/);
  assert.doesNotMatch(desk.log(), /request was blocked/, 'no view was refused a request');
});

test('Reloads a window whose renderer crashed; after a second crash, closes it and says so', async () => {
  tab = await createEditor('onlyoffice').open(await desk.access('Reports/minutes.docx'));
  await desk.stateWhere(({ locks }) => locks.length === 1, 'a document is being edited');
  await crashWindow(desk.app);
  await until(async () => /Serving “Documents”/.test(await textOfWindow(desk.app)), 'the window is back');
  assert.match(await textOfWindow(desk.app), /1 document is being edited/);
  assert.equal((await tab.keepAlive()).status, 200);

  await crashWindow(desk.app);
  const question = await desk.dialogs.press('OK');
  assert.match(question.message, /^DocTray’s window crashed twice\./);
  await launchSecond(desk);
  await desk.takeWindow();
  await until(
    async () => /Serving “Documents”/.test(await textOfWindow(desk.app)),
    'the window is back again',
  );
  tab.edit(Buffer.from('the host went on'));
  assert.equal((await tab.save())?.status, 200);
});
