// Documents in windows of the app, with a fake of Electron's BrowserWindow.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { BrowserWindow, BrowserWindowConstructorOptions, DownloadItem, WebContents } from 'electron';
import { createEditorPages, type EditorPagesDeps } from '../../../app/desktop/editor-window.ts';
import type { Ruling } from '../../../app/desktop/guards.ts';
import type { Question } from '../../../app/desktop/desktop.ts';
import { faultOf } from '../../../app/editors/editor-fault.ts';
import { questions, quietLog, settled } from './desktop-fixture.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctray-editor-window-'));
});
after(() => rm(folder, { recursive: true, force: true }));

class FakeContents extends EventEmitter {
  url = '';
  reloads = 0;
  isMuted = false;
  setAudioMuted(isMuted: boolean): void {
    this.isMuted = isMuted;
  }
  getURL(): string {
    return this.url;
  }
  reload(): void {
    this.reloads += 1;
  }
}

class FakeWindow extends EventEmitter {
  static created: FakeWindow[] = [];
  static fromWebContents(contents: unknown): FakeWindow | null {
    return FakeWindow.created.find(({ webContents }) => webContents === contents) ?? null;
  }
  options: BrowserWindowConstructorOptions;
  calls: string[] = [];
  isFocusedNow = true;
  wasDestroyed = false;
  loading = Promise.withResolvers<void>();
  webContents = new FakeContents();
  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    FakeWindow.created.push(this);
  }
  loadURL(url: string): Promise<void> {
    this.calls.push(`load ${url}`);
    return this.loading.promise;
  }
  show(): void {
    this.calls.push('show');
  }
  focus(): void {
    this.calls.push('focus');
  }
  maximize(): void {
    this.calls.push('maximize');
  }
  setMenuBarVisibility(): void {
    this.calls.push('no menu bar');
  }
  isVisible(): boolean {
    return true;
  }
  isMinimized(): boolean {
    return false;
  }
  isMaximized(): boolean {
    return false;
  }
  isFocused(): boolean {
    return this.isFocusedNow;
  }
  isDestroyed(): boolean {
    return this.wasDestroyed;
  }
  getNormalBounds(): object {
    return { x: 5, y: 6, width: 900, height: 600 };
  }
  /** Like Electron: emits `close`, lets the page prevent it, and destroys the window otherwise. */
  close(preventsUnload = false): void {
    this.calls.push('close');
    this.emit('close', { preventDefault: () => undefined });
    let isAllowed = !preventsUnload;
    this.webContents.emit('will-prevent-unload', { preventDefault: () => (isAllowed = true) });
    if (isAllowed) this.destroy();
  }
  destroy(): void {
    if (this.wasDestroyed) return;
    this.wasDestroyed = true;
    this.loading.promise.catch(() => undefined);
    this.loading.reject(Object.assign(new Error('ERR_FAILED (-2)'), { code: 'ERR_FAILED' }));
    this.emit('closed');
  }
  /** The page has navigated. */
  navigated(url: string, status = 200): void {
    this.webContents.url = url;
    this.webContents.emit('did-navigate', {}, url, status, '');
  }
}

const base = 'http://127.0.0.1:8790';
const letter = `${base}/edit/abc`;

function bench(change: Partial<EditorPagesDeps> = {}) {
  FakeWindow.created = [];
  const asked = questions();
  const outside: string[] = [];
  const told: string[] = [];
  const log = quietLog();
  const time = { nowMs: 1_000_000 };
  const session = {
    setCertificateVerifyProc: () => undefined,
    clearStorageData: () => Promise.reject(new Error('not now')),
  };
  let ruling: Ruling | undefined;
  const windows = createEditorPages({
    BrowserWindow: FakeWindow as unknown as typeof BrowserWindow,
    nativeTheme: { shouldUseDarkColors: true },
    screen: {
      getDisplayMatching: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1050 } }) as Electron.Display,
    },
    fromPartition: () => session as unknown as Electron.Session,
    dialog: {
      showMessageBox: async (...args: unknown[]) => {
        const { title, noLink, ...question } = args.at(-1) as Question & { title: string; noLink: boolean };
        assert.deepEqual([title, noLink, args.length], ['DocTray', true, 2]);
        return { response: await asked.ask(question), checkboxChecked: false };
      },
    },
    guards: { rule: (_session, given) => void (ruling = given) },
    platform: 'linux',
    downloadsFolder: () => '/home/ana/Downloads',
    icon: '/icon.png',
    boundsFile: join(folder, 'none', 'editor-window.json'),
    hasDevTools: false,
    isQuitting: () => false,
    pageUrls: () => [base],
    editorUrls: () => [],
    hostCertificate: () => undefined,
    openExternal: async (url) => void outside.push(url),
    showError: ({ message }) => void told.push(message),
    clock: () => time.nowMs,
    log: { ...log, request: () => undefined, flush: () => undefined },
    ...change,
  });
  const opened = async (url = letter): Promise<FakeWindow> => {
    const opening = windows.open(`${url}?ticket=t`, 'letter.odt');
    const window = FakeWindow.created.at(-1)!;
    window.navigated(url);
    await opening;
    return window;
  };
  const openOutside = (url: string, window: FakeWindow): void =>
    ruling?.openOutside(url, window.webContents as unknown as WebContents);
  const nameDownload = (item: DownloadItem): void => ruling?.nameDownload(item);
  return { windows, asked, outside, told, log, time, session, opened, openOutside, nameDownload };
}

