// Documents in windows of the app, on a double of Electron's own class.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrowserWindow, BrowserWindowConstructorOptions, DownloadItem, WebContents } from 'electron';
import {
  createEditorWindows,
  nameDownload,
  type EditorWindowsDeps,
} from '../../../app/desktop/editor-window.ts';
import { questions, quietLog, settled } from './desktop-fixture.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctray-editor-window-'));
});
after(() => rm(folder, { recursive: true, force: true }));

class FakeContents extends EventEmitter {
  url = '';
  reloads = 0;
  getURL(): string {
    return this.url;
  }
  reload(): void {
    this.reloads += 1;
  }
}

class FakeWindow extends EventEmitter {
  static made: FakeWindow[] = [];
  static fromWebContents(contents: unknown): FakeWindow | null {
    return FakeWindow.made.find(({ webContents }) => webContents === contents) ?? null;
  }
  options: BrowserWindowConstructorOptions;
  deeds: string[] = [];
  isFocusedNow = true;
  isGone = false;
  loading = Promise.withResolvers<void>();
  webContents = new FakeContents();
  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    FakeWindow.made.push(this);
  }
  loadURL(url: string): Promise<void> {
    this.deeds.push(`load ${url}`);
    return this.loading.promise;
  }
  show(): void {
    this.deeds.push('show');
  }
  focus(): void {
    this.deeds.push('focus');
  }
  maximize(): void {
    this.deeds.push('maximize');
  }
  setMenuBarVisibility(): void {
    this.deeds.push('no menu bar');
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
    return this.isGone;
  }
  getNormalBounds(): object {
    return { x: 5, y: 6, width: 900, height: 600 };
  }
  /** As Electron does: `close`, then the page is asked, then it is gone. */
  close(isPageAgainst = false): void {
    this.deeds.push('close');
    this.emit('close', { preventDefault: () => undefined });
    let isLet = !isPageAgainst;
    this.webContents.emit('will-prevent-unload', { preventDefault: () => (isLet = true) });
    if (isLet) this.destroy();
  }
  destroy(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.webContents.emit('destroyed');
    this.emit('closed');
  }
  /** The page has come. */
  arrive(url: string, status = 200): void {
    this.webContents.url = url;
    this.webContents.emit('did-navigate', {}, url, status, '');
  }
}

const base = 'http://127.0.0.1:8790';
const letter = `${base}/edit/abc`;

function bench(change: Partial<EditorWindowsDeps> = {}) {
  FakeWindow.made = [];
  const asked = questions();
  const outside: string[] = [];
  const log = quietLog();
  const time = { nowMs: 1_000_000 };
  const session = {};
  const windows = createEditorWindows({
    BrowserWindow: FakeWindow as unknown as typeof BrowserWindow,
    nativeTheme: { shouldUseDarkColors: true },
    screen: {
      getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1050 } }] as Electron.Display[],
    },
    session: () => session as Electron.Session,
    icon: '/icon.png',
    boundsFile: join(folder, 'none', 'editor-window.json'),
    hasDevTools: false,
    askOver: () => asked.ask,
    isQuitting: () => false,
    pageUrls: () => [base],
    openExternal: async (url) => void outside.push(url),
    clock: () => time.nowMs,
    log: { ...log, request: () => undefined, flush: () => undefined },
    ...change,
  });
  const opened = async (url = letter): Promise<FakeWindow> => {
    const opening = windows.open(`${url}?ticket=t`, 'letter.odt');
    const window = FakeWindow.made.at(-1)!;
    window.arrive(url);
    await opening;
    return window;
  };
  const from = (window: FakeWindow): WebContents => window.webContents as unknown as WebContents;
  return { windows, asked, outside, log, time, session, opened, from };
}

