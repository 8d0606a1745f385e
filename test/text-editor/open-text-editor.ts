// Opens a document of a real host in its text editor, in a real browser, by a link as users get them. Only the host page is a stand-in;
// `whole-way.test.ts` uses the real one.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, ConsoleMessage, Frame, Page, Request } from 'playwright';
import { launchBrowser } from '../browser.ts';
import { sharedInGroup } from '../group.ts';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { heldLockId } from '../../app/wopi/lock-rules.ts';
import { startTestHost, type TestHost, type TestHostOptions } from '../server/test-host.ts';
import { openPage } from '../server/text-editor-host.ts';

const password = 'a long enough password';

/** The page's timers run so many times as fast, because tests would mostly wait for automatic saves and polls. */
export const pace = 5;

export interface OpenOptions {
  mode?: 'edit' | 'view';
  /** A user that `addUser` created; the owner by default. */
  login?: string;
  size?: { width: number; height: number };
  /** Opens the editor in the frame of a host page that records its messages. */
  isEmbedded?: boolean;
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

export interface OpenTextEditor {
  page: Page;
  context: BrowserContext;
  /** The editor's own frame: the page itself when it isn't embedded. */
  frame: Frame;
  fileId: string;
  /** The text in the editor, with CRLF and CR as LF. */
  text(): Promise<string>;
  /** Waits until the editor has this text. */
  untilText(text: string): Promise<void>;
  /** Types right after this text. */
  typeAfter(text: string, typed: string): Promise<void>;
  /** The same, and isn't saved automatically for 8 s. */
  typeUnsaved(text: string, typed: string): Promise<void>;
  status(): Promise<string>;
  /** Waits for a status. */
  untilStatus(status: string): Promise<void>;
  notices(): Promise<string[]>;
  /** Presses the button of this name. */
  press(button: string): Promise<void>;
  /** Opens the menu and chooses an item. */
  choose(item: string): Promise<void>;
  /** The editor's calls for this document since it was opened. */
  calls(operation?: string): RecordedCall[];
  /** Two polls that begin from now on have been answered, because one may be on its way. */
  polled(): Promise<void>;
  /** Timers run so many times as fast from now on, after a poll. */
  setPace(pace: number): Promise<void>;
  /** Moves the page's clock ahead. */
  passTime(ms: number): Promise<void>;
  /** Calls of this operation wait until the returned function is called. */
  holdUp(operation: string): Promise<() => void>;
  /** Waits for the page's lock to be released. */
  untilUnlocked(): Promise<void>;
  /** The messages that the host page got; only when it is embedded. */
  heard(): Promise<HeardMessage[]>;
  say(name: string, values?: Record<string, unknown>): Promise<void>;
  /** Errors and warnings of the browser. */
  problems: string[];
  /** Goes to another page, as a user would, accepting that unsaved text is lost. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

export interface TextEditorLab {
  host: TestHost;
  browser: Browser;
  /** Pages to reuse, each in a context of its own. A new page starts a process, which is a third of the time to open a document. */
  idle: Page[];
  open(path: string, options?: OpenOptions): Promise<OpenTextEditor>;
  /** Opens a new file of its own to edit, and waits until it can be edited. */
  openNew(content: string, options?: OpenOptions): Promise<{ name: string; editor: OpenTextEditor }>;
  write(path: string, content: string | Buffer): Promise<void>;
  onDisk(path: string): Promise<Buffer>;
  textOnDisk(path: string): Promise<string>;
  /** Waits until the file has this text. */
  untilOnDisk(path: string, text: string): Promise<void>;
  forceClear(editor: OpenTextEditor): Promise<unknown>;
  revokeTokens(): void;
  close(): Promise<void>;
}

export async function addUser(host: TestHost, login: string, displayName: string): Promise<void> {
  await host.host.services.users.add({ login, displayName, role: 'editor', password });
}

/** Polls until `probe` finds something. */
export async function until<Found>(
  what: string,
  probe: () => Promise<Found | undefined | false> | Found | undefined | false,
  limitMs = 60_000,
): Promise<Found> {
  const startedAtMs = Date.now();
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    const waitedMs = Date.now() - startedAtMs;
    if (waitedMs >= limitMs) throw new Error(`Timed out waiting for ${what}.`);
    // Polls often at first; later less often, to leave the processor to other tests.
    await pause(Math.min(20 + waitedMs / 4, 250));
  }
}

export async function untilEqual(read: () => Promise<string>, wanted: string): Promise<void> {
  let found = '';
  const isFound = async (): Promise<boolean> => (found = await read()) === wanted;
  await until('the text', isFound).catch(() => assert.equal(found, wanted));
}

