// What the other tests take for granted of Electron: messages between page, preload and main process, the events of navigations and
// windows, and that nothing is silently missing. Runs on the stand-in and, with ELECTRON=real, on Electron.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';

import { openFixtureApp, type FixtureApp, type InFixture } from './fixture-app.ts';
import { isRealElectron } from './launch.ts';
import { pressMenu, readMenu } from './press.ts';

/** What the fixture's preload exposes to its page. */
interface InPage {
  fixtureApp: Record<string, (...args: unknown[]) => unknown> & { nested: { list: unknown[]; when: Date } };
  scriptRan?: boolean;
}

describe('the stand-in', { timeout: 60_000 }, () => {
  let opened: FixtureApp;
  before(async () => {
    opened = await openFixtureApp();
  });
  after(() => opened.close());
  beforeEach(() => opened.goHome());

  /** The message of the error that a call from the page is rejected with. */
  const failure = (...call: string[]): Promise<string> =>
    opened.page.evaluate((given) => {
      const calling = (globalThis as unknown as InPage).fixtureApp['invoke']!(...given) as Promise<unknown>;
      return calling.then(
        () => 'fine',
        (error: Error) => error.message,
      );
    }, call);

  it('passes what the app and attacks send through messages, in both directions, and rejects the rest', async () => {
    const seen = await opened.page.evaluate(async () => {
      const { fixtureApp } = globalThis as unknown as InPage;
      const [map, date, bytes, nothing, nan, list] = (await fixtureApp['invoke']!(
        'echo',
        new Map([['a', { b: 1 }]]),
        new Date(5),
        new Uint8Array([1, 255]),
        undefined,
        Number.NaN,
        [null, 'größe', { deep: true }],
      )) as [Map<string, object>, Date, Uint8Array, undefined, number, unknown[]];
      const refusals = [Symbol('no'), new WeakMap(), { f: () => 1 }].map((value) =>
        Promise.resolve()
          .then(() => fixtureApp['invoke']!('echo', value))
          .then(
            () => 'sent',
            (error: Error) => error.message,
          ),
      );
      return {
        values: [map.get('a'), date.getTime(), [...bytes], nothing === undefined, Number.isNaN(nan), list],
        refusals: await Promise.all(refusals),
      };
    });
    assert.deepEqual(seen.values, [{ b: 1 }, 5, [1, 255], true, true, [null, 'größe', { deep: true }]]);
    for (const message of seen.refusals) assert.match(message, /could not be cloned/);
  });

  it('names the channel when a handler throws or is missing, and takes one handler for each', async () => {
    assert.match(
      await failure('fail', 'so it is'),
      /^Error invoking remote method 'fail': TypeError: so it is/,
    );
    assert.match(await failure('nobody'), /No handler registered for 'nobody'/);
    const second = await opened.application.evaluate(({ ipcMain }) => {
      try {
        ipcMain.handle('echo', () => 1);
        return 'fine';
      } catch (error) {
        return (error as Error).message;
      }
    });
    assert.equal(second, "Attempted to register a second handler for 'echo'");
  });

  it('drops the answer to a page that has been loaded again', async () => {
    const { application, page } = opened;
    await application.evaluate(({ ipcMain }) => {
      const answers: (() => void)[] = [];
      Object.assign(globalThis, { answers });
      ipcMain.handle('slow', async (_event, word: string) => {
        await new Promise<void>((resolve) => answers.push(resolve));
        return word;
      });
    });
    for (const word of ['old', 'new']) {
      await page.reload();
      await page.evaluate((asked) => {
        const { fixtureApp } = globalThis as unknown as InPage;
        Object.assign(globalThis, { answer: fixtureApp['invoke']!('slow', asked) });
      }, word);
    }
    await application.evaluate(async ({ ipcMain }) => {
      const { answers } = globalThis as unknown as { answers: (() => void)[] };
      while (answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const answer of answers) answer();
      ipcMain.removeHandler('slow');
    });
    assert.equal(await page.evaluate('answer'), 'new');
  });

  it('delivers pushes of the main process in order', async () => {
    await opened.page.evaluate(() => {
      const pushed: unknown[] = [];
      Object.assign(globalThis, { pushed });
      (globalThis as unknown as InPage).fixtureApp['listen']!(
        'push',
        (value: unknown) => void pushed.push(value),
      );
    });
    await opened.application.evaluate(() => {
      const { webContents } = (globalThis as unknown as InFixture).fixtureApp.window;
      for (let number = 0; number < 50; number += 1) webContents.send('push', number);
    });
    await opened.page.waitForFunction('pushed.length === 50');
    assert.deepEqual(await opened.page.evaluate('pushed'), [...Array(50).keys()]);
  });

  it('says which frame sent a message, and runs the preload only in the main frame', async () => {
    const who = await opened.page.evaluate(() =>
      (globalThis as unknown as InPage).fixtureApp['invoke']!('who'),
    );
    const url = 'app://fixture/index.html';
    assert.deepEqual(who, { url, origin: 'app://fixture', isTop: true, isMain: true, isOwn: true });
    assert.equal(opened.page.url(), url);
    await opened.page.goto('app://fixture/frames.html');
    const inner = opened.page.frame({ name: 'inner' })!;
    assert.equal(await inner.evaluate('typeof fixtureApp'), 'undefined');
  });

  it('copies and freezes what the preload exposes, and proxies functions in both directions', async () => {
    const seen = await opened.page.evaluate(() => {
      const { fixtureApp } = globalThis as unknown as InPage;
      const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'fixtureApp')!;
      const thrown = ['throwNow', 'requireFs'].map((name) => {
        try {
          return fixtureApp[name]!();
        } catch (error) {
          return (error as Error).message;
        }
      });
      return [
        descriptor.writable === false && descriptor.configurable === false,
        Object.isFrozen(fixtureApp) && Object.isFrozen(fixtureApp.nested.list),
        fixtureApp.nested.when.getTime(),
        fixtureApp['addNow']!(1, 2),
        fixtureApp['callBack']!((value: number) => value * 10),
        (fixtureApp['makeFunction']!() as (text: string) => string)('here'),
        thrown,
        // Neither world sees the other.
        ['require', 'process', 'ipcRenderer'].filter((name) => name in globalThis),
        fixtureApp['seesPage']!(),
      ];
    });
    const thrown = ['thrown in the preload', 'module not found: node:fs'];
    assert.deepEqual(seen, [true, true, 86_400_000, 3, 70, 'made here', thrown, [], 'undefined']);
  });

  it('asks about a page’s navigations, not about the app’s, and obeys', async () => {
    const { application, page } = opened;
    await application.evaluate(() => {
      const { webContents } = (globalThis as unknown as InFixture).fixtureApp.window;
      const asked: unknown[] = [];
      Object.assign(globalThis, { asked });
      webContents.on('will-frame-navigate', ({ url, isMainFrame, initiator }) => {
        asked.push([url, isMainFrame, initiator?.url]);
      });
      webContents.on('will-navigate', (event) => {
        asked.push(event.url);
        if (event.url.startsWith('https:')) event.preventDefault();
      });
    });
    await page.evaluate(() => {
      location.href = 'https://example.invalid/evil';
    });
    await page.getByRole('link', { name: 'next' }).click();
    await page.getByRole('heading', { name: 'Next' }).waitFor();
    await application.evaluate(() =>
      (globalThis as unknown as InFixture).fixtureApp.window.loadURL('app://fixture/frames.html'),
    );
    await page.frame({ name: 'inner' })!.evaluate(() => {
      location.href = '/index.html';
    });
    await page.frameLocator('iframe').getByRole('heading', { name: 'FixtureApp' }).waitFor();
    const own = 'app://fixture/index.html';
    const next = 'app://fixture/next.html';
    assert.deepEqual(await application.evaluate(() => (globalThis as unknown as { asked: unknown }).asked), [
      ['https://example.invalid/evil', true, own],
      'https://example.invalid/evil',
      [next, true, own],
      next,
      [own, false, next],
    ]);
  });

  it('rejects a failed load with its code, and reports it', async () => {
    const seen = await opened.application.evaluate(async () => {
      const { window } = (globalThis as unknown as InFixture).fixtureApp;
      const failed = new Promise<unknown[]>((resolve) => {
        window.webContents.once('did-fail-load', (_event, code, text, url, isMainFrame) =>
          resolve([code < 0, text, url, isMainFrame]),
        );
      });
      const error = await window.loadURL('app://fixture/broken').then(
        () => undefined,
        (reason: unknown) => reason as { message: string; code: string },
      );
      return { code: error?.code, message: error?.message, failed: await failed };
    });
    assert.match(seen.code ?? '', /^ERR_(FAILED|UNEXPECTED)$/);
    assert.match(seen.message ?? '', /^ERR_\w+ \(-\d+\) loading 'app:\/\/fixture\/broken'/);
    assert.deepEqual(seen.failed, [true, seen.code, 'app://fixture/broken', true]);
  });

  it('tells the page when its window is hidden and shown', async () => {
    for (const isShown of [true, false, true, false]) {
      await opened.application.evaluate((_electron, shows) => {
        const { window } = (globalThis as unknown as InFixture).fixtureApp;
        if (shows) window.show();
        else window.hide();
      }, isShown);
      await opened.page.waitForFunction((shows) => document.hidden !== shows, isShown);
    }
  });

  it('keeps a window whose close was prevented, and destroys one without asking', async () => {
    const seen = await opened.application.evaluate(async ({ BrowserWindow }) => {
      const window = new BrowserWindow({ show: false });
      await window.loadURL('data:text/html,<title>second</title>');
      const heard: string[] = [];
      const closing = new Promise<void>((resolve) => {
        window.on('close', (event) => {
          heard.push('close');
          event.preventDefault();
          resolve();
        });
      });
      window.close();
      await closing;
      const wasKept = !window.isDestroyed();
      const closed = new Promise<void>((resolve) => void window.once('closed', () => resolve()));
      window.destroy();
      await closed;
      let thrown = '';
      try {
        window.getTitle();
      } catch (error) {
        thrown = (error as Error).message;
      }
      return [wasKept, heard, thrown, BrowserWindow.getAllWindows().length];
    });
    assert.deepEqual(seen, [true, ['close'], 'Object has been destroyed', 1]);
  });

  it('presses an entry of the tray’s menu, but no disabled one', async () => {
    await opened.application.evaluate(
      ({ Tray, Menu, nativeImage }, icon) => {
        const tray = new Tray(nativeImage.createFromPath(icon));
        Object.assign(globalThis, { tray, pressed: 0 });
        const press = () => ((globalThis as unknown as { pressed: number }).pressed += 1);
        const submenu = [{ label: 'For 5 minutes', click: press }];
        tray.setContextMenu(
          Menu.buildFromTemplate([
            { label: 'Status', enabled: false },
            { type: 'separator' },
            { label: 'Pause', submenu },
          ]),
        );
      },
      `${import.meta.dirname}/../../build/tray/serving-22.png`,
    );
    const labels = (await readMenu(opened.application)).map(({ label, type }) => label || type);
    assert.deepEqual(labels, ['Status', 'separator', 'Pause']);
    await pressMenu(opened.application, ['Pause', 'For 5 minutes']);
    await assert.rejects(pressMenu(opened.application, ['Status']), /“Status” is disabled/);
    await assert.rejects(pressMenu(opened.application, ['Nothing']), /No menu entry/);
    assert.equal(await opened.application.evaluate('pressed'), 1);
  });

  it('throws for members, options and events that it doesn’t have, and names them', async () => {
    if (isRealElectron) {
      const type = await opened.application.evaluate('typeof process.getBuiltinModule');
      assert.equal(type, 'function');
      return;
    }
    const texts = await opened.application.evaluate(async (electron) => {
      const { app, BrowserWindow, Menu, Tray, session, nativeImage, Notification, dialog } = electron;
      const { window } = (globalThis as unknown as InFixture).fixtureApp;
      const attempts: (() => unknown)[] = [
        () => app.moveToApplicationsFolder,
        () => electron.crashReporter,
        () => window.setVibrancy,
        () => window.webContents.printToPDF,
        () => session.defaultSession.loadExtension,
        () => new BrowserWindow({ colour: 'red' } as object),
        () => new BrowserWindow({ webPreferences: { nodeIntegration: true } }),
        () => new BrowserWindow({ webPreferences: { sandbox: false } }),
        () => new Notification({ titel: 'x' } as object),
        () => Menu.buildFromTemplate([{ lable: 'x' } as object]),
        () => new Tray(nativeImage.createFromPath('/nowhere')),
        () => app.once('before-quite' as 'before-quit', () => undefined),
        () => dialog.showMessageBox({ mesage: 'x' } as unknown as { message: string }),
      ];
      const found: string[] = [];
      for (const attempt of attempts) {
        try {
          await attempt();
          found.push('nothing was thrown');
        } catch (error) {
          found.push((error as Error).message);
        }
      }
      return found;
    });
    const expected = [
      /has no app\.moveToApplicationsFolder/,
      /has no electron\.crashReporter/,
      /has no BrowserWindow\.setVibrancy/,
      /has no webContents\.printToPDF/,
      /has no session\.loadExtension/,
      /has no option colour for BrowserWindow/,
      /has no webPreferences\.nodeIntegration: true/,
      /has no webPreferences\.sandbox: false/,
      /has no option titel for Notification/,
      /has no option lable for MenuItem/,
      /Failed to load image from path '\/nowhere'/,
      /never emits app 'before-quite'/,
      /has no option mesage for dialog/,
    ];
    for (const [index, pattern] of expected.entries()) assert.match(texts[index] ?? '', pattern);
  });
});
