// Messages between page, preload and main process: what is cloned, what is rejected, their sender frame, and the context bridge. Runs on
// the stand-in and, with ELECTRON=real, on Electron.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';

import { shareFixtureApp } from './fixture-app.ts';
import type { FixtureApp, FixtureGlobals } from './fixture-app.ts';

/** What the fixture's preload exposes to its page. */
interface Offered {
  fixtureApp: Record<string, (...args: unknown[]) => unknown> & {
    version: number;
    nested: { list: unknown[]; when: Date };
  };
}

describe('messages', { timeout: 60_000 }, () => {
  let opened: FixtureApp;
  before(async () => {
    opened = await shareFixtureApp();
  });
  after(() => opened.close());
  beforeEach(() => opened.goHome());

  it('passes everything that structured clone supports, in both directions', async () => {
    const seen = await opened.page.evaluate(async () => {
      const { fixtureApp } = globalThis as unknown as Offered;
      const cycle: Record<string, unknown> = { name: 'cycle' };
      cycle['self'] = cycle;
      const [map, set, date, bytes, buffer, big, nothing, nan, minusZero, back, error] = (await fixtureApp[
        'echo'
      ]!(
        new Map([['a', { b: 1 }]]),
        new Set([1, 'two']),
        new Date(5),
        new Uint16Array([1, 65535]),
        new Uint8Array([9, 8]).buffer,
        12345678901234567890n,
        undefined,
        Number.NaN,
        -0,
        cycle,
        new RangeError('far'),
      )) as [
        Map<string, { b: number }>,
        Set<unknown>,
        Date,
        Uint16Array,
        ArrayBuffer,
        bigint,
        undefined,
        number,
        number,
        Record<string, unknown>,
        Error,
      ];
      return {
        map: map instanceof Map && map.get('a')?.b,
        set: set instanceof Set && [...set],
        date: date instanceof Date && date.getTime(),
        bytes: bytes instanceof Uint16Array && [...bytes],
        buffer: buffer instanceof ArrayBuffer && [...new Uint8Array(buffer)],
        big: big === 12345678901234567890n,
        nothing: nothing === undefined,
        nan: Number.isNaN(nan),
        minusZero: Object.is(minusZero, -0),
        cycle: back['self'] === back,
        error: error instanceof Error && error.message,
      };
    });
    assert.deepEqual(seen, {
      map: 1,
      set: [1, 'two'],
      date: 5,
      bytes: [1, 65535],
      buffer: [9, 8],
      big: true,
      nothing: true,
      nan: true,
      minusZero: true,
      cycle: true,
      error: 'far',
    });
  });

  it('gives the main process instances of its own classes', async () => {
    const kinds = opened.application.evaluate(
      ({ ipcMain }) =>
        new Promise<boolean[]>((resolve) =>
          ipcMain.once('kinds', (_event, map: unknown, date: unknown, bytes: unknown) =>
            resolve([map instanceof Map, date instanceof Date, bytes instanceof Uint8Array]),
          ),
        ),
    );
    await opened.application.evaluate(() => undefined);
    await opened.page.evaluate(() =>
      (globalThis as unknown as Offered).fixtureApp['send']!(
        'kinds',
        new Map(),
        new Date(),
        new Uint8Array(3),
      ),
    );
    assert.deepEqual(await kinds, [true, true, true]);
  });

  it('rejects a function in a message', async () => {
    const text = await opened.page.evaluate(() => {
      try {
        (globalThis as unknown as Offered).fixtureApp['sendFunction']!();
        return 'sent';
      } catch (error) {
        return (error as Error).message;
      }
    });
    assert.match(text, /An object could not be cloned/);
    const fromMain = await opened.application.evaluate(({ BrowserWindow }) => {
      try {
        BrowserWindow.getAllWindows()[0]!.webContents.send('x', () => 1);
        return 'sent';
      } catch (error) {
        return (error as Error).message;
      }
    });
    assert.match(fromMain, /Failed to serialize arguments|could not be cloned/);
  });

  it('names the channel when a handler throws or is missing', async () => {
    const texts = await opened.page.evaluate(async () => {
      const { fixtureApp } = globalThis as unknown as Offered;
      const text = (channel: string, ...args: unknown[]): Promise<string> =>
        (fixtureApp['invoke']!(channel, ...args) as Promise<unknown>).then(
          () => 'fine',
          (error: unknown) => (error as Error).message,
        );
      return [await text('fail', 'so it is'), await text('nobody')];
    });
    assert.match(texts[0]!, /^Error invoking remote method 'fail': TypeError: so it is/);
    assert.match(
      texts[1]!,
      /^Error invoking remote method 'nobody': Error: No handler registered for 'nobody'/,
    );
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
    const ask = (word: string): Promise<unknown> =>
      page.evaluate((asked) => {
        const { fixtureApp } = globalThis as unknown as Offered;
        Object.assign(globalThis, { answer: fixtureApp['invoke']!('slow', asked) });
      }, word);
    const answerNext = (): Promise<void> =>
      application.evaluate(async () => {
        const { answers } = globalThis as unknown as { answers: (() => void)[] };
        while (answers.length === 0) {
          // oxlint-disable-next-line no-await-in-loop
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        answers.shift()!();
      });
    await page.reload();
    await ask('old');
    await page.reload();
    await ask('new');
    await answerNext();
    await answerNext();
    assert.equal(await page.evaluate('answer'), 'new');
    await application.evaluate(({ ipcMain }) => ipcMain.removeHandler('slow'));
  });

  it('rejects a second handler of a channel, and accepts a new one after removal', async () => {
    const texts = await opened.application.evaluate(({ ipcMain }) => {
      const attempt = (): string => {
        try {
          ipcMain.handle('twice', () => 1);
          return 'fine';
        } catch (error) {
          return (error as Error).message;
        }
      };
      const list = [attempt(), attempt()];
      ipcMain.removeHandler('twice');
      list.push(attempt());
      ipcMain.removeHandler('twice');
      return list;
    });
    assert.deepEqual(texts, ['fine', "Attempted to register a second handler for 'twice'", 'fine']);
  });

  it('answers a synchronous message', async () => {
    await opened.application.evaluate(({ ipcMain }) => {
      ipcMain.once('double', (event, value: number) => {
        event.returnValue = value * 2;
      });
    });
    const answer = await opened.page.evaluate(() =>
      (globalThis as unknown as Offered).fixtureApp['sendSync']!('double', 21),
    );
    assert.equal(answer, 42);
  });

  it('delivers pushes of the main process in order, until the listener is removed', async () => {
    await opened.page.evaluate(() => {
      const pushed: unknown[] = [];
      const { fixtureApp } = globalThis as unknown as Offered;
      const stop = fixtureApp['listen']!('push', (value: unknown) => void pushed.push(value)) as () => void;
      Object.assign(globalThis, { pushed, stop });
    });
    await opened.application.evaluate(({ BrowserWindow }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]!;
      for (let number = 0; number < 50; number++) webContents.send('push', number);
    });
    await opened.page.waitForFunction(
      () => (globalThis as unknown as { pushed: unknown[] }).pushed.length === 50,
    );
    const pushed = await opened.page.evaluate(() => (globalThis as unknown as { pushed: number[] }).pushed);
    assert.deepEqual(
      pushed,
      Array.from({ length: 50 }, (_, index) => index),
    );
    await opened.page.evaluate(() => (globalThis as unknown as { stop(): void }).stop());
    await opened.application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.webContents.send('push', 'late'),
    );
    await opened.page.evaluate(() => (globalThis as unknown as Offered).fixtureApp['echo']!());
    assert.equal(
      await opened.page.evaluate(() => (globalThis as unknown as { pushed: unknown[] }).pushed.length),
      50,
    );
  });

  it('exposes which frame sent a message', async () => {
    const who = await opened.page.evaluate(() => (globalThis as unknown as Offered).fixtureApp['who']!());
    assert.deepEqual(who, {
      url: 'app://fixture/index.html',
      origin: 'app://fixture',
      isTop: true,
      hasIds: true,
      isOwn: true,
    });
  });

  it('runs the preload only in the main frame, and lists subframes in the frame tree', async () => {
    await opened.application.evaluate(() =>
      (globalThis as unknown as FixtureGlobals).fixtureApp.window.loadURL('app://fixture/frames.html'),
    );
    await opened.page.evaluate(
      () =>
        new Promise((resolve) => {
          const { document } = globalThis as unknown as {
            document: {
              createElement(name: string): Record<string, unknown>;
              body: { append(node: object): void };
            };
          };
          document.body.append(
            Object.assign(document.createElement('iframe'), {
              name: 'annex',
              onload: resolve,
              src: 'app://annex/next.html',
            }),
          );
        }),
    );
    const inner = opened.page.frame({ name: 'inner' })!;
    assert.equal(
      await inner.evaluate(() => typeof (globalThis as unknown as Partial<Offered>).fixtureApp),
      'undefined',
    );
    const tree = await opened.application.evaluate(() => {
      const { mainFrame } = (globalThis as unknown as FixtureGlobals).fixtureApp.window.webContents;
      return mainFrame.frames.map((frame) => [
        frame.name,
        frame.url,
        frame.origin,
        frame.parent === mainFrame,
        frame.top === mainFrame,
      ]);
    });
    assert.deepEqual(tree, [
      ['inner', 'app://fixture/next.html', 'app://fixture', true, true],
      ['annex', 'app://annex/next.html', 'app://annex', true, true],
    ]);
  });

  it('copies values over the context bridge and freezes them', async () => {
    const seen = await opened.page.evaluate(() => {
      const { fixtureApp } = globalThis as unknown as Offered;
      const before = Object.getOwnPropertyDescriptor(globalThis, 'fixtureApp')!;
      return {
        version: fixtureApp.version,
        deep: (fixtureApp.nested.list[1] as { deep: boolean }).deep,
        when: fixtureApp.nested.when instanceof Date && fixtureApp.nested.when.getTime(),
        isFrozen: Object.isFrozen(fixtureApp) && Object.isFrozen(fixtureApp.nested.list),
        isFixed: before.writable === false && before.configurable === false,
      };
    });
    assert.deepEqual(seen, { version: 7, deep: true, when: 86_400_000, isFrozen: true, isFixed: true });
  });

  it('proxies functions over the context bridge in both directions, synchronously or as promises', async () => {
    const seen = await opened.page.evaluate(async () => {
      const { fixtureApp } = globalThis as unknown as Offered;
      const calls: unknown[] = [];
      const answer = fixtureApp['callBack']!((value: number) => {
        calls.push(value);
        return value * 10;
      });
      const made = fixtureApp['makeFunction']!() as (text: string) => string;
      let thrown = '';
      try {
        fixtureApp['throwNow']!();
      } catch (error) {
        thrown = (error as Error).message;
      }
      const promise = fixtureApp['addLater']!(2, 3);
      return [
        fixtureApp['addNow']!(1, 2),
        promise instanceof Promise,
        await promise,
        answer,
        calls,
        fixtureApp['counter']!(),
        made('here'),
        thrown,
      ];
    });
    assert.deepEqual(seen, [3, true, 5, 10, [1], 1, 'made here', 'thrown in the preload']);
  });

  it('isolates the page’s world from the preload’s', async () => {
    const seen = await opened.page.evaluate(() => {
      const { fixtureApp } = globalThis as unknown as Offered;
      const names = ['require', 'process', 'module', 'ipcRenderer', 'Buffer'];
      return { page: names.map((name) => name in globalThis), preload: fixtureApp['seesPage']!() };
    });
    assert.deepEqual(seen, { page: [false, false, false, false, false], preload: 'undefined' });
  });

  it('gives a sandboxed preload only the modules that Electron allows', async () => {
    const { page } = opened;
    const modules = (await page.evaluate(() =>
      (globalThis as unknown as Offered).fixtureApp['modules']!(),
    )) as Record<string, string>;
    assert.match(modules['events']!, /function|object/);
    assert.equal(modules['timers'], 'object');
    assert.equal(modules['url'], 'object');
    assert.match(modules['fs']!, /module not found: fs/);
    assert.match(modules['path']!, /module not found: path/);
    const { platform, isSandboxed, isIsolated } = (await page.evaluate(() =>
      (globalThis as unknown as Offered).fixtureApp['process']!(),
    )) as Record<string, unknown>;
    assert.deepEqual([platform, isSandboxed, isIsolated], [process.platform, true, true]);
  });
});
