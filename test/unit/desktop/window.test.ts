// The app's window, with a fake of Electron's BrowserWindow.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import {
  createAppWindow,
  hideDockIconWithoutWindows,
  type AppWindowDeps,
  type DockDeps,
} from '../../../app/desktop/window.ts';
import { readBounds } from '../../../app/desktop/page-window.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctray-window-'));
});
after(() => rm(folder, { recursive: true, force: true }));

class FakeWindow extends EventEmitter {
  static created: FakeWindow[] = [];
  options: BrowserWindowConstructorOptions;
  calls: string[] = [];
  bounds = { x: 5, y: 6, width: 900, height: 600 };
  isMinimizedNow = false;
  wasDestroyed = false;
  webContents = Object.assign(new EventEmitter(), {
    forcefullyCrashRenderer: () => void this.calls.push('crash'),
  });
  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    FakeWindow.created.push(this);
  }
  do(what: string): void {
    this.calls.push(what);
  }
  loadURL(url: string): Promise<void> {
    this.do(`load ${url}`);
    return Promise.resolve();
  }
  show(): void {
    this.do('show');
  }
  hide(): void {
    this.do('hide');
  }
  focus(): void {
    this.do('focus');
  }
  restore(): void {
    this.do('restore');
  }
  setMenuBarVisibility(isVisible: boolean): void {
    this.do(`menu bar ${isVisible}`);
  }
  setBackgroundColor(color: string): void {
    this.do(`background ${color}`);
  }
  isDestroyed(): boolean {
    return this.wasDestroyed;
  }
  destroy(): void {
    this.wasDestroyed = true;
    this.emit('closed');
  }
  isMinimized(): boolean {
    return this.isMinimizedNow;
  }
  isMaximized(): boolean {
    return false;
  }
  getNormalBounds(): object {
    return this.bounds;
  }
}

function open(change: Partial<AppWindowDeps> = {}) {
  FakeWindow.created = [];
  const theme = Object.assign(new EventEmitter(), { shouldUseDarkColors: false, themeSource: 'system' });
  const nothing = (): void => undefined;
  const gone: string[] = [];
  const told: string[] = [];
  const session = {};
  const appWindow = createAppWindow({
    BrowserWindow: FakeWindow as unknown as typeof BrowserWindow,
    nativeTheme: theme as unknown as AppWindowDeps['nativeTheme'],
    screen: {
      getDisplayMatching: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1050 } }) as Electron.Display,
    },
    session: () => session as Electron.Session,
    preload: '/app/preload.cjs',
    icon: undefined,
    boundsFile: join(folder, 'window.json'),
    hasDevTools: false,
    showError: ({ message }) => void told.push(message),
    onClosing: nothing,
    onCreated: nothing,
    onPageGone: () => void gone.push('gone'),
    clock: () => 0,
    log: { info: nothing, warn: nothing, error: nothing, request: nothing, flush: nothing },
    ...change,
  });
  return { appWindow, theme, gone, told, session, window: () => FakeWindow.created[0]! };
}

test('the page runs in a sandboxed, isolated process without Node, in the app’s own session', () => {
  const { appWindow, window, session } = open();
  appWindow.show();
  assert.deepEqual(window().options.webPreferences, {
    session,
    preload: '/app/preload.cjs',
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
  });
});

test('shows the window when its page is ready, with the background of the theme', () => {
  const { appWindow, window, theme } = open();
  theme.shouldUseDarkColors = true;
  appWindow.show();
  assert.equal(window().options.show, false);
  assert.equal(window().options.backgroundColor, '#1c1d20');
  assert.deepEqual(window().calls, ['menu bar false', 'load app://doctray/index.html']);
  window().emit('ready-to-show');
  assert.equal(window().calls.at(-1), 'show');
  theme.shouldUseDarkColors = false;
  theme.emit('updated');
  assert.equal(window().calls.at(-1), 'background #ffffff');
});

test('a prepared window stays hidden until it is shown', () => {
  const { appWindow, window } = open();
  appWindow.prepare();
  window().emit('ready-to-show');
  assert.ok(!window().calls.includes('show'));
  appWindow.show();
  assert.deepEqual(window().calls.slice(-2), ['show', 'focus']);
});

