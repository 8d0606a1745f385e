// The app without its window, and its tray: started at login, the icon and tooltip of every state, what every menu entry does, the
// notification of a stale lock, and keeping the computer awake while a document is edited.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { trayImagePath } from '../../app/desktop/tray.ts';
import type { TrayIcon } from '../../app/desktop/tray.ts';
import { createEditor, type EditorTab } from '../editors/scripted-editor.ts';
import { clickTray, pressMenu, readMenu, readTray, type MenuEntry } from '../stand-in/press.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { launchSecond } from './second-launch.ts';
import { showFailures } from './show-failure.ts';
import { clickNotice, deeds, emitPower, isKeptAwake, notices, pressNoticeButton } from './stand-in-hooks.ts';
import { closeWindow, lookAtWindow, until, windowWhere } from './window-of.ts';

let desk: DeskApp;
let tab: EditorTab;
before(async () => {
  desk = await startDeskApp({
    isHidden: true,
    files: { 'Reports/letter.docx': 'as it was', 'Drafts/letter.docx': 'a draft', 'R&D.xlsx': 'numbers' },
  });
});
after(() => desk.close());
showFailures(() => desk);

const minutes = 60_000;

/** Waits until the tray has this icon and tooltip. */
async function trayIs(icon: TrayIcon, toolTip: RegExp): Promise<void> {
  let last = '';
  await until(async () => {
    const tray = await readTray(desk.app);
    last = `${basename(tray?.image ?? '')} ${tray?.toolTip}`;
    return (
      basename(tray?.image ?? '') === trayImagePath('', process.platform, icon) &&
      toolTip.test(tray?.toolTip ?? '')
    );
  }, `the tray shows ${icon} and ${toolTip.source}`).catch((error: unknown) => {
    throw new Error(`It is: ${last}`, { cause: error });
  });
}
const labels = (entries: MenuEntry[]): string[] =>
  entries.map(({ type, label, enabled }) => (type === 'separator' ? '-' : enabled ? label : `(${label})`));
const entry = async (label: RegExp): Promise<MenuEntry> => {
  const found = (await readMenu(desk.app)).find((item) => label.test(item.label));
  assert.ok(found, label.source);
  return found;
};

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

test('Serving: the menu has all entries, and they work', async () => {
  await trayIs('serving', /^DocTray: Serving Documents$/);
  assert.deepEqual(labels(await readMenu(desk.app)), [
    '(Serving Documents)',
    '-',
    'Open DocTray',
    'Open a document…',
    'Open folder',
    '(Recent)',
    '-',
    'Pause',
    '(Needs attention (0))',
    'Settings',
    '-',
    'Quit',
  ]);
  await closeWindow(desk.app);
  await windowWhere(desk.app, ({ isVisible }) => !isVisible, 'the window is hidden');
  await pressMenu(desk.app, ['Open DocTray']);
  await windowWhere(desk.app, ({ isVisible }) => isVisible, 'the window is shown');

  await pressMenu(desk.app, ['Open folder']);
  await until(
    async () =>
      (await deeds(desk.app)).some(({ kind, path }) => kind === 'open-path' && path === desk.folder),
    'the folder is opened in the file manager',
  );
  await pressMenu(desk.app, ['Settings']);
  await desk.page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
});

test('Recent documents open in Documents; equal names have their folder added', async () => {
  for (const path of ['R&D.xlsx', 'Drafts/letter.docx', 'Reports/letter.docx'])
    await desk.call('documents.open', { path, mode: 'view' });
  await until(async () => (await entry(/^Recent$/)).submenu?.length === 3, 'three are listed');
  assert.deepEqual(labels((await entry(/^Recent$/)).submenu ?? []), [
    'letter.docx – Reports',
    'letter.docx – Drafts',
    'R&&D.xlsx',
  ]);
  await pressMenu(desk.app, ['Recent', 'letter.docx – Drafts']);
  await desk.page.getByRole('heading', { name: 'Documents', exact: true }).waitFor();
  await desk.page.locator('[data-row][aria-selected="true"]').filter({ hasText: 'letter.docx' }).waitFor();
  await desk.page.getByRole('grid', { name: 'Documents in Drafts' }).waitFor();
});

/** In the format of this computer's region. */
const clock = /^DocTray: Paused until (tomorrow, )?\d?\d:\d\d(\s[AP]M)?$/;

test('Paused: the tooltip says until when, and Resume ends the pause', async () => {
  for (const [press, lengthMinutes, toolTip] of [
    ['For 5 minutes', 5, clock],
    ['For 30 minutes', 30, clock],
    ['Until resumed', null, /^DocTray: Paused until resumed$/],
  ] as const) {
    const nowMs = Date.now();
    await pressMenu(desk.app, ['Pause', press]);
    await trayIs('paused', toolTip);
    const { pausedUntilMs } = (await desk.state()).host;
    assert.equal(pausedUntilMs === null ? null : Math.round((pausedUntilMs - nowMs) / 60_000), lengthMinutes);
    await pressMenu(desk.app, ['Resume']);
    await trayIs('serving', /^DocTray: Serving Documents$/);
  }
});

