// Where the window opens, what becomes of it when its process dies, and which addresses leave the app.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createOpenExternal } from '../../../app/desktop/external-pages.ts';
import { createRendererCrash } from '../../../app/desktop/renderer-crash.ts';
import { reachableBounds, readWindowPlace, writeWindowPlace } from '../../../app/desktop/window-bounds.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1050 };
const place = (x: number, y: number, width = 1000, height = 700) => ({
  bounds: { x, y, width, height },
  isMaximized: false,
});

test('the window opens where it was', () => {
  const second = { x: 1920, y: -200, width: 2560, height: 1400 };
  assert.deepEqual(reachableBounds(place(50, 60), [screen]), place(50, 60).bounds);
  assert.deepEqual(reachableBounds(place(2000, -150), [screen, second]), place(2000, -150).bounds);
});

test('where its upper edge cannot be taken hold of any more, only its size is kept', () => {
  const size = { width: 1000, height: 700 };
  for (const [x, y] of [
    [2000, 100],
    [1850, 100],
    [-950, 100],
    [100, -10],
    [100, 1040],
  ] as const) {
    assert.deepEqual(reachableBounds(place(x, y), [screen]), size, `${x}, ${y}`);
  }
});

test('it is never larger than the screen nor smaller than it can be used', () => {
  assert.deepEqual(reachableBounds(place(0, 0, 5000, 4000), [screen]), {
    x: 0,
    y: 0,
    width: 1920,
    height: 1050,
  });
  assert.deepEqual(reachableBounds(place(0, 0, 10, 10), [screen]), { x: 0, y: 0, width: 720, height: 480 });
  assert.deepEqual(reachableBounds(undefined, [screen]), { width: 1120, height: 760 });
  assert.deepEqual(reachableBounds(place(0, 0), []), { width: 1120, height: 760 });
});

test('the place is kept for this user alone, and an unusable file is none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'doctray-place-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'window.json');
  assert.equal(readWindowPlace(file), undefined);
  writeWindowPlace(file, place(1, 2));
  assert.deepEqual(readWindowPlace(file), place(1, 2));
  assert.equal((await stat(file)).mode & 0o777, 0o600);
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
    assert.equal(readWindowPlace(file), undefined, text);
  }
});

function crashes(answer: 'reload' | 'quit' = 'reload') {
  let nowMs = 1_000_000;
  const done: string[] = [];
  let decide: () => void = () => undefined;
  const nothing = (): void => undefined;
  const crash = createRendererCrash({
    clock: () => nowMs,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing, request: nothing, flush: nothing },
    reload: () => void done.push('reload'),
    ask: async () => {
      done.push('ask');
      await new Promise<void>((resolve) => {
        decide = resolve;
      });
      return answer;
    },
    quit: () => void done.push('quit'),
  });
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  const answerNow = async (): Promise<void> => {
    decide();
    await nextTurn();
  };
  return { crash, done, wait, answerNow };
}

test('a page that crashes is loaded again at once, and again when that held for a minute', () => {
  const { crash, done, wait } = crashes();
  crash.onGone('crashed');
  assert.deepEqual(done, ['reload']);
  wait(60_000);
  crash.onGone('oom');
  assert.deepEqual(done, ['reload', 'reload']);
});

test('when it crashes again within a minute the user is asked, once', async () => {
  const { crash, done, wait, answerNow } = crashes();
  crash.onGone('crashed');
  wait(59_000);
  crash.onGone('crashed');
  crash.onGone('crashed');
  assert.deepEqual(done, ['reload', 'ask']);
  await answerNow();
  assert.deepEqual(done, ['reload', 'ask', 'reload']);
  crash.onGone('crashed');
  assert.deepEqual(done, ['reload', 'ask', 'reload', 'ask']);
});

test('the user may quit instead', async () => {
  const { crash, done, answerNow } = crashes('quit');
  crash.onGone('crashed');
  crash.onGone('crashed');
  await answerNow();
  assert.deepEqual(done, ['reload', 'ask', 'quit']);
});

async function opens(url: string, own: string[] = []): Promise<string | undefined> {
  const opened: string[] = [];
  const open = createOpenExternal({ open: async (target) => void opened.push(target), ownUrls: () => own });
  try {
    await open(url);
    return opened[0];
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'permission-denied');
    assert.deepEqual(opened, []);
    return undefined;
  }
}

test('https pages open in the browser', async () => {
  assert.equal(await opens('https://docs.example/page?a=b#c'), 'https://docs.example/page?a=b#c');
});

test('the host’s own pages open also without https, and only its own', async () => {
  const own = ['http://127.0.0.1:8790', 'http://nas.local:80/doctray'];
  assert.equal(await opens('http://127.0.0.1:8790/open/1', own), 'http://127.0.0.1:8790/open/1');
  assert.equal(await opens('http://nas.local/other', own), 'http://nas.local/other');
  for (const url of [
    'http://127.0.0.1:8791/',
    'http://127.0.0.1/',
    'http://nas.local.evil/',
    'http://evil/',
  ]) {
    assert.equal(await opens(url, own), undefined, url);
  }
});

test('nothing that starts a program or reads a file leaves the app', async () => {
  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'smb://server/share',
    'ms-msdt:/id',
    'vscode://file/etc/passwd',
    'app://doctray/index.html',
    'data:text/html,x',
    'http://example.com/',
    'HTTP://example.com/',
    'https://user:secret@example.com/',
    'https://example.com@evil.example/',
    '\\\\server\\share',
    'calc.exe',
    '',
    `https://example.com/${'a'.repeat(3000)}`,
  ]) {
    assert.equal(
      await opens(url, ['http://127.0.0.1:8790', 'file:///', 'not an address', '']),
      undefined,
      url,
    );
  }
});
