// Opens a document of a real host in its text editor, in a real browser, by a link as users get them: alone in a tab, in a page that
// records the editor's messages, or in the real host page.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Frame, Page, Request } from 'playwright';
import { launchBrowser, noteProblems } from '../browser.ts';
import { sharedInGroup } from '../group.ts';
import { until } from '../until.ts';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { heldLockId } from '../../app/wopi/lock-rules.ts';
import { startTestHost, type TestHost, type TestHostOptions } from '../server/test-host.ts';
import { openPage } from '../server/text-editor-host.ts';

const password = 'a long enough password';

/** The page's timers run so many times as fast, because tests would mostly wait for automatic saves. */
export const pace = 5;
/** No other limit: a busy computer takes seconds for what is usually at once. */
export const patienceMs = 120_000;

export interface OpenOptions {
  mode?: 'edit' | 'view';
  /** A user that `addUser` created; the owner by default. */
  login?: string;
  size?: { width: number; height: number };
  /** What is around the editor. Default: nothing. */
  around?: 'recorder' | 'host page';
  /** Opens another tab of the same browser, sharing its storage. */
  context?: BrowserContext;
}

/** A call of the editor's page. */
export interface RecordedCall {
  /** X-WOPI-Override: `PUT`, `LOCK` …; `CHECK_FILE_INFO` and `GET_FILE` for the two calls without it. */
  operation: string;
  /** 0 until there is a response. */
  status: number;
  headers: Readonly<Record<string, string>>;
  atMs: number;
}

export interface HeardMessage {
  MessageId: string;
  Values: Record<string, unknown>;
}

export type TextEditorLab = Awaited<ReturnType<typeof startTextEditorLab>>;
export type OpenTextEditor = Awaited<ReturnType<typeof show>>;

export async function addUser({ host }: TextEditorLab, login: string, displayName: string): Promise<void> {
  await host.host.services.users.add({ login, displayName, role: 'editor', password });
}

async function untilEqual(read: () => Promise<string>, wanted: string): Promise<void> {
  let found = '';
  const isFound = async (): Promise<boolean> => (found = await read()) === wanted;
  await until('the text', isFound).catch(() => assert.equal(found, wanted));
}

/** One browser for all files of a process. */
const shareBrowser = sharedInGroup(async () => {
  const browser = await launchBrowser({
    withoutCompositing: process.env['DOCTRAY_TEST_RUN'] !== undefined,
    // the recording page comes from the test, so Chromium takes it for a page from the internet
    args: ['--disable-features=LocalNetworkAccessChecks'],
  });
  return { browser, close: () => browser.close() };
});

/** Where documents are opened. */
interface Place {
  host: TestHost;
  browser: Browser;
  /** Pages to reuse, each in a context of its own. A new page starts a process, which is a third of the time to open a document. */
  idle: Page[];
}

export async function startTextEditorLab(options: TestHostOptions = {}) {
  const host = await startTestHost({
    ...options,
    settings: { textEditor: true, ...options.settings },
    pagesBuild: pagesBuild(process.env),
  });
  const shared = await shareBrowser();
  const place: Place = { host, browser: shared.browser, idle: [] };
  const { services } = host.host;
  let count = 0;
  const write = async (path: string, content: string | Buffer) => writeFile(join(host.folder, path), content);
  const textOnDisk = async (path: string) => readFile(join(host.folder, path), 'utf8');
  const open = async (path: string, given: OpenOptions = {}): Promise<OpenTextEditor> => {
    const { mode = 'edit', login } = given;
    const apiToken = login === undefined ? undefined : await host.signIn(login, password);
    const { hostEditUrl, hostViewUrl } = await host.access(path, {
      mode,
      ...(apiToken !== undefined && { apiToken }),
    });
    return show(place, mode === 'edit' ? hostEditUrl : hostViewUrl, given);
  };
  return {
    host,
    browser: shared.browser,
    open,
    /** Opens the address of a host page. */
    openLink: async (url: string, context?: BrowserContext): Promise<OpenTextEditor> =>
      show(place, url, { around: 'host page', ...(context !== undefined && { context }) }),
    /** Opens a new file of its own to edit, and waits until it can be edited. */
    async openNew(content: string, given: OpenOptions = {}) {
      count += 1;
      const name = `file-${count}.txt`;
      await write(name, content);
      const editor = await open(name, given);
      await editor.untilStatus('Saved');
      return { name, editor };
    },
    write,
    onDisk: async (path: string): Promise<Buffer> => readFile(join(host.folder, path)),
    textOnDisk,
    /** Waits until the file has this text. */
    untilOnDisk: async (path: string, text: string) =>
      untilEqual(async () => textOnDisk(path).catch(String), text),
    forceClear: async ({ fileId }: OpenTextEditor) => services.locks.forceClear(fileId, 'owner'),
    revokeTokens(): void {
      for (const { id } of services.accessTokens.list()) services.accessTokens.revoke(id);
    },
    async close(): Promise<void> {
      for (const page of place.idle) await page.context().close();
      await shared.close();
      await host.stop();
    },
  };
}

