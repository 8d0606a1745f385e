// Where windows open, and recovery when a page's process dies.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron';
import {
  createPageWindow,
  readBounds,
  recoverPage,
  type PageWindowDeps,
} from '../../../app/desktop/page-window.ts';
import { quietLog } from './desktop-fixture.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1050 };

/** Opens a window in a folder with this content of its bounds file. */
async function opened(content: string, bounds?: Rectangle) {
  const folder = await mkdtemp(join(tmpdir(), 'doctray-place-'));
  const boundsFile = join(folder, 'window.json');
  await writeFile(boundsFile, content);
  let options: BrowserWindowConstructorOptions = {};
  class FakeWindow extends EventEmitter {
    constructor(given: BrowserWindowConstructorOptions) {
      super();
      options = given;
    }
    setMenuBarVisibility = (): void => undefined;
    getNormalBounds = () => bounds;
    isMaximized = () => true;
  }
  const deps = {
    BrowserWindow: FakeWindow as unknown as typeof BrowserWindow,
    nativeTheme: { shouldUseDarkColors: false },
    screen: { getDisplayMatching: () => ({ workArea: screen }) },
    boundsFile,
    log: quietLog(),
  } as unknown as PageWindowDeps;
  const window = createPageWindow(deps, 'DocTray', {});
  if (bounds !== undefined) window.emit('close');
  const remembered = readBounds(boundsFile);
  await rm(folder, { recursive: true });
  const { x, y, width, height } = options;
  return { place: [x, y, width, height], remembered };
}

const boundsAt = (x: number, y: number, width = 1000, height = 700): string =>
  JSON.stringify({ bounds: { x, y, width, height }, isMaximized: false });

test('opens the window where it was, moved onto its screen', async () => {
  for (const [content, place] of [
    [boundsAt(50, 60), [50, 60, 1000, 700]],
    [boundsAt(2000, 100), [920, 100, 1000, 700]],
    [boundsAt(-950, -10), [0, 0, 1000, 700]],
    [boundsAt(100, 1040), [100, 350, 1000, 700]],
    [boundsAt(0, 0, 5000, 4000), [0, 0, 1920, 1050]],
  ] as const)
    assert.deepEqual((await opened(content)).place, place, content);
});

test('has a usual size without usable bounds', async () => {
  for (const content of ['', '{', '{}', 'null', boundsAt(1e99, 0, 1, 1), boundsAt(0, 0, 0, 0)])
    assert.deepEqual((await opened(content)).place, [undefined, undefined, 1120, 760], content);
});

test('remembers the bounds that the window has when it closes', async () => {
  const bounds = { x: 1, y: 2, width: 800, height: 600 };
  assert.deepEqual((await opened('', bounds)).remembered, { bounds, isMaximized: true });
});

test('reloads a page that crashed; if it crashes again within a minute, closes its window and says so', async () => {
  let nowMs = 1_000_000;
  const done: string[] = [];
  let isDestroyed = false;
  const window = {
    webContents: new EventEmitter(),
    isDestroyed: () => isDestroyed,
    destroy() {
      isDestroyed = true;
      done.push('closed');
    },
  };
  recoverPage(
    window as unknown as BrowserWindow,
    {
      clock: () => nowMs,
      log: { ...quietLog(), request: () => undefined, flush: () => undefined },
      showError: ({ message }) => void done.push(message),
    },
    { reload: () => void done.push('reloaded'), message: () => 'It crashed twice.' },
  );
  const crash = async (reason: string, laterMs: number): Promise<void> => {
    nowMs += laterMs;
    window.webContents.emit('render-process-gone', {}, { reason });
    await nextTurn();
  };
  await crash('clean-exit', 0);
  await crash('crashed', 0);
  await crash('oom', 60_000);
  await crash('clean-exit', 1000);
  assert.deepEqual(done, ['reloaded', 'reloaded']);
  await crash('crashed', 58_000);
  await crash('crashed', 0);
  assert.deepEqual(done.slice(2), ['closed', 'It crashed twice.']);
});
