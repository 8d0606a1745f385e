// Opens a document of a real host in its text editor, in a real browser, by a link as users get them. Only the host page is a stand-in
// (`whole-way.test.ts` uses the real one), and a proxy records the editor's calls.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, ConsoleMessage, Frame, Page } from 'playwright';
import { launchBrowser } from '../browser.ts';
import { sharedInGroup } from '../group.ts';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { startTestHost, type TestHost, type TestHostOptions } from '../server/test-host.ts';
import { openPage } from '../server/text-editor-host.ts';
import {
  elsewherePath,
  startRecordingProxy,
  type RecordedCall,
  type RecordingProxy,
} from './recording-proxy.ts';

const password = 'a long enough password';

export interface OpenOptions {
  mode?: 'edit' | 'view';
  /** A user that `addUser` created; the owner by default. */
  login?: string;
  theme?: 'light' | 'dark';
  hasForcedColors?: boolean;
  size?: { width: number; height: number };
  /** Opens the editor in the frame of a host page that records its messages. */
  isEmbedded?: boolean;
  /** Lets the test move the page's clock ahead. */
  hasOwnClock?: boolean;
  /** Opens another tab of the same browser, sharing its storage. */
  context?: BrowserContext;
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
  /** Types right after this text. */
  typeAfter(text: string, typed: string): Promise<void>;
  status(): Promise<string>;
  /** Waits for a status. */
  untilStatus(status: string): Promise<void>;
  notices(): Promise<string[]>;
  /** The editor's calls for this document since it was opened. */
  calls(operation?: string): RecordedCall[];
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
  proxy: RecordingProxy;
  browser: Browser;
  /** Pages to reuse, each in a context of its own. A new page starts a process, which is a third of the time to open a document. */
  idle: Page[];
  open(path: string, options?: OpenOptions): Promise<OpenTextEditor>;
  /** The content on disk. */
  onDisk(path: string): Promise<Buffer>;
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
  const proxy = await startRecordingProxy();
  const shared = await shareBrowser();
  const { browser } = shared;
  const lab: TextEditorLab = {
    host,
    proxy,
    browser,
    idle: [],
    open: async (path, given = {}) => openTextEditor(lab, path, given),
    onDisk: async (path) => readFile(join(host.folder, path)),
    async close() {
      for (const page of lab.idle) await page.context().close();
      await shared.close();
      await proxy.close();
      await host.stop();
    },
  };
  return lab;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** A page that posts the token as the host page does: into its frame, or to replace itself. */
function startPage(action: string, token: string, ttl: number, isEmbedded: boolean): string {
  const form = `<form method="post" action="${escaped(action)}" target="${isEmbedded ? 'editor' : '_self'}"><input type="hidden" name="access_token" value="${escaped(token)}"><input type="hidden" name="access_token_ttl" value="${ttl}"></form>`;
  const style =
    '<style>html,body{height:100%;margin:0}iframe{width:100%;height:100%;border:0;display:block}</style>';
  const script = `window.heard = [];
addEventListener('message', (event) => window.heard.push(JSON.parse(event.data)));
window.say = (MessageId, Values) => document.querySelector('iframe').contentWindow.postMessage(JSON.stringify({ MessageId, SendTime: Date.now(), Values }), '*');
document.querySelector('form').submit();`;
  return `<!doctype html><html lang="en"><title>Host page</title>${style}${isEmbedded ? '<iframe name="editor" title="editor"></iframe>' : ''}${form}<script>${script}</script></html>`;
}

interface HostWindow {
  heard: HeardMessage[];
  say(name: string, values: Record<string, unknown>): void;
}

const defaultSize = { width: 1100, height: 720 };

function mediaOf({ theme, hasForcedColors }: Pick<OpenOptions, 'theme' | 'hasForcedColors'>) {
  return {
    colorScheme: theme ?? 'light',
    forcedColors: hasForcedColors === true ? 'active' : 'none',
  } as const;
}

/** A context for several documents, so that the editor's script is loaded once. */
export async function newContext(
  browser: Browser,
  options: Pick<OpenOptions, 'size' | 'theme' | 'hasForcedColors'> = {},
): Promise<BrowserContext> {
  return browser.newContext({
    viewport: options.size ?? defaultSize,
    ...mediaOf(options),
    locale: 'en-GB',
  });
}

async function openTextEditor(
  { host, proxy, browser, idle }: TextEditorLab,
  path: string,
  options: OpenOptions,
): Promise<OpenTextEditor> {
  const mode = options.mode ?? 'edit';
  const apiToken = options.login === undefined ? undefined : await host.signIn(options.login, password);
  const links = await host.access(path, { mode, ...(apiToken !== undefined && { apiToken }) });
  const { opened } = await openPage(mode === 'edit' ? links.hostEditUrl : links.hostViewUrl);
  // a clock can't be uninstalled
  const canBeReused = options.context === undefined && options.hasOwnClock !== true;
  const page =
    (canBeReused ? idle.pop() : undefined) ??
    (await (options.context ?? (await newContext(browser, options))).newPage());
  const context = page.context();
  if (canBeReused) {
    await page.setViewportSize(options.size ?? defaultSize);
    await page.emulateMedia(mediaOf(options));
  }
  const problems: string[] = [];
  const noteMessage = (message: ConsoleMessage): void => {
    // tests expect refused locks and hosts that don't respond
    const isExpected =
      /Failed to load resource: (?:the server responded with a status of [45]\d\d|net::ERR_(?:EMPTY_RESPONSE|CONNECTION_RE\w+))/;
    if (['error', 'warning'].includes(message.type()) && !isExpected.test(message.text()))
      problems.push(message.text());
  };
  const noteError = (error: Error) => problems.push(error.message);
  page.on('console', noteMessage);
  page.on('pageerror', noteError);
  const firstCall = proxy.calls.length;
  const isEmbedded = options.isEmbedded === true;
  // Each site gets its own browser process, so only embedded editors have a start page at the host's address.
  const body = startPage(proxy.follow(opened.action), opened.accessToken, opened.accessTokenTtl, isEmbedded);
  const start = isEmbedded ? `${host.baseUrl}/start-of-the-text-editor` : proxy.show(body);
  // Interception switches the browser's cache off, so others get their start page from a server.
  if (isEmbedded)
    await page.route(start, async (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
    );
  const elsewhere = `${proxy.url}${elsewherePath}`;
  if (options.hasOwnClock === true) await page.clock.install();
  await page.goto(start);
  const frame = await until('the editor’s page', () =>
    page.frames().find((candidate) => candidate.url().startsWith(`${proxy.url}/`)),
  );
  await frame.locator('.bar .state').waitFor();

  const status = async (): Promise<string> => frame.locator('.bar .state').innerText();
  const editor: OpenTextEditor = {
    page,
    context,
    frame,
    fileId: links.fileId,
    text: async () =>
      frame.evaluate(() => {
        // CodeMirror stores its view on its element
        const content = document.querySelector('.cm-content') as unknown as {
          cmTile?: { view: { state: { doc: { toString(): string } } } };
          cmView?: { view: { state: { doc: { toString(): string } } } };
        } | null;
        return (content?.cmTile ?? content?.cmView)?.view.state.doc.toString() ?? '';
      }),
    async typeAfter(text, typed) {
      await frame.evaluate((wanted) => {
        interface View {
          state: { doc: { toString(): string } };
          dispatch(change: unknown): void;
          focus(): void;
        }
        const content = document.querySelector('.cm-content') as unknown as {
          cmTile?: { view: View };
          cmView?: { view: View };
        } | null;
        const view = (content?.cmTile ?? content?.cmView)?.view;
        const at = view?.state.doc.toString().indexOf(wanted) ?? -1;
        if (view === undefined || at < 0) throw new Error(`The text doesn’t contain ${wanted}.`);
        view.dispatch({ selection: { anchor: at + wanted.length }, scrollIntoView: true });
        view.focus();
      }, text);
      await page.keyboard.type(typed);
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
    calls: (operation) =>
      proxy.calls
        .slice(firstCall)
        .filter(
          (call) =>
            call.headers.authorization === `Bearer ${opened.accessToken}` &&
            (operation === undefined || call.operation === operation),
        ),
    heard: async () => page.evaluate(() => (globalThis as unknown as HostWindow).heard),
    say: async (name, values = {}) =>
      page.evaluate(
        (message) => {
          (globalThis as unknown as HostWindow).say(message.name, message.values);
        },
        { name, values },
      ),
    problems,
    async leave() {
      page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
      const had = editor.calls('LOCK').some(({ status }) => status === 200);
      // An exit save unlocks, too.
      const all = () =>
        editor
          .calls()
          .filter(
            ({ operation, headers }) => operation === 'UNLOCK' || headers['x-doctray-unlock'] === 'true',
          );
      const before = all().length;
      await page.goto(elsewhere);
      if (!had) return;
      const unlocks = () => all().slice(before);
      // A page that lost its lock doesn't release it.
      const isAsked = await until('the UNLOCK', () => unlocks().length > 0, 1000).catch(() => false);
      const isAnswered = () => unlocks().some(({ status }) => status !== 0);
      if (isAsked) await until('its answer', isAnswered).catch(() => undefined);
    },
    async close() {
      if (!page.isClosed()) await editor.leave();
      if (!canBeReused || page.isClosed() || context.pages().length > 1) {
        if (options.context === undefined) await context.close();
        else await page.close();
        return;
      }
      page.off('console', noteMessage);
      page.off('pageerror', noteError);
      page.removeAllListeners('dialog');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // the next test plays another user, who must not find this one's storage
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      idle.push(page);
    },
  };
  return editor;
}
