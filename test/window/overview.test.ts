import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { WindowState } from '../../app/contract/state.ts';
import { eventually } from '../durability/eventually.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';

describe('the Overview', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const using = (scenario: string, body: (window: OpenWindow) => Promise<void>) => async () => {
    const window = await lab.open({ scenario });
    try {
      await body(window);
      assert.deepEqual(window.problems, []);
    } finally {
      await window.close();
    }
  };
  const called = async (window: OpenWindow, name: string) =>
    (await window.calls()).filter((call) => call.name === name).map(({ args }) => args);

  it(
    'says so when everything is fine',
    using('empty', async ({ page }) => {
      await page.getByText('Serving “Documents”').waitFor();
      await page.getByText('All good. No document is being edited.').waitFor();
      await page.getByText('No activity in the last 24 hours.').waitFor();
      assert.equal(await page.getByRole('region', { name: 'Needs attention' }).count(), 0);
    }),
  );

  it(
    'unfolds folder, address and editors, remembers it, and copies the address of this computer, not the one for editors',
    using('normal', async (window) => {
      const { page } = window;
      assert.equal(await page.getByRole('button', { name: 'Copy address' }).count(), 0);
      await page.getByRole('button', { name: 'Folder, address and editors' }).click();
      await page.reload();
      await page.getByRole('button', { name: 'Settings of ONLYOFFICE Docs' }).waitFor();
      await window.page.getByRole('button', { name: 'Copy address' }).click();
      await window.page.getByText('Address copied').waitFor();
      assert.deepEqual(await called(window, 'app.copyText'), [{ text: 'http://127.0.0.1:8790' }]);
      await page.getByRole('definition').filter({ hasText: 'http://192.168.1.14:8790' }).waitFor();
    }),
  );

  it(
    'has one button for each problem, and removes the problem once it is solved',
    using('normal', async (window) => {
      const { page } = window;
      const rows = page.getByRole('region', { name: 'Needs attention' }).locator('.list-row');
      await page.getByRole('button', { name: 'Restore as copy: Budget 9.xlsx' }).waitFor();
      assert.equal(await rows.count(), 4);
      await page.getByRole('button', { name: 'Restore as copy: Budget 9.xlsx' }).click();
      await page.getByText('Restored as').waitFor();
      await page.getByRole('button', { name: 'More for the copy of Offer 3.odt' }).click();
      await page.getByRole('menuitem', { name: 'Dismiss' }).click();
      await page.getByRole('button', { name: 'Force-clear… Roof plan 8.xlsx' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
      await page
        .getByRole('button', { name: 'Force-clear… Roof plan 8.xlsx' })
        .waitFor({ state: 'detached' });
      assert.equal(await rows.count(), 1);
      assert.deepEqual(await called(window, 'recovered.restore'), [{ id: 'recovered1' }]);
      assert.deepEqual(await called(window, 'locks.forceClear'), [{ ids: ['file7'] }]);
    }),
  );

  it(
    'moves the focus to the next problem once one is solved, and to the heading after the last one',
    using('normal', async ({ page }) => {
      const section = page.getByRole('region', { name: 'Needs attention' });
      const hasFocus = async (name: string) =>
        section.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
      await section.getByRole('button', { name: 'Restore as copy: Budget 9.xlsx' }).press('Enter');
      await hasFocus('Show copy: Offer 3.odt');
      const clear = async () => {
        await section
          .getByRole('button', { name: /^Force-clear/u })
          .first()
          .press('Enter');
        await page.getByRole('alertdialog').locator(':focus').waitFor();
        await page.keyboard.press('Enter');
      };
      await clear();
      await hasFocus('Force-clear… Roof plan 8.xlsx');
      await clear();
      await section.getByRole('heading').and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Control+z');
      await section.getByRole('button', { name: 'Force-clear… Roof plan 8.xlsx' }).waitFor();
      await section.locator(':focus').waitFor();
    }),
  );

  it(
    'keeps the focus at the job that is canceled, and moves it from Pause to Resume',
    using('normal', async ({ page }) => {
      const job = page.getByRole('region', { name: 'Work in progress' });
      await job.getByRole('button', { name: /^Cancel: / }).press('Enter');
      await job
        .getByRole('button', { name: /^Dismiss: / })
        .and(page.locator(':focus'))
        .waitFor();
      await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
      await page.getByRole('menuitem', { name: 'For 5 minutes' }).press('Enter');
      await page.getByRole('button', { name: 'Resume' }).and(page.locator(':focus')).waitFor();
    }),
  );

  it(
    'shows one state in the rail and in the view, which changes with what needs attention',
    using('normal', async (window) => {
      const { page } = window;
      const rail = page.getByRole('navigation', { name: 'Views' }).locator('.rail-status');
      const host = page.getByRole('region', { name: 'Host' });
      await rail.getByText('4 need attention').waitFor();
      await host.getByText('4 things need attention').waitFor();
      assert.match((await rail.getAttribute('class')) ?? '', /tone-warn/u);
      const locks = ['file6', 'file7'];
      await window.change({
        values: {},
        tables: {
          recovered: { upsert: [], remove: ['recovered1'] },
          conflicts: { upsert: [], remove: ['Letters/Offer 3 (conflict 2026-07-27).odt'] },
          locks: { upsert: [], remove: locks },
        },
      });
      await rail.getByText('Serving').waitFor();
      await host.getByText('Serving “Documents”').waitFor();
      assert.match((await rail.getAttribute('class')) ?? '', /tone-good/u);
    }),
  );

  it(
    'opens a document that is being edited, and a recent one, with one click',
    using('normal', async (window) => {
      const { page } = window;
      const edited = page.getByRole('region', { name: 'Being edited' });
      await edited.getByRole('button', { name: /^Minutes 2\.ods/u }).click();
      await page.getByText('Opened Minutes 2.ods in').waitFor();
      const recent = page.getByRole('region', { name: 'Recent documents' });
      assert.equal(await recent.getByText('Budget 1.docx').count(), 0, 'it is listed as being edited');
      const [first = ''] = await recent.getByRole('button').locator('.doc-name').allInnerTexts();
      await recent.getByRole('button', { name: first }).first().click();
      await page
        .getByText(/^Opened .* in/u)
        .nth(0)
        .waitFor();
      const opened = (await called(window, 'documents.openInEditor')) as { path: string; mode: string }[];
      assert.deepEqual(opened[0], { path: 'Finance/Minutes 2.ods', mode: 'edit', editorId: null });
      assert.equal(opened.length, 2);
    }),
  );

  it(
    'reads the last 24 hours again when a document is opened or closed',
    using('normal', async (window) => {
      await window.page
        .getByRole('region', { name: 'Last 24 hours' })
        .getByText(/^\d+ saves/u)
        .waitFor();
      const before = (await called(window, 'activity.summary')).length;
      await window.change({
        values: {},
        tables: { sessions: { upsert: [], remove: ['session1'] } },
      });
      // Long before its usual refresh.
      await eventually(
        'it is read again',
        async () => assert.equal((await called(window, 'activity.summary')).length, before + 1),
        10_000,
      );
    }),
  );

  it(
    'shows saves, open documents and errors of the last 24 hours',
    using('normal', async ({ page }) => {
      await page
        .getByRole('region', { name: 'Last 24 hours' })
        .getByText('192 saves, at most 8 documents open in an hour, 3 errors')
        .waitFor();
    }),
  );

  it('shows problems, documents being edited, recent ones and the last 24 hours without scrolling in a window of the default size', async () => {
    const height = 760;
    const window = await lab.open({ scenario: 'normal', size: { width: 1120, height } });
    try {
      await window.page.getByRole('region', { name: 'Last 24 hours' }).waitFor();
      await window.change({
        values: {},
        tables: {
          conflicts: { upsert: [], remove: ['Letters/Offer 3 (conflict 2026-07-27).odt'] },
          locks: { upsert: [], remove: ['file4', 'file5', 'file6'] },
          jobs: { upsert: [], remove: ['job1'] },
        },
      });
      await window.page.getByText('2 things need attention').waitFor();
      for (const name of ['Needs attention', 'Being edited', 'Recent documents', 'Last 24 hours']) {
        const box = await window.page.getByRole('region', { name }).boundingBox();
        assert.ok(box !== null && box.y + box.height <= height, `${name}: ${JSON.stringify(box)}`);
      }
    } finally {
      await window.close();
    }
  });

  it(
    'discards a recovered save only after a question',
    using('normal', async (window) => {
      const { page } = window;
      const discard = async () => {
        await page.getByRole('button', { name: 'More for the save of Budget 9.xlsx' }).click();
        await page.getByRole('menuitem', { name: 'Discard…' }).click();
      };
      await discard();
      await page.getByRole('alertdialog').getByText('This save (48 KB) exists nowhere else.').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      assert.deepEqual(await called(window, 'recovered.discard'), []);
      await discard();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
      await page.getByText('A failed save of Budget 9.xlsx was recovered').waitFor({ state: 'detached' });
    }),
  );

  it(
    'offers three ways out of a save that isn’t a readable document, and asks before those that change or delete something',
    using('normal', async (window) => {
      const { page } = window;
      const upsert = ['kept', 'written', 'opened'].map((id) => ({
        id,
        path: `Letters/${id}.docx`,
        size: 29,
        reason: 'recovered.unreadable',
        receivedAtMs: Date.now(),
        isUnreadable: true,
      }));
      await window.change({ values: {}, tables: { recovered: { upsert, remove: ['recovered1'] } } });
      const section = page.getByRole('region', { name: 'Needs attention' });
      await section
        .locator('.list-row', { hasText: 'A save of opened.docx isn’t a readable document' })
        .getByText('The file still has the last readable content.')
        .waitFor();
      for (const [name, entry, text] of [
        ['kept', 'Keep the good version', 'What was saved (29 bytes) is deleted.'],
        ['written', 'Save it anyway', 'Its current content is kept as a version.'],
      ] as const) {
        await section.getByRole('button', { name: `More for the save of ${name}.docx` }).click();
        await page.getByRole('menuitem', { name: `${entry}…` }).click();
        await page.getByRole('alertdialog').getByText(text).waitFor();
        await page.getByRole('alertdialog').getByRole('button', { name: entry, exact: true }).click();
        await page
          .getByText(`A save of ${name}.docx isn’t a readable document`)
          .waitFor({ state: 'detached' });
      }
      assert.deepEqual(await called(window, 'recovered.discard'), [{ id: 'kept' }]);
      assert.deepEqual(await called(window, 'recovered.saveAnyway'), [{ id: 'written' }]);
      await section.getByRole('button', { name: 'Open what was saved: opened.docx' }).click();
      await page.getByText('Opened opened (recovered).docx in').waitFor();
      const [opened] = await called(window, 'documents.openInEditor');
      assert.deepEqual(opened, { path: 'Letters/opened (recovered).docx', mode: 'edit', editorId: null });
    }),
  );

  it(
    'has the buttons of what needs attention in one column, beside the menus that some have',
    using('normal', async ({ page }) => {
      const rows = page.getByRole('region', { name: 'Needs attention' }).locator('.list-row');
      await rows.nth(3).waitFor();
      const ends = await rows.evaluateAll((all) =>
        all.map((row) => row.querySelector('.list-actions > .button')?.getBoundingClientRect().right),
      );
      assert.deepEqual(
        ends,
        ends.map(() => ends[0]),
      );
    }),
  );

  it(
    'shows until when the host is paused, in the Overview itself and above every other view, and resumes it',
    using('paused', async (window) => {
      const { page } = window;
      const banner = page.getByRole('region', { name: 'Paused' });
      const host = page.getByRole('region', { name: 'Host' });
      await host.getByText('Paused', { exact: true }).waitFor();
      const sentence = /^Until \d\d:\d\d \(in 2\d\smin\), documents can be saved, but not opened\.$/u;
      await host.getByText(sentence).waitFor();
      await host.getByRole('button', { name: 'Resume' }).waitFor();
      assert.equal(await banner.count(), 0, 'the Overview says it once');
      await page.keyboard.press('Control+4');
      await banner.getByText(sentence).waitFor();
      await page.keyboard.press('Control+3');
      await page.getByRole('heading', { name: 'Locks' }).waitFor();
      await banner.getByRole('button', { name: 'Resume' }).click();
      await banner.waitFor({ state: 'detached' });
    }),
  );

  it(
    'says what is wrong and what to do, and still does when trying again fails',
    using('broken', async ({ page }) => {
      const host = page.getByRole('region', { name: 'Host' });
      await host.getByText('Not serving').waitFor();
      await host.getByText('Documents in “Documents” can’t be opened or saved').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Open folder' }).count(), 0, 'there is none');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Still not serving').waitFor();
      await page.getByText('The hosted folder is missing.').first().waitFor();
    }),
  );

  it(
    'says in Documents that it waits for the keychain, with nothing to press',
    using('normal', async (window) => {
      const { page } = window;
      const host = await page.evaluate(
        () =>
          (globalThis as unknown as { harness: { host: { state: WindowState } } }).harness.host.state.host,
      );
      const message = 'DocTray is waiting for the keychain. Answer its prompt.';
      await window.change({
        values: { host: { ...host, status: 'starting', problem: { code: 'keychain-waiting', message } } },
        tables: {},
      });
      await page.keyboard.press('Control+2');
      const problem = page.getByRole('region', { name: 'Starting…' });
      await problem.getByText(message).waitFor();
      assert.equal(await problem.getByRole('button').count(), 0);
    }),
  );

  it(
    'shows a missing folder above the tables too, with the same two buttons',
    using('broken', async (window) => {
      const { page } = window;
      for (const key of [3, 4, 5, 6, 7]) {
        await page.keyboard.press(`Control+${key}`);
        const problem = page.getByRole('region', { name: 'Not serving' });
        await problem.getByText('The hosted folder is missing.').waitFor();
        await problem.getByRole('button', { name: 'Try again' }).waitFor();
        await problem.getByRole('button', { name: 'Change folder…' }).click();
      }
      assert.equal((await called(window, 'host.chooseFolder')).length, 5);
    }),
  );

  it(
    'shows the progress of a job, and cancels it',
    using('normal', async (window) => {
      const { page } = window;
      const bar = page.getByRole('progressbar', { name: 'Copying 3 items into “Projects”' });
      assert.equal(await bar.getAttribute('aria-valuetext'), '431 of 1,240 files');
      await page.getByRole('button', { name: 'Cancel: Copying' }).click();
      await page.getByText(/^Canceled after 431 of 1,240 files\.$/u).waitFor();
      await page.getByRole('button', { name: 'Dismiss: Copying' }).click();
      await page.getByRole('heading', { name: 'Work in progress' }).waitFor({ state: 'detached' });
    }),
  );

  it(
    'asks for a folder when none is served',
    using('idle', async (window) => {
      await window.page.getByRole('button', { name: 'Choose folder…' }).click();
      assert.deepEqual(await called(window, 'host.chooseFolder'), [{}]);
    }),
  );

  it(
    'shows one message for an action that failed twice, and removes it when the action succeeds',
    using('normal', async (window) => {
      const { page } = window;
      await page.getByRole('button', { name: 'Folder, address and editors' }).click();
      const copy = page.getByRole('button', { name: 'Copy address' });
      const refuse = async (isRefused: boolean) =>
        page.evaluate((refused) => {
          const { answers } = (
            globalThis as unknown as { harness: { answers: Record<string, () => unknown> } }
          ).harness;
          answers['app.copyText'] = () => {
            if (refused) throw new Error('Not allowed.');
            return null;
          };
        }, isRefused);
      await refuse(true);
      await copy.click();
      await page.getByText('Not allowed.').waitFor();
      await copy.click();
      await page.waitForTimeout(300);
      assert.equal(await page.locator('.toast').count(), 1);
      await refuse(false);
      await copy.click();
      await page.getByText('Address copied').waitFor();
      assert.deepEqual(await page.locator('.toast-title').allInnerTexts(), ['Address copied']);
    }),
  );

  it(
    'offers another folder when the default one can’t be created',
    using('idle', async (window) => {
      const { page } = window;
      const host = await page.evaluate(
        () =>
          (globalThis as unknown as { harness: { host: { state: WindowState } } }).harness.host.state.host,
      );
      const message = 'DocTray can’t create the folder for your documents. Choose another one.';
      const problem = { code: 'default-folder-failed', message };
      await window.change({ values: { host: { ...host, status: 'error', problem } }, tables: {} });
      await page.getByText('Documents can’t be opened or saved until you fix this.').waitFor();
      await page.getByRole('button', { name: 'Change folder…' }).click();
      assert.deepEqual(await called(window, 'host.chooseFolder'), [{}]);
    }),
  );
});