test('Keeps the computer awake only while a document is edited', async () => {
  assert.equal(await isKeptAwake(desk.app), false);
  tab = await createEditor('onlyoffice').open(await desk.access('Reports/letter.docx'));
  await until(() => isKeptAwake(desk.app), 'the computer is kept awake');
  await tab.close();
  await until(async () => !(await isKeptAwake(desk.app)), 'the computer may sleep');
});

test('A lock doesn’t become stale because the computer slept', async () => {
  tab = await createEditor('onlyoffice').open(await desk.access('Reports/letter.docx'));
  await desk.stateWhere(({ locks }) => locks.length === 1, 'the lock is known');
  await emitPower(desk.app, 'suspend');
  await desk.app.evaluate((_, by) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + by;
  }, 20 * minutes);
  await emitPower(desk.app, 'resume');
  await desk.moveClock(minutes);
  // A change that the window shows only after the locks were read again.
  await desk.call('settings.set', { key: 'versionDays', value: 31 });
  const { locks } = await desk.stateWhere(({ settings }) => settings.versionDays === 31, 'it is read again');
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
      body: 'Its editor has been gone for 20\u{a0}min. Force-clear the lock so that others can edit the document.',
    },
  ]);
  await clickNotice(desk.app, 'letter.docx has a stale lock');
  await windowWhere(desk.app, ({ isVisible }) => isVisible, 'the window is shown');
  await desk.page.getByRole('heading', { name: 'Locks' }).waitFor();
  await desk.page.locator('[data-row][aria-selected="true"]').filter({ hasText: 'letter.docx' }).waitFor();

  await closeWindow(desk.app);
  await clickTray(desk.app);
  await windowWhere(desk.app, ({ isVisible }) => isVisible, 'clicking the tray shows the window');

  await pressNoticeButton(desk.app, 'letter.docx has a stale lock', 'Force-clear');
  await desk.stateWhere(({ locks }) => locks.length === 0, 'the button clears the lock');
  await until(async () => (await notices(desk.app)).length > 1, 'its undo is offered');
  assert.deepEqual(
    (await notices(desk.app)).map(({ title }) => title),
    ['letter.docx has a stale lock', 'Lock on letter.docx cleared'],
  );
});

test('Editing: the tooltip counts open documents, and Quit names them', async () => {
  tab = await createEditor('onlyoffice').open(await desk.access('Reports/letter.docx'));
  await trayIs('editing', /^DocTray: Serving Documents · 1 file open$/);
  const other = await createEditor('onlyoffice').open(await desk.access('R&D.xlsx'));
  await trayIs('editing', /^DocTray: Serving Documents · 2 files open$/);
  assert.equal((await readMenu(desk.app))[0]?.label, 'Serving Documents · 2 files open');
  await entry(/^R&&D\.xlsx$/);
  await entry(/^letter\.docx$/);
  await entry(/^Quit \((letter\.docx and R&&D\.xlsx|R&&D\.xlsx and letter\.docx) still open\)$/);
  await other.close();
  await trayIs('editing', /^DocTray: Serving Documents · 1 file open$/);
});

test('Needs attention: counts what needs attention, and the entry opens Overview', async () => {
  await desk.moveClock(20 * 60_000);
  await trayIs('attention', /^DocTray: Serving Documents · 1 lock needs attention$/);
  await pressMenu(desk.app, ['Needs attention (1)']);
  await desk.page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  assert.equal((await tab.keepAlive()).status, 200);
  await trayIs('editing', /1 file open$/);
  await tab.close();
  await trayIs('serving', /^DocTray: Serving Documents$/);
});

test('Error: says that the folder is missing, until it is back', async () => {
  const away = `${desk.folder} away`;
  await rename(desk.folder, away);
  // resuming is one of the moments when the host checks the folder
  await emitPower(desk.app, 'resume');
  await trayIs('error', /^DocTray: Not serving: The folder is missing\.$/);
  assert.deepEqual(labels(await readMenu(desk.app)).slice(0, 1), ['(Not serving: The folder is missing.)']);
  await rename(away, desk.folder);
  await emitPower(desk.app, 'resume');
  await trayIs('serving', /^DocTray: Serving Documents$/);
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

test('Quit ends the app when nothing is open', async () => {
  const address = await desk.baseUrl();
  await pressMenu(desk.app, ['Quit']);
  assert.equal(await desk.ended(), 0, desk.log());
  await assert.rejects(fetch(address));
});
