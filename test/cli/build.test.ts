// Building a page when its sources are newer, in a project of its own whose bundler is a script. The app is built in the same way.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, test } from 'node:test';
import { buildPage } from '../../app/terminal/start-build.ts';
import { until } from '../until.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'doctray-build-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string, content = '', atSeconds?: number): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  if (atSeconds !== undefined)
    for (const one of [file, dirname(file)]) await utimes(one, atSeconds, atSeconds);
}

/** A bundler of pages that notes its arguments. */
const bundler = (work: string): Promise<void> =>
  write(
    'node_modules/vite/bin/vite.js',
    `const fs = require('node:fs'); fs.appendFileSync('builds', process.argv.slice(2).join(' ') + '\\n'); ${work}`,
  );
const good = `fs.mkdirSync('out/text-editor', { recursive: true });
  for (const name of ['text-editor.js', 'page.js', 'text-editor.css', 'preview.html', 'preview.js']) fs.writeFileSync('out/text-editor/' + name, '');`;
const build = () => buildPage('text-editor', { projectRoot: root, env: process.env });
const builds = async (): Promise<string[]> =>
  (await readFile(join(root, 'builds'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

test('builds a page once for simultaneous callers, again if one of its sources is newer, and after a build that was killed', async () => {
  await bundler(good);
  await write('renderer/text-editor/main.ts', '', 100);
  assert.deepEqual(await Promise.all([build(), build()]), [undefined, undefined]);
  assert.deepEqual(await builds(), [
    'build --config build/pages.vite.config.ts --mode text-editor --logLevel warn',
  ]);
  const bundles = (await readdir(join(root, 'out'))).filter((name) => !name.endsWith('.lock'));
  assert.deepEqual(bundles, ['text-editor']);

  await build();
  assert.equal((await builds()).length, 1);
  await write('out/.building-text-editor');
  await build();
  assert.equal((await builds()).length, 2);
  const sources = ['renderer/text-editor/main.ts', 'renderer/kit/tokens.css', 'locales/de.json'];
  for (const [index, source] of sources.entries()) {
    await write(source, 'newer', Date.now() / 1000 + 60);
    await build();
    assert.equal((await builds()).length, 3 + index, source);
    await write(source, 'older', 100);
  }
  await rm(join(root, 'out/text-editor/page.js'));
  await build();
  assert.equal((await builds()).length, 6);
});

test('waits for a build that has written the results but isn’t done', async () => {
  await bundler(`${good} while (!fs.existsSync('go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  fs.writeFileSync('out/text-editor/chunk.js', '');`);
  await write('renderer/text-editor/main.ts', '', 100);
  const chunk = join(root, 'out/text-editor/chunk.js');
  const first = build();
  await until('the page', () => existsSync(join(root, 'out/text-editor/preview.js')));
  const second = build().then(() => existsSync(chunk));
  await delay(100);
  await write('go');
  assert.deepEqual([await first, await second], [undefined, true]);
});

test('builds nothing without sources, as in an installed app, and says why a build failed', async () => {
  await bundler(
    `console.error('\\u001b[31mone file\\u001b[39m\\n[PARSE_ERROR] Expected a semicolon\\n  at main.ts'); process.exit(1);`,
  );
  assert.deepEqual([await build(), await builds()], [undefined, []]);
  await write('renderer/text-editor/main.ts');
  assert.equal(await build(), '[PARSE_ERROR] Expected a semicolon');
  await rm(join(root, 'out'), { recursive: true });
  await write('out');
  assert.equal(
    await build(),
    `${join(root, 'out')} isn’t writable, EEXIST; make it writable, or run \`npm run build\` as its owner`,
  );
});
