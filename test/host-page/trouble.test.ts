import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright';
import { askHost, untilHostAsked, usingPages } from './open-page.ts';
import { until } from '../until.ts';

const hour = 3_600_000;

/** Moves the page's clock ahead, and waits for the host's answer to what it asks then. */
async function pass(page: Page, ms: number): Promise<void> {
  const answered = page.waitForEvent('requestfinished', (request) => /\/state\?/u.test(request.url()));
  await Promise.all([answered, page.clock.runFor(ms)]);
}

describe('a host page when something fails', () => {
  const open = usingPages();
  it('explains that an editor was silent for 20 seconds or doesn’t load the document for a minute, opens it again on request, and shows why it can’t be opened', async () => {
    const { page, editor, say, sites, shows } = await open({ hasOwnClock: 'paused' });
    const alert = page.getByRole('alert');
    await editor();
    await page.clock.runFor(15_000);
    assert.equal(await alert.count(), 0);
    await page.clock.runFor(5500);
    await alert.filter({ hasText: 'Test connection' }).waitFor();
    assert.equal(await alert.evaluate((one) => getComputedStyle(one).paddingRight), '12px');
    await page.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
    await until('a second post', async () => sites.editor.posts[1]);
    await page.clock.runFor(20_500);
    await alert.waitFor();
    // a late response removes the alert
    await say('App_LoadingStatus', { Status: 'Initialized' });
    await alert.waitFor({ state: 'detached' });
    // It comes before the document is loaded.
    await say('Action_Load_Resp', { success: true, result: '' });
    await say('App_LoadingStatus', { Status: 'Frame_Ready' });
    await shows('Opening in Collabora Online…');
    await page.clock.runFor(60_500);
    await alert.filter({ hasText: 'hasn’t loaded the document' }).waitFor();
    await say('App_LoadingStatus', { Status: 'Document_Loaded' });
    await alert.waitFor({ state: 'detached' });
    await say('Action_Load_Resp', { success: false, errorMsg: 'Unauthorized <img> WOPI host.' });
    await alert.filter({ hasText: '“Unauthorized <img> WOPI host.”' }).waitFor();
    await shows('Not opened');
  });

  it('says so when ONLYOFFICE reports a document as loaded that it hasn’t downloaded', async () => {
    const { page, load, sites, shows } = await open({
      hasOwnClock: 'paused',
      opened: { kind: 'onlyoffice', editorName: 'ONLYOFFICE Docs' },
      state: { isRead: false },
    });
    await load();
    await pass(page, 10_000);
    assert.equal(await page.getByRole('alert').count(), 0);
    await shows('', 'its text may not be that of the file');
    await page.clock.runFor(20_000);
    await page.getByText('hasn’t downloaded this document from DocTray').waitFor();
    sites.host.state.isRead = true;
    await page.clock.runFor(10_000);
    await page.getByText('hasn’t downloaded').waitFor({ state: 'detached' });
    await shows('Saved');
  });

  it('doesn’t mention a lock that expired, because the editor renews it; says that it was cleared, where saves go, and saves a copy of what was typed; names who has the document open in another editor, and tells only the owner to force-clear the lock; leaves all that to the text editor, which has its own notice, also of a host that isn’t responding', async () => {
    const options = { hasOwnClock: 'paused', mayComplain: /ERR_EMPTY_RESPONSE/ } as const;
    const { page, load, say, sites, shows, editorReceived } = await open(options);
    await load();
    const holder = { ...sites.host.state.holder! };
    sites.host.state.holder!.hasLapsed = true;
    // In steps below the time limit of a call, which this clock passes before the host can answer.
    for (let step = 0; step < 4; step += 1) await pass(page, 10_000);
    assert.equal(await page.getByRole('alert').count(), 0, 'the lock expired while the computer slept');
    sites.host.state.holder = null;
    await page.clock.runFor(10_000);
    await page.getByText('Your saves don’t reach the file').waitFor();
    await page.getByText('The editor no longer has the document’s lock. Reload to continue.').waitFor();
    sites.host.state.clearedBy = 'Robin';
    await page.clock.runFor(10_000);
    await page.getByText('Robin force-cleared the lock. Reload to continue.').waitFor();
    await shows('Read only');
    assert.equal(await page.getByText('Save a copy of your changes').count(), 0);
    await say('Doc_ModifiedStatus', { Modified: true });
    await page.getByText('Save a copy of your changes, then reload.').waitFor();
    await shows('Not saved yet');
    await page.getByRole('alert').getByRole('button', { name: 'Save a copy…' }).click();
    await page
      .getByRole('dialog', { name: 'Save a copy' })
      .getByRole('button', { name: 'Save copy' })
      .click();
    assert.equal((await editorReceived('Action_SaveAs')).Values['Notify'], true);
    // taken again by the editor's next refresh
    sites.host.state.holder = holder;
    await page.clock.runFor(10_000);
    await page.getByText('Your saves don’t reach the file').waitFor({ state: 'detached' });

    await say('Doc_ModifiedStatus', { Modified: false });
    sites.host.save();
    const buttons = page.getByRole('alert').getByRole('button');
    sites.host.state.holder = { ...holder, editorName: 'ONLYOFFICE Docs', isThisEditor: false };
    await page.clock.runFor(10_000);
    await page.getByText('Ana is editing this document in ONLYOFFICE Docs').waitFor();
    await page.getByText('Ask them to close it, or force-clear the lock in DocTray').waitFor();
    assert.deepEqual(await buttons.allInnerTexts(), ['Reload', 'Save a copy…']);
    await shows('Read only');
    sites.host.opened.isOwner = false;
    await page.reload();
    await load();
    await page
      .getByText('Ask them to close it, or ask the owner of this DocTray to force-clear the lock.')
      .waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await until('a third post', async () => sites.editor.posts[2]);

    sites.host.state.holder = holder;
    Object.assign(sites.host.opened, { kind: 'text-editor', editorName: 'Text editor' });
    await page.reload();
    await load();
    await say('Doc_ModifiedStatus', { Modified: true });
    sites.host.state.holder = null;
    for (let step = 0; step < 2; step += 1) await pass(page, 10_000);
    await shows('Not saved yet');
    sites.host.refuse['state'] = { status: 0 };
    for (let step = 0; step < 3; step += 1)
      await Promise.all([page.waitForEvent('requestfailed'), page.clock.runFor(10_000)]);
    assert.equal(
      await page.getByText(/Your saves don’t reach the file|DocTray isn’t responding/u).count(),
      0,
    );
  });

  it('offers a recovered save, restores it as a copy and opens the copy; offers three ways out of a save that isn’t a readable document, until the host has what the user chose; tells a viewer whom to ask; a page that only shows the document says “Not saved yet” to a user who can decide, and closes without a question', async () => {
    const { page, load, sites, shows } = await open({
      given: ({ host }) => {
        host.state.recovered = [
          { id: 'r2', receivedAtMs: Date.now(), isUnreadable: false },
          { id: 'r1', receivedAtMs: 1, isUnreadable: false },
        ];
      },
      mayComplain: /409/,
    });
    const { host } = sites;
    const notice = page
      .getByRole('alert')
      .filter({ hasText: 'A save of letter.docx isn’t a readable document' });
    const opensTab = async (opener: Locator): Promise<void> => {
      const [tab] = await Promise.all([page.context().waitForEvent('page'), opener.click()]);
      await tab.waitForURL('**/edit/file-2?ticket=abc');
      assert.equal(await tab.evaluate(() => window.opener === null), true);
      await tab.close();
    };
    const button = (name: string) => notice.getByRole('button', { name });
    const callOf = (name: string) => host.calls.findLast(({ path }) => path.endsWith(`/${name}`))?.body;
    const miss = async (id: string): Promise<void> => {
      host.miss('unreadable', id);
      await askHost(page);
      await notice.waitFor();
    };
    await load();
    await page.getByText('2 saves couldn’t be written').waitFor();
    await page.getByRole('button', { name: 'Restore as copy' }).click();
    // In front of the answer, as soon as the host says so.
    await page.getByText('A save couldn’t be written').waitFor();
    assert.deepEqual(callOf('restore'), { id: 'r2' });
    await page.getByRole('button', { name: 'Next notice, 1 of 2' }).click();
    await page.getByText('Restored as letter (recovered).docx').waitFor();
    await opensTab(page.getByRole('button', { name: 'Open copy' }));

    host.state.recovered = [];
    await miss('r1');
    await notice.getByText('The file is unchanged.').waitFor();
    assert.deepEqual(await notice.getByRole('button').allInnerTexts(), [
      'Open what was saved',
      'Save it anyway',
      'Keep the good version',
    ]);
    await opensTab(button('Open what was saved'));
    assert.deepEqual(callOf('restore'), { id: 'r1' });
    assert.equal(await notice.count(), 1, 'the user hasn’t decided yet');

    host.refuse['save-anyway'] = { status: 409, body: { code: 'file-locked', message: 'Not now.' } };
    await button('Save it anyway').click();
    await page.getByRole('alert').getByText('Not now').waitFor();
    delete host.refuse['save-anyway'];
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await button('Save it anyway').click();
    await notice.waitFor({ state: 'detached' });
    assert.deepEqual(callOf('save-anyway'), { id: 'r1' });

    await miss('r3');
    await button('Keep the good version').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep the good version' }).click();
    await notice.waitFor({ state: 'detached' });
    assert.deepEqual(callOf('keep-file'), { id: 'r3' });

    host.opened = { ...host.opened, mode: 'view', canEdit: false };
    host.state.canRestore = false;
    host.miss('unreadable', 'r4');
    await page.goto(page.url().replace('/edit/', '/view/'));
    await load();
    await notice.getByText('Ask the owner of this DocTray what to do with the save.').waitFor();
    assert.deepEqual(await notice.locator('.buttons').count(), 0);
    await shows('Read only');
    host.state.recovered = [{ id: 'r5', receivedAtMs: 1, isUnreadable: false }];
    host.miss('version');
    await askHost(page);
    await notice.waitFor({ state: 'detached' });
    await page.getByText('Ask the owner of this DocTray to restore it').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Restore as copy' }).count(), 0);
    host.state.recovered = [];
    await askHost(page);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    host.state.canRestore = true;
    await askHost(page);
    await page.getByRole('button', { name: 'Keep the file' }).waitFor();
    await shows('Not saved yet');
    host.state.missed = null;
    await askHost(page);
    await shows('Read only');
    host.miss('version');
    await askHost(page);
    await page.getByRole('button', { name: 'Keep the file' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(/\/closed#(?!.*left=)/);
  });

  it('shows that a document is damaged before its editor has loaded, and restores the newest readable version, but never on its own', async () => {
    const { page, load, sites, shows } = await open({
      opened: { damaged: { versionId: 'v1', writtenAtMs: Date.now() } },
    });
    const { host } = sites;
    const notice = page.getByRole('alert').filter({ hasText: 'letter.docx is damaged' });
    const restores = () => host.calls.filter(({ path }) => path.endsWith('/restore-version'));
    await notice
      .getByText(
        /^Collabora Online may show an empty page\. If you save, it overwrites the file\. You can restore the version from .+\.$/u,
      )
      .waitFor();
    assert.equal(await page.locator('body').getAttribute('data-phase'), 'loading');
    await load();
    await until('the state', async () => host.calls.find(({ path }) => path.endsWith('/state')));
    await shows('', 'nothing is saved');
    // Its own editor has the lock, and is closed first.
    await notice.getByRole('button', { name: 'Restore' }).click();
    await until('another post', async () => sites.editor.posts[1]);
    await load();
    await page.getByText(/^Restored$/u).waitFor();
    assert.equal(await notice.count(), 0);
    await shows('Saved');
    const restore = { versionId: 'v1', accessTokens: ['token-one'] };
    assert.deepEqual(
      restores().map(({ body }) => body),
      [restore],
    );

    host.opened.damaged = { versionId: null, writtenAtMs: null };
    await page.reload();
    await notice.getByText(/If you save, it overwrites the file\.$/u).waitFor();
    await load();
    host.save();
    await askHost(page);
    assert.equal(await notice.getByRole('button', { name: 'Restore' }).count(), 0);
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });

    host.opened = {
      ...host.opened,
      mode: 'view',
      canEdit: false,
      damaged: { versionId: 'v1', writtenAtMs: 1 },
    };
    await page.goto(page.url().replace('/edit/', '/view/'));
    await notice
      .getByText(/^Collabora Online may show an empty page\. You can restore the version from .+\.$/u)
      .waitFor();
    assert.equal(await notice.getByRole('button', { name: 'Restore' }).count(), 0);
  });

  it('names the foreign host that an editor redirected to', async () => {
    const { page, sites } = await open({
      given: ({ host, editorUrl }) => {
        host.opened.action = `${editorUrl}/away`;
      },
      mayComplain: /Content Security Policy|violates|target origin/,
    });
    await page.getByRole('alert').filter({ hasText: sites.strangerUrl }).waitFor();
    await page.getByText('allow its other hosts').waitFor();
  });

  it('shows the host’s error in place of the editor when the document doesn’t open, also if what the host answers can’t be opened, and opens it after signing in again', async () => {
    const { page, sites, load, shows } = await open({
      refuse: { open: { status: 503, body: { code: 'paused', message: 'DocTray is paused.' } } },
      mayComplain: /503|401/,
    });
    const why = page.getByRole('region', { name: 'This document can’t be opened' });
    await why.getByText('DocTray is paused.').waitFor();
    await shows('Not opened');
    assert.ok(
      await why.getByRole('button', { name: 'Try again' }).evaluate((one) => one === document.activeElement),
    );
    delete sites.host.refuse['open'];
    const { action } = sites.host.opened;
    sites.host.opened.action = 'no address';
    await page.reload();
    await why.getByRole('button', { name: 'Try again' }).waitFor();
    await shows('Not opened');
    sites.host.opened.action = action;
    sites.host.refuse['open'] = { status: 401, body: { code: 'x', message: 'This page has expired.' } };
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This page has expired.').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    delete sites.host.refuse['open'];
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await load();
    assert.equal(await page.getByText('DocTray is paused').count(), 0);
  });

  it('doesn’t mention a conflict copy again after it was dismissed; shows a notice that needs no answer as a toast that leaves by itself; says that the host isn’t responding after two missing responses, until it is back; asks the user to sign in again when its session has expired, and keeps the editor open', async () => {
    const { page, load, sites, editor } = await open({
      hasOwnClock: 'paused',
      // So that the page asks the host every 10 s only.
      opened: { mode: 'view', canEdit: false },
      state: { conflicts: [{ fileId: 'file-3', name: 'letter (conflict).docx', path: '', madeAtMs: 1 }] },
      mayComplain: /ERR_EMPTY_RESPONSE/,
    });
    await load();
    await page.getByText('is kept as letter (conflict).docx').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await pass(page, 10_000);
    assert.equal(await page.getByText('letter (conflict).docx').count(), 0);

    sites.host.state.copies = [
      { fileId: 'file-2', name: 'plan.odt', path: 'plan.odt', madeAtMs: 1, isOpen: false },
    ];
    await page.clock.runFor(10_000);
    const copy = page.locator('.toast').filter({ hasText: 'Saved a copy: plan.odt' });
    await copy.getByRole('button', { name: 'Open copy' }).hover();
    await page.clock.runFor(8500);
    assert.equal(await copy.count(), 1, 'it stays under the pointer');
    await page.mouse.move(0, 0);
    await page.clock.runFor(8500);
    await copy.waitFor({ state: 'detached' });

    sites.host.refuse['state'] = { status: 0 };
    const failed = page.waitForEvent('requestfailed');
    await page.clock.runFor(10_000);
    await failed;
    assert.equal(await page.getByText('DocTray isn’t responding').count(), 0);
    await page.clock.runFor(10_000);
    await page.getByText('DocTray isn’t responding').waitFor();
    delete sites.host.refuse['state'];
    await page.clock.runFor(10_000);
    await page.getByText('DocTray isn’t responding').waitFor({ state: 'detached' });

    sites.host.state = { ...sites.host.state, name: '', saves: null, hasEnded: true };
    await page.clock.runFor(11_000);
    await page.getByText('You are signed out').waitFor();
    assert.equal(await page.title(), 'letter.docx – DocTray');
    assert.ok(await editor());
    await Promise.all([
      page.waitForEvent('load'),
      page.getByRole('button', { name: 'Sign in again' }).click(),
    ]);
  });

  it('gives Collabora a new token with its expiry when Collabora says the old one expires, and Microsoft’s editors when they ask for one, and Collabora also without such a message, by the host’s clock, not this computer’s', async () => {
    const { page, load, say, editorReceived, sites } = await open({ hasOwnClock: 'paused' });
    await load();
    await say('App_TokenExpiring', { Timeout: 900_000 });
    const { Values } = await editorReceived('Reset_Access_Token');
    assert.match(String(Values['token']), /^token-new-/);
    assert.ok(Number(Values['ttl']) > Date.now() + 9 * hour);
    assert.deepEqual(sites.host.calls.find(({ path }) => path.endsWith('/token'))?.body, {
      mode: 'edit',
      editorId: 'editor-1',
    });
    await page.clock.fastForward(30_000);
    await say('App_RefreshSessionInfo', { Tokens: ['AccessToken'] });
    const [token] = (await editorReceived('Host_RefreshSessionInfo')).Values['Tokens'] as object[];
    const { Expiry, ...named } = token as Record<string, string>;
    assert.deepEqual(named, { Name: 'AccessToken', Value: 'token-new-2' });
    assert.ok(Number(Expiry) > Date.now() + 9 * hour);
    assert.equal(sites.editor.posts.length, 1);

    const { host } = sites;
    const tokens = () => host.calls.filter(({ path }) => path.endsWith('/token')).length;
    // the host is two hours behind, so by this computer's clock the token has already expired
    host.date = new Date(Date.now() - 2 * hour);
    host.opened.accessTokenTtl = Date.now() - hour;
    await page.reload();
    await load();
    const before = tokens();
    await pass(page, 60_000);
    assert.equal(tokens(), before);
    await page.clock.fastForward(40 * 60_000);
    await editorReceived('Reset_Access_Token');
  });

  it('says so when ONLYOFFICE’s token expires while the user is typing, and reloads only on request, but without one while the page is hidden and nothing is unsaved', async () => {
    const { page, load, say, sites, shows } = await open({
      hasOwnClock: 'paused',
      given: ({ host }) =>
        Object.assign(host.opened, { kind: 'onlyoffice', accessTokenTtl: Date.now() + hour }),
    });
    await load();
    await page.clock.fastForward(49 * 60_000);
    for (let minute = 0; minute < 12; minute += 4) {
      await say('Edit_Notification');
      await page.getByText('Not saved yet').waitFor();
      // After two requests that the clock jumps past, the page would say first that the host doesn't respond.
      await untilHostAsked(page, sites);
      await page.clock.fastForward(4 * 58_000);
    }
    await page.getByText('can still save this document for 24 hours').waitFor();
    await shows(/^(?:Not saved yet|Saving…)$/);
    assert.equal(sites.editor.posts.length, 1);
    await page.getByRole('button', { name: 'Reload' }).click();
    await until('a second post', async () => sites.editor.posts[1]);
    await page.getByText('can still save this document for 24 hours').waitFor({ state: 'detached' });

    await load();
    sites.host.save();
    await untilHostAsked(page, sites);
    await shows('Saved');
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.clock.fastForward(9 * hour + 49 * 60_000);
    assert.equal(sites.editor.posts.length, 2);
    // In small steps, and no further than to the call.
    await until('a new token', async () => {
      await page.clock.runFor(1000);
      return sites.host.calls.filter(({ path }) => path.endsWith('/token'))[1];
    });
    const { form } = await until('a third post', async () => sites.editor.posts[2]);
    assert.match(form['access_token']!, /^token-new-/);
    assert.equal(page.url(), `${sites.hostUrl}/edit/file-1`);
  });

  it('asks before it opens a document of an older format to edit it: it is shown unchanged, or converted by the editor, which replaces the page', async () => {
    const { page, sites, load, shows } = await open({
      mode: 'view',
      given: ({ host, editorUrl }) => {
        const old = { name: 'minutes.doc', mode: 'view', canEdit: false, canConvert: true } as const;
        Object.assign(host.opened, { ...old, convertAction: `${editorUrl}/convert?WOPISrc=x` });
      },
    });
    await load();
    await shows('Read only');
    await page.goto(page.url().replace('/view/', '/edit/'));
    await page.getByText('The original isn’t changed').waitFor();
    assert.equal(sites.editor.posts.length, 1);
    await page.getByRole('button', { name: 'Open read-only' }).click();
    await load();
    await shows('Read only');
    assert.equal(sites.editor.posts[1]?.url, '/edit?WOPISrc=x');
    await page.reload();
    await page.getByRole('button', { name: 'Convert…' }).click();
    await page.waitForURL(`${sites.editorUrl}/convert?WOPISrc=x`);
    assert.equal(sites.editor.posts[2]?.form['access_token'], 'token-one');
  });
});
