// Building the browser pages when their sources are newer, in a project of its own whose bundler is a script.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, test } from 'node:test';
import { buildPage } from '../../app/terminal/start-build.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'doctray-pages-build-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string, content = '', atSeconds?: number): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  if (atSeconds !== undefined) await utimes(file, atSeconds, atSeconds);
}

const bundler = (work: string): Promise<void> =>
  write(
    'node_modules/vite/bin/vite.js',
    `const fs = require('node:fs'); fs.appendFileSync('builds', process.argv.slice(2).join(' ') + '\\n'); ${work}`,
  );
const good = `fs.mkdirSync('out/text-editor', { recursive: true });
  for (const name of ['text-editor.js', 'page.js', 'text-editor.css', 'preview.html', 'preview.js']) fs.writeFileSync('out/text-editor/' + name, '');`;
const builds = (): Promise<string> => readFile(join(root, 'builds'), 'utf8').catch(() => '');
const deps = () => ({ projectRoot: root, env: process.env });

/** What is in `out/`, without the locks. */
async function bundles(): Promise<string[]> {
  return (await readdir(join(root, 'out'))).filter((name) => !name.endsWith('.lock'));
}

test('builds once for simultaneous callers, and again only when a source is newer', async () => {
  await bundler(good);
  await write('renderer/text-editor/main.ts', '', 100);
  await utimes(join(root, 'renderer', 'text-editor'), 100, 100);
  assert.deepEqual(await Promise.all([buildPage('text-editor', deps()), buildPage('text-editor', deps())]), [
    undefined,
    undefined,
  ]);
  assert.equal(
    await builds(),
    'build --config build/pages.vite.config.ts --mode text-editor --logLevel warn\n',
  );
  assert.deepEqual(await bundles(), ['text-editor']);

  await buildPage('text-editor', deps());
  assert.equal((await builds()).split('\n').length, 2);
  await write('renderer/text-editor/main.ts', 'newer', Date.now() / 1000 + 60);
  await buildPage('text-editor', deps());
  assert.equal((await builds()).split('\n').length, 3);
});

test('waits for a build that has written the results but isn’t done', async () => {
  await bundler(`${good} while (!fs.existsSync('go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  fs.writeFileSync('out/text-editor/chunk.js', '');`);
  await write('renderer/text-editor/main.ts', '', 100);
  await utimes(join(root, 'renderer', 'text-editor'), 100, 100);
  const chunks = async () =>
    (await readdir(join(root, 'out', 'text-editor'))).filter((name) => name === 'chunk.js');
  const first = buildPage('text-editor', deps());
  while (!existsSync(join(root, 'out', 'text-editor', 'preview.js'))) await delay(10);
  const second = buildPage('text-editor', deps()).then(chunks);
  await delay(100);
  await write('go');
  assert.deepEqual([await first, await second], [undefined, ['chunk.js']]);
});

test('builds again at once if the last build was killed, and a shared source counts', async () => {
  await bundler(good);
  await write('renderer/text-editor/main.ts', '', 100);
  await write('renderer/kit/tokens.css', '', 100);
  await buildPage('text-editor', deps());
  await write('out/.building-text-editor');
  const startedAtMs = Date.now();
  await buildPage('text-editor', deps());
  assert.ok(Date.now() - startedAtMs < 60_000);
  assert.deepEqual(await bundles(), ['text-editor']);
  assert.equal((await builds()).split('\n').length, 3);

  for (const [index, shared] of ['renderer/kit/tokens.css', 'locales/de.json'].entries()) {
    await write(shared, 'newer', Date.now() / 1000 + 60);
    await buildPage('text-editor', deps());
    assert.equal((await builds()).split('\n').length, 4 + index, shared);
    // Only the next one is newer than the bundle.
    await write(shared, 'older', 100);
  }
});

test('builds nothing without sources, as in an installed app', async () => {
  await bundler(good);
  assert.equal(await buildPage('text-editor', deps()), undefined);
  assert.equal(await builds(), '');
});

test('reports the bundler’s first error as the reason', async () => {
  await write('renderer/text-editor/main.ts');
  await bundler(
    `console.error('\\u001b[31mone file\\u001b[39m\\n[PARSE_ERROR] Expected a semicolon\\n  at main.ts'); process.exit(1);`,
  );
  assert.equal(await buildPage('text-editor', deps()), '[PARSE_ERROR] Expected a semicolon');
});

test('names the folder that can’t be written, and what to do', async () => {
  await bundler(good);
  await write('renderer/text-editor/main.ts');
  await write('out');
  assert.equal(
    await buildPage('text-editor', deps()),
    `${join(root, 'out')} isn’t writable, EEXIST; make it writable, or run \`npm run build\` as its owner`,
  );
  assert.equal(await builds(), '');
});
