// The app without its window: started at login, running in the tray, notifying of stale locks, and keeping the computer awake while a
// document is edited.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createOnlyOffice, type OnlyOfficeTab } from '../editors/onlyoffice.ts';
import { clickTray } from '../stand-in/press.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { launchSecond } from './second-launch.ts';
import { showFailures } from './show-failure.ts';
import { clickNotice, emitPower, isKeptAwake, notices, pressNoticeButton } from './stand-in-hooks.ts';
import { closeWindow, lookAtWindow, until, windowWhere } from './window-of.ts';

let desk: DeskApp;
let tab: OnlyOfficeTab;
before(async () => {
  desk = await startDeskApp({ isHidden: true, files: { 'Reports/letter.docx': 'as it was' } });
});
after(() => desk.close());
showFailures(() => desk);

const minutes = 60_000;

test('Serves without a window when started hidden, and shows the window on the next start', async () => {
  await until(async () => desk.log().includes('DocTray is listening.'), 'it serves');
  assert.deepEqual(await lookAtWindow(desk.app), { count: 0, isVisible: false, title: '' });
  await launchSecond(desk, ['--hidden']);
  assert.equal((await lookAtWindow(desk.app)).count, 0, 'a second hidden start shows no window');
  await launchSecond(desk);
  await desk.takeWindow();
  await windowWhere(desk.app, ({ count, isVisible }) => count === 1 && isVisible, 'the window is shown');
  await desk.page.getByText('Serving “Documents”').waitFor();
});

test('Keeps the computer awake only while a document is edited', async () => {
  assert.equal(await isKeptAwake(desk.app), false);
  tab = await createOnlyOffice().open(await desk.access('Reports/letter.docx'));
  await until(() => isKeptAwake(desk.app), 'the computer is kept awake');
  await tab.close();
  await until(async () => !(await isKeptAwake(desk.app)), 'the computer may sleep');
});

test('A lock doesn’t become stale because the computer slept', async () => {
  tab = await createOnlyOffice().open(await desk.access('Reports/letter.docx'));
  await desk.stateWhere(({ locks }) => locks.length === 1, 'the lock is known');
  await emitPower(desk.app, 'suspend');
  await desk.app.evaluate((_, by) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + by;
  }, 20 * minutes);
  await emitPower(desk.app, 'resume');
  // time passes and the lock is checked again, which takes a tenth of a second
  await desk.moveClock(minutes);
  await desk.page.waitForTimeout(500);
  const { locks } = await desk.state();
  assert.deepEqual(
    locks.map(({ state, stale }) => ({ state, stale })),
    [{ state: 'held', stale: null }],
  );
  assert.equal((await tab.keepAlive()).status, 200);
});

test('Closing hides to the tray; a stale lock is notified once, and clicking opens it', async () => {
  await desk.goTo('Overview');
  await closeWindow(desk.app);
  await windowWhere(desk.app, ({ isVisible }) => !isVisible, 'the window is hidden');
  assert.deepEqual(await desk.dialogs.asked(), []);
  assert.deepEqual(await notices(desk.app), []);

  await desk.moveClock(20 * minutes);
  await until(async () => (await notices(desk.app)).length > 0, 'a notification is shown');
  assert.deepEqual(await notices(desk.app), [
    {
      title: 'letter.docx has a stale lock',
      body: 'Its editor has been gone for 20 min. Force-clear the lock so that others can edit the document.',
    },
  ]);
  await clickNotice(desk.app, 'letter.docx has a stale lock');
  await windowWhere(desk.app, ({ isVisible }) => isVisible, 'the window is shown');
  await desk.page.getByRole('heading', { name: 'Locks' }).waitFor();
  await desk.page.locator('[data-row][aria-selected="true"]').filter({ hasText: 'letter.docx' }).waitFor();

  await closeWindow(desk.app);
  await desk.moveClock(2 * minutes);
  await desk.page.waitForTimeout(1800);
  assert.equal((await notices(desk.app)).length, 1);
  await clickTray(desk.app);
  await windowWhere(desk.app, ({ isVisible }) => isVisible, 'clicking the tray shows the window');

  await pressNoticeButton(desk.app, 'letter.docx has a stale lock', 'Force-clear');
  await desk.stateWhere(({ locks }) => locks.length === 0, 'the button clears the lock');
});

test('Start at login adds an autostart entry with --hidden and --data, and removes it', async () => {
  const entry = join(desk.env['XDG_CONFIG_HOME'] ?? '', 'autostart', 'doctray.desktop');
  assert.equal((await desk.state()).app.startsAtLogin, false);
  await desk.call('app.setStartsAtLogin', { isOn: true });
  assert.match(await readFile(entry, 'utf8'), new RegExp(`^Exec=.* --hidden --data=${desk.dataDir}$`, 'm'));
  await desk.stateWhere(({ app }) => app.startsAtLogin === true, 'the window knows');
  await desk.call('app.setStartsAtLogin', { isOn: false });
  assert.equal(existsSync(entry), false);
  await desk.stateWhere(({ app }) => app.startsAtLogin === false, 'the window knows');
});
