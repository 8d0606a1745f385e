// Every view of the real app with a morning's data: in light, dark and forced colors, with the keyboard only, at 200 %, and exported
// to files.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { axeFindings } from '../axe.ts';
import { setLook } from './set-look.ts';
import { startBusyDay } from './busy-day.ts';
import type { DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';

const views = ['Overview', 'Documents', 'Locks', 'Sessions', 'Tokens', 'Activity', 'Settings'] as const;
let desk: DeskApp;
before(async () => {
  desk = await startBusyDay();
});
after(() => desk.close());
showFailures(() => desk);

const heading = (name: string) => desk.page.getByRole('heading', { name, exact: true, level: 1 });
const rowOf = (path: string) =>
  desk.page.getByRole('row').filter({ hasText: path.slice(path.lastIndexOf('/') + 1) });

/** Waits until the view shows its data. */
async function settled(view: (typeof views)[number]): Promise<void> {
  await heading(view).waitFor();
  const shown = {
    Overview: desk.page.getByText('A save of Welcome.docx was recovered'),
    Documents: rowOf('Handbook.docx').first(),
    Locks: rowOf('Minutes/Minutes June.odt'),
    Sessions: rowOf('Offer Northwind.docx').first(),
    Tokens: rowOf('Offer Northwind.docx').first(),
    Activity: rowOf('PutFile').first(),
    Settings: desk.page.getByRole('heading', { name: 'About' }),
  }[view];
  await shown.waitFor();
}

test('Ctrl+1 to Ctrl+7 open the views, and each shows its data', async () => {
  for (const [index, view] of views.entries()) {
    await desk.page.keyboard.press(`Control+${index + 1}`);
    await settled(view);
  }
});

for (const look of ['light', 'dark', 'forced colors'] as const) {
  test(`axe finds nothing in any view, in ${look}`, async () => {
    await setLook(desk, look);
    const found: string[] = [];
    for (const [index, view] of views.entries()) {
      await desk.page.keyboard.press(`Control+${index + 1}`);
      await settled(view);
      found.push(...(await axeFindings(desk.page)).map((text) => `${view}: ${text}`));
    }
    await desk.page.keyboard.press('Control+3');
    await rowOf('Minutes/Minutes June.odt').click();
    await desk.page.keyboard.press('Delete');
    await desk.page.getByRole('alertdialog').waitFor();
    found.push(...(await axeFindings(desk.page)).map((text) => `Force-clear: ${text}`));
    await desk.page.keyboard.press('Escape');
    await desk.page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await setLook(desk, 'light');
    assert.deepEqual(found, []);
  });
}

test('Only tables scroll sideways at 200 %', async () => {
  const zoom = (factor: number) =>
    desk.app.evaluate(({ BrowserWindow }, wanted) => {
      BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(wanted);
    }, factor);
  const widthBefore = await desk.page.evaluate(() => window.innerWidth);
  await zoom(2);
  await desk.page.waitForFunction((before) => window.innerWidth < before * 0.6, widthBefore);
  const wide: string[] = [];
  for (const [index, view] of views.entries()) {
    await desk.page.keyboard.press(`Control+${index + 1}`);
    await settled(view);
    const found = await desk.page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.app, .main, .view, .rail, .view-content')]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => `${box.className} ${box.scrollWidth} > ${box.clientWidth}`),
    );
    wide.push(...found.map((text) => `${view}: ${text}`));
  }
  await zoom(1);
  await desk.page.waitForFunction((before) => window.innerWidth === before, widthBefore);
  assert.deepEqual(wide, []);
});

test('A lock can be force-cleared and restored with the keyboard only', async () => {
  const { keyboard } = desk.page;
  const focus = () => desk.page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (words: RegExp): Promise<void> => {
    for (let steps = 0; steps < 25; steps += 1) {
      if (words.test(await focus())) return;
      await keyboard.press('Tab');
    }
    assert.fail(`Tab doesn’t reach ${words.source}; the focus is on: ${await focus()}`);
  };
  await keyboard.press('Control+3');
  await settled('Locks');
  await keyboard.press('/');
  await keyboard.type('June');
  await desk.page.getByText('1 of 5 locks').first().waitFor();
  await tabTo(/Minutes June\.odt.*Stale: no call for \d+ min/);
  await keyboard.press('Space');
  await keyboard.press('Delete');
  const dialog = desk.page.getByRole('alertdialog', { name: 'Force-clear the lock on Minutes June.odt?' });
  await dialog.waitFor();
  await tabTo(/^Force-clear$/);
  await keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await desk.stateWhere(({ locks }) => locks.length === 4, 'the lock is cleared');
  await keyboard.press('F6');
  await tabTo(/^Undo/);
  await keyboard.press('Enter');
  await desk.stateWhere(({ locks }) => locks.length === 5, 'the lock is held again');
  await desk.page.getByText('Minutes June.odt is locked again, as it was').waitFor();
  await keyboard.press('/');
  await keyboard.press('Escape');
});

test('Sessions ends a session after a question', async () => {
  await desk.goTo('Sessions');
  const row = rowOf('Price list.xlsx');
  await row.click();
  await desk.page.getByRole('button', { name: 'End session…' }).click();
  const dialog = desk.page.getByRole('alertdialog', {
    name: /^End the session of Robin Vale in Price list\.xlsx\?$/,
  });
  await dialog.getByRole('button', { name: 'End session' }).click();
  await row.waitFor({ state: 'detached' });
});

test('Activity exports all entries as CSV and JSON, without secrets', async () => {
  await desk.goTo('Activity');
  await settled('Activity');
  const { items } = await desk.call('activity.list', {});
  const save = async (kind: 'CSV' | 'JSON'): Promise<string> => {
    const path = join(desk.place, `activity.${kind.toLowerCase()}`);
    await desk.page.getByRole('button', { name: 'Export' }).click();
    await desk.page.getByRole('menuitem', { name: new RegExp(`as ${kind}…$`) }).click();
    const question = await desk.dialogs.chooseSavePath(path);
    assert.match(question.defaultPath, new RegExp(`activity\\.${kind.toLowerCase()}$`));
    await desk.page.getByText(`Saved ${path}`).waitFor();
    return readFile(path, 'utf8');
  };
  const rows = JSON.parse(await save('JSON')) as Record<string, unknown>[];
  assert.equal(rows.length, items.length);
  const put = rows.find(
    ({ operation, document }) => operation === 'PutFile' && document === 'Budget 2026.xlsx',
  );
  assert.equal(put?.['status'], 200);
  const csv = await save('CSV');
  assert.equal(csv.trimEnd().split('\r\n').length, items.length + 1);
  assert.match(csv, /^sequence,time,operation,/);
  for (const text of [csv, JSON.stringify(rows)]) assert.doesNotMatch(text, /access_token|Bearer/);

  await desk.page.getByRole('button', { name: 'Export' }).click();
  await desk.page.getByRole('menuitem', { name: /as CSV…$/ }).click();
  await desk.dialogs.chooseSavePath(null);
  await desk.page.getByText('Nothing was saved').waitFor();
});
