import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answers } from './harness/fake-host.ts';
import { eventually } from '../durability/eventually.ts';
import { makeTextEditor } from './harness/document-servers.ts';
import { makeLock } from './harness/rows.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';
import { tableOf } from './table-driver.ts';

/** What harness/main.ts sets on the page's window. */
interface HarnessPage {
  harness: { answers: Answers };
}

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
      for (const words of [/Stale: .*, gone 22\smin/, /Stale: .*, token revoked/, 'Editing: Ana Ruiz'])
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
      await table.row(stale).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('council 7');
      await page.getByText('1 of 8', { exact: true }).waitFor();
      for (let steps = 0; steps < 12 && (await table.focused()) === ''; steps += 1)
        await page.keyboard.press('Tab');
      assert.equal(await table.focused(), stale);
      await page.keyboard.press(' ');
      await page.keyboard.press('Delete');

      const dialog = page.getByRole('alertdialog', { name: `Force-clear the lock on ${stale}?` });
      await dialog.waitFor();
      const words = await dialog.innerText();
      assert.match(words, /Its editor has been gone for 22\smin\./);
      assert.match(words, /its next save goes to Recovered saves instead of the file/);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.equal(
        (await window.calls()).some(({ name }) => name === 'locks.forceClear'),
        false,
        'Escape clears nothing',
      );

      await page.locator('[data-row]:focus').waitFor();
      await page.keyboard.press('Delete');
      await dialog.waitFor();
      await page.keyboard.press('Enter');
      await page.getByText(`Lock on ${stale} cleared`).waitFor();
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
      await page.getByText(`${stale} is locked again`).waitFor();
      await table.row(stale).waitFor();
      const names = (await window.calls()).map(({ name }) => name);
      assert.deepEqual(
        names.filter((name) => name.startsWith('locks.') && name !== 'locks.details'),
        ['locks.forceClear', 'locks.undoForceClear'],
      );
    }),
  );

  it(
    'warns before it force-clears a lock in use, and says what happens to the user’s save',
    using('normal', async ({ page }) => {
      await tableOf(page).row('Minutes 2.ods').click();
      await page.keyboard.press('Delete');
      const dialog = page.getByRole('alertdialog', { name: 'Force-clear the lock on Minutes 2.ods?' });
      const words = await dialog.innerText();
      assert.match(words, /Ana Ruiz is editing this document now\./);
      assert.match(words, /next save is rejected with a message, and its content goes to Recovered saves/);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await tableOf(page).row('Minutes 2.ods').waitFor();
    }),
  );

  it(
    'says before it force-clears a lock of the text editor that its unsaved text stays on its page',
    using('normal', async (window) => {
      const { page } = window;
      const editor = makeTextEditor(Date.now());
      const lock = { ...makeLock(2, Date.now()), path: 'Notes.md', editor: editor.name };
      await window.change({
        values: { editors: [editor] },
        tables: { locks: { upsert: [lock], remove: [] } },
      });
      await tableOf(page).row('Notes.md').click();
      await page.keyboard.press('Delete');
      const dialog = page.getByRole('alertdialog', { name: 'Force-clear the lock on Notes.md?' });
      await dialog.getByText('Unsaved text stays on the text editor’s page').waitFor();
      assert.doesNotMatch(await dialog.innerText(), /Recovered saves/u);
    }),
  );

  it(
    'keeps the keyboard at the next row, or in the empty table, when other users cleared the locks while a question was open',
    using('normal', async (window) => {
      const { page } = window;
      const removed = async (ids: string[]) =>
        window.change({ values: {}, tables: { locks: { upsert: [], remove: ids } } });
      const question = page.getByRole('alertdialog');
      await tableOf(page).row(stale).click();
      await page.keyboard.press('Delete');
      await question.waitFor();
      await removed(['file6']);
      await tableOf(page).row(stale).waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await page.locator('[data-row]:focus').waitFor();

      await page.keyboard.press('Delete');
      await question.waitFor();
      await removed(Array.from({ length: 8 }, (_, index) => `file${index}`));
      await page.getByText('No document is locked.').waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await page.locator('.table-scroller:focus').waitFor();
    }),
  );

  it(
    'returns the keyboard to a row when the force-clear of all locks is undone',
    using('normal', async ({ page }) => {
      await page.setViewportSize({ width: 450, height: 720 });
      await page.locator('[data-row]').first().focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.locator('.dialog .button').last().press('Enter');
      await page.getByText('No document is locked.').waitFor();
      await page.locator('.table-scroller:focus').waitFor();
      await page.keyboard.press('Control+z');
      await page.locator('[data-row]:focus').waitFor();
    }),
  );

  it('shows messages beside the rail in the smallest window', async () => {
    const window = await lab.open({ scenario: 'normal', view: 'locks', size: { width: 450, height: 310 } });
    try {
      const { page } = window;
      await page.locator('[data-row="file6"]').focus();
      await page.keyboard.press('Delete');
      await page.locator('.dialog').locator('.button').last().click();
      const [toast, rail] = [page.locator('.toast'), page.locator('.rail')];
      await toast.waitFor();
      const [left, right] = [(await toast.boundingBox())?.x ?? 0, (await rail.boundingBox())?.width ?? 0];
      assert.ok(left > right, `the message begins at ${left} px, the rail ends at ${right} px`);
    } finally {
      await window.close();
    }
  });

  it('shows the whole title of a question below the messages in the smallest window', async () => {
    const window = await lab.open({
      scenario: 'normal',
      view: 'locks',
      size: { width: 450, height: 360 },
      locale: 'de-DE',
    });
    try {
      const { page } = window;
      for (const id of ['file6', 'file7', 'file3']) {
        await page.locator(`[data-row="${id}"]`).focus();
        await page.keyboard.press('Delete');
        await page.locator('.dialog').waitFor();
        if (id !== 'file3') await page.locator('.dialog').locator('.button').last().click();
        if (id === 'file6') await page.locator('.toast').waitFor();
      }
      const boxOf = async (selector: string) => {
        const box = await page.locator(selector).boundingBox();
        assert.ok(box !== null, selector);
        return { top: box.y, bottom: box.y + box.height };
      };
      await eventually('they don’t overlap', async () => {
        assert.equal(await page.locator('.toast').count(), 2);
        assert.ok((await boxOf('.toasts')).bottom <= (await boxOf('.dialog-title')).top);
      });
      const { bottom } = await boxOf('.dialog-footer');
      assert.ok(bottom <= 360, `the buttons end at ${bottom} px`);
    } finally {
      await window.close();
    }
  });

  it(
    'says when another lock was taken before the undo',
    using('normal', async (window) => {
      const { page } = window;
      await tableOf(page).row(stale).click();
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
      await page.getByText(`Lock on ${stale} cleared`).waitFor();
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
      await page.getByRole('button', { name: 'Select 2 stale' }).click();
      await page.getByRole('button', { name: 'Force-clear 2…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
      await page.getByText('2 locks cleared').waitFor();
      const [cleared] = (await window.calls()).filter(({ name }) => name === 'locks.forceClear');
      assert.deepEqual((cleared!.args as { ids: string[] }).ids.toSorted(), ['file6', 'file7']);
      await page.getByText('2 locks cleared').waitFor({ state: 'detached', timeout: 60_000 });
    }),
  );

  it(
    'keeps Undo in sight when more messages come than there is room for',
    using('normal', async ({ page, push }) => {
      await page.getByRole('button', { name: 'Select 2 stale' }).click();
      await page.getByRole('button', { name: 'Force-clear 2…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
      const undo = page.getByRole('button', { name: /^Undo/u });
      await undo.waitFor();
      for (const path of ['gone 1.odt', 'gone 2.odt', 'gone 3.odt', 'gone 4.odt']) {
        await push('navigate', { view: 'documents', path });
        await page.getByText(`“${path}” is no longer in this folder`).waitFor();
      }
      assert.equal(await page.getByText('is no longer in this folder').count(), 2);
      assert.equal(await undo.count(), 1);
    }),
  );

  it(
    'leads with → past the button that the side panel shows instead',
    using('normal', async ({ page }) => {
      await page.setViewportSize({ width: 1500, height: 800 });
      await tableOf(page).row(stale).click();
      await page.getByRole('region', { name: stale }).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.locator('[role="row"] [data-menu]:focus').waitFor();
    }),
  );

  it(
    'shows the names that the user gave to editors',
    using('normal', async (window) => {
      const upsert = ['Collabora 1', 'Collabora 2'].map((editor, index) =>
        makeLock(90 + index, Date.now(), { editor }),
      );
      await window.change({ values: {}, tables: { locks: { upsert, remove: [] } } });
      await window.page.setViewportSize({ width: 1500, height: 800 });
      for (const { editor } of upsert)
        await window.page.getByRole('gridcell', { name: editor ?? '', exact: true }).waitFor();
    }),
  );

  it(
    'lists stale locks first, each with a button that clears it',
    using('normal', async (window) => {
      const { page } = window;
      const table = tableOf(page);
      await table.grid.waitFor();
      const names = await table.names();
      assert.deepEqual(
        names.slice(0, 2).map((name) => /^(Roof plan 8|Letter to the council 7)\./.test(name)),
        [true, true],
      );
      assert.equal(await table.grid.getByRole('button', { name: /^Force-clear / }).count(), 2);
      await page.setViewportSize({ width: 1500, height: 800 });
      await table.row(stale).click();
      await page.getByRole('region', { name: stale }).getByRole('button', { name: 'Force-clear…' }).waitFor();
      const inRows = table.grid.getByRole('button', { name: /^Force-clear / });
      await inRows.first().waitFor({ state: 'hidden' });
      assert.equal(await inRows.count(), 0, 'the panel has the one button');
      await page.keyboard.press('Escape');
      await page.evaluate(() => {
        const { answers } = (globalThis as unknown as HarnessPage).harness;
        const clear = answers['locks.forceClear']!;
        answers['locks.forceClear'] = async () => {
          answers['locks.forceClear'] = clear;
          return new Promise(() => undefined);
        };
      });
      // The first one never ends.
      await page.getByRole('button', { name: /^Force-clear Roof plan 8/u }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: `Force-clear ${stale}` }).click();
      assert.deepEqual(await table.selected(), [], 'its press selects nothing');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
      await table.row(stale).waitFor({ state: 'detached' });
    }),
  );

  it(
    'shows what the table leaves out beside it: times, lock id, sessions and requests, and ends a session',
    using('normal', async (window) => {
      const { page } = window;
      await tableOf(page).row('Minutes 2.ods').click();
      const panel = page.getByRole('region', { name: 'Minutes 2.ods' });
      await panel.getByText('6f1c2b7e…').waitFor();
      const words = await panel.innerText();
      for (const fact of ['Finance/Minutes 2.ods', 'Refreshed', 'Expires', 'Recent requests', 'Ana Ruiz'])
        assert.ok(words.includes(fact), fact);
      await panel.getByRole('button', { name: 'End session…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
      await panel.getByText('No editor is connected.').waitFor();
      assert.deepEqual((await window.calls()).filter(({ name }) => name === 'locks.details')[0]?.args, {
        fileId: 'file1',
      });
    }),
  );

  it(
    'in the smallest window at 200 % zoom, shows the state of each lock in a second line, and its button',
    using('normal', async ({ page }) => {
      await page.setViewportSize({ width: 450, height: 350 });
      const row = tableOf(page).row(stale);
      const state = row.getByText('Stale: Robin Vale, gone 22 min');
      await state.waitFor();
      assert.ok(
        await state.evaluate((words: { scrollWidth: number; clientWidth: number }) => {
          return words.scrollWidth <= words.clientWidth;
        }),
        'the sentence is cut off',
      );
      await row.getByRole('button', { name: `Force-clear ${stale}` }).click();
      await page.getByRole('alertdialog').waitFor();
    }),
  );

  it('has its filter and buttons on one line at 450 px, in German too', async () => {
    const { page, close } = await lab.open({
      scenario: 'normal',
      view: 'locks',
      size: { width: 450, height: 700 },
      locale: 'de-DE',
    });
    try {
      await page.getByRole('button', { name: '2 verwaiste wählen' }).waitFor();
      const parts = await page.locator('.table-bar > *').evaluateAll((all) =>
        all
          .map((part) => part.getBoundingClientRect())
          .filter(({ height }) => height > 0)
          .map(({ top }) => top),
      );
      assert.deepEqual([parts.length, new Set(parts).size], [2, 1]);
    } finally {
      await close();
    }
  });

  it(
    'keeps the state of each row in sight when the side panel opens, and makes no row taller',
    using('normal', async ({ page }) => {
      await page.setViewportSize({ width: 960, height: 700 });
      const row = tableOf(page).row(stale);
      // The table takes its layout for the new size a little later.
      await page.locator('.table[data-tall]').waitFor();
      const before = await row.boundingBox();
      await row.click();
      await page.getByRole('region', { name: stale }).waitFor();
      await row.getByText('Stale: Robin Vale, gone 22 min').waitFor();
      assert.deepEqual((await row.boundingBox())?.height, before?.height);
    }),
  );

  it(
    'opens the details over the whole table in a narrow window only when asked, and returns the focus on Escape',
    using('normal', async ({ page }) => {
      await page.setViewportSize({ width: 820, height: 640 });
      const rowsAreCovered = async () => {
        const [covered, covering] = await Promise.all(
          ['.table-scroller', '.detail-panel'].map(async (part) => page.locator(part).boundingBox()),
        );
        return covered?.x === covering?.x;
      };
      const table = tableOf(page);
      await table.row('Minutes 2.ods').click();
      const panel = page.getByRole('region', { name: 'Minutes 2.ods' });
      await page.waitForTimeout(300);
      assert.equal(await panel.count(), 0);
      await page.keyboard.press('Enter');
      await panel.getByRole('heading', { name: 'Minutes 2.ods' }).and(page.locator(':focus')).waitFor();
      assert.ok(await rowsAreCovered());
      // 200 % zoom
      await page.setViewportSize({ width: 700, height: 450 });
      assert.ok(await rowsAreCovered());
      assert.equal(await page.locator('.table-bar').isVisible(), false, 'nothing below it gets the focus');
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      assert.match(await table.focused(), /^Minutes 2\.ods/);
    }),
  );

  it(
    'leads to the session that holds a lock, and back',
    using('normal', async ({ page }) => {
      await tableOf(page).row('Minutes 2.ods').click();
      await page
        .getByRole('region', { name: 'Minutes 2.ods' })
        .getByRole('button', { name: 'Ana Ruiz' })
        .click();
      await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
      await page.locator('[data-row="session1"][aria-selected="true"]').waitFor();
      await page.getByRole('button', { name: 'Editing: show the lock on Minutes 2.ods' }).click();
      await page.getByRole('heading', { name: 'Locks', level: 1 }).waitFor();
      await page.locator('[data-row="file1"][aria-selected="true"]').waitFor();
    }),
  );

  it(
    'says so when no document is being edited, and links to Documents',
    using('empty', async ({ page }) => {
      await page.getByText('No document is locked.').waitFor();
      await page.getByRole('button', { name: 'Show documents' }).click();
      await page.getByRole('heading', { name: 'Documents' }).waitFor();
    }),
  );

  it(
    'doesn’t say that no document is locked while DocTray doesn’t serve',
    using('broken', async ({ page }) => {
      await page.getByText('Locks appear here once DocTray serves again.').waitFor();
    }),
  );

  it(
    'gives the column of Force-clear to the others beside the details, which have the button',
    using('normal', async ({ page }) => {
      await page.setViewportSize({ width: 1400, height: 900 });
      const column = page.getByRole('columnheader', { name: 'Force-clear' });
      await column.waitFor();
      await tableOf(page).row('Minutes 2.ods').click();
      await column.waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await column.waitFor();
    }),
  );

  it(
    'aligns the check, the buttons and the menu of a row of two lines with its name, and the buttons of the details with their text',
    using('normal', async ({ page }) => {
      await page.setViewportSize({ width: 900, height: 620 });
      const row = page.locator('.table[data-tall] [data-row="file6"]');
      await row.waitFor();
      const middles = await row.evaluate((element) =>
        ['.check', '.path-name', '.row-action', '[data-menu]'].map((part) => {
          const box = element.querySelector(part)?.getBoundingClientRect();
          return box === undefined ? Number.NaN : Math.round(box.top + box.height / 2);
        }),
      );
      assert.ok(Math.max(...middles) - Math.min(...middles) <= 1, middles.join());
      await row.click();
      const panel = page.locator('.detail-panel');
      const ends = await panel.evaluate((element) => {
        const facts = element.querySelector('.facts')?.getBoundingClientRect();
        return [...element.querySelectorAll('.detail-actions .button')].map(
          (button) => (facts?.right ?? 0) - button.getBoundingClientRect().right,
        );
      });
      assert.ok(ends.length === 2 && ends.every((room) => room >= 0), ends.join());
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