/** One browser for all files of a process. */
const shareBrowser = sharedInGroup(async () => {
  const browser = await launchBrowser({
    withoutCompositing: process.env['DOCTRAY_TEST_RUN'] !== undefined,
    // the host page comes from the test, so Chromium takes it for a page from the internet
    args: ['--disable-features=LocalNetworkAccessChecks'],
  });
  return { browser, close: () => browser.close() };
});

export async function startTextEditorLab(options: TestHostOptions = {}): Promise<TextEditorLab> {
  const host = await startTestHost({
    ...options,
    settings: { textEditor: true, ...options.settings },
    pagesBuild: pagesBuild(process.env),
  });
  const shared = await shareBrowser();
  const { browser } = shared;
  const { services } = host.host;
  let count = 0;
  const lab: TextEditorLab = {
    host,
    browser,
    idle: [],
    open: async (path, given = {}) => openTextEditor(lab, path, given),
    async openNew(content, given) {
      count += 1;
      const name = `file-${count}.txt`;
      await lab.write(name, content);
      const editor = await lab.open(name, given);
      await editor.untilStatus('Saved');
      return { name, editor };
    },
    write: async (path, content) => writeFile(join(host.folder, path), content),
    onDisk: async (path) => readFile(join(host.folder, path)),
    textOnDisk: async (path) => readFile(join(host.folder, path), 'utf8'),
    untilOnDisk: async (path, text) => untilEqual(async () => lab.textOnDisk(path).catch(String), text),
    forceClear: async ({ fileId }) => services.locks.forceClear(fileId, 'owner'),
    revokeTokens() {
      for (const { id } of services.accessTokens.list()) services.accessTokens.revoke(id);
    },
    async close() {
      for (const page of lab.idle) await page.context().close();
      await shared.close();
      await host.stop();
    },
  };
  return lab;
}

declare global {
  /** What tests use in a page. */
  interface Window {
    /** In the host page. */
    heard: HeardMessage[];
    say(name: string, values: Record<string, unknown>): void;
    pace: number;
    aheadMs: number;
  }
}

const defaultSize = { width: 1100, height: 720 };

