// Host pages in a real browser, with a scripted document server of each kind in the frame: the messages between the two pages, what the
// user sees, and what is on disk afterwards.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { withRemark } from '../editors/office-zip.ts';
import { openConnectedSetup } from '../editors/setup.ts';
import { startUserBrowser, type UserBrowser } from './user-browser.ts';
import { until } from './window-of.ts';

let chromium: UserBrowser;
before(async () => {
  chromium = await startUserBrowser();
});
after(() => chromium.close());

// first-run.test.ts does this with Collabora.
for (const kind of ['onlyoffice', 'office'] as const) {
  test(`${kind}: opens for viewing, also for another user who signs in, switches to editing, edits, renames, copies and closes a document in the browser`, async (context) => {
    const connected = await openConnectedSetup(context, kind, {}, pagesBuild(process.env));
    const browser = await chromium.another(context);
    const { setup } = connected;
    const tab = await browser.open(await connected.click('letter.docx', { mode: 'view' }));
    const { page } = tab;
    await tab.ready('Reading');
    await setup.addUser('bjorn', 'editor');
    const bjorn = await (await chromium.another(context)).open(page.url());
    await bjorn.page.getByLabel('User name').fill('bjorn');
    await bjorn.page.getByLabel('Password').fill('a long enough password');
    await bjorn.page.getByRole('button', { name: 'Sign in' }).click();
    await bjorn.ready('Reading');
    await bjorn.page.close();
    await tab.editor.getByRole('button', { name: 'Edit document' }).click();
    await page.waitForURL(/\/edit\/[\w-]{22}$/);
    await tab.ready('Editing');
    assert.doesNotMatch(page.url(), /ticket|token/);
    assert.equal(await page.title(), 'letter.docx – DocTray');
    const isReady = () =>
      connected.server.sessions.some(({ heard }) => heard.some(({ id }) => id === 'Host_PostmessageReady'));
    await until(async () => isReady(), 'the editor gets Host_PostmessageReady');

    await tab.type('written in the browser');
    await tab.save();
    const written = withRemark(setup.fixtures['letter.docx'], 'written in the browser');
    assert.deepEqual(await setup.onDisk('letter.docx'), written);

    await tab.rename('renamed');
    await page.getByRole('heading', { name: 'renamed.docx' }).waitFor();
    assert.equal(await page.title(), 'renamed.docx – DocTray');

    await tab.editor.getByRole('textbox', { name: 'Name' }).fill('copy.docx');
    await tab.editor.getByRole('button', { name: 'Save copy as' }).click();
    await page.getByText('Saved a copy: copy.docx').waitFor();
    const opening = page.waitForEvent('popup');
    await tab.button('Open copy').click();
    const copy = await opening;
    await copy.getByRole('heading', { name: 'copy.docx' }).waitFor();
    await copy
      .frameLocator('iframe[name="editor"]')
      .getByRole('status')
      .filter({ hasText: 'Editing' })
      .waitFor();
    await copy.close();

    await tab.type('written at last');
    await tab.editor.getByRole('button', { name: 'Close document' }).click();
    await page.waitForURL(/\/closed#/);
    await connected.unlocked();
    assert.deepEqual(
      await setup.onDisk('renamed.docx'),
      withRemark(setup.fixtures['letter.docx'], 'written at last'),
    );
    assert.deepEqual(await setup.onDisk('copy.docx'), written);
    assert.deepEqual(tab.problems, []);
  });
}
