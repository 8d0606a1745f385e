import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Frame, Locator, Page, Route } from 'playwright';
import { closedPage } from '../../app/server/pages/html.ts';
import {
  askHost,
  requestsOfState,
  untilHostAsked,
  usingPages,
  type HeardMessage,
  type OpenPage,
  type PageOptions,
} from './open-page.ts';
import { until } from '../until.ts';
import { savedBy, version, type HostCall, type TwoSites } from './two-sites.ts';

const fileLocked = { status: 409, body: { code: 'file-locked', message: 'The document is being edited.' } };

async function restoreVersion(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Restore the version from / }).click();
  const dialog = page.getByRole('alertdialog', { name: /^Restore the version from .+\?$/ });
  await dialog.getByText('The current content is kept as a version.').waitFor();
  await dialog.getByRole('button', { name: 'Restore' }).click();
}

/** Why the status is what it is, once that is so. */
function reason(page: Page, text: string | RegExp) {
  return page.locator('.reason').filter({ hasText: text });
}

/** Requests for that page or call wait until the test answers them, in the order they were made. */
async function holdCalls(page: Page, name: string) {
  const calls: Route[] = [];
  await page.route(new RegExp(`/${name}(?:#.*)?$`, 'u'), (route) => void calls.push(route));
  const hold = async () => {
    const route = await until(`a call of ${name}`, async () => calls.shift());
    return async (json: object, status = 200) => route.fulfill({ json, status });
  };
  return {
    hold,
    next: async (json: object, status?: number) => (await hold())(json, status),
  };
}

/** In place of the fake host's. */
async function showClosedPage(page: Page): Promise<void> {
  await page.route('**/closed', (route) => route.fulfill({ contentType: 'text/html', body: closedPage() }));
}

const callOf = (sites: TwoSites, name: string): HostCall | undefined => callsOf(sites, name)[0];

/** How many messages of that name the editor has got. */
const heardCount = async (frame: Frame, name: string): Promise<number> =>
  frame.evaluate(
    (wanted) =>
      (globalThis as unknown as { heard: HeardMessage[] }).heard.filter(
        ({ MessageId }) => MessageId === wanted,
      ).length,
    name,
  );

/** What the browser asks the user, who always stays. */
function questions(page: Page): string[] {
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  return asked;
}

const closeButton = (page: Page) => page.getByRole('button', { name: 'Close', exact: true });

const untilFrameFocused = async (page: Page) =>
  page.waitForFunction(() => document.activeElement?.tagName === 'IFRAME');

/** The labels of the shown notice's buttons. */
async function choices(notice: Locator): Promise<string[]> {
  return notice.locator('.buttons > :not(.pager)').allInnerTexts();
}

const callsOf = ({ host }: TwoSites, name: string): HostCall[] =>
  host.calls.filter(({ path }) => path.endsWith(`/${name}`));

/** Waits until the page was loaded again, so that the next test doesn't get its last messages. @param count of restores */
async function untilRestored({ sites, editor }: OpenPage, count: number): Promise<void> {
  await until('the restore', async () => callsOf(sites, 'restore-version')[count - 1]);
  await until('the editor', async () => sites.editor.posts[2 * count - 1]);
  await editor();
}