declare global {
  /** What tests use in a page. */
  interface Window {
    /** In the page that records messages. */
    heard: HeardMessage[];
    say(name: string, values: Record<string, unknown>): void;
    pace: number;
    aheadMs: number;
  }
}

const defaultSize = { width: 1100, height: 720 };

const recorder = `<!doctype html><html lang="en"><title>Host page</title>
<style>html,body{height:100%;margin:0}iframe{width:100%;height:100%;border:0;display:block}</style>
<iframe name="editor" title="editor"></iframe><script>window.heard = [];
addEventListener('message', (event) => window.heard.push(JSON.parse(event.data)));
window.say = (MessageId, Values) => document.querySelector('iframe').contentWindow.postMessage(JSON.stringify({ MessageId, SendTime: Date.now(), Values }), '*');
</script></html>`;

/** In the page: posts the token as the host page does, into its frame or to replace itself. */
function postToken(to: {
  action: string;
  accessToken: string;
  accessTokenTtl: number;
  target: string;
}): void {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: to.action, target: to.target });
  const fields = { access_token: to.accessToken, access_token_ttl: String(to.accessTokenTtl) };
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  form.submit();
}

/** A context whose pages have timers that are `pace` times as fast. */
export async function newContext(
  browser: Browser,
  options: { bypassCSP?: boolean; size?: OpenOptions['size'] } = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: options.size ?? defaultSize,
    bypassCSP: options.bypassCSP ?? false,
    locale: 'en-GB',
  });
  context.setDefaultTimeout(patienceMs);
  await context.addInitScript(quicken, pace);
  return context;
}

/**
 * Runs in the page, before its scripts. Its polls, after 1.4 s, are no faster: they would take a tenth of a processor. Waits start one.
 * A host page asks the host only when something happened, and its messages stay, because a busy computer may look later.
 */
export function quicken(pace: number): void {
  const { setTimeout, setInterval } = window;
  const paceOf = (ms: number): number => (ms === 1400 ? Math.min(window.pace, 1) : window.pace);
  const { now } = Date;
  Object.assign(window, {
    pace,
    aheadMs: 0,
    setTimeout: (work: () => void, ms = 0, ...rest: unknown[]) => setTimeout(work, ms / paceOf(ms), ...rest),
    setInterval: (work: () => void, ms = 0) => setInterval(work, ms < 8000 ? ms : 1e9),
  });
  Date.now = () => now() + window.aheadMs;
}

/** The element that CodeMirror stores its view on. */
export interface TextElement extends HTMLElement {
  cmTile: {
    view: { state: { doc: { toString(): string } }; dispatch(change: unknown): void; focus(): void };
  };
}

const isEditor = (frame: Frame): boolean => /\/(?:edit|view)\?/u.test(frame.url());

