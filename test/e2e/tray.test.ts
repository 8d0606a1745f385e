// The tray as a user sees it: the icon and tooltip of every state, and what every menu entry does.

import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { after, before, test } from 'node:test';
import { trayImagePath } from '../../app/desktop/tray.ts';
import type { TrayIcon } from '../../app/desktop/tray.ts';
import { createOnlyOffice, type OnlyOfficeTab } from '../editors/onlyoffice.ts';
import { pressMenu, readMenu, readTray, type MenuEntry } from '../stand-in/press.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';
import { deeds, emitPower } from './stand-in-hooks.ts';
import { closeWindow, until, windowWhere } from './window-of.ts';

let desk: DeskApp;
let tab: OnlyOfficeTab;
before(async () => {
  desk = await startDeskApp({
    files: { 'Reports/letter.docx': 'as it was', 'Drafts/letter.docx': 'a draft', 'R&D.xlsx': 'numbers' },
  });
  await desk.baseUrl();
});
after(() => desk.close());
showFailures(() => desk);

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
  for (const [press, minutes, toolTip] of [
    ['For 5 minutes', 5, clock],
    ['For 30 minutes', 30, clock],
    ['Until resumed', null, /^DocTray: Paused until resumed$/],
  ] as const) {
    const nowMs = Date.now();
    await pressMenu(desk.app, ['Pause', press]);
    await trayIs('paused', toolTip);
    const { pausedUntilMs } = (await desk.state()).host;
    assert.equal(pausedUntilMs === null ? null : Math.round((pausedUntilMs - nowMs) / 60_000), minutes);
    await pressMenu(desk.app, ['Resume']);
    await trayIs('serving', /^DocTray: Serving Documents$/);
  }
});

test('Editing: the tooltip counts open documents, and quitting names them', async () => {
  tab = await createOnlyOffice().open(await desk.access('Reports/letter.docx'));
  await trayIs('editing', /^DocTray: Serving Documents · 1 file open$/);
  const other = await createOnlyOffice().open(await desk.access('R&D.xlsx'));
  await trayIs('editing', /^DocTray: Serving Documents · 2 files open$/);
  assert.equal((await readMenu(desk.app))[0]?.label, 'Serving Documents · 2 files open');
  await entry(/^R&&D\.xlsx$/);
  await entry(/^letter\.docx$/);
  await entry(/^Quit \((letter\.docx and R&&D\.xlsx|R&&D\.xlsx and letter\.docx) still open\)$/);
  await other.close();
  await trayIs('editing', /^DocTray: Serving Documents · 1 file open$/);
  await pressMenu(desk.app, ['Quit (letter.docx still open)']);
  const question = await desk.dialogs.press('Keep running');
  assert.equal(question.message, 'Quit while letter.docx is still open?');
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
  await trayIs('error', /^DocTray: Not serving: the folder is missing$/);
  assert.deepEqual(labels(await readMenu(desk.app)).slice(0, 1), ['(Not serving: the folder is missing)']);
  await rename(away, desk.folder);
  await emitPower(desk.app, 'resume');
  await trayIs('serving', /^DocTray: Serving Documents$/);
});

test('Quit ends the app when nothing is open', async () => {
  const address = await desk.baseUrl();
  await pressMenu(desk.app, ['Quit']);
  assert.equal(await desk.ended(), 0, desk.log());
  await assert.rejects(fetch(address));
});
