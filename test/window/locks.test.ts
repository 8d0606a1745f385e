import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeLock } from './harness/rows.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';
import { tableOf } from './table-driver.ts';

const stale = 'Letter to the council 7.ods';

describe('the Locks view', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const using = (scenario: string, body: (window: OpenWindow) => Promise<void>) => async () => {
    const window = await lab.open({ scenario, view: 'locks' });
    try {
      await body(window);
      assert.deepEqual(window.problems, []);
    } finally {
      await window.close();
    }
  };

  it(
    'says whether a lock is in use or stale, and why',
    using('normal', async ({ page }) => {
      for (const words of [
        'Stale: no call for 22 min',
        'Stale: its token was revoked',
        'Being edited by Ana Ruiz',
      ])
        await page.getByRole('gridcell', { name: words }).waitFor();
      await page.getByText('6 documents are being edited, 2 locks are stale.').waitFor();
    }),
  );

  it(
    'force-clears a lock and undoes it with the keyboard only',
    using('normal', async (window) => {
      const { page } = window;
      const table = tableOf(page);
      await page.keyboard.press('Control+1');
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.keyboard.press('Control+3');
      await page.getByRole('heading', { name: 'Locks' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('council 7');
      await page.getByText('1 of 8 locks').first().waitFor();
      for (let steps = 0; steps < 12 && (await table.focused()) === ''; steps += 1)
        await page.keyboard.press('Tab');
      assert.equal(await table.focused(), stale);
      await page.keyboard.press(' ');
      await page.keyboard.press('Delete');

      const dialog = page.getByRole('alertdialog', { name: `Force-clear the lock on ${stale}?` });
      await dialog.waitFor();
      const words = await dialog.innerText();
      assert.match(words, /Held by Robin Vale in ONLYOFFICE Docs for 1 h 22 min\. No call for 22 min\./);
      assert.match(words, /its next save is refused and kept here as a recovered save/);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      assert.equal(
        (await window.calls()).some(({ name }) => name === 'locks.forceClear'),
        false,
        'Enter doesn’t confirm',
      );

      await page.locator('[data-row]:focus').waitFor();
      await page.keyboard.press('Delete');
      await dialog.waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText(`${stale} is free`).waitFor();
      await table.row(stale).waitFor({ state: 'detached' });

      // The dialog returns the focus in a later frame.
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      // F6 moves to the messages, where Undo comes first
      await page.keyboard.press('F6');
      for (let steps = 0; steps < 4; steps += 1) {
        const name = await page.evaluate(
          () =>
            (globalThis as unknown as { document: { activeElement: { textContent: string } } }).document
              .activeElement.textContent,
        );
        if (name.startsWith('Undo')) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await page.getByText(`${stale} is locked again, as it was`).waitFor();
      await table.row(stale).waitFor();
      const names = (await window.calls()).map(({ name }) => name);
      assert.deepEqual(
        names.filter((name) => name.startsWith('locks.')),
        ['locks.forceClear', 'locks.undoForceClear'],
      );
    }),
  );

  it(
    'warns before it force-clears a lock in use, and says what happens to the user’s save',
    using('normal', async ({ page }) => {
      await tableOf(page).row('Minutes 2.ods').click();
      await page.keyboard.press('Delete');
      const words = await page.getByRole('alertdialog').innerText();
      assert.match(words, /Finance\/Minutes 2\.ods/);
      assert.match(words, /Ana Ruiz is editing this document right now\./);
      assert.match(words, /next save is refused, with a message that the lock is gone/);
      assert.match(words, /recovered save/);
    }),
  );

  it(
    'says when another lock was taken before the undo',
    using('normal', async (window) => {
      const { page } = window;
      await tableOf(page).row(stale).click();
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
      await page.getByText(`${stale} is free`).waitFor();
      const taken = makeLock(6, Date.now(), { user: 'ben', userName: 'Ben Okafor' });
      await window.change({ values: {}, tables: { locks: { upsert: [taken], remove: [] } } });
      await page.keyboard.press('Control+z');
      await page
        .getByText('Ben Okafor has locked the document since, so its lock wasn’t restored.')
        .waitFor();
    }),
  );

  it(
    'force-clears all stale locks at once, and stops offering Undo after a while',
    using('normal', async (window) => {
      const { page } = window;
      await page.getByRole('button', { name: 'Force-clear all 2 stale…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear 2' }).click();
      await page.getByText('2 documents are free').waitFor();
      const [cleared] = (await window.calls()).filter(({ name }) => name === 'locks.forceClear');
      assert.deepEqual((cleared!.args as { ids: string[] }).ids.toSorted(), ['file6', 'file7']);
      await page.getByText('2 documents are free').waitFor({ state: 'detached', timeout: 60_000 });
    }),
  );

  it(
    'says so when no document is being edited, and links to Documents',
    using('empty', async ({ page }) => {
      await page.getByText('No document is being edited.').waitFor();
      await page.getByRole('button', { name: 'Show documents' }).click();
      await page.getByRole('heading', { name: 'Documents' }).waitFor();
    }),
  );

  it(
    'selects the document that the tray opens it for',
    using('huge', async (window) => {
      const table = tableOf(window.page);
      await table.grid.waitFor();
      await window.push('navigate', { view: 'locks', path: makeLock(4321, Date.now()).path });
      await window.page.locator('[data-row="file4321"]:focus').waitFor();
      assert.equal((await table.selected()).length, 1);
    }),
  );
});
