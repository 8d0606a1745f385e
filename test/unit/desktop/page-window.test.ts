// Where windows open, and recovery when a page's process dies.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  createCrashRecovery,
  reachableBounds,
  readBounds,
  writeBounds,
} from '../../../app/desktop/page-window.ts';
import { questions, quietLog } from './desktop-fixture.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1050 };
const boundsAt = (x: number, y: number, width = 1000, height = 700) => ({
  bounds: { x, y, width, height },
  isMaximized: false,
});

test('opens the window where it was', () => {
  const second = { x: 1920, y: -200, width: 2560, height: 1400 };
  assert.deepEqual(reachableBounds(boundsAt(50, 60), [screen]), boundsAt(50, 60).bounds);
  assert.deepEqual(reachableBounds(boundsAt(2000, -150), [screen, second]), boundsAt(2000, -150).bounds);
});

test('keeps only the size if the title bar would be out of reach', () => {
  const size = { width: 1000, height: 700 };
  for (const [x, y] of [
    [2000, 100],
    [1850, 100],
    [-950, 100],
    [100, -10],
    [100, 1040],
  ] as const) {
    assert.deepEqual(reachableBounds(boundsAt(x, y), [screen]), size, `${x}, ${y}`);
  }
});

test('limits the size to the screen and to a usable minimum, and has a default', () => {
  assert.deepEqual(reachableBounds(boundsAt(0, 0, 5000, 4000), [screen]), {
    x: 0,
    y: 0,
    width: 1920,
    height: 1050,
  });
  assert.deepEqual(reachableBounds(boundsAt(0, 0, 10, 10), [screen]), {
    x: 0,
    y: 0,
    width: 720,
    height: 480,
  });
  assert.deepEqual(reachableBounds(undefined, [screen]), { width: 1120, height: 760 });
  assert.deepEqual(reachableBounds(boundsAt(0, 0), []), { width: 1120, height: 760 });
});

test('stores the bounds in a file that only this user can access, and ignores an invalid one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'doctray-place-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'window.json');
  assert.equal(readBounds(file), undefined);
  writeBounds(file, boundsAt(1, 2));
  assert.deepEqual(readBounds(file), boundsAt(1, 2));
  if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['window.json']);
  assert.ok((await readFile(file, 'utf8')).startsWith('{"bounds"'));
  for (const text of [
    '',
    '{',
    '{}',
    'null',
    '{"bounds":{"x":1e99,"y":0,"width":1,"height":1},"isMaximized":false}',
  ]) {
    await writeFile(file, text);
    assert.equal(readBounds(file), undefined, text);
  }
});

function crashes() {
  let nowMs = 1_000_000;
  const done: string[] = [];
  const asked = questions();
  const crash = createCrashRecovery({
    clock: () => nowMs,
    log: quietLog(),
    question: { type: 'error', message: 'Again?', buttons: ['Reload', 'Quit'], defaultId: 0, cancelId: 0 },
    ask: asked.ask,
    reload: () => void done.push('reload'),
    giveUp: () => void done.push('give up'),
  });
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  return { crash, done, asked, wait };
}

test('reloads a page that crashed, and again if it crashes after a minute', () => {
  const { crash, done, asked, wait } = crashes();
  crash('crashed');
  wait(60_000);
  crash('oom');
  assert.deepEqual(done, ['reload', 'reload']);
  assert.equal(asked.open.length, 0);
});

test('asks once when the page crashes again within a minute', async () => {
  const { crash, done, asked, wait } = crashes();
  crash('crashed');
  wait(59_000);
  crash('crashed');
  crash('crashed');
  assert.equal(asked.open.length, 1);
  assert.deepEqual(done, ['reload']);
  await asked.answer(0);
  assert.deepEqual(done, ['reload', 'reload']);
  crash('crashed');
  assert.equal(asked.open.length, 1);
});

test('gives up when the user wants to', async () => {
  const { crash, done, asked } = crashes();
  crash('crashed');
  crash('crashed');
  await asked.answer(1);
  assert.deepEqual(done, ['reload', 'give up']);
});
