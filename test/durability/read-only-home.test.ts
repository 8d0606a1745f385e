// The first start on a read-only disk: the error says which folder, why, and what to do.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { programEntry } from '../cli/built-program.ts';

let root: string;
let entry: string;
before(async () => {
  entry = await programEntry();
  root = mkdtempSync(join(tmpdir(), 'doctray-read-only-'));
  mkdirSync(join(root, 'home'));
});
after(() => rmSync(root, { recursive: true, force: true }));

/** Root can write despite permission bits, so the disk itself is read-only, in a separate mount namespace. */
function serve(...args: string[]): { status: number | null; stderr: string } {
  const home = join(root, 'home');
  const script = `mount --bind '${home}' '${home}' && mount -o remount,bind,ro '${home}' && exec "$@"`;
  const command = [process.execPath, entry, 'serve', '--port', '0', ...args];
  return spawnSync('unshare', ['--mount', 'sh', '-c', script, 'sh', ...command], {
    env: { PATH: process.env['PATH'], HOME: home, DBUS_SESSION_BUS_ADDRESS: '' },
    encoding: 'utf8',
    timeout: 60_000,
  });
}

test('the start fails if the data folder can’t be created', () => {
  const { status, stderr } = serve();
  assert.equal(status, 1, stderr);
  assert.equal(
    stderr,
    `DocTray can’t use the data folder. ${root}/home/.local/share/doctray: The disk is read-only. Choose another with --data DIR.\n`,
  );
});

test('the start fails if the default folder can’t be created', () => {
  const { status, stderr } = serve('--data', join(root, 'data'));
  assert.equal(status, 1, stderr);
  const sentence = `DocTray can’t create the folder for your documents. Choose another with --folder DIR. ${root}/home/DocTray: The disk is read-only.`;
  assert.ok(stderr.split('\n').includes(sentence), stderr);
  assert.deepEqual(readdirSync(join(root, 'home')), []);
});