test('the page runs sandboxed, without preload script and Node, in a session that is not the app’s', async () => {
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

test('it is shown once its page is drawn', async () => {
  const { opened } = bench();
  const window = await opened();
  assert.deepEqual(window.deeds, ['no menu bar', `load ${letter}?ticket=t`]);
  window.emit('ready-to-show');
  assert.equal(window.deeds.at(-1), 'show');
});

test('a document that has a window comes to the front instead of a second time', async () => {
  const { windows, opened } = bench();
  const window = await opened();
  await windows.open(`${letter}?ticket=other`, 'letter.odt');
  assert.equal(FakeWindow.made.length, 1);
  assert.deepEqual(window.deeds.slice(-2), ['show', 'focus']);
  await opened(`${base}/view/abc`);
  assert.equal(FakeWindow.made.length, 2);
  window.destroy();
  await opened();
  assert.equal(FakeWindow.made.length, 3);
});

test('a window whose page went from viewing to editing is the one for editing', async () => {
  const { windows, opened } = bench();
  const window = await opened(`${base}/view/abc`);
  window.arrive(letter);
  await windows.open(`${letter}?ticket=t`, 'letter.odt');
  assert.equal(FakeWindow.made.length, 1);
  assert.equal(window.deeds.at(-1), 'focus');
});

test('a window that shows a refusal is loaded again by the new ticket', async () => {
  const { windows, opened } = bench();
  const window = await opened();
  window.arrive(letter, 401);
  const again = windows.open(`${letter}?ticket=new`, 'letter.odt');
  window.arrive(letter);
  await again;
  assert.equal(FakeWindow.made.length, 1);
  assert.ok(window.deeds.includes(`load ${letter}?ticket=new`));
});

test('a page that does not come leaves no window, and the address is not told', async () => {
  const { windows } = bench();
  const opening = windows.open(`${letter}?ticket=secret`, 'letter.odt');
  const window = FakeWindow.made[0]!;
  const text = `ERR_CONNECTION_REFUSED (-102) loading '${letter}?ticket=secret'`;
  window.loading.reject(Object.assign(new Error(text), { code: 'ERR_CONNECTION_REFUSED' }));
  await assert.rejects(opening, (error: Error & { code: string }) => {
    assert.equal(error.code, 'host-away');
    assert.match(error.message, /ERR_CONNECTION_REFUSED/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
  assert.ok(window.isGone);
});

test('a window that is closed before its page came is no success', async () => {
  const { windows } = bench();
  const opening = windows.open(`${letter}?ticket=t`, 'letter.odt');
  FakeWindow.made[0]!.destroy();
  await assert.rejects(opening, { code: 'host-away' });
});

test('a page with unsaved changes is asked about, and the window stays until the answer', async () => {
  const { opened, asked } = bench();
  const window = await opened();
  window.close(true);
  assert.equal(window.isGone, false);
  assert.equal(asked.open[0]?.message, 'letter.odt has changes that are not saved yet.');
  assert.deepEqual([asked.open[0].defaultId, asked.open[0].cancelId], [0, 0]);
  window.close(true);
  assert.equal(asked.open.length, 1);
  await asked.answer(0);
  assert.equal(window.isGone, false);
  window.close(true);
  await asked.answer(1);
  // this time the page is not asked
  assert.equal(window.isGone, true);
});

test('while the app ends nobody is asked', async () => {
  const { opened, asked } = bench({ isQuitting: () => true });
  const window = await opened();
  window.close(true);
  assert.equal(window.isGone, true);
  assert.deepEqual(asked.open, []);
});

test('what a page itself leads away from it may keep without a question', async () => {
  const { opened, asked } = bench();
  const window = await opened();
  let isLet = false;
  window.webContents.emit('will-prevent-unload', { preventDefault: () => (isLet = true) });
  assert.equal(isLet, false);
  assert.deepEqual(asked.open, []);
});

test('a page that hangs does not keep its window from closing', async () => {
  const { opened } = bench();
  const window = await opened();
  window.emit('unresponsive');
  assert.equal(window.isGone, false);
  window.emit('close', { preventDefault: () => undefined });
  window.emit('unresponsive');
  assert.equal(window.isGone, true);
});

test('the page that says that the editor was closed closes the window; one of the editor’s that says so does not', async () => {
  const { opened } = bench();
  const window = await opened();
  window.arrive('http://office.example:9980/closed');
  await nextTurn();
  assert.equal(window.isGone, false);
  window.arrive(`${base}/closed`);
  await nextTurn();
  assert.equal(window.isGone, true);
});

test('only a page of the host gives the window its title', async () => {
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

test('a process that dies is started again once, then asked about', async () => {
  const { opened, asked } = bench();
  const window = await opened();
  const { webContents } = window;
  webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 });
  webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 1 });
  await nextTurn();
  assert.equal(webContents.reloads, 1);
  webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
  assert.equal(asked.open[0]?.message, 'The page of the document failed twice.');
  await asked.answer(0);
  assert.equal(webContents.reloads, 2);
  webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
  await asked.answer(1);
  assert.equal(window.isGone, true);
});

test('a page of the host that a page wants opened gets a window, any other goes to the browser', async () => {
  const { windows, opened, outside, time, from } = bench();
  const window = await opened();
  windows.openOutside('https://example.org/help', from(window));
  time.nowMs += 1000;
  windows.openOutside(`${base}/edit/copy?ticket=t`, from(window));
  assert.equal(FakeWindow.made.length, 2);
  assert.equal(FakeWindow.made[1]?.deeds.at(-1), `load ${base}/edit/copy?ticket=t`);
  time.nowMs += 1000;
  windows.openOutside(`${base}/help/start`, from(window));
  time.nowMs += 1000;
  windows.openOutside('http://evil.example/edit/copy', from(window));
  assert.deepEqual(outside, [
    'https://example.org/help',
    `${base}/help/start`,
    'http://evil.example/edit/copy',
  ]);
});

test('a page opens no windows in a row, and none from behind', async () => {
  const { windows, opened, outside, time, from, log } = bench();
  const window = await opened();
  for (let count = 0; count < 50; count += 1) windows.openOutside('https://example.org/', from(window));
  assert.equal(outside.length, 1);
  time.nowMs += 5000;
  window.isFocusedNow = false;
  windows.openOutside('https://example.org/', from(window));
  assert.equal(outside.length, 1);
  assert.doesNotMatch(log.lines.join(), /example/);
});

test('an address that may not go to the browser is no surprise', async () => {
  const { windows, opened, from, log } = bench({ openExternal: () => Promise.reject(new Error('refused')) });
  windows.openOutside('file:///etc/passwd', from(await opened()));
  await settled();
  assert.deepEqual(log.lines, ['A page’s link could not be opened.']);
});

test('the keys that close a window close the document’s where that has the focus', async () => {
  const { windows, opened } = bench();
  assert.equal(windows.closeFocused(), false);
  const window = await opened();
  window.isFocusedNow = false;
  assert.equal(windows.closeFocused(), false);
  window.isFocusedNow = true;
  assert.equal(windows.closeFocused(), true);
  assert.equal(window.isGone, true);
});

test('a download starts in the downloads by its own name, and in no other folder', () => {
  const suggested = (name: string): string | undefined => {
    let given: Electron.SaveDialogOptions = {};
    const item = {
      getFilename: () => name,
      setSaveDialogOptions: (options: Electron.SaveDialogOptions) => void (given = options),
    };
    nameDownload(item as DownloadItem, '/home/ana/Downloads');
    return given.defaultPath;
  };
  assert.equal(suggested('letter.pdf'), '/home/ana/Downloads/letter.pdf');
  assert.equal(suggested('../../.bashrc'), '/home/ana/Downloads/.bashrc');
  assert.equal(suggested('..\\..\\a:b.pdf'), '/home/ana/Downloads/.._.._a_b.pdf');
  assert.equal(suggested(''), '/home/ana/Downloads/document');
  assert.equal(suggested('..'), '/home/ana/Downloads/document');
});
