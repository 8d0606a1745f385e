// Every view of the real app with a morning's data, in the app's window and as the dashboard in a browser: with axe, with the keyboard
// only, at 200 %, and exported to files.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright';
import { callHost } from '../../app/control/control-client.ts';
import { axeFindings } from '../axe.ts';
import { launchBrowser } from '../browser.ts';
import { startBusyDay } from './busy-day.ts';
import type { DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';

const views = ['Overview', 'Documents', 'Locks', 'Sessions', 'Tokens', 'Activity', 'Settings'] as const;
let desk: DeskApp;
let browser: Browser;
before(async () => {
  [desk, browser] = await Promise.all([startBusyDay(), launchBrowser()]);
});
after(async () => {
  await browser.close();
  await desk.close();
});
showFailures(() => desk);

/** Where the window is shown. */
interface Place {
  name: string;
  open(): Promise<Page>;
  /** The page is the same in both places, so its looks are checked in one. */
  isLookedOver: boolean;
  /** Presses what saves a file, and returns what was saved, or null after it was canceled. */
  saved(page: Page, press: () => Promise<void>, fileName: RegExp): Promise<string>;
  /** The session that the test ends. */
  session: string;
}

const inWindow: Place = {
  name: 'in the app’s window',
  open: async () => desk.page,
  isLookedOver: true,
  async saved(page, press, fileName) {
    const path = join(desk.place, `saved${fileName.source.replaceAll(/\W/gu, '')}`);
    await press();
    const question = await desk.dialogs.chooseSavePath(path);
    assert.match(question.defaultPath, fileName);
    await page.getByText(`Saved ${path}`).waitFor();
    return readFile(path, 'utf8');
  },
  session: 'Price list.xlsx',
};

const inBrowser: Place = {
  name: 'in a browser',
  async open() {
    const { url } = await callHost<'host.dashboardLink'>(desk.dataDir, 'host.dashboardLink', {});
    const context = await browser.newContext({ acceptDownloads: true, locale: 'en-GB' });
    const page = await context.newPage();
    await page.setViewportSize({ width: 1100, height: 720 });
    await page.goto(url);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    return page;
  },
  isLookedOver: false,
  async saved(page, press, fileName) {
    const [download] = await Promise.all([page.waitForEvent('download'), press()]);
    assert.match(download.suggestedFilename(), fileName);
    return readFile(await download.path(), 'utf8');
  },
  session: 'Budget 2026.xlsx',
};

for (const place of [inWindow, inBrowser]) describe(place.name, () => testViews(place));

function testViews(place: Place): void {
  let page: Page;
  before(async () => {
    page = await place.open();
  });

  const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const rowOf = (path: string) =>
    page.getByRole('row').filter({ hasText: path.slice(path.lastIndexOf('/') + 1) });

  /** Waits until the view shows its data. */
  async function settled(view: (typeof views)[number]): Promise<void> {
    await heading(view).waitFor();
    const shown = {
      Overview: page.getByText('A failed save of Welcome.docx was recovered'),
      Documents: rowOf('Handbook.docx').first(),
      Locks: rowOf('Minutes/Minutes June.odt'),
      Sessions: rowOf('Offer Northwind.docx').first(),
      Tokens: rowOf('Offer Northwind.docx').first(),
      Activity: rowOf('Budget 2026.xlsx').first(),
      Settings: heading('Settings'),
    }[view];
    await shown.waitFor();
  }

  test(`Ctrl+1 to Ctrl+7 open the views, and each shows its data${place.isLookedOver ? ', in which axe finds nothing' : ''}`, async () => {
    const found: string[] = [];
    const lookOver = async (what: string): Promise<void> => {
      if (place.isLookedOver) found.push(...(await axeFindings(page)).map((text) => `${what}: ${text}`));
    };
    for (const [index, view] of views.entries()) {
      await page.keyboard.press(`Control+${index + 1}`);
      await settled(view);
      await lookOver(view);
    }
    await page.keyboard.press('Control+3');
    await rowOf('Minutes/Minutes June.odt').click();
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').waitFor();
    await lookOver('Force-clear');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    assert.deepEqual(found, []);
  });

  const zoom = (factor: number): Promise<void> =>
    desk.app.evaluate(({ BrowserWindow }, wanted) => {
      BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(wanted);
    }, factor);

  // test/window checks every look of every view, and in the dashboard the page is the same.
  if (place.isLookedOver) {
    test('Only tables scroll sideways at 200 %', async () => {
      const widthBefore = await page.evaluate(() => window.innerWidth);
      await zoom(2);
      await page.waitForFunction((before) => window.innerWidth < before * 0.6, widthBefore);
      const wide: string[] = [];
      for (const [index, view] of views.entries()) {
        await page.keyboard.press(`Control+${index + 1}`);
        await settled(view);
        const found = await page.evaluate(() =>
          [document.documentElement, ...document.querySelectorAll('.app, .main, .view, .rail, .view-content')]
            .filter((box) => box.scrollWidth > box.clientWidth)
            .map((box) => `${box.className} ${box.scrollWidth} > ${box.clientWidth}`),
        );
        wide.push(...found.map((text) => `${view}: ${text}`));
      }
      await zoom(1);
      await page.waitForFunction((before) => window.innerWidth === before, widthBefore);
      assert.deepEqual(wide, []);
    });
  }

  test('A lock can be force-cleared and restored with the keyboard only', async () => {
    const { keyboard } = page;
    const focus = () => page.evaluate(() => document.activeElement?.textContent ?? '');
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
    await page.getByText('1 of 5', { exact: true }).waitFor();
    await tabTo(/Minutes June\.odt.*Stale: Robin Vale, gone \d+\smin/);
    await keyboard.press('Space');
    await keyboard.press('Delete');
    const dialog = page.getByRole('alertdialog', { name: 'Force-clear the lock on Minutes June.odt?' });
    await dialog.waitFor();
    await tabTo(/^Force-clear$/);
    await keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await desk.stateWhere(({ locks }) => locks.length === 4, 'the lock is cleared');
    await keyboard.press('F6');
    await tabTo(/^Undo/);
    await keyboard.press('Enter');
    await desk.stateWhere(({ locks }) => locks.length === 5, 'the lock is held again');
    await page.getByText('Minutes June.odt is locked again').waitFor();
    await keyboard.press('/');
    await keyboard.press('Escape');
  });

  test('Sessions ends a session after a question', async () => {
    await page.keyboard.press('Control+4');
    const row = rowOf(place.session);
    await row.click();
    await page.getByRole('button', { name: 'End session…' }).click();
    const dialog = page.getByRole('alertdialog', {
      name: /^End .*’s session in .*\?$/,
    });
    await dialog.getByRole('button', { name: 'End session' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('Activity exports all entries as CSV and JSON, without secrets', async () => {
    await page.keyboard.press('Control+6');
    await settled('Activity');
    const { items } = await desk.call('activity.list', {});
    const save = (kind: 'CSV' | 'JSON'): Promise<string> =>
      place.saved(
        page,
        async () => {
          await page.getByRole('button', { name: 'Export' }).click();
          await page.getByRole('menuitem', { name: new RegExp(`as ${kind}…$`) }).click();
        },
        new RegExp(`activity\\.${kind.toLowerCase()}$`),
      );
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
  });
}

test('Nothing is saved if the dialog is canceled', async () => {
  await desk.goTo('Activity');
  await desk.page.getByRole('button', { name: 'Export' }).click();
  await desk.page.getByRole('menuitem', { name: /as CSV…$/ }).click();
  await desk.dialogs.chooseSavePath(null);
  await desk.page.getByText('Not saved').waitFor();
});
