// The package that `npm pack` creates, installed in an empty place: what runs on a computer without a display.

import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
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

const env = (): NodeJS.ProcessEnv => ({ DOCTRAY_OWNER_PASSWORD: password, HOME: place });
const password = 'a-password-for-this-test';

/** Serves a folder with `letter.txt`. */
async function serve(program: string, name: string) {
  const [folder, data] = [join(place, `${name}-documents`), join(place, name)];
  mkdirSync(folder);
  writeFileSync(join(folder, 'letter.txt'), 'Dear reader');
  const args = ['serve', '--folder', folder, '--data', data, '--port', '0', '--json'];
  const serving = start(program, args, env());
  const { baseUrl } = await serving.event('listening');
  const call = (...args: string[]): Promise<string> => run(doctray, [...args, '--data', data], env());
  return { serving, baseUrl: String(baseUrl), call };
}

test('serves, opens a document in the text editor, shows the dashboard and stops', async (t) => {
  const { serving, call } = await serve(doctray, 'data');
  t.after(() => serving.stop());
  const link = /http\S+/.exec(await call('open', 'letter.txt', '--print'))?.[0] ?? '';
  assert.equal((await fetch(link, { redirect: 'manual' })).status, 303, link);

  const dashboard = new URL(/http\S+/.exec(await call('dashboard'))?.[0] ?? '');
  const page = await fetch(dashboard);
  assert.match(await page.text(), /<script type="module"/);
  await call('quit');
  const { code, signal } = await serving.ended;
  assert.deepEqual([code, signal], [0, null]);
});

/** Waits until the process has used hardly any processor time for 3 s: what it loads after the start is loaded. */
async function untilIdle(pid: number | undefined): Promise<void> {
  const ticks = (): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  for (let before = -Infinity; ticks() - before > 1; await pause(3000)) before = ticks();
}

test('goes on when an update replaces its files: an open document can be locked and saved, and `quit` stops it', async (t) => {
  const old = join(place, 'old');
  cpSync(installed, old, { recursive: true });
  const { serving, baseUrl, call } = await serve(join(old, 'out/main/cli.js'), 'old-data');
  t.after(() => serving.stop());
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const json = { 'Content-Type': 'application/json', ...headers };
    const answer = await fetch(baseUrl + path, { method: 'POST', body: JSON.stringify(body), headers: json });
    return ((await answer.json()) as { response: Record<string, string> }).response;
  };
  const { token } = await post('/api/2.0/authentication.json', { userName: 'owner', password });
  const document = { path: 'letter.txt', mode: 'edit' };
  const bearer = { Authorization: `Bearer ${token}` };
  const { wopiSrc, accessToken } = await post('/api/2.0/files/access', document, bearer);
  await untilIdle(serving.child.pid);
  rmSync(join(old, 'out'), { recursive: true });

  const headers = { 'X-WOPI-Override': 'LOCK', 'X-WOPI-Lock': 'a lock' };
  const locked = await fetch(`${wopiSrc}?access_token=${accessToken}`, { method: 'POST', headers });
  assert.equal(locked.status, 200);
  const save = { method: 'POST', headers: { ...headers, 'X-WOPI-Override': 'PUT' }, body: 'Dear all' };
  assert.equal((await fetch(`${wopiSrc}/contents?access_token=${accessToken}`, save)).status, 200);
  assert.equal(readFileSync(join(place, 'old-data-documents', 'letter.txt'), 'utf8'), 'Dear all');
  await assert.rejects(call('doctor'), /updated or removed while it was running/);
  await call('quit', '--yes');
  assert.equal((await serving.ended).code, 0);
});

test('says how to remove it', async () => {
  const args = ['uninstall', '--yes', '--delete-data', '--data', join(place, 'data')];
  assert.match(await run(doctray, args, { HOME: place }), /npm uninstall --global doctray/);
  assert.ok(!existsSync(join(place, 'data')));
});
