// The default folder, which a host serves until one is chosen. In the desktop app a failure is shown and can be fixed later.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { startHost } from '../../app/terminal/start-host.ts';
import type { Host, HostOptions } from '../../app/host/running-host.ts';
import { AppError } from '../../app/contract/errors.ts';
import { prepareDefaultFolder } from '../../app/files/default-folder.ts';
import { createLogger } from '../../app/log/logger.ts';
import { until } from './text-editor-host.ts';
import { cheapPasswords } from './test-host.ts';

let root: string;
let host: Host | undefined;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'doctray-default-')));
  delete process.env['DBUS_SESSION_BUS_ADDRESS'];
});
afterEach(async () => {
  await host?.stop();
  host = undefined;
  await rm(root, { recursive: true, force: true });
});

async function start(options: Partial<HostOptions> = {}): Promise<Host> {
  const dataDir = join(root, 'data');
  host = await startHost({
    dataDir,
    port: 0,
    ownerPassword: 'correct horse battery',
    passwordCost: cheapPasswords,
    log: createLogger([]),
    defaultFolder: () => prepareDefaultFolder({ env: {}, platform: 'linux', homeDir: root, dataDir }),
    ...options,
  });
  return host;
}

async function finishFirstRun(): Promise<void> {
  await mkdir(join(root, 'data'), { mode: 0o700 });
  await writeFile(join(root, 'data', 'settings.json'), JSON.stringify({ windowFirstRunDone: true }), {
    mode: 0o600,
  });
}

async function savedFolder(): Promise<unknown> {
  const text = await readFile(join(root, 'data', 'settings.json'), 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { folder?: unknown }).folder;
}

test('creates, serves and remembers the default folder', async () => {
  const { services, state } = await start();
  assert.equal(services.folder()?.root, join(root, 'DocTray'));
  assert.equal(state().status, 'serving');
  assert.equal(await savedFolder(), join(root, 'DocTray'));
});

test('serves a chosen folder without creating the default one', async () => {
  const folder = join(root, 'documents');
  await mkdir(folder);
  const { services } = await start({ folder });
  assert.equal(services.folder()?.root, folder);
  assert.ok(!(await readdir(root)).includes('DocTray'));
});

test('doesn’t create it before the window’s first run is done', async () => {
  const running = await start({ isFolderOptional: true });
  assert.equal(running.state().status, 'idle');
  assert.ok(!(await readdir(root)).includes('DocTray'));
});

test('creates and serves it once the window’s first run is done', async () => {
  const running = await start({ isFolderOptional: true });
  await running.services.settings.update({ windowFirstRunDone: true });
  await until('it is served', () => running.state().status === 'serving');
  assert.equal(running.services.folder()?.root, join(root, 'DocTray'));
  await until('it is remembered', async () => (await savedFolder()) === join(root, 'DocTray'));
});

test('without a window, a failure makes the start fail', async () => {
  await writeFile(join(root, 'DocTray'), '');
  await assert.rejects(
    start(),
    (error) => error instanceof AppError && error.code === 'default-folder-failed',
  );
  assert.equal(await savedFolder(), undefined);
});

test('with a window, reports a failure until it is fixed', async () => {
  await finishFirstRun();
  await writeFile(join(root, 'DocTray'), '');
  const running = await start({ isFolderOptional: true });
  assert.deepEqual(
    [running.state().status, running.state().problem?.code],
    ['error', 'default-folder-failed'],
  );
  await running.noteWake();
  assert.equal(running.state().problem?.code, 'default-folder-failed');
  await rm(join(root, 'DocTray'));
  await running.noteWake();
  assert.deepEqual([running.state().status, running.state().problem], ['serving', undefined]);
  assert.equal(await savedFolder(), join(root, 'DocTray'));
});

test('with a window, another folder can be chosen instead', async () => {
  await writeFile(join(root, 'DocTray'), '');
  const folder = join(root, 'documents');
  await mkdir(folder);
  const running = await start({ isFolderOptional: true });
  await running.useFolder(folder);
  assert.deepEqual([running.state().status, running.state().problem], ['serving', undefined]);
  await running.noteWake();
  assert.equal(running.services.folder()?.root, folder);
});
