// What an update must have, and what fails. test/pack/pack.test.ts installs updates of a packed app.

import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CancellationToken, UpdateCheckResult, UpdateInfo } from 'electron-updater';
import {
  createUpdates,
  findUpdateFeed,
  metadataName,
  type Updater,
  type UpdatesDeps,
} from '../../../app/desktop/updates.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const feed = {
  url: 'https://updates.example/doctray/',
  publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
};
const sha512 = Buffer.alloc(64, 7).toString('base64');
/** Metadata as in the feed; JSON is valid YAML. */
const metadataOf = (change: object = {}): string =>
  JSON.stringify({
    version: '0.2.0',
    files: [{ url: 'DocTray.AppImage', sha512, size: 1 }],
    releaseNotes: '- Faster.',
    ...change,
  });
const metadata = metadataOf();
const updateInfo = JSON.parse(metadata) as UpdateInfo;
const signed = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64');

function found(isUpdateAvailable: boolean, change: Partial<UpdateCheckResult> = {}): UpdateCheckResult {
  return { isUpdateAvailable, updateInfo, versionInfo: updateInfo, ...change };
}

const onLinux = `${feed.url}latest-linux.yml`;

function bench(change: Partial<UpdatesDeps> = {}) {
  const calls: string[] = [];
  /** Of the feed, by address. */
  const answers: Record<string, string> = { [onLinux]: metadata, [`${onLinux}.sig`]: signed(metadata) };
  const native = new EventEmitter();
  const updater: Updater = {
    autoDownload: true,
    autoInstallOnAppQuit: false,
    disableWebInstaller: false,
    requestHeaders: null,
    logger: console,
    async checkForUpdates() {
      calls.push('check');
      return found(true);
    },
    async downloadUpdate() {
      calls.push('download');
      return [];
    },
    quitAndInstall: () => undefined,
  };
  const updates = createUpdates({
    feed,
    loadUpdater: async () => ({ autoUpdater: updater, parse: (text) => JSON.parse(text) as unknown }),
    native,
    canRestart: true,
    releaseInstanceLock: () => undefined,
    async fetchText(url) {
      const text = answers[url];
      if (text === undefined) throw new Error('404');
      return text;
    },
    platform: 'linux',
    arch: 'x64',
    isAutomatic: () => true,
    clock: () => 5000,
    onChange: () => undefined,
    log: { info: () => undefined, warn: () => undefined },
    ...change,
  });
  return { updates, updater, native, calls, answers };
}

test('installs what is ready before anything newer', async () => {
  const { updates, calls } = bench();
  for (let times = 0; times < 2; times += 1) await updates.check();
  assert.deepEqual([updates.state()?.status, calls], ['ready', ['check', 'download']]);
});

test('downloads nothing whose signature is wrong, and isn’t up to date either', async () => {
  const other = generateKeyPairSync('ed25519').privateKey;
  const byOther = sign(null, Buffer.from(metadata), other).toString('base64');
  for (const signature of [byOther, signed(`${metadata} `), '', '!']) {
    for (const isNewer of [true, false]) {
      const { updates, updater, calls, answers } = bench();
      updater.checkForUpdates = async () => found(isNewer);
      answers[`${onLinux}.sig`] = signature;
      await updates.check();
      const { status, version, problem } = updates.state() ?? {};
      assert.deepEqual([status, version, problem?.code, calls], ['failed', null, 'update-not-signed', []]);
    }
  }
});

test('rejects signed metadata that doesn’t match the update', async () => {
  for (const change of [
    { version: '0.1.9' },
    { files: [{ url: 'DocTray.deb', sha512, size: 1 }] },
    { files: [] },
    { releaseNotes: 'Visit evil.example' },
    { isAdminRightsRequired: true },
  ]) {
    const { updates, calls, answers } = bench();
    answers[onLinux] = metadataOf(change);
    answers[`${onLinux}.sig`] = signed(metadataOf(change));
    await updates.check();
    assert.equal(updates.state()?.problem?.code, 'update-not-signed', JSON.stringify(change));
    assert.ok(!calls.includes('download'));
  }
});

test('installs nothing on quit after a shutdown began, before or during the download', async () => {
  const { updates, updater } = bench();
  updates.cancelInstallOnQuit();
  await updates.check();
  assert.equal(updater.autoInstallOnAppQuit, false);
  const during = bench();
  during.updater.downloadUpdate = async () => {
    during.updates.cancelInstallOnQuit();
    return [];
  };
  await during.updates.check();
  assert.equal(during.updater.autoInstallOnAppQuit, false);
});