test('the page runs sandboxed in its own session, without a preload script or Node', async () => {
  const { opened, session } = bench();
  const { options } = await opened();
  assert.deepEqual(options.webPreferences, {
    session,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    plugins: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: false,
    safeDialogs: true,
  });
  assert.equal(options.title, 'letter.odt – DocTray');
  assert.equal(options.backgroundColor, '#1c1d20');
  assert.equal(options.show, false);
});

test('shows the window when its page is ready', async () => {
  const { opened } = bench();
  const window = await opened();
  assert.deepEqual(window.calls, ['no menu bar', `load ${letter}?ticket=t`]);
  window.emit('ready-to-show');
  assert.equal(window.calls.at(-1), 'show');
});

test('focuses the window of a document that is already open in the same mode', async () => {
  const { windows, opened } = bench();
  const window = await opened();
  await windows.open(`${letter}?ticket=other`, 'letter.odt');
  assert.equal(FakeWindow.created.length, 1);
  assert.deepEqual(window.calls.slice(-2), ['show', 'focus']);
  await opened(`${base}/view/abc`);
  assert.equal(FakeWindow.created.length, 2);
  window.destroy();
  await opened();
  assert.equal(FakeWindow.created.length, 3);
});

test('reuses a window whose page switched from viewing to editing', async () => {
  const { windows, opened } = bench();
  const window = await opened(`${base}/view/abc`);
  window.navigated(letter);
  await windows.open(`${letter}?ticket=t`, 'letter.odt');
  assert.equal(FakeWindow.created.length, 1);
  assert.equal(window.calls.at(-1), 'focus');
});

test('reloads a window that shows an error response with the new ticket', async () => {
  const { windows, opened } = bench();
  const window = await opened();
  window.navigated(letter, 401);
  const again = windows.open(`${letter}?ticket=new`, 'letter.odt');
  window.navigated(letter);
  await again;
  assert.equal(FakeWindow.created.length, 1);
  assert.ok(window.calls.includes(`load ${letter}?ticket=new`));
});