test('showing the window again restores and focuses the same one', () => {
  const { appWindow, window } = open();
  appWindow.show();
  window().isMinimizedNow = true;
  appWindow.show();
  assert.equal(FakeWindow.created.length, 1);
  assert.deepEqual(window().calls.slice(-3), ['restore', 'show', 'focus']);
});

test('onClosing decides what closing does, and a closed window is created again', () => {
  let asked = 0;
  const { appWindow, window, gone } = open({
    onClosing(event, hide) {
      asked += 1;
      event.preventDefault();
      hide();
    },
  });
  appWindow.show();
  let isPrevented = false;
  window().emit('close', { preventDefault: () => (isPrevented = true) });
  assert.ok(isPrevented && asked === 1);
  assert.equal(window().calls.at(-1), 'hide');
  window().emit('closed');
  assert.equal(appWindow.browserWindow(), undefined);
  assert.ok(gone.length > 0);
  appWindow.show();
  assert.equal(FakeWindow.created.length, 2);
});

test('restores the bounds that the window had when it was closed', () => {
  const { appWindow, window } = open();
  appWindow.show();
  window().emit('close', { preventDefault: () => undefined });
  assert.deepEqual(readBounds(join(folder, 'window.json')), {
    bounds: { x: 5, y: 6, width: 900, height: 600 },
    isMaximized: false,
  });
  const { appWindow: next, window: nextWindow } = open();
  next.show();
  const { x, y, width, height } = nextWindow().options;
  assert.deepEqual({ x, y, width, height }, { x: 5, y: 6, width: 900, height: 600 });
});

test('reloads a crashed page, and closes one that fails again within a minute', async () => {
  const { appWindow, window, told } = open();
  appWindow.show();
  const first = window();
  const loads = (): number => first.calls.filter((call) => call.startsWith('load')).length;
  first.webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 });
  await nextTurn();
  assert.equal(loads(), 1);
  first.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
  await nextTurn();
  assert.equal(loads(), 2);
  first.webContents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', '', true);
  first.webContents.emit('did-fail-load', {}, -6, 'ERR_FILE_NOT_FOUND', '', false);
  await nextTurn();
  assert.deepEqual([loads(), told], [2, []]);
  first.webContents.emit('did-fail-load', {}, -6, 'ERR_FILE_NOT_FOUND', '', true);
  await nextTurn();
  assert.match(told.join(), /^DocTray’s window crashed twice\./);
  assert.equal(appWindow.browserWindow(), undefined);
  appWindow.show();
  assert.equal(FakeWindow.created.length, 2);
});

test('terminates a page that hangs', () => {
  const { appWindow, window } = open();
  appWindow.show();
  window().webContents.emit('unresponsive');
  assert.ok(window().calls.includes('crash'));
});

test('setAppearance sets the theme of the page', () => {
  const { appWindow, theme } = open();
  appWindow.setAppearance('dark');
  assert.equal(theme.themeSource, 'dark');
});

test('macOS shows DocTray in the dock while a window is visible', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const calls: string[] = [];
  const windows: (EventEmitter & { isVisible(): boolean; isMinimized(): boolean })[] = [];
  const app = Object.assign(new EventEmitter(), {
    focus: () => void calls.push('focus'),
    dock: {
      hide: () => void calls.push('hide'),
      show: () => Promise.resolve(void calls.push('show')),
    },
  });
  hideDockIconWithoutWindows({ app: app as unknown as DockDeps['app'], windows: () => windows });
  let visibleCount = 0;
  let isMinimized = false;
  for (const _ of [1, 2]) {
    const window = Object.assign(new EventEmitter(), {
      isVisible: () => visibleCount > 0,
      isMinimized: () => isMinimized,
    });
    windows.push(window);
    app.emit('browser-window-created', {}, window);
  }
  const [first, second] = windows;
  visibleCount = 2;
  first?.emit('show');
  await Promise.resolve();
  assert.deepEqual(calls.splice(0), ['show', 'focus']);
  visibleCount = 1;
  first?.emit('hide');
  t.mock.timers.tick(1100);
  assert.deepEqual(calls, [], 'the other window is visible');
  visibleCount = 0;
  isMinimized = true;
  first?.emit('hide');
  t.mock.timers.tick(1100);
  assert.deepEqual(calls, [], 'the other window is minimized');
  isMinimized = false;
  second?.emit('closed');
  t.mock.timers.tick(1100);
  assert.deepEqual(calls, ['hide']);
});
