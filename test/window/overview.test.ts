import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
      await page.getByText('Serving Documents').waitFor();
      await page.getByText('All good.').waitFor();
      await page.getByText('The keychain of this account (Secret Service)').waitFor();
    }),
  );

  it(
    'copies the address for editors',
    using('normal', async (window) => {
      await window.page.getByRole('button', { name: 'Copy address' }).click();
      await window.page.getByText('Address copied').waitFor();
      assert.deepEqual(await called(window, 'app.copyText'), [{ text: 'http://192.168.1.14:8790' }]);
    }),
  );

  it(
    'has one button for each problem, and removes the problem once it is solved',
    using('normal', async (window) => {
      const { page } = window;
      const rows = page.getByRole('region', { name: 'Needs attention' }).locator('.list-row');
      assert.equal(await rows.count(), 4);
      await page.getByRole('button', { name: 'Restore as copy: Budget 9.xlsx' }).click();
      await page.getByText('Restored as').waitFor();
      await page.getByRole('button', { name: 'More for the copy of Offer 3.odt' }).click();
      await page.getByRole('menuitem', { name: 'Dismiss' }).click();
      await page.getByRole('button', { name: 'Force-clear… Roof plan 8.xlsx' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
      await page.getByText('Roof plan 8.xlsx is free').waitFor();
      assert.equal(await rows.count(), 1);
      assert.deepEqual(await called(window, 'recovered.restore'), [{ id: 'recovered1' }]);
      assert.deepEqual(await called(window, 'locks.forceClear'), [{ ids: ['file7'] }]);
    }),
  );

  it(
    'discards a recovered save only after a question',
    using('normal', async (window) => {
      const { page } = window;
      const discard = async () => {
        await page.getByRole('button', { name: 'More for the save of Budget 9.xlsx' }).click();
        await page.getByRole('menuitem', { name: 'Discard…' }).click();
      };
      await discard();
      await page.getByRole('alertdialog').getByText('These 48 KB exist nowhere else.').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      assert.deepEqual(await called(window, 'recovered.discard'), []);
      await discard();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
      await page.getByText('A save of Budget 9.xlsx was recovered').waitFor({ state: 'detached' });
    }),
  );

  it(
    'shows in every view until when the host is paused, and resumes it',
    using('paused', async (window) => {
      const { page } = window;
      const banner = page.getByRole('region', { name: 'Paused' });
      await banner.getByText(/Paused until \d\d:\d\d \(in 2\d min\)\. Nobody can open documents/).waitFor();
      await page.keyboard.press('Control+3');
      await page.getByRole('heading', { name: 'Locks' }).waitFor();
      await banner.getByRole('button', { name: 'Resume' }).click();
      await banner.waitFor({ state: 'detached' });
    }),
  );

  it(
    'says what is wrong and what to do, and still does when trying again fails',
    using('broken', async ({ page }) => {
      await page.getByText('Documents is not served').waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Still not serving').waitFor();
      await page.getByRole('button', { name: 'Reopen port' }).waitFor();
    }),
  );

  it(
    'shows the progress of a job, and cancels it',
    using('normal', async (window) => {
      const { page } = window;
      const bar = page.getByRole('progressbar', { name: 'Copying 1,240 files into Projects' });
      assert.equal(await bar.getAttribute('aria-valuetext'), '431 of 1,240 files');
      await page.getByRole('button', { name: 'Cancel: Copying' }).click();
      await page.getByText('Stopped.').waitFor();
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
});