test('closes the window of a page that fails to load, and reports the error without the URL', async () => {
  const { windows } = bench();
  const opening = windows.open(`${letter}?ticket=secret`, 'letter.odt');
  const window = FakeWindow.created[0]!;
  const text = `ERR_CONNECTION_REFUSED (-102) loading '${letter}?ticket=secret'`;
  window.loading.reject(Object.assign(new Error(text), { code: 'ERR_CONNECTION_REFUSED' }));
  await assert.rejects(opening, (error: Error & { code: string }) => {
    assert.equal(error.code, 'host-away');
    assert.match(error.message, /ERR_CONNECTION_REFUSED/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
  assert.ok(window.wasDestroyed);
});

test('rejects if the window is closed before its page has loaded', async () => {
  const { windows } = bench();
  const opening = windows.open(`${letter}?ticket=t`, 'letter.odt');
  FakeWindow.created[0]!.destroy();
  await assert.rejects(opening, { code: 'host-away' });
});

test('asks before closing a page with unsaved changes, and closes it only if confirmed', async () => {
  const { opened, asked } = bench();
  const window = await opened();
  window.close(true);
  assert.equal(window.wasDestroyed, false);
  assert.equal(asked.open[0]?.message, 'letter.odt has unsaved changes.');
  assert.deepEqual([asked.open[0].defaultId, asked.open[0].cancelId], [0, 0]);
  window.close(true);
  assert.equal(asked.open.length, 1);
  await asked.answer(0);
  assert.equal(window.wasDestroyed, false);
  window.close(true);
  await asked.answer(1);
  // a confirmed close doesn’t ask the page again
  assert.equal(window.wasDestroyed, true);
});

test('closes without a question while the app is quitting', async () => {
  const { opened, asked } = bench({ isQuitting: () => true });
  const window = await opened();
  window.close(true);
  assert.equal(window.wasDestroyed, true);
  assert.deepEqual(asked.open, []);
});

test('doesn’t ask when a page prevents its own navigation', async () => {
  const { opened, asked } = bench();
  const window = await opened();
  let isAllowed = false;
  window.webContents.emit('will-prevent-unload', { preventDefault: () => (isAllowed = true) });
  assert.equal(isAllowed, false);
  assert.deepEqual(asked.open, []);
});

test('closes the window of an unresponsive page only after a close was requested', async () => {
  const { opened } = bench();
  const window = await opened();
  window.emit('unresponsive');
  assert.equal(window.wasDestroyed, false);
  window.emit('close', { preventDefault: () => undefined });
  window.emit('unresponsive');
  assert.equal(window.wasDestroyed, true);
});

test('closes the window on the host’s /closed page, but not on the editor’s', async () => {
  const { opened } = bench();
  const window = await opened();
  window.navigated('http://office.example:9980/closed');
  await nextTurn();
  assert.equal(window.wasDestroyed, false);
  window.navigated(`${base}/closed`);
  await nextTurn();
  assert.equal(window.wasDestroyed, true);
});

test('takes the window title only from pages of the host', async () => {
  const { opened } = bench();
  const window = await opened();
  const isTaken = (url: string): boolean => {
    let isPrevented = false;
    window.webContents.url = url;
    window.emit('page-title-updated', { preventDefault: () => (isPrevented = true) }, 'Your bank', true);
    return !isPrevented;
  };
  assert.equal(isTaken(letter), true);
  assert.equal(isTaken('http://office.example:9980/convert'), false);
  assert.equal(isTaken('about:blank'), false);
});

test('reloads a crashed page once, then closes its window and says so', async () => {
  const { opened, told } = bench();
  const window = await opened();
  const { webContents } = window;
  webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 });
  webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 1 });
  await nextTurn();
  assert.deepEqual([webContents.reloads, window.wasDestroyed], [1, false]);
  webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
  await nextTurn();
  assert.equal(window.wasDestroyed, true);
  assert.match(told.join(), /^The document’s page crashed twice\./);
});

test('opens a document link of the host in a window, and other links in the browser', async () => {
  const { openOutside, opened, outside, time } = bench();
  const window = await opened();
  openOutside('https://example.org/help', window);
  time.nowMs += 1000;
  openOutside(`${base}/edit/copy?ticket=t`, window);
  assert.equal(FakeWindow.created.length, 2);
  assert.equal(FakeWindow.created[1]?.calls.at(-1), `load ${base}/edit/copy?ticket=t`);
  time.nowMs += 1000;
  openOutside(`${base}/help/start`, window);
  time.nowMs += 1000;
  openOutside('http://evil.example/edit/copy', window);
  assert.deepEqual(outside, [
    'https://example.org/help',
    `${base}/help/start`,
    'http://evil.example/edit/copy',
  ]);
});

test('opens no links in quick succession, and none from a window without focus', async () => {
  const { openOutside, opened, outside, time, log } = bench();
  const window = await opened();
  for (let count = 0; count < 50; count += 1) openOutside('https://example.org/', window);
  assert.equal(outside.length, 1);
  time.nowMs += 5000;
  window.isFocusedNow = false;
  openOutside('https://example.org/', window);
  assert.equal(outside.length, 1);
  assert.doesNotMatch(log.lines.join(), /example/);
});

test('logs a link that may not be opened', async () => {
  const { openOutside, opened, log } = bench({ openExternal: () => Promise.reject(new Error('refused')) });
  openOutside('file:///etc/passwd', await opened());
  await settled();
  assert.deepEqual(log.lines, ['A page’s link couldn’t be opened.']);
});