/** @param link to the document's host page */
async function show({ host, browser, idle }: Place, link: string, options: OpenOptions) {
  const { around, context: given } = options;
  const canBeReused = given === undefined;
  const page =
    (canBeReused ? idle.pop() : undefined) ??
    (await (given ?? (await newContext(browser, options))).newPage());
  const context = page.context();
  if (canBeReused) await page.setViewportSize(options.size ?? defaultSize);
  // Tests expect refused locks and hosts that don't respond.
  const expected =
    /Failed to load resource: (?:the server responded with a status of [45]\d\d|net::ERR_(?:EMPTY_RESPONSE|CONNECTION_RE\w+))/;
  const { problems } = noteProblems(page, expected);
  const calls = new Map<Request, RecordedCall>();
  const noteCall = (request: Request): void => {
    const [, contents] = /\/wopi\/files\/[\w-]+(\/contents)?$/.exec(request.url()) ?? [undefined];
    const headers = request.headers();
    if (headers['authorization'] === undefined) return;
    const operation = headers['x-wopi-override'] ?? (contents ? 'GET_FILE' : 'CHECK_FILE_INFO');
    calls.set(request, { operation, status: 0, headers, atMs: Date.now() });
  };
  page.on('request', noteCall);
  page.on('response', (response) => {
    const call = calls.get(response.request());
    if (call !== undefined) call.status = response.status();
  });
  let pageUrl = link;
  if (around === 'host page') {
    await page.goto(link);
    pageUrl = page.url();
  } else {
    const entered = await openPage(link);
    ({ pageUrl } = entered);
    if (around === 'recorder') {
      const start = `${host.baseUrl}/start-of-the-text-editor`;
      await page.route(start, async (route) => route.fulfill({ contentType: 'text/html', body: recorder }));
      await page.goto(start);
    }
    await page.evaluate(postToken, { ...entered.opened, target: around === undefined ? '_self' : 'editor' });
  }
  const fileId = new URL(pageUrl).pathname.split('/').at(-1) ?? '';
  const frame = await until('the editor’s page', () => page.frames().find(isEditor));
  const { origin } = new URL(frame.url());
  await frame.locator('.bar .state').waitFor();

  const status = async (): Promise<string> => frame.locator('.bar .state').innerText();
  const callsOf = (operation?: string): RecordedCall[] =>
    [...calls.values()].filter((call) => operation === undefined || call.operation === operation);
  const lockId = (): string | undefined =>
    callsOf('LOCK').findLast((call) => call.status === 200)?.headers['x-wopi-lock'];
  const isUnlocked = (): boolean => heldLockId(host.host.services.locks.state(fileId)) !== lockId();
  const text = async (): Promise<string> =>
    frame.evaluate(
      () => document.querySelector<TextElement>('.cm-content')?.cmTile.view.state.doc.toString() ?? '',
    );
  const press = async (name: string): Promise<void> =>
    frame.getByRole('button', { name, exact: true }).click();
  /** Types right after this text; `''`: at the start. */
  const typeAfter = async (wanted: string, typed: string): Promise<void> => {
    await frame.evaluate((before) => {
      const view = document.querySelector<TextElement>('.cm-content')?.cmTile.view;
      const at = view?.state.doc.toString().indexOf(before) ?? -1;
      if (view === undefined || at < 0) throw new Error(`The text doesn’t contain ${before}.`);
      view.dispatch({ selection: { anchor: at + before.length }, scrollIntoView: true });
      view.focus();
    }, wanted);
    // A key takes as long as all letters together.
    if (typed !== '') await page.keyboard.insertText(typed);
  };
  /** The page polls now, unless its own pauses matter. */
  const poll = async () => frame.evaluate(() => window.pace > 1 && dispatchEvent(new Event('online')));
  /** Timers run so many times as fast from now on, after a poll. */
  const setPace = async (wanted: number): Promise<void> => {
    await frame.evaluate((next) => {
      window.pace = next;
      dispatchEvent(new Event('online'));
    }, wanted);
    await until('the poll', () => callsOf('CHECK_FILE_INFO').at(-1)?.status !== 0);
  };
  /** Goes to another page, as a user would, accepting that unsaved text is lost. */
  const leave = async (): Promise<void> => {
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    // a page of the editor's origin without a script
    await page.goto(`${origin}/edit`);
    // A page that lost its access can't release its lock.
    await until('the released lock', isUnlocked, 2000).catch(() => undefined);
  };
  return {
    page,
    context,
    /** The editor's own frame: the page itself when it is alone in its tab. */
    frame,
    fileId,
    /** The text in the editor, with CRLF and CR as LF. */
    text,
    /** Waits until the editor has this text. */
    untilText: async (wanted: string) => poll().then(async () => untilEqual(text, wanted)),
    typeAfter,
    /** The same, and isn't saved automatically for 8 s. */
    async typeUnsaved(wanted: string, typed: string): Promise<void> {
      await frame.evaluate(() => void (window.pace = 0.2));
      await typeAfter(wanted, typed);
      await setPace(pace);
    },
    status,
    async untilStatus(wanted: string): Promise<void> {
      await poll();
      // In the page, because polling would take as much processor time as the rest of a save.
      const isShown = frame.evaluate(async (shown) => {
        const has = () => document.querySelector<HTMLElement>('.bar .state')?.innerText === shown;
        if (has()) return;
        await new Promise<void>((resolve) => {
          const observer = new MutationObserver(() => {
            if (!has()) return;
            observer.disconnect();
            resolve();
          });
          observer.observe(document, { subtree: true, childList: true, characterData: true });
        });
      }, wanted);
      const timedOut = pause(patienceMs, undefined, { ref: false }).then(async () => {
        throw new Error(`Timed out waiting for the status ${wanted}; it is ${await status()}.`);
      });
      await Promise.race([isShown, timedOut]);
    },
    notices: async (): Promise<string[]> => {
      const texts = await frame.locator('.notice > div:first-of-type').allInnerTexts();
      return texts.map((notice) => notice.replaceAll(/\s+/gu, ' '));
    },
    /** Waits for a text in the editor's page. */
    untilShown: async (wanted: string | RegExp) => poll().then(async () => frame.getByText(wanted).waitFor()),
    /** Presses the button of this name. */
    press,
    /** Opens the menu and chooses an item, and waits for the field of the dialog that it opens. */
    async choose(item: string): Promise<void> {
      await press('More');
      await frame.getByRole('menuitem', { name: item, exact: true }).click();
      if (item.endsWith('…')) await frame.locator('[role="dialog"] input:focus').waitFor();
    },
    /** The editor's calls for this document since it was opened. */
    calls: callsOf,
    /** Two polls that begin from now on have been answered, because one may be on its way. */
    async polled(): Promise<void> {
      const before = callsOf('CHECK_FILE_INFO').length;
      await until('two polls', async () => {
        await poll();
        return callsOf('CHECK_FILE_INFO')
          .slice(before + 2)
          .some((call) => call.status !== 0);
      });
    },
    setPace,
    /** Moves the page's clock ahead. */
    passTime: async (ms: number) => frame.evaluate((byMs) => void (window.aheadMs += byMs), ms),
    /** Calls of this operation wait until the returned function is called. */
    async holdUp(operation: string): Promise<() => void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      await page.route('**/wopi/files/**', async (route) => {
        if (calls.get(route.request())?.operation === operation) await promise;
        await route.continue().catch(() => undefined);
      });
      return resolve;
    },
    /** Waits for the page's lock to be released. */
    untilUnlocked: async () => until('the released lock', isUnlocked),
    /** The messages that the recording page got. */
    heard: async () => page.evaluate(() => window.heard),
    /** The recording page says this to the editor. */
    say: async (name: string, values: Record<string, unknown> = {}) =>
      page.evaluate((message) => window.say(message.name, message.values), { name, values }),
    /** Errors and warnings of the browser. */
    problems,
    leave,
    async close(): Promise<void> {
      if (!page.isClosed()) await leave();
      if (!canBeReused || page.isClosed()) {
        if (given === undefined) await context.close();
        else await page.close();
        return;
      }
      for (const other of context.pages()) if (other !== page) await other.close();
      for (const event of ['console', 'pageerror', 'request', 'response', 'dialog'] as const)
        page.removeAllListeners(event);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // the next test plays another user, who must not find this one's cookies and storage
      await context.clearCookies();
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      // The editor's origin allows no script there.
      await page.goto('about:blank');
      idle.push(page);
    },
  };
}
