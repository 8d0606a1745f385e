// Windows and their contents: state, size, title, loading, crash, theme. Runs on the stand-in and, with ELECTRON=real, on Electron.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';

import { fixtures, shareFixtureApp } from './fixture-app.ts';
import type { FixtureApp, FixtureGlobals } from './fixture-app.ts';
import { isRealElectron } from './launch.ts';

interface PageGlobals {
  innerWidth: number;
  innerHeight: number;
  document: {
    visibilityState: string;
    title: string;
    hidden: boolean;
    addEventListener(name: string, listener: () => void): void;
  };
  matchMedia(query: string): { matches: boolean };
}

describe('windows', { timeout: 60_000 }, () => {
  let opened: FixtureApp;
  before(async () => {
    opened = await shareFixtureApp();
  });
  after(() => opened.close());
  beforeEach(() => opened.goHome());

  it('gives an app its name, version and folders', async () => {
    const seen = await opened.application.evaluate(({ app }) => ({
      name: app.name,
      version: app.getVersion(),
      userData: app.getPath('userData'),
      home: app.getPath('home'),
      appPath: app.getAppPath(),
      isPackaged: app.isPackaged,
      documents: app.getPath('documents'),
      isReady: app.isReady(),
      type: process.type,
      hasElectron: /^\d+\./.test(process.versions.electron) && /^\d+\./.test(process.versions.chrome),
      argument: process.argv[1],
    }));
    assert.deepEqual(seen, {
      name: 'Fixture App',
      version: '3.2.1',
      userData: join(opened.home, '.config', 'Fixture App'),
      home: opened.home,
      appPath: join(fixtures, 'app'),
      isPackaged: false,
      documents: join(opened.home, 'Documents'),
      isReady: true,
      type: 'browser',
      hasElectron: true,
      argument: join(fixtures, 'app'),
    });
  });

  it('rejects an unknown folder', async () => {
    const text = await opened.application.evaluate(({ app }) => {
      try {
        return app.getPath('nowhere' as 'home');
      } catch (error) {
        return (error as Error).message;
      }
    });
    assert.match(text, /Failed to get 'nowhere' path/);
  });

  it('renders a window that isn’t shown', async () => {
    const visible = await opened.application.evaluate(() =>
      (globalThis as unknown as FixtureGlobals).fixtureApp.window.isVisible(),
    );
    assert.equal(visible, false);
    const picture = await opened.page.screenshot();
    assert.equal(picture.readUInt32BE(16), 900);
    assert.ok(picture.length > 1000);
  });

  it('shows, focuses, minimizes, restores and hides, each with its event', async () => {
    const { events, states } = await opened.application.evaluate(async () => {
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      const events: string[] = [];
      for (const name of ['show', 'hide', 'focus', 'blur', 'minimize', 'restore'])
        window.on(name as 'show', () => void events.push(name));
      const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
      const states: unknown[] = [];
      const note = (): void =>
        void states.push([window.isVisible(), window.isFocused(), window.isMinimized()]);
      window.show();
      await pause();
      note();
      window.minimize();
      await pause();
      note();
      window.restore();
      window.show();
      await pause();
      note();
      window.hide();
      await pause();
      note();
      return { events, states };
    });
    assert.deepEqual(states, [
      [true, true, false],
      [false, false, true],
      [true, true, false],
      [false, false, false],
    ]);
    for (const name of ['show', 'focus', 'minimize', 'restore', 'hide', 'blur'])
      assert.ok(events.includes(name), name);
  });

  it('sets the page’s visibility state when it is hidden and shown', async () => {
    const state = (): Promise<string> =>
      opened.page.evaluate(() => (globalThis as unknown as PageGlobals).document.visibilityState);
    const set = (isShown: boolean): Promise<void> =>
      opened.application.evaluate((_electron, isShown) => {
        const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
        if (isShown) window.show();
        else window.hide();
      }, isShown);
    await set(true);
    await opened.page.waitForFunction(
      () => (globalThis as unknown as PageGlobals).document.visibilityState === 'visible',
    );
    await set(false);
    await opened.page.waitForFunction(() => (globalThis as unknown as PageGlobals).document.hidden);
    assert.equal(await state(), 'hidden');
    await set(true);
    await opened.page.waitForFunction(() => !(globalThis as unknown as PageGlobals).document.hidden);
    await set(false);
  });

  it('gives the page the size of the window, and emits resize events', async () => {
    const events = await opened.application.evaluate(async () => {
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      const events: string[] = [];
      window.on('resize', () => void events.push('resize'));
      window.setContentSize(700, 500);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return events;
    });
    assert.ok(events.includes('resize'));
    await opened.page.waitForFunction(() => (globalThis as unknown as PageGlobals).innerWidth === 700);
    assert.equal(await opened.page.evaluate(() => (globalThis as unknown as PageGlobals).innerHeight), 500);
    await opened.application.evaluate(() =>
      (globalThis as unknown as FixtureGlobals).fixtureApp.window.setContentSize(900, 640),
    );
    await opened.page.waitForFunction(() => (globalThis as unknown as PageGlobals).innerWidth === 900);
  });

  it('zooms', async () => {
    await opened.application.evaluate(() =>
      (globalThis as unknown as FixtureGlobals).fixtureApp.window.webContents.setZoomFactor(2),
    );
    await opened.page.waitForFunction(() => (globalThis as unknown as PageGlobals).innerWidth === 450);
    const factor = await opened.application.evaluate(() =>
      (globalThis as unknown as FixtureGlobals).fixtureApp.window.webContents.getZoomFactor(),
    );
    assert.equal(factor, 2);
    await opened.application.evaluate(() =>
      (globalThis as unknown as FixtureGlobals).fixtureApp.window.webContents.setZoomFactor(1),
    );
    await opened.page.waitForFunction(() => (globalThis as unknown as PageGlobals).innerWidth === 900);
  });

  it('takes the page’s title unless the app prevents it', async () => {
    const titles = await opened.application.evaluate(async () => {
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      const changed = (): Promise<unknown> =>
        new Promise((resolve) =>
          window.webContents.once('page-title-updated', (_event, title) => resolve(title)),
        );
      const setTitle = (title: string): Promise<unknown> =>
        window.webContents.executeJavaScript(`document.title = ${JSON.stringify(title)}`);
      let next = changed();
      await setTitle('One');
      await next;
      const first = window.getTitle();
      window.once('page-title-updated', (event) => event.preventDefault());
      next = changed();
      await setTitle('Two');
      await next;
      return [first, window.getTitle(), window.webContents.getTitle()];
    });
    assert.deepEqual(titles, ['One', 'One', 'Two']);
  });

  it('runs code in the page and returns values and errors', async () => {
    const seen = await opened.application.evaluate(async () => {
      const { webContents } = (globalThis as unknown as FixtureGlobals).fixtureApp.window;
      const failure = await webContents.executeJavaScript('null.x').then(
        () => 'fine',
        (error: unknown) => String(error),
      );
      return [
        await webContents.executeJavaScript('1 + 1'),
        await webContents.executeJavaScript('Promise.resolve({ list: [1, 2] })'),
        (await webContents.executeJavaScript('new Map([[1, 2]])')) instanceof Map,
        (await webContents.executeJavaScript('undefined')) === undefined,
        await webContents.executeJavaScript('typeof require'),
        /null/.test(failure),
      ];
    });
    assert.deepEqual(seen, [2, { list: [1, 2] }, true, true, 'undefined', true]);
  });

  it('emits loading events in order', async () => {
    const events = await opened.application.evaluate(async () => {
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      const events: string[] = [];
      const { webContents } = window;
      for (const name of [
        'did-start-loading',
        'did-start-navigation',
        'did-navigate',
        'dom-ready',
        'did-finish-load',
        'did-stop-loading',
      ]) {
        webContents.once(name as 'dom-ready', () => void events.push(name));
      }
      await window.loadURL('app://fixture/next.html');
      if (webContents.isLoading())
        await new Promise<void>((resolve) => webContents.once('did-stop-loading', () => resolve()));
      return { events, url: webContents.getURL(), title: webContents.getTitle() };
    });
    assert.equal(events.url, 'app://fixture/next.html');
    assert.equal(events.title, 'Next');
    const order = (name: string): number => events.events.indexOf(name);
    assert.equal(events.events.length, 6, events.events.join());
    assert.ok(
      order('did-start-navigation') < order('did-navigate') &&
        order('did-navigate') < order('dom-ready') &&
        order('dom-ready') < order('did-finish-load'),
    );
  });

  it('rejects a failed load with the name and number of the error', async () => {
    const seen = await opened.application.evaluate(async () => {
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      const failed = new Promise((resolve) =>
        window.webContents.once('did-fail-load', (_event, code, description, url, isMainFrame) =>
          resolve([code, description, url, isMainFrame]),
        ),
      );
      const error = await window.loadURL('app://fixture/broken').then(
        () => undefined,
        (error: unknown) => error as { message: string; code: string; errno: number },
      );
      return { text: error?.message, code: error?.code, errno: error?.errno, failed: await failed };
    });
    assert.match(seen.text!, /^ERR_(FAILED|UNEXPECTED) \(-\d+\) loading 'app:\/\/fixture\/broken'/);
    assert.match(seen.code!, /^ERR_/);
    assert.ok(seen.errno! < 0);
    assert.deepEqual((seen.failed as unknown[]).slice(2), ['app://fixture/broken', true]);
  });

  it('emits what the page writes to its console', async () => {
    const heard = opened.application.evaluate(
      () =>
        new Promise((resolve) => {
          (globalThis as unknown as FixtureGlobals).fixtureApp.window.webContents.on(
            'console-message',
            (details) => {
              if (details.message.startsWith('mark ')) resolve([details.level, details.message]);
            },
          );
        }),
    );
    await opened.application.evaluate(() => undefined);
    await opened.page.evaluate(() => console.warn('mark', 7));
    assert.deepEqual(await heard, ['warning', 'mark 7']);
  });

  it('follows the theme that the app chose', async () => {
    if (isRealElectron) await opened.page.emulateMedia({ colorScheme: null });
    const isDark = (): Promise<boolean> =>
      opened.page.evaluate(
        () => (globalThis as unknown as PageGlobals).matchMedia('(prefers-color-scheme: dark)').matches,
      );
    const choose = (source: 'dark' | 'light'): Promise<boolean> =>
      opened.application.evaluate(({ nativeTheme }, source) => {
        nativeTheme.themeSource = source;
        return nativeTheme.shouldUseDarkColors;
      }, source);
    assert.equal(await choose('dark'), true);
    await opened.page.waitForFunction(
      () => (globalThis as unknown as PageGlobals).matchMedia('(prefers-color-scheme: dark)').matches,
    );
    assert.equal(await choose('light'), false);
    await opened.page.waitForFunction(
      () => !(globalThis as unknown as PageGlobals).matchMedia('(prefers-color-scheme: dark)').matches,
    );
    await opened.page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await isDark(), true);
    await opened.page.emulateMedia({ forcedColors: 'active' });
    assert.equal(
      await opened.page.evaluate(
        () => (globalThis as unknown as PageGlobals).matchMedia('(forced-colors: active)').matches,
      ),
      true,
    );
    await opened.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  });

  it('keeps a window whose close was prevented, and closes it when not', async () => {
    const seen = await opened.application.evaluate(async ({ BrowserWindow }) => {
      const window = new BrowserWindow({ show: false });
      await window.loadURL('data:text/html,<title>second</title>');
      window.once('close', (event) => event.preventDefault());
      window.close();
      await new Promise((resolve) => setTimeout(resolve, 100));
      const before = [window.isDestroyed(), BrowserWindow.getAllWindows().length];
      const closed = new Promise((resolve) => window.once('closed', () => resolve(undefined)));
      window.close();
      await closed;
      let thrown = '';
      try {
        window.getTitle();
      } catch (error) {
        thrown = (error as Error).message;
      }
      return { before, after: [window.isDestroyed(), BrowserWindow.getAllWindows().length], thrown };
    });
    assert.deepEqual(seen, { before: [false, 2], after: [true, 1], thrown: 'Object has been destroyed' });
  });

  it('destroys a window without asking', async () => {
    const events = await opened.application.evaluate(async ({ BrowserWindow }) => {
      const window = new BrowserWindow({ show: false });
      const events: string[] = [];
      window.on('close', (event) => {
        event.preventDefault();
        events.push('close');
      });
      window.on('closed', () => void events.push('closed'));
      window.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return events;
    });
    assert.deepEqual(events, ['closed']);
  });

  it('finds windows by id, by contents and by Playwright page', async () => {
    const handle = await opened.application.browserWindow(opened.page);
    const same = await handle.evaluate(
      (window, _nothing) => window === (globalThis as unknown as FixtureGlobals).fixtureApp.window,
      undefined,
    );
    assert.equal(same, true);
    const found = await opened.application.evaluate(({ BrowserWindow, webContents }) => {
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      return [
        BrowserWindow.fromId(window.id) === window,
        BrowserWindow.fromWebContents(window.webContents) === window,
        webContents.fromId(window.webContents.id) === window.webContents,
        webContents.getAllWebContents().includes(window.webContents),
      ];
    });
    assert.deepEqual(found, [true, true, true, true]);
  });

  it('reports a crashed renderer, which recovers by loading again', async () => {
    const seen = await opened.application.evaluate(async ({ app, BrowserWindow }) => {
      const window = new BrowserWindow({ show: false });
      await window.loadURL('app://fixture/next.html');
      const inApp = new Promise<string>((resolve) =>
        app.once('render-process-gone', (_event, contents, details) =>
          resolve(`${contents === window.webContents} ${typeof details.exitCode}`),
        ),
      );
      const gone = new Promise<string>((resolve) =>
        window.webContents.once('render-process-gone', (_event, details) => resolve(details.reason)),
      );
      window.webContents.forcefullyCrashRenderer();
      const reason = await gone;
      const isCrashed = window.webContents.isCrashed();
      const back = new Promise((resolve) =>
        window.webContents.once('did-finish-load', () => resolve(undefined)),
      );
      window.webContents.reload();
      await back;
      const title = await window.webContents.executeJavaScript('document.title');
      const isStillCrashed = window.webContents.isCrashed();
      window.destroy();
      return { reason, inApp: await inApp, isCrashed, title, isStillCrashed };
    });
    assert.match(seen.reason, /^(crashed|killed)$/);
    assert.deepEqual(
      { ...seen, reason: '' },
      { reason: '', inApp: 'true number', isCrashed: true, title: 'Next', isStillCrashed: false },
    );
  });

  it('is ready to show once it has painted', async () => {
    const isReady = await opened.application.evaluate(async ({ BrowserWindow }) => {
      const window = new BrowserWindow({ show: false });
      const ready = new Promise<boolean>((resolve) => window.once('ready-to-show', () => resolve(true)));
      void window.loadURL('app://fixture/index.html');
      const answer = await ready;
      window.destroy();
      return answer;
    });
    assert.equal(isReady, true);
  });

  it('reports a preload that throws, and still loads the page', async () => {
    const seen = await opened.application.evaluate(
      async ({ BrowserWindow }, preload) => {
        const window = new BrowserWindow({ show: false, webPreferences: { preload } });
        const failed = new Promise<string>((resolve) =>
          window.webContents.once('preload-error', (_event, _path, error) => resolve(error.message)),
        );
        await window.loadURL('app://fixture/next.html');
        const text = await failed;
        const title = window.webContents.getTitle();
        window.destroy();
        return { text, title };
      },
      join(fixtures, 'broken-preload.cjs'),
    );
    assert.deepEqual(seen, { text: 'no preload today', title: 'Next' });
  });
});