describe('a host page while a document is edited', () => {
  const open = usingPages();
  const onlyoffice: PageOptions = { opened: { kind: 'onlyoffice', editorName: 'ONLYOFFICE Docs' } };

  it('posts the token only to the editor’s frame, also under a path prefix of a proxy, accepts messages only from it, not from itself or frames inside it, and closes without a question when nothing was changed', async () => {
    const { page, sites, load, say, editorReceived, shows, editor } = await open({
      opened: { kind: 'other' },
      given: ({ host }) => (host.base = '/docs/tray'),
    });
    const asked = questions(page);
    const frame = await editor();
    // An editor that always responds.
    await frame.evaluate(() => {
      const page = globalThis as unknown as { say(name: string, values: object): void };
      addEventListener('message', ({ data }: MessageEvent<string>) => {
        if (data.includes('Host_PostmessageReady')) page.say('App_LoadingStatus', {});
      });
    });
    await load();
    const form = { access_token: 'token-one', access_token_ttl: '0' };
    assert.deepEqual(sites.editor.posts, [{ url: '/edit?WOPISrc=x', form, referrer: undefined }]);
    const [call] = sites.host.calls;
    const { hostUrl: origin } = sites;
    assert.deepEqual(call, { method: 'POST', path: '/edit/file-1/open', origin, body: { mode: 'edit' } });
    assert.equal((await page.content()).includes('token-one'), false);
    assert.equal(frame.url(), sites.host.opened.action);
    assert.equal(page.url(), `${origin}/docs/tray/edit/file-1`);
    assert.equal((await editorReceived('Host_PostmessageReady')).origin, origin);
    assert.deepEqual((await editorReceived('Disable_Default_UIAction')).Values, {
      action: 'UI_Close',
      disable: true,
    });
    assert.equal(await page.title(), 'letter.docx – DocTray');
    await shows('Saved');
    await untilFrameFocused(page);

    const close = { MessageId: 'UI_Close', Values: {} };
    await page.evaluate((message) => {
      window.postMessage(message, '*');
    }, close);
    // another frame of the right origin, inside the editor
    await frame.evaluate(async (message) => {
      const inner = document.createElement('iframe');
      inner.src = '/inner';
      document.body.append(inner);
      await new Promise((resolve) => {
        inner.onload = resolve;
      });
      (inner.contentWindow as unknown as { eval(code: string): void }).eval(
        `top.postMessage(${JSON.stringify(message)}, '*')`,
      );
    }, close);
    // A later message, which is accepted.
    await say('UI_Share');
    await page.getByRole('dialog').waitFor();
    assert.equal(await page.locator('body').getAttribute('data-phase'), 'ready');
    const count = await heardCount(frame, 'Host_PostmessageReady');
    assert.ok(count >= 2 && count <= 3, `${count} announcements`);
    await page.keyboard.press('Escape');

    const leavings = () => callsOf(sites, 'left');
    // As when the browser keeps the page for its Back button.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
    await until('the first leaving', async () => leavings()[0]);
    // The editor's own question could keep a page whose session has ended. Browsers ask only after a user's action.
    await frame.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
    await frame.locator('textarea').click();
    await say('Doc_ModifiedStatus', { Modified: false });
    await say('UI_Close', { EverModified: false });
    await page.waitForURL(/\/closed#/);
    await until('the second leaving', async () => leavings()[1]);
    assert.deepEqual(
      leavings().map(({ body }) => body),
      [{}, { accessTokens: ['token-one'] }],
    );
    assert.ok(callOf(sites, 'close'));
    assert.deepEqual(asked, []);
  });

  it('asks before leaving only when something is unsaved, and stays open when a save was rejected and the editor then has “nothing to save”, until the host has counted one', async () => {
    const { page, load, say, shows, sites, editorReceived } = await open();
    const asked = questions(page);
    await load();
    // browsers don't ask before the user has interacted with the page
    await page.locator('.mark').click();
    await say('Doc_ModifiedStatus', { Modified: true });
    await page.getByText('Not saved yet').waitFor();
    await page.evaluate(() => {
      location.href = '/elsewhere';
    });
    await until('the question', async () => asked[0]);
    assert.deepEqual(asked, ['beforeunload']);
    assert.equal(page.url(), `${sites.hostUrl}/edit/file-1`);
    await page.getByText('They are only in Collabora Online').waitFor();
    // editors also send this after a rejected save
    await say('Doc_ModifiedStatus', { Modified: false });
    await reason(page, 'DocTray hasn’t received a save since the last change.').waitFor({
      state: 'attached',
    });
    await page.evaluate(() => {
      location.href = '/elsewhere';
    });
    await until('the second question', async () => asked[1]);
    assert.deepEqual(asked, ['beforeunload', 'beforeunload']);
    await untilHostAsked(page, sites);
    sites.host.save();
    const savedAt = reason(page, /^Saved at \d\d:\d\d$/);
    await savedAt.waitFor({ state: 'attached' });
    await shows('Saved');
    assert.equal(await savedAt.isVisible(), false);
    await page.getByText('Saved', { exact: true }).focus();
    await page.keyboard.press('Shift');
    await page.getByRole('tooltip').waitFor();

    await say('Doc_ModifiedStatus', { Modified: true });
    await page.getByText('Not saved yet').waitFor();
    await untilHostAsked(page, sites);
    // another program changed the file, so the save is rejected with 1010; the editor's own save succeeded
    sites.host.save(true);
    await say('Doc_ModifiedStatus', { Modified: false });
    await say('Action_Save_Resp', { success: false, result: '' });
    await page.getByText('couldn’t save the document').waitFor();
    // Only now, because its notice would take the place of the one above.
    sites.host.state.recovered = [{ id: 'r1', receivedAtMs: Date.now(), isUnreadable: false }];
    await say('UI_Close');
    const { Values } = await editorReceived('Action_Save');
    assert.deepEqual([Values['DontSaveIfUnmodified'], Values['Notify']], [false, true]);
    await say('Action_Save_Resp', { success: true, result: 'unmodified' });
    const notice = page.getByRole('alert');
    await notice.getByText('The last save couldn’t be written to the file').waitFor();
    await notice.getByText('DocTray keeps it in Recovered saves').waitFor();
    await notice.getByRole('button', { name: 'Restore as copy' }).waitFor();
    const address = page.url();
    await closeButton(page).click();
    await editorReceived('Action_Save', 2);
    await say('Action_Save_Resp', { success: true });
    await untilHostAsked(page, sites);
    assert.equal(page.url(), address, 'the editor’s message alone doesn’t close the page');
    // It doesn't wait for the report that nothing is unsaved, which LibreOffice Online sends later.
    sites.host.save();
    await page.waitForURL(/\/closed#/);
    await until('the close', async () => callOf(sites, 'close'));
    assert.deepEqual(asked, ['beforeunload', 'beforeunload']);
  });

  it('doesn’t say “Saved” while a save that the user asked for is on its way, nor while Collabora loads the document again, and until it has saved or has nothing to save; takes a new name from the host, not from the editor; says “Not saved yet” while the newest save isn’t in the file, although the editor reports no changes, and while the host doesn’t answer, and asks before it closes', async () => {
    const { page, load, say, shows, sites, editorReceived } = await open({ mayComplain: /401/ });
    const { host } = sites;
    const name = 'invoice <b>.docx';
    const reload = async (count: number): Promise<void> => {
      // That is because it has renamed it.
      sites.host.state.name = name;
      await say('File_Rename', { NewName: 'invoice?' });
      await shows('Not saved yet');
      await say('App_LoadingStatus', { Status: 'Frame_Ready' });
      await untilHostAsked(page, sites);
      await shows('Not saved yet');
      await say('App_LoadingStatus', { Status: 'Document_Loaded' });
      const { Values } = await editorReceived('Action_Save', count);
      assert.deepEqual(Values, { DontTerminateEdit: true, DontSaveIfUnmodified: true, Notify: true });
      await untilHostAsked(page, sites);
      await shows('Not saved yet');
    };
    await load();
    await say('Doc_ModifiedStatus', { Modified: false });
    await shows('Saved');
    // An answer from before a save that doesn't have the change arrives after the change.
    const asked = Promise.withResolvers<Route>();
    await page.route('**/state?*', asked.resolve, { times: 1 });
    await askHost(page);
    const route = await asked.promise;
    const before = { ...sites.host.state };
    sites.host.save();
    await say('Doc_ModifiedStatus', { Modified: true });
    await shows('Not saved yet');
    await route.fulfill({ json: before });
    await untilHostAsked(page, sites);
    await say('Doc_ModifiedStatus', { Modified: false });
    await untilHostAsked(page, sites);
    await shows('Not saved yet');
    sites.host.save();
    await askHost(page);
    await shows('Saved');
    await say('UI_Save');
    await shows('Not saved yet');
    await untilHostAsked(page, sites);
    await shows('Not saved yet');
    sites.host.save();
    await askHost(page);
    await shows('Saved');
    await reload(1);
    await page.getByRole('heading', { name }).waitFor();
    assert.equal(await page.title(), `${name} – DocTray`);
    assert.equal(await page.locator('iframe').getAttribute('title'), name);
    await say('Action_Save_Resp', { success: true, result: 'unmodified' });
    await shows('Saved');
    await reload(2);
    sites.host.save();
    await say('Action_Save_Resp', { success: true });
    await shows('Saved');
    // Typed before it was loaded, and closed.
    await say('App_LoadingStatus', { Status: 'Frame_Ready' });
    await shows('Not saved yet');
    await closeButton(page).click();
    await editorReceived('Action_Save', 3);
    // Collabora ignores that before it has loaded the document.
    await say('App_LoadingStatus', { Status: 'Document_Loaded' });
    assert.equal((await editorReceived('Action_Save', 4)).Values['DontSaveIfUnmodified'], false);
    await say('Action_Save_Resp', { success: false, errorMsg: 'Not now.' });
    await page.getByRole('alert').filter({ hasText: '“Not now.”' }).waitFor();
    host.save();
    await askHost(page);
    await page.getByRole('alert').waitFor({ state: 'detached' });

    host.miss('recovered');
    await askHost(page);
    await reason(page, 'The last save couldn’t be written to the file.').waitFor({ state: 'attached' });
    await shows('Not saved yet');
    await say('Doc_ModifiedStatus', { Modified: false });
    await untilHostAsked(page, sites);
    await shows('Not saved yet');
    // The editor may not have what was typed any more, so it isn't asked to save.
    await closeButton(page).click();
    const missed = page.getByRole('alert').filter({ hasText: 'The last save couldn’t be written' });
    await missed.getByText('DocTray keeps it in Recovered saves.').waitFor();
    assert.deepEqual(await choices(missed), ['Restore as copy', 'Close anyway']);
    host.save();
    host.state.recovered = [];
    await askHost(page);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await shows('Saved');

    host.refuse['state'] = { status: 401, body: { code: 'not-authenticated', message: 'Signed out.' } };
    await askHost(page);
    await page.getByText('You are signed out').waitFor();
    await shows('Not saved yet');
    await closeButton(page).click();
    const unknown = page
      .getByRole('alert')
      .filter({ hasText: 'DocTray can’t tell whether everything is saved' });
    await unknown.waitFor();
    assert.deepEqual(await choices(unknown), ['Try again', 'Close anyway']);
    delete host.refuse['state'];
    await unknown.getByRole('button', { name: 'Try again' }).click();
    // Meanwhile, a save of a change that the editor didn't report may have failed.
    await editorReceived('Action_Save', 5);
    host.save();
    await say('Action_Save_Resp', { success: true }).catch(() => undefined);
    await page.waitForURL(/\/closed#/);
  });

  it('stays open when that save fails, says that text typed after a refused save is only in the editor, unless the host received it too, and so does the page that follows', async () => {
    const { page, load, say, editorReceived, sites } = await open();
    // an old one, which doesn't contain this change
    sites.host.state.recovered = [{ id: 'old', receivedAtMs: 1, isUnreadable: false }];
    await load();
    await page.getByText('A save couldn’t be written').waitFor();
    await say('Doc_ModifiedStatus', { Modified: true });
    await say('UI_Close');
    await editorReceived('Action_Save');
    await say('Action_Save_Resp', { success: false, errorMsg: 'The disk is full.' });
    const notice = page.getByRole('alert').filter({ hasText: 'couldn’t save the document' });
    await notice.getByText('“The disk is full.”').waitFor();
    await notice.getByText('Your last changes are only in Collabora Online').waitFor();
    assert.deepEqual(await choices(notice), ['Save a copy…', 'Close anyway']);
    assert.equal(await notice.locator('.button-primary').innerText(), 'Save a copy…');
    await page.locator('h1 > button').focus();
    await page.keyboard.press('Escape');
    await notice.waitFor({ state: 'detached' });

    sites.host.state.recovered = [];
    await untilHostAsked(page, sites);
    sites.host.miss('recovered');
    await askHost(page);
    await page.getByText('A save couldn’t be written to the file').waitFor();
    // What is typed now isn't reported, and the host receives it, wherever the file is.
    sites.host.state.gone = { code: 'folder-missing', message: 'The hosted folder is missing.' };
    await askHost(page);
    await closeButton(page).click();
    await editorReceived('Action_Save', 2);
    sites.host.miss('recovered', 'r2');
    await say('Action_Save_Resp', { success: false });
    await notice.getByText('DocTray keeps it in Recovered saves.', { exact: true }).waitFor();
    assert.deepEqual(await choices(notice), ['Restore as copy', 'Close anyway']);
    // The editor can't save while it asks a question of its own.
    await closeButton(page).click();
    await editorReceived('Action_Save', 3);
    await say('Action_Save_Resp', { success: false });
    await notice.getByText('Anything changed since then is only in Collabora Online').waitFor();
    assert.deepEqual(await choices(notice), ['Save a copy…', 'Restore as copy', 'Close anyway']);
    await showClosedPage(page);
    await notice.getByRole('button', { name: 'Close anyway' }).click();
    await page.getByRole('heading', { name: 'The last save isn’t in the file', exact: true }).waitFor();
    const places =
      'DocTray keeps it in Recovered saves. Restore it in DocTray, or open the document again. Changes since then may not be in it.';
    await page.getByText(places, { exact: true }).waitFor();
  });

  it('asks before it closes a document whose newest save isn’t in the file', async () => {
    const { page, load, say, sites, editor, editorReceived } = await open(onlyoffice);
    const { host } = sites;
    /** In these words, with these buttons besides *Close anyway*. */
    const asks = async (words: string, ...ways: string[]): Promise<Locator> => {
      await closeButton(page).click();
      if (host.state.missed === null) {
        await editorReceived('Action_Save');
        await say('Action_Save_Resp', { success: false });
      }
      // The notice about the missed save has the same words, but another way out.
      const close = page.getByRole('button', { name: 'Close anyway' });
      const notice = page.getByRole('alert').filter({ hasText: words }).filter({ has: close });
      await notice.waitFor();
      assert.deepEqual(await choices(notice), [...ways, 'Close anyway'], words);
      const wasAsked = (await heardCount(await editor(), 'Action_Save')) > 0;
      assert.equal(wasAsked, host.state.missed === null);
      if (host.state.missed !== null) host.save();
      host.state.recovered = [];
      return close;
    };
    const nowhere = 'DocTray doesn’t have the last save';
    await load();
    for (const [kind, words, ...ways] of [
      ['recovered', 'The last save couldn’t be written to the file', 'Restore as copy'],
      ['unreadable', 'The last save isn’t a readable document', 'Open what was saved'],
      ['version', 'Another program changed the file before the last save', 'Show versions'],
      ['nowhere', nowhere],
    ] as const) {
      // The page doesn't know it before it asks again.
      host.miss(kind);
      await asks(words, ...ways);
      await askHost(page);
      await page.getByRole('alert').waitFor({ state: 'detached' });
    }
    Object.assign(host.opened, { kind: 'collabora', editorName: 'Collabora Online' });
    await page.reload();
    await load();
    host.miss('nowhere');
    await asks(nowhere, 'Save a copy…');
    await askHost(page);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await untilHostAsked(page, sites);
    await say('Doc_ModifiedStatus', { Modified: true });
    const close = await asks('Collabora Online couldn’t save the document', 'Save a copy…');
    await showClosedPage(page);
    await close.click();
    await page.getByRole('heading', { name: 'Closed without saving', exact: true }).waitFor();
  });

  it('restores or opens what was saved from the question before closing, and shows the versions', async () => {
    const { page, load, sites, shows } = await open({ ...onlyoffice, hasOwnClock: 'running' });
    const { host } = sites;
    const saved = async (): Promise<void> => {
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await shows('Saved');
    };
    await load();
    host.miss('recovered');
    await closeButton(page).click();
    await page.getByRole('alert').getByRole('button', { name: 'Restore as copy' }).click();
    await page.getByText('Restored as letter (recovered).docx').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await shows('Not saved yet', 'the file lacks it, and the editor has it');
    await page.clock.fastForward(90_000);
    await untilHostAsked(page, sites);
    await shows('Not saved yet', 'nothing writes it automatically');
    host.save();
    await askHost(page);
    await saved();
    host.miss('unreadable', 'r2');
    await closeButton(page).click();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('alert').getByRole('button', { name: 'Open what was saved' }).click(),
    ]);
    await tab.waitForURL('**/edit/file-2?ticket=abc');
    // The user hasn't decided yet.
    await shows('Not saved yet');
    const restored = callsOf(sites, 'restore');
    assert.deepEqual(
      restored.map(({ body }) => body),
      [{ id: 'r1' }, { id: 'r2' }],
    );

    host.state.recovered = [];
    host.miss('version', 'v2');
    await closeButton(page).click();
    await page.getByRole('alert').getByRole('button', { name: 'Show versions' }).click();
    await page.getByRole('region', { name: 'Versions' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await askHost(page);
    const notice = page.getByRole('alert').filter({ hasText: 'The file has the other program’s content' });
    await notice.getByRole('button', { name: 'Keep the file' }).click();
    await saved();
    assert.deepEqual(Object.keys(callOf(sites, 'keep-file')?.body ?? {}), ['missedAtMs']);
  });

  it('keeps the tab open until ONLYOFFICE has written the file, or released a document saved with Ctrl+S, and no longer than the user wants', async () => {
    const { page, load, say, shows, sites } = await open({ ...onlyoffice, hasOwnClock: 'running' });
    const { host } = sites;
    const address = page.url();
    const holder = { ...host.state.holder! };
    const edit = async (): Promise<void> => {
      await load();
      await say('Edit_Notification');
      await page.getByText('Not saved yet').waitFor();
      await untilHostAsked(page, sites);
    };
    const closes = async (): Promise<void> => {
      await say('UI_Close');
      // Before that, the page's clock must not pass the time that the host has for its answer.
      await shows('Saving…');
      await page.clock.runFor(5000);
      await page.getByRole('heading', { name: 'Saving letter.docx…' }).waitFor();
      const frames = await page.locator('iframe').count();
      assert.equal(frames, 0, 'ONLYOFFICE’s server sees that the page was left');
    };
    await edit();
    await closes();
    await untilHostAsked(page, sites);
    assert.equal(page.url(), address);
    host.save();
    await page.waitForURL(/\/closed#/);

    await page.goto(address);
    await edit();
    host.save();
    await reason(page, 'Saved at').waitFor({ state: 'attached' });
    await closes();
    host.state.holder = null;
    await page.waitForURL(/\/closed#/);

    host.state.holder = holder;
    await page.goto(address);
    await edit();
    await closes();
    host.state.holder = null;
    // While the browser waits for the next page, this one still runs.
    const leaving = await holdCalls(page, 'closed');
    const before = callsOf(sites, 'close').length;
    const closing = page.getByRole('button', { name: 'Close anyway' }).click();
    const answer = await leaving.hold();
    host.save();
    // As long as the page would need to close again.
    await assert.rejects(page.waitForRequest(/\/close$/u, { timeout: 2000 }));
    assert.equal(callsOf(sites, 'close').length, before + 1);
    await answer({});
    await closing;
    await page.waitForURL(/\/closed#/);
  });

  it('waits for what ONLYOFFICE hasn’t reported yet, however long ago the last save was, leaves its page the time to send the last words, and names a refused save', async () => {
    const { page, load, say, sites, shows } = await open({ ...onlyoffice, hasOwnClock: 'running' });
    const { host } = sites;
    await load();
    await say('Edit_Notification');
    await page.getByText('Not saved yet').waitFor();
    await untilHostAsked(page, sites);
    host.save();
    await reason(page, 'Saved at').waitFor({ state: 'attached' });
    await page.clock.fastForward(40_000);
    // A word is typed now: ONLYOFFICE reports it up to 30 s later.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await say('UI_Close');
    await shows('Saving…');
    await page.clock.runFor(3500);
    assert.equal(await page.locator('iframe').count(), 1);
    await page.clock.runFor(1000);
    await page.locator('iframe').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Saving letter.docx…' }).waitFor();
    await shows('Saving…');
    host.miss('recovered');
    host.state.holder = null;
    await page.clock.resume();
    await page.getByRole('heading', { name: 'letter.docx isn’t on disk yet' }).waitFor();
    await shows('Not saved yet');
    await page.getByText('DocTray keeps it in Recovered saves').waitFor();
    await page.getByRole('button', { name: 'Close anyway' }).click();
    await page.waitForURL(/\/closed#/);
  });

  it('names a save that was refused while it closes a page of a document that others have open, and otherwise doesn’t wait for what is written only when they have closed it', async () => {
    const { page, load, say, sites, shows } = await open({ ...onlyoffice, hasOwnClock: 'running' });
    const { host } = sites;
    host.state.holder!.otherUsers = ['Zoë'];
    await showClosedPage(page);
    await load();
    await say('Edit_Notification');
    await untilHostAsked(page, sites);
    host.save();
    await askHost(page);
    await shows('Saved');
    await closeButton(page).click();
    await shows('Saving…');
    host.miss('recovered');
    await page.clock.runFor(5000);
    const notice = page.getByRole('alert').filter({ hasText: 'The last save couldn’t be written' });
    await notice.getByText('DocTray keeps it in Recovered saves.').waitFor();
    assert.deepEqual(await choices(notice), ['Restore as copy', 'Close anyway']);
    await shows('Not saved yet');

    host.state.recovered = [];
    host.save();
    await askHost(page);
    await shows('Saved');
    // However long ago that was.
    await page.clock.fastForward(40_000);
    await closeButton(page).click();
    await page.getByRole('heading', { name: /^Saved \d\d:\d\d$/ }).waitFor();
    await page.getByText('Anything newer is written once everyone has closed the document.').waitFor();
  });

  it('asks for the name of a copy, follows Collabora to the copy, and leads back to the original if the host refuses that', async () => {
    const { page, load, say, editorReceived, sites } = await open({
      refuse: { ticket: { status: 404 } },
      mayComplain: /404/,
    });
    await load();
    const opened = {
      fileId: 'file-2',
      name: 'plan (1).odt',
      path: 'plan (1).odt',
      madeAtMs: 1,
      isOpen: true,
    };
    sites.host.state.copies = [opened];
    await askHost(page);
    const notice = page.getByText('The editor shows the copy, but this page still belongs to the original');
    await notice.waitFor();
    sites.host.state.copies = [];
    const isCopy = async (mark: boolean) =>
      page.frame({ name: 'editor' })?.evaluate((set) => {
        if (set) document.title = 'copy';
        return document.title === 'copy';
      }, mark);
    await isCopy(true);
    await page.getByRole('button', { name: 'Back to the original' }).click();
    await until('the original', async () => (await isCopy(false).catch(() => undefined)) === false);
    await load();
    await notice.waitFor({ state: 'detached' });
    delete sites.host.refuse['ticket'];

    await say('UI_SaveAs', { format: 'odt' });
    const dialog = page.getByRole('dialog', { name: 'Save a copy' });
    await dialog.waitFor();
    await editorReceived('Blur_Focus');
    const field = dialog.getByLabel('Name of the copy');
    assert.equal(await field.inputValue(), 'letter.odt');
    await field.fill('a/b');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'can’t contain' }).waitFor();
    await field.fill('plan');
    await page.keyboard.press('Enter');
    assert.deepEqual((await editorReceived('Action_SaveAs')).Values, { Filename: 'plan.odt', Notify: true });
    await editorReceived('Grab_Focus');
    await dialog.waitFor({ state: 'detached' });
    sites.host.state.copies = [
      { fileId: 'file-3', name: 'plan.odt', path: 'plan.odt', madeAtMs: 2, isOpen: false },
      opened,
    ];
    await say('Action_Save_Resp', { success: true, fileName: 'plan.odt' });
    // The frame loads the copy now, which only the host knows; the page may have asked it already, and leave.
    await say('App_LoadingStatus', { Status: 'Frame_Ready' }).catch(() => undefined);
    await page.waitForURL('**/edit/file-2?ticket=abc');
    assert.deepEqual(callsOf(sites, 'ticket').at(-1)?.body, { fileId: 'file-2', mode: 'edit' });
  });

  it('switches from viewing to editing with a ticket, unless the user may only read', async () => {
    const { page, load, say, shows, sites } = await open({
      mode: 'view',
      opened: { mode: 'view', canEdit: false },
      refuse: { ticket: { status: 403 } },
      mayComplain: /403/,
    });
    const { host } = sites;
    const edit = page.getByRole('button', { name: 'Edit' });
    await load();
    await shows('Read only');
    assert.equal(await edit.count(), 0);
    await say('UI_Edit');
    await page.getByText('Ask the owner of this DocTray if you need to edit it.').waitFor();
    host.opened.canEdit = true;
    delete host.refuse['ticket'];
    await page.reload();
    await load();
    assert.equal(await edit.count(), 1);
    await say('UI_Edit');
    await page.waitForURL('**/edit/file-2?ticket=abc');
    assert.deepEqual(host.calls.findLast(({ path }) => path.endsWith('/ticket'))?.body, {
      fileId: 'file-1',
      mode: 'edit',
    });
  });

  it('shows a link to share without a ticket, says who can open it, and where the owner can change that or what others ask the owner for; shows the extension of a long name in a narrow window; is folded for good', async () => {
    const { page, load, say, sites } = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await load();
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this document' });
    await dialog.waitFor();
    await say('UI_Sharing');
    assert.equal(await page.getByRole('dialog').count(), 1);
    const link = `${sites.hostUrl}/edit/file-1`;
    assert.equal(await dialog.getByLabel('Link').inputValue(), link);
    await dialog.getByText('This link works only on this computer.').waitFor();
    await dialog.getByText(/Settings → Users, .+ Settings → Network & HTTPS\.$/u).waitFor();
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await dialog.getByText('Copied.').waitFor();
    assert.equal(await page.evaluate(async () => navigator.clipboard.readText()), link);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await untilFrameFocused(page);

    await page.setViewportSize({ width: 450, height: 360 });
    sites.host.state.name = `${'long name '.repeat(12)}.docx`;
    await askHost(page);
    const shown = await page.getByRole('button', { name: /long name \.docx$/u }).evaluate((button) => {
      const extension = document.createRange();
      extension.selectNodeContents(button.lastChild!);
      const { width, right } = extension.getBoundingClientRect();
      return { width, right, area: button.closest('h1')!.getBoundingClientRect().right };
    });
    assert.ok(shown.width > 20 && shown.right <= shown.area, JSON.stringify(shown));
    sites.host.state.name = 'letter.docx';
    await page.getByRole('button', { name: 'Hide this bar' }).click();
    await page.getByRole('heading', { name: 'letter.docx' }).waitFor({ state: 'hidden' });
    sites.host.opened.isOwner = false;
    await page.reload();
    await page.getByRole('button', { name: 'Show the bar' }).click();
    await load();
    await say('UI_Share');
    await page
      .getByText(/, ask the owner of this DocTray to add them .+ let other computers connect\.$/u)
      .waitFor();
    await page.keyboard.press('Escape');
    await closeButton(page).click();
    await page.waitForURL(/\/closed#/);
    assert.ok(callOf(sites, 'close'));
  });

  it('returns the focus from the versions to their button or to the editor; shows the actions of one version, the newest at first, then the one that is chosen by press or keyboard', async () => {
    const { page, load, say, editorReceived, sites } = await open();
    const list = (...minutes: number[]) => {
      sites.host.versions.versions = minutes.map((minute) =>
        version(`v${minute}`, 3500, savedBy('Ana', 1_780_000_000_000 + minute * 60_000, 'explicit')),
      );
    };
    await load();
    const panel = page.getByRole('region', { name: 'Versions' });
    const button = page.getByRole('button', { name: 'Versions' });
    const focused = page.locator(':focus');
    const openings = { mouse: () => button.click(), keyboard: () => button.press('Enter') };
    const closings = {
      Escape: () => page.keyboard.press('Escape'),
      'Escape elsewhere': () => page.getByRole('button', { name: 'Share' }).press('Escape'),
      'Escape nowhere': async () => {
        await focused.blur();
        await page.keyboard.press('Escape');
      },
      '×': () => panel.getByRole('button', { name: 'Close' }).press('Enter'),
    };
    for (const [by, close] of Object.entries(closings)) {
      for (const [how, show] of Object.entries(openings)) {
        await show();
        await panel.waitFor();
        await close();
        await panel.waitFor({ state: 'detached' });
        await until(
          `the focus, opened by ${how}, closed by ${by}`,
          async () => (await button.and(focused).count()) === 1,
        );
      }
      if (by.startsWith('Escape ')) continue;
      await page.locator('iframe').focus();
      await say('UI_FileVersions');
      await panel.waitFor();
      await close();
      await panel.waitFor({ state: 'detached' });
      await untilFrameFocused(page);
    }
    await editorReceived('Grab_Focus');

    list(2, 1, 0);
    await button.click();
    const row = (time: string) => panel.getByRole('button', { name: `28 May ${time} Ana · Saved 3.5 KB` });
    const shown = async (): Promise<string[]> =>
      panel
        .locator('.versions-actions > *')
        .evaluateAll((actions) => actions.map((action) => action.getAttribute('aria-label') ?? ''));
    const actionsOf = (time: string) => [
      `Open the version from 28 May ${time} read-only`,
      `Restore the version from 28 May ${time}…`,
      `Save a copy of the version from 28 May ${time}`,
    ];
    const press = async (key: string): Promise<string> => {
      await page.keyboard.press(key);
      return page.evaluate(() => document.activeElement?.textContent ?? '');
    };
    await row('20:28').waitFor();
    assert.deepEqual(await shown(), actionsOf('20:28'));
    await row('20:27').click();
    assert.deepEqual(await shown(), actionsOf('20:27'));
    assert.equal(await row('20:27').getAttribute('aria-expanded'), 'true');

    // Tab reaches the chosen version and its actions, and no other version.
    await panel.getByRole('button', { name: 'Close' }).focus();
    for (const reached of ['28 May 20:27Ana · Saved3.5 KB', 'Open', 'Restore…', 'Save a copy'])
      assert.equal(await press('Tab'), reached);
    await row('20:27').focus();
    for (const [key, time] of [
      ['ArrowUp', '20:28'],
      ['ArrowUp', '20:28'],
      ['End', '20:26'],
      ['Home', '20:28'],
      ['ArrowDown', '20:27'],
      ['ArrowDown', '20:26'],
    ] as const)
      assert.match(await press(key), new RegExp(`^28 May ${time}`, 'u'), key);
    assert.deepEqual(await shown(), actionsOf('20:27'));
    await press('Enter');
    assert.deepEqual(await shown(), actionsOf('20:26'));

    // It stays chosen and focused when a save adds a version.
    list(3, 2, 1, 0);
    await askHost(page);
    await row('20:29').waitFor();
    assert.deepEqual(await shown(), actionsOf('20:26'));
    assert.match(await press('Space'), /^28 May 20:26/u);
    assert.deepEqual(await shown(), []);
  });

  it('shows seconds for all that is from the same minute, the comparison included, which returns the focus to its button, or restores after a question', async () => {
    const { page, load, editor, editorReceived, sites } = await open({
      state: { holder: null },
      given: ({ host }) => {
        host.comparison = { old: 'old\nkept\nold', now: 'new\nkept\nnew' };
        Object.assign(host.versions.current, savedBy('Ben', 1_780_000_005_000, 'explicit'));
      },
    });
    await load();
    await page.getByRole('button', { name: 'Versions' }).click();
    const items = page.getByRole('region', { name: 'Versions' }).getByRole('listitem');
    await items.nth(1).waitFor();
    assert.match(await items.nth(0).innerText(), /^Current\s+28 May 20:26:45/u);
    assert.match(await items.nth(1).innerText(), /^28 May 20:26:40/u);
    const compare = page.getByRole('button', { name: /^Compare the version/u });
    const dialog = page.getByRole('dialog', { name: 'Changes in “letter.docx” since 28 May 20:26:40' });
    const next = dialog.getByRole('button', { name: 'Next change' });
    const showChanges = async (): Promise<void> => {
      await compare.focus();
      await page.keyboard.press('Enter');
      await dialog.getByText('28 May 20:26:45 · Ben').waitFor();
    };
    const closings = [
      async () => page.keyboard.press('Escape'),
      // While nothing has the focus: the dialog takes it back a moment later.
      async () =>
        page.evaluate(() => {
          (document.activeElement as HTMLElement).blur();
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        }),
    ];
    for (const close of closings) {
      await showChanges();
      await editorReceived('Blur_Focus');
      await close();
      await dialog.waitFor({ state: 'detached' });
      await compare.and(page.locator(':focus')).waitFor();
    }
    assert.equal(await heardCount(await editor(), 'Grab_Focus'), 0);

    await showChanges();
    await next.click();
    assert.equal(await dialog.getByRole('status').innerText(), 'Change 1 of 2');
    await dialog.getByRole('button', { name: 'Restore this version…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await page.locator('body[data-phase="loading"]').waitFor();
    assert.equal(await page.getByText(/^Restored$/u).count(), 0);
    await load();
    await page.getByText(/^Restored$/u).waitFor();
    const { body } = callOf(sites, 'restore-version') ?? {};
    assert.deepEqual(body, { versionId: 'v1', accessTokens: ['token-one'] });
  });

  it('shows the name of a version with right-to-left letters as one piece of the title and of sentences', async () => {
    const { page } = await open({
      path: 'view/file-1?version=v1',
      given: ({ host }) => (host.opened.name = 'ناقش (2026-11-26 19.56).md'),
      mayComplain: /Scripts may close only/,
    });
    const name = '\u2068ناقش (2026-11-26 19.56).md\u2069';
    await page.waitForFunction((title) => document.title === title, `${name} – DocTray`);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(/\/closed#/u);
    const closed = new URLSearchParams(new URL(page.url()).hash.slice(1));
    assert.equal(closed.get('name'), 'ناقش (2026-11-26 19.56).md');
    assert.equal(closed.get('again'), 'view/file-1?version=v1');
  });

  it('shows the times and sizes of versions in German, starts a line with a capital letter unless it is a name, and suggests a German name for a copy', async () => {
    const { page, load, say, sites } = await open({ locale: 'de-DE' });
    const { host } = sites;
    const atMs = Date.now();
    host.versions = {
      current: { size: 11, lastModifiedMs: atMs, ...savedBy('ben', atMs, 'explicit') },
      versions: [version('v1', 10, savedBy('ana', atMs, 'autosave,exit'))],
    };
    await load();
    await page.getByRole('button', { name: 'Versionen' }).click();
    const items = page.getByRole('region', { name: 'Versionen' }).getByRole('listitem');
    await items.nth(1).waitFor();
    const [current = '', earlier = ''] = (await items.allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/gu, ' '),
    );
    assert.match(current, /^Aktuell Heute \d\d:\d\d:\d\d gerade eben ben · Gespeichert 11 Bytes$/u);
    assert.match(
      earlier,
      /^Heute \d\d:\d\d:\d\d gerade eben ana · Beim Schließen automatisch gespeichert 10 Bytes Öffnen/u,
    );
    await say('UI_SaveAs', {});
    assert.equal(await page.getByLabel('Name der Kopie').inputValue(), 'letter (Kopie).docx');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('keeps the editor open when somebody else or another tab edits the document, says who has to close it before a restore, and asks the host when another tab is left', async () => {
    const { page, load, sites } = await open({
      refuse: { 'restore-version': fileLocked },
      given: ({ host }) => (host.state.holder!.otherUsers = ['Ben']),
      mayComplain: /409/,
    });
    await load();
    await page.getByRole('button', { name: 'Versions' }).click();
    await restoreVersion(page);
    const notice = page.getByRole('alert').filter({ hasText: 'The version wasn’t restored' });
    await notice
      .getByText('This document is open for Ben. Ask them to close it, then restore the version.')
      .waitFor();
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
    assert.equal(await page.locator('iframe').count(), 1);
    assert.equal(await page.locator('body').getAttribute('data-phase'), 'ready');

    sites.host.state.holder!.otherUsers = [];
    const other = await page.context().newPage();
    const inOtherTab = async (): Promise<void> => {
      await other.goto(page.url());
      await other.locator('body[data-phase="loading"]').waitFor();
      // A busy computer takes more than 300 ms to ask another tab.
      await page.evaluate(() => {
        const { setTimeout } = window;
        Object.assign(window, { setTimeout: (work: () => void, ms = 0) => setTimeout(work, ms * 20) });
      });
      await restoreVersion(page);
      await page.getByText('You have this document open in another tab or browser.').waitFor();
      assert.equal(await page.locator('iframe').count(), 1);
    };
    await inOtherTab();
    await other.goto('about:blank');

    const held = { ...sites.host.state.holder!, userName: 'Cleo', isThisEditor: false };
    sites.host.state.holder = held;
    await restoreVersion(page);
    await page.getByText('Cleo is editing this document in Collabora Online. Ask them to close it').waitFor();

    // A page that only shows the document names another tab only while there is one.
    sites.host.opened.mode = 'view';
    sites.host.state.holder = { ...held, isThisEditor: true };
    await page.reload();
    await load();
    await page.getByRole('button', { name: 'Versions' }).click();
    await restoreVersion(page);
    await notice.getByText('The document is being edited.').waitFor();
    await inOtherTab();
    // The host assumes that both tabs were left. The regular requests are 10 s apart, so they aren't so many in that time.
    const before = requestsOfState(sites);
    await other.goto('about:blank');
    await until('requests', async () => requestsOfState(sites) >= before + 3 || undefined);
  });

  it('still restores the version when the save before it is missing and is tried again, or when ONLYOFFICE has released the document without a save', async () => {
    const opened = await open();
    const { page, load, say, editorReceived, sites } = opened;
    await load();
    await say('Doc_ModifiedStatus', { Modified: true });
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Versions' }).click();
    await restoreVersion(page);
    await editorReceived('Action_Save');
    await say('Action_Save_Resp', { success: true });
    await page.getByText('hasn’t received a save since your last change').waitFor();
    await page.getByRole('button', { name: 'Restore anyway' }).waitFor();
    await page.getByRole('button', { name: 'Save and restore' }).click();
    await editorReceived('Action_Save', 2);
    await say('Doc_ModifiedStatus', { Modified: false });
    sites.host.save();
    await untilRestored(opened, 1);

    Object.assign(sites.host.opened, onlyoffice.opened);
    await page.reload();
    await load();
    await say('Edit_Notification');
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Versions' }).click();
    await restoreVersion(page);
    await page.getByRole('heading', { name: 'Saving letter.docx…' }).waitFor();
    sites.host.state.holder = null;
    await page.getByRole('button', { name: 'Restore anyway' }).click();
    await untilRestored(opened, 2);
    assert.equal(callOf(sites, 'close'), undefined);
  });

  it('shows the latest list of versions without what was said about an earlier one, and no buttons of a deleted document until it is back', async () => {
    const { page, load, sites, shows } = await open({ mayComplain: /500|404/ });
    await load();
    const versions = await holdCalls(page, 'versions');
    const list = (...ids: string[]): object => ({
      canRestore: true,
      canCompare: false,
      current: sites.host.versions.current,
      versions: ids.map((id) => version(id, 3500, savedBy('Ana', 1_780_000_000_000, 'explicit'))),
    });
    // A restore in another tab isn't a save of this page's editor.
    const refresh = () => askHost(page);
    const panel = page.getByRole('region', { name: 'Versions' });
    const status = () => panel.locator('[role="status"]').textContent();
    await page.getByRole('button', { name: 'Versions' }).click();
    await versions.next({ code: 'x', message: 'The disk returned an error.' }, 500);
    await panel.getByText('The disk returned an error.').waitFor();
    await refresh();
    await versions.next(list('v2', 'v1'));
    await panel.getByRole('listitem').nth(2).waitFor();
    assert.equal(await status(), '');

    await refresh();
    const early = await versions.hold();
    await refresh();
    await versions.next(list('v4', 'v3', 'v2', 'v1'));
    await panel.getByRole('listitem').nth(4).waitFor();
    const isLate = page.waitForResponse(/\/versions$/u);
    await early(list('v3', 'v2', 'v1'));
    await (await isLate).finished();
    assert.equal(await panel.getByRole('listitem').count(), 5);

    const missing = { code: 'file-missing', message: 'This document doesn’t exist in the hosted folder.' };
    sites.host.state.gone = missing;
    await askHost(page);
    await versions.next(missing, 404);
    await panel.getByText('This document doesn’t exist in the hosted folder.').waitFor();
    await page.getByText('This document was deleted or moved out of the folder').waitFor();
    assert.equal(await panel.getByRole('listitem').count(), 0);
    assert.deepEqual(await panel.getByRole('button').count(), 1);
    await page.getByRole('alert').getByText('If you save, DocTray creates it again').waitFor();
    await shows('', 'there is no file');
    sites.host.state.gone = null;
    await askHost(page);
    await versions.next(list('v1'));
    await panel.getByRole('listitem').nth(1).waitFor();
    assert.equal(await status(), '');
  });
});
