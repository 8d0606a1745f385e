// The package that `npm pack` creates, installed in an empty place: what runs on a computer without a display.

import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildApp, projectRoot } from '../cli/built-program.ts';
import { startProcess } from '../cli/running-process.ts';

let place: string;
let doctray: string;
let installed: string;

const start = (program: string, args: string[], env: NodeJS.ProcessEnv) =>
  startProcess([program, ...args], { cwd: place, env: { ...process.env, ...env } });

/** What the program prints. */
async function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, stdout, stderr } = await start(program, args, env).ended;
  assert.equal(code, 0, stderr);
  return stdout;
}

before(async () => {
  await buildApp();
  place = mkdtempSync(join(tmpdir(), 'doctray-npm-'));
  await run('npm', ['pack', projectRoot, '--ignore-scripts', '--pack-destination', place]);
  const [packed = ''] = globSync('*.tgz', { cwd: place });
  const prefix = join(place, 'prefix');
  const options = '--global --prefer-offline --no-audit --no-fund --prefix'.split(' ');
  await run('npm', ['install', ...options, prefix, `./${packed}`]);
  doctray = join(prefix, 'bin', 'doctray');
  installed = join(prefix, 'lib', 'node_modules', 'doctray');
});
after(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));

test('has no sources, no Electron and less than 25 MB besides the two packages with binaries', () => {
  const files = globSync('**/*', { cwd: installed }).filter((path) =>
    statSync(join(installed, path)).isFile(),
  );
  const ours = files.filter((path) => !path.startsWith('node_modules'));
  assert.deepEqual(
    ours.filter((path) => /\.tsx?$|\.map$/.test(path)),
    [],
  );
  assert.ok(!existsSync(join(installed, 'node_modules', 'electron')));
  const bytes = files
    .filter((path) => !/^node_modules\/(?:better-sqlite3|keytar)\//.test(path))
    .reduce((sum, path) => sum + statSync(join(installed, path)).size, 0);
  assert.ok(bytes < 25_000_000, `${bytes} bytes`);
});

test('serves, opens a document in the text editor, shows the dashboard and stops', async () => {
  const folder = join(place, 'documents');
  mkdirSync(folder);
  writeFileSync(join(folder, 'letter.txt'), 'Dear reader');
  const data = join(place, 'data');
  const env = { DOCTRAY_OWNER_PASSWORD: 'a-password-for-this-test', HOME: place };
  const args = ['serve', '--folder', folder, '--data', data, '--port', '0', '--json'];
  const serving = start(doctray, args, env);
  try {
    await serving.event('listening');
    const call = (...args: string[]): Promise<string> => run(doctray, [...args, '--data', data], env);
    const link = /http\S+/.exec(await call('open', 'letter.txt', '--print'))?.[0] ?? '';
    assert.equal((await fetch(link, { redirect: 'manual' })).status, 303, link);

    const dashboard = new URL(/http\S+/.exec(await call('dashboard'))?.[0] ?? '');
    const page = await fetch(dashboard);
    assert.match(await page.text(), /<script type="module"/);
    assert.match(await call('status'), /serving/);
    await call('quit');
    const { code, signal } = await serving.ended;
    assert.deepEqual([code, signal], [0, null]);
  } finally {
    await serving.stop();
  }
});

test('says how to remove it', async () => {
  const args = ['uninstall', '--yes', '--delete-data', '--data', join(place, 'data')];
  assert.match(await run(doctray, args, { HOME: place }), /npm uninstall --global doctray/);
  assert.ok(!existsSync(join(place, 'data')));
});