test('closeFocused closes only a document window that has focus', async () => {
  const { windows, opened } = bench();
  assert.equal(windows.closeFocused(), false);
  const window = await opened();
  window.isFocusedNow = false;
  assert.equal(windows.closeFocused(), false);
  window.isFocusedNow = true;
  assert.equal(windows.closeFocused(), true);
  assert.equal(window.wasDestroyed, true);
});

test('suggests a download’s own name, always in the downloads folder', async () => {
  const { opened, nameDownload } = bench();
  await opened();
  const suggested = (name: string): string | undefined => {
    let given: Electron.SaveDialogOptions = {};
    const item = {
      getFilename: () => name,
      setSaveDialogOptions: (options: Electron.SaveDialogOptions) => void (given = options),
    };
    nameDownload(item as DownloadItem);
    return given.defaultPath;
  };
  assert.equal(suggested('letter.pdf'), '/home/ana/Downloads/letter.pdf');
  assert.equal(suggested('../../.bashrc'), '/home/ana/Downloads/.bashrc');
  assert.equal(suggested('..\\..\\a:b.pdf'), '/home/ana/Downloads/.._.._a_b.pdf');
  assert.equal(suggested(''), '/home/ana/Downloads/document');
  assert.equal(suggested('..'), '/home/ana/Downloads/document');
});

const form = {
  action: 'https://office.example/cool.html?WOPISrc=http%3A%2F%2F127.0.0.1%2Fwopi%2Ffiles%2Fp',
  accessToken: 'se+cret&token',
  accessTokenTtl: 1_800_000_000_000,
};

test('a connection test’s page is hidden and muted, shows no dialogs, and stays until the test ends', async () => {
  const { windows, session } = bench({ hasDevTools: true });
  const ending = new AbortController();
  const shown = windows.showProbe(form, ending.signal);
  const window = FakeWindow.created[0]!;
  const { webPreferences = {}, ...options } = window.options;
  assert.deepEqual([options.show, options.focusable, options.skipTaskbar], [false, false, true]);
  assert.equal(webPreferences.session, session);
  for (const key of ['sandbox', 'contextIsolation', 'webSecurity', 'disableDialogs'] as const)
    assert.equal(webPreferences[key], true, key);
  for (const key of ['nodeIntegration', 'webviewTag', 'devTools', 'backgroundThrottling'] as const)
    assert.equal(webPreferences[key], false, key);
  assert.equal(webPreferences.preload, undefined);
  assert.equal(window.webContents.isMuted, true);
  let isAllowed = false;
  window.webContents.emit('will-prevent-unload', { preventDefault: () => (isAllowed = true) });
  assert.equal(isAllowed, true);
  window.navigated(form.action);
  await shown;
  assert.equal(window.wasDestroyed, false);
  ending.abort();
  assert.equal(window.wasDestroyed, true);
  await assert.rejects(windows.showProbe(form, ending.signal), { name: 'AbortError' });
  assert.equal(FakeWindow.created.length, 1);
});

test('a connection test that ends before its page has loaded leaves no window', async () => {
  const { windows } = bench();
  const ending = new AbortController();
  const shown = windows.showProbe(form, ending.signal);
  ending.abort();
  await assert.rejects(shown, { name: 'AbortError' });
  assert.equal(FakeWindow.created[0]?.wasDestroyed, true);
});

for (const [code, kind] of [
  ['ERR_CERT_AUTHORITY_INVALID', 'tls-not-trusted'],
  ['ERR_BLOCKED_BY_CLIENT', 'other-host'],
  ['ERR_ABORTED', 'redirected'],
  ['ERR_EMPTY_RESPONSE', undefined],
] as const) {
  test(`a connection test reports ${code} without the token, and closes its window`, async () => {
    const { windows } = bench();
    const shown = windows.showProbe(form, new AbortController().signal);
    const window = FakeWindow.created[0]!;
    window.loading.reject(Object.assign(new Error(`${code} (-1) loading '${form.action}'`), { code }));
    await assert.rejects(shown, (error: Error) => {
      const fault = faultOf(error);
      assert.equal(fault?.code, kind);
      if (fault === undefined) assert.equal(error.message, code);
      else assert.match(`${fault.sentence} ${fault.remedy}`, /office\.example.*\. .{10}/);
      assert.doesNotMatch(inspect(error, { depth: 5 }), /cret|wopi/);
      return true;
    });
    assert.equal(window.wasDestroyed, true);
  });
}
