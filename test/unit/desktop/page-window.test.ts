// The app's window: where it opens, when it shows, what closing it does, and its recovery. test/security checks its page's process.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';
import { readBounds } from '../../../app/desktop/page-window.ts';
import { createAppWindow, hideDockIconWithoutWindows } from '../../../app/desktop/window.ts';
import type { AppWindowDeps, DockDeps } from '../../../app/desktop/window.ts';
import { FakeWindow } from './desktop-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'doctray-window-'));
const boundsFile = join(folder, 'window.json');
after(() => rmSync(folder, { recursive: true, force: true }));

/** What no page of the app may do. @see Electron's security checklist, 2 to 11 */
const sandboxed = {
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
};

const screen = { workArea: { x: 0, y: 0, width: 1920, height: 1050 } } as Electron.Display;
const session = {} as Electron.Session;

/** @param bounds the content of the bounds file */
function open(bounds = '', change: Partial<AppWindowDeps> = {}) {
  writeFileSync(boundsFile, bounds);
  FakeWindow.created = [];
  const theme = Object.assign(new EventEmitter(), { shouldUseDarkColors: true, themeSource: 'system' });
  const nothing = (): void => undefined;
  const told: string[] = [];
  const time = { nowMs: 1_000_000 };
  const appWindow = createAppWindow({
    BrowserWindow: FakeWindow as unknown as typeof BrowserWindow,
    nativeTheme: theme as unknown as AppWindowDeps['nativeTheme'],
    screen: { getDisplayMatching: () => screen },
    session: () => session,
    preload: '/app/preload.cjs',
    icon: undefined,
    boundsFile,
    hasDevTools: false,
    showError: ({ message }) => void told.push(message),
    onClosing: nothing,
    onCreated: nothing,
    onPageGone: nothing,
    clock: () => time.nowMs,
    log: { info: nothing, warn: nothing, error: nothing, request: nothing, flush: nothing },
    ...change,
  });
  return { appWindow, theme, told, time, window: () => FakeWindow.created.at(-1)! };
}

const boundsAt = (x: number, y: number, width = 1000, height = 700): string =>
  JSON.stringify({ bounds: { x, y, width, height }, isMaximized: false });

test('opens where it was closed, moved onto its screen, and in its usual size without usable bounds', () => {
  const usual = [undefined, undefined, 1120, 760];
  for (const [content, place] of [
    [boundsAt(50, 60), [50, 60, 1000, 700]],
    [boundsAt(2000, 100), [920, 100, 1000, 700]],
    [boundsAt(-950, -10), [0, 0, 1000, 700]],
    [boundsAt(100, 1040), [100, 350, 1000, 700]],
    [boundsAt(0, 0, 5000, 4000), [0, 0, 1920, 1050]],
    ...['', '{', '{}', 'null', boundsAt(1e99, 0, 1, 1), boundsAt(0, 0, 0, 0)].map(
      (unusable) => [unusable, usual] as const,
    ),
  ] as const) {
    const { appWindow, window } = open(content);
    appWindow.show();
    const { x, y, width, height } = window().options;
    assert.deepEqual([x, y, width, height], place, content);
    window().emit('close', { preventDefault: () => undefined });
    const bounds = { x: 1, y: 2, width: 800, height: 600 };
    assert.deepEqual(readBounds(boundsFile), { bounds, isMaximized: true });
  }
});

test('its page is sandboxed, shown when it is ready and wanted, in the theme’s color from the start, and killed when it hangs', () => {
  const { appWindow, window, theme } = open();
  appWindow.prepare();
  const { show, backgroundColor, webPreferences } = window().options;
  assert.deepEqual([show, backgroundColor], [false, '#1c1d20']);
  assert.deepEqual(webPreferences, { ...sandboxed, session, preload: '/app/preload.cjs' });
  window().emit('ready-to-show');
  assert.ok(!window().calls.includes('show'));
  window().isMinimizedNow = true;
  appWindow.show();
  assert.deepEqual(window().calls.slice(-3), ['restore', 'show', 'focus']);
  theme.shouldUseDarkColors = false;
  theme.emit('updated');
  assert.equal(window().calls.at(-1), 'background #ffffff');
  window().webContents.emit('unresponsive');
  assert.equal(window().calls.at(-1), 'crash');
});

test('reloads a page that crashed or didn’t load; twice within a minute, closes the window and says so', async () => {
  const { appWindow, window, told, time } = open();
  appWindow.show();
  const { webContents, calls } = window();
  const lose = async (event: string, ...details: unknown[]): Promise<number> => {
    webContents.emit(event, {}, ...details);
    await nextTurn();
    return calls.filter((call) => call.startsWith('load')).length;
  };
  const crash = (reason: string): Promise<number> => lose('render-process-gone', { reason });
  assert.equal(await crash('clean-exit'), 1);
  assert.equal(await crash('crashed'), 2);
  time.nowMs += 60_000;
  assert.equal(await crash('oom'), 3);
  assert.equal(await lose('did-fail-load', -3, 'ERR_ABORTED', '', true), 3);
  assert.equal(await lose('did-fail-load', -6, 'ERR_FILE_NOT_FOUND', '', false), 3);
  time.nowMs += 59_000;
  assert.equal(await lose('did-fail-load', -6, 'ERR_FILE_NOT_FOUND', '', true), 3);
  assert.match(told.join(), /^DocTray’s window crashed twice\./);
  assert.equal(appWindow.browserWindow(), undefined);
});

test('macOS shows DocTray in the dock while a window is visible or minimized', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const calls: string[] = [];
  const dock = { hide: () => calls.push('hide'), show: async () => void calls.push('show') };
  const app = Object.assign(new EventEmitter(), { focus: () => calls.push('focus'), dock });
  const seen = { isVisible: true, isMinimized: false };
  const others = [{ isVisible: () => seen.isVisible, isMinimized: () => seen.isMinimized }];
  hideDockIconWithoutWindows({ app: app as unknown as DockDeps['app'], windows: () => others });
  const window = new EventEmitter();
  app.emit('browser-window-created', {}, window);
  window.emit('show');
  await Promise.resolve();
  assert.deepEqual(calls.splice(0), ['show', 'focus']);
  for (const [isVisible, isMinimized, event] of [
    [true, false, 'hide'],
    [false, true, 'hide'],
    [false, false, 'closed'],
  ] as const) {
    assert.deepEqual(calls, [], 'another window is visible or minimized');
    Object.assign(seen, { isVisible, isMinimized });
    window.emit(event);
    t.mock.timers.tick(1100);
  }
  assert.deepEqual(calls, ['hide']);
});