const hostPage = `<!doctype html><html lang="en"><title>Host page</title>
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
  await context.addInitScript(quicken, pace);
  return context;
}

/** Runs in the page, before its scripts. */
export function quicken(pace: number): void {
  const { setTimeout } = window;
  const { now } = Date;
  Object.assign(window, {
    pace,
    aheadMs: 0,
    setTimeout: (work: () => void, ms = 0, ...rest: unknown[]) => setTimeout(work, ms / window.pace, ...rest),
  });
  Date.now = () => now() + window.aheadMs;
}

/** The element that CodeMirror stores its view on. */
export interface TextElement extends HTMLElement {
  cmTile: {
    view: { state: { doc: { toString(): string } }; dispatch(change: unknown): void; focus(): void };
  };
}

async function openTextEditor(
  { host, browser, idle }: TextEditorLab,
  path: string,
  options: OpenOptions,
): Promise<OpenTextEditor> {
  const mode = options.mode ?? 'edit';
  const apiToken = options.login === undefined ? undefined : await host.signIn(options.login, password);
  const links = await host.access(path, { mode, ...(apiToken !== undefined && { apiToken }) });
  const { opened } = await openPage(mode === 'edit' ? links.hostEditUrl : links.hostViewUrl);
  const canBeReused = options.context === undefined;
  const page =
    (canBeReused ? idle.pop() : undefined) ??
    (await (options.context ?? (await newContext(browser, options))).newPage());
  const context = page.context();
  if (canBeReused) await page.setViewportSize(options.size ?? defaultSize);
  const problems: string[] = [];
  const noteMessage = (message: ConsoleMessage): void => {
    // tests expect refused locks and hosts that don't respond
    const isExpected =
      /Failed to load resource: (?:the server responded with a status of [45]\d\d|net::ERR_(?:EMPTY_RESPONSE|CONNECTION_RE\w+))/;
    if (['error', 'warning'].includes(message.type()) && !isExpected.test(message.text()))
      problems.push(message.text());
  };
  const noteError = (error: Error) => problems.push(error.message);
  const calls = new Map<Request, RecordedCall>();
  const noteCall = (request: Request): void => {
    const [, contents] = /\/wopi\/files\/[\w-]+(\/contents)?$/.exec(request.url()) ?? [undefined];
    const headers = request.headers();
    if (headers['authorization'] === undefined) return;
    const operation = headers['x-wopi-override'] ?? (contents ? 'GET_FILE' : 'CHECK_FILE_INFO');
    calls.set(request, { operation, status: 0, headers, atMs: Date.now() });
  };
  page.on('console', noteMessage);
  page.on('pageerror', noteError);
  page.on('request', noteCall);
  page.on('response', (response) => {
    const call = calls.get(response.request());
    if (call !== undefined) call.status = response.status();
  });
  const isEmbedded = options.isEmbedded === true;
  if (isEmbedded) {
    const start = `${host.baseUrl}/start-of-the-text-editor`;
    await page.route(start, async (route) => route.fulfill({ contentType: 'text/html', body: hostPage }));
    await page.goto(start);
  }
  await page.evaluate(postToken, { ...opened, target: isEmbedded ? 'editor' : '_self' });
  const { origin } = new URL(opened.action);
  const frame = await until('the editor’s page', () =>
    page.frames().find((candidate) => candidate.url().startsWith(`${origin}/`)),
  );
  await frame.locator('.bar .state').waitFor();

  const status = async (): Promise<string> => frame.locator('.bar .state').innerText();
  const lockId = (): string | undefined =>
    editor.calls('LOCK').findLast((call) => call.status === 200)?.headers['x-wopi-lock'];
  const isUnlocked = (): boolean => heldLockId(host.host.services.locks.state(links.fileId)) !== lockId();
  const editor: OpenTextEditor = {
    page,
    context,
    frame,
    fileId: links.fileId,
    text: async () =>
      frame.evaluate(
        () => document.querySelector<TextElement>('.cm-content')?.cmTile.view.state.doc.toString() ?? '',
      ),
    untilText: async (wanted) => untilEqual(editor.text, wanted),
    async typeAfter(text, typed) {
      await frame.evaluate((wanted) => {
        const view = document.querySelector<TextElement>('.cm-content')?.cmTile.view;
        const at = view?.state.doc.toString().indexOf(wanted) ?? -1;
        if (view === undefined || at < 0) throw new Error(`The text doesn’t contain ${wanted}.`);
        view.dispatch({ selection: { anchor: at + wanted.length }, scrollIntoView: true });
        view.focus();
      }, text);
      await page.keyboard.type(typed);
    },
    async typeUnsaved(text, typed) {
      await frame.evaluate(() => void (window.pace = 0.2));
      await editor.typeAfter(text, typed);
      await editor.setPace(pace);
    },
    status,
    async untilStatus(wanted) {
      // In the page, because polling would take as much processor time as the rest of a save.
      const isShown = frame.evaluate(async (text) => {
        const has = () => document.querySelector<HTMLElement>('.bar .state')?.innerText === text;
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
      const timedOut = pause(60_000, undefined, { ref: false }).then(async () => {
        throw new Error(`Timed out waiting for the status ${wanted}; it is ${await status()}.`);
      });
      await Promise.race([isShown, timedOut]);
    },
    notices: async () => {
      const texts = await frame.locator('.notice > div:first-of-type').allInnerTexts();
      return texts.map((text) => text.replaceAll(/\s+/gu, ' '));
    },
    press: async (name) => frame.getByRole('button', { name, exact: true }).click(),
    async choose(name) {
      await editor.press('More');
      await frame.getByRole('menuitem', { name, exact: true }).click();
    },
    calls: (operation) =>
      [...calls.values()].filter((call) => operation === undefined || call.operation === operation),
    async polled() {
      const before = editor.calls('CHECK_FILE_INFO').length;
      await until('two polls', () =>
        editor
          .calls('CHECK_FILE_INFO')
          .slice(before + 2)
          .some((call) => call.status !== 0),
      );
    },
    async setPace(given) {
      await frame.evaluate((pace) => {
        window.pace = pace;
        dispatchEvent(new Event('online'));
      }, given);
      await until('the poll', () => editor.calls('CHECK_FILE_INFO').at(-1)?.status !== 0);
    },
    passTime: async (ms) => frame.evaluate((byMs) => void (window.aheadMs += byMs), ms),
    async holdUp(operation) {
      const { promise, resolve } = Promise.withResolvers<void>();
      await page.route('**/wopi/files/**', async (route) => {
        if (calls.get(route.request())?.operation === operation) await promise;
        await route.continue().catch(() => undefined);
      });
      return resolve;
    },
    untilUnlocked: async () => until('the released lock', isUnlocked).then(() => undefined),
    heard: async () => page.evaluate(() => window.heard),
    say: async (name, values = {}) =>
      page.evaluate((message) => window.say(message.name, message.values), { name, values }),
    problems,
    async leave() {
      page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
      // a page of the editor's origin without a script
      await page.goto(`${origin}/edit`);
      // A page that lost its access can't release its lock.
      await until('the released lock', isUnlocked, 2000).catch(() => undefined);
    },
    async close() {
      if (!page.isClosed()) await editor.leave();
      if (!canBeReused || page.isClosed() || context.pages().length > 1) {
        if (options.context === undefined) await context.close();
        else await page.close();
        return;
      }
      for (const event of ['console', 'pageerror', 'request', 'response', 'dialog'] as const)
        page.removeAllListeners(event);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // the next test plays another user, who must not find this one's storage
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      // The editor's origin allows no script there.
      await page.goto('about:blank');
      idle.push(page);
    },
  };
  return editor;
}