test('reports a feed that can’t be reached or doesn’t answer within a minute, and a failed download', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const fails = () => Promise.reject(new Error('net::ERR_NAME_NOT_RESOLVED'));
  for (const [code, change] of [
    ['update-check-failed', { checkForUpdates: fails }],
    ['update-check-failed', { checkForUpdates: () => new Promise<never>(() => undefined) }],
    ['update-download-failed', { downloadUpdate: fails }],
  ] as const) {
    const { updates, updater } = bench();
    Object.assign(updater, change);
    const checked = updates.check();
    await new Promise(setImmediate);
    t.mock.timers.tick(60_000);
    await checked;
    const { status, problem } = updates.state() ?? {};
    assert.deepEqual([status, problem?.code], ['failed', code]);
    assert.doesNotMatch(problem?.message ?? '', /ERR_/);
  }
});

test('fails a download that takes an hour, and can download again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { updates, updater, calls } = bench();
  const { downloadUpdate } = updater;
  const canceled = new AbortController();
  const cancellationToken = { cancel: () => canceled.abort() } as CancellationToken;
  updater.checkForUpdates = async () => found(true, { cancellationToken });
  updater.downloadUpdate = (token) =>
    new Promise((_resolve, reject) => {
      assert.equal(token, cancellationToken);
      canceled.signal.addEventListener('abort', () => reject(new Error('canceled')));
    });
  const checked = updates.check();
  await new Promise(setImmediate);
  t.mock.timers.tick(59 * 60_000);
  await new Promise(setImmediate);
  assert.equal(updates.state()?.status, 'downloading');
  t.mock.timers.tick(60_000);
  await checked;
  assert.deepEqual(
    [updates.state()?.status, updates.state()?.problem?.code],
    ['failed', 'update-download-failed'],
  );
  updater.downloadUpdate = downloadUpdate;
  await updates.check();
  assert.deepEqual([updates.state()?.status, calls], ['ready', ['download']]);
});

test('on macOS, an update is ready when the system has checked it', async () => {
  const url = `${feed.url}latest-mac.yml`;
  for (const [event, status] of [
    ['update-downloaded', 'ready'],
    ['error', 'failed'],
  ] as const) {
    const { updates, native, answers } = bench({ platform: 'darwin' });
    Object.assign(answers, { [url]: metadata, [`${url}.sig`]: signed(metadata) });
    const checked = updates.check();
    await new Promise(setImmediate);
    assert.equal(updates.state()?.status, 'downloading');
    native.emit(event, new Error('the signature'));
    await checked;
    assert.equal(updates.state()?.status, status);
  }
});

test('checks automatically every day, unless the setting is off', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let isOn = false;
  const { updates, updater, calls } = bench({ isAutomatic: () => isOn });
  updater.checkForUpdates = async () => {
    calls.push('check');
    return found(false);
  };
  const day = 24 * 60 * 60 * 1000;
  const after = async (ms: number): Promise<number> => {
    t.mock.timers.tick(ms);
    await new Promise(setImmediate);
    return calls.splice(0).length;
  };
  updates.start();
  assert.equal(await after(60_000), 0);
  isOn = true;
  assert.equal(await after(day), 1);
  updates.close();
  assert.equal(await after(day), 0);
});

test('only an installed app with a feed updates itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'doctray-feed-'));
  try {
    const find = (change: object = {}): unknown =>
      findUpdateFeed({
        app: { isPackaged: true, getAppPath: () => folder },
        platform: 'linux',
        env: { APPIMAGE: '/home/ana/DocTray.AppImage', APPDIR: '/tmp/.mount_DocTray' },
        execPath: '/tmp/.mount_DocTray/doctray',
        ...change,
      });
    writeFileSync(join(folder, 'package.json'), '{"name": "doctray"}');
    assert.equal(find(), undefined);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'doctray', updates: feed }));
    assert.deepEqual(find(), feed);
    const onWindows = { platform: 'win32', env: {}, execPath: join(folder, 'DocTray.exe') };
    assert.equal(find(onWindows), undefined, 'a zip');
    writeFileSync(join(folder, 'Uninstall DocTray.exe'), '');
    assert.deepEqual(find(onWindows), feed);
    assert.equal(find({ env: {} }), undefined, 'a deb or rpm');
    assert.equal(find({ execPath: '/opt/DocTray/doctray' }), undefined, 'from another AppImage’s terminal');
    assert.equal(find({ app: { isPackaged: false, getAppPath: () => folder } }), undefined);
    assert.equal(bench({ feed: undefined }).updates.state(), null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('names the metadata as electron-builder does', () => {
  assert.equal(metadataName('win32', 'x64'), 'latest.yml');
  assert.equal(metadataName('darwin', 'arm64'), 'latest-mac.yml');
  assert.equal(metadataName('linux', 'x64'), 'latest-linux.yml');
  assert.equal(metadataName('linux', 'arm64'), 'latest-linux-arm64.yml');
});
