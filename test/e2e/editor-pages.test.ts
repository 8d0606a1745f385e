// Host pages in a real browser, with a scripted document server of each kind in the frame: the messages between the two pages, what the
// user sees, and what is on disk afterwards.

import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { withRemark } from '../editors/office-zip.ts';
import type { DialectKind } from '../editors/dialects/dialect.ts';
import { openConnectedSetup, type ConnectedSetup } from '../editors/setup.ts';
import { startUserBrowser, type UserBrowser } from './user-browser.ts';

const kinds: DialectKind[] = ['onlyoffice', 'collabora', 'office'];
const minutes = 60_000;
const hours = 60 * minutes;
let chromium: UserBrowser;
before(async () => {
  chromium = await startUserBrowser();
});
after(() => chromium.close());

async function until(isSo: () => boolean, what: string): Promise<void> {
  const endsAtMs = performance.now() + 15_000;
  while (!isSo()) {
    assert.ok(performance.now() < endsAtMs, what);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const openForBrowser = (context: TestContext, kind: DialectKind, files = {}): Promise<ConnectedSetup> =>
  openConnectedSetup(context, kind, files, pagesBuild(process.env));

const heard = ({ server }: ConnectedSetup): string[] =>
  server.sessions.flatMap((session) => session.heard.map(({ id }) => id));

for (const kind of kinds) {
  test(`${kind}: opens for viewing, switches to editing, edits, renames, copies and closes a document in the browser`, async (context) => {
    const connected = await openForBrowser(context, kind);
    const browser = await chromium.another(context);
    const { setup } = connected;
    const tab = await browser.open(await connected.click('letter.docx', { mode: 'view' }));
    const { page } = tab;
    await tab.ready('Reading');
    await tab.editor.getByRole('button', { name: 'Edit document' }).click();
    await page.waitForURL(/\/edit\/[\w-]{22}$/);
    await tab.ready('Editing');
    assert.doesNotMatch(page.url(), /ticket|token/);
    assert.equal(await page.title(), 'letter.docx – DocTray');
    await until(
      () => heard(connected).includes('Host_PostmessageReady'),
      'the editor gets Host_PostmessageReady',
    );

    await tab.type('written in the browser');
    await tab.save();
    const written = withRemark(setup.fixtures['letter.docx'], 'written in the browser');
    assert.deepEqual(await setup.onDisk('letter.docx'), written);

    await tab.rename('renamed');
    await page.getByRole('heading', { name: 'renamed.docx' }).waitFor();
    assert.equal(await page.title(), 'renamed.docx – DocTray');

    await tab.editor.getByRole('textbox', { name: 'Name' }).fill('copy.docx');
    await tab.editor.getByRole('button', { name: 'Save copy as' }).click();
    if (kind === 'collabora') {
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill('copy.docx');
      await dialog.getByRole('button', { name: 'Save' }).click();
    }
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
    if (kind === 'collabora') await tab.save();
    await tab.editor.getByRole('button', { name: 'Close document' }).click();
    await page.waitForURL(/\/closed#/);
    await connected.unlocked();
    assert.deepEqual(
      await setup.onDisk('renamed.docx'),
      withRemark(setup.fixtures['letter.docx'], 'written at last'),
    );
    assert.deepEqual(await setup.onDisk('copy.docx'), written);
    assert.deepEqual(tab.problems, []);
    setup.assertRules(connected.server);
  });
}

// Office Online Server's frame is reloaded like that of ONLYOFFICE.
for (const kind of ['onlyoffice', 'collabora'] as const) {
  test(`${kind}: gets a new token before the old one expires, and still saves after that`, async (context) => {
    const connected = await openForBrowser(context, kind);
    const browser = await chromium.another(context);
    const { setup, server } = connected;
    const tab = await browser.open(await connected.click('letter.docx'), { hasOwnClock: true });
    await tab.ready();
    await tab.type('before');
    await tab.save();
    if (kind !== 'collabora') {
      // The frame is reloaded only when nothing is unsaved, which the page knows once the host has a new version.
      await tab.page.getByText(/^Saved at /).waitFor({ state: 'attached' });
    }
    const first = server.sessions[0]?.access.accessToken;
    const later = 9 * hours + 55 * minutes;
    setup.host.clock.advance(later);
    server.keys.skew(later);
    await tab.page.clock.fastForward(later);
    const current = () =>
      server.sessions.findLast(({ hasLeft, view }) => !hasLeft && view() !== undefined)?.access.accessToken;
    await until(() => current() !== undefined && current() !== first, 'another token is in use');
    assert.equal(server.sessions.length, kind === 'collabora' ? 1 : 2);
    setup.host.clock.advance(hours);
    server.keys.skew(later + hours);
    await tab.ready(kind === 'collabora' ? /./ : 'Editing');
    await tab.type('after');
    await tab.save();
    assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(setup.fixtures['letter.docx'], 'after'));
    await tab.page.close();
    await connected.unlocked();
  });
}

test('A second user signs in at the URL of the page, and both edit the document', async (context) => {
  const connected = await openForBrowser(context, 'collabora');
  const browser = await chromium.another(context);
  await connected.setup.addUser('bjorn', 'editor');
  const ana = await browser.open(await connected.click('sums.xlsx'));
  await ana.ready();
  const colleague = await chromium.another(context);
  const bjorn = await colleague.open(ana.page.url());
  await bjorn.page.getByLabel('User name').fill('bjorn');
  await bjorn.page.getByLabel('Password').fill('a long enough password');
  await bjorn.page.getByRole('button', { name: 'Sign in' }).click();
  await bjorn.ready();
  await ana.type('by Ana');
  await bjorn.editor.getByText('by Ana').waitFor();
  await bjorn.type('by Bjorn');
  await ana.editor.getByText('by Bjorn').waitFor();
  await ana.page.close({ runBeforeUnload: false });
  await bjorn.save();
  await bjorn.page.close();
  await connected.unlocked();
  assert.deepEqual(
    await connected.setup.onDisk('sums.xlsx'),
    withRemark(connected.setup.fixtures['sums.xlsx'], 'by Bjorn'),
  );
});

test('Offers to convert an older format; the copy opens, and the original stays', async (context) => {
  const connected = await openForBrowser(context, 'office', { 'old.doc': 'an old binary document' });
  const browser = await chromium.another(context);
  const tab = await browser.open(await connected.click('old.doc'));
  await tab.button('Convert…').click();
  await tab.page.getByRole('heading', { name: 'old.docx' }).waitFor();
  await tab.ready();
  assert.equal((await connected.setup.onDisk('old.doc')).toString(), 'an old binary document');
  await tab.page.close();
  await connected.unlocked();
});

test('When DocTray refuses an editor’s calls, the page says so and points to the connection test', async (context) => {
  const connected = await openForBrowser(context, 'collabora');
  const browser = await chromium.another(context);
  connected.setup.host.host.services.editors.change(connected.editorId, {
    allowedAddresses: ['10.1.2.0/24'],
  });
  const tab = await browser.open(await connected.click('letter.docx'));
  await tab.page
    .getByText(/couldn’t open the document/)
    .first()
    .waitFor();
  await tab.page
    .getByText(/Test connection/)
    .first()
    .waitFor();
  assert.deepEqual(connected.setup.host.host.services.locks.list(), []);
});
