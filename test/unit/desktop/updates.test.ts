// What an update must have, and what fails. test/pack/pack.test.ts installs updates of a packed app.

import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CancellationToken, UpdateCheckResult, UpdateInfo } from 'electron-updater';
import { createUpdates, findUpdateFeed, metadataName } from '../../../app/desktop/updates.ts';
import type { Updater, UpdatesDeps } from '../../../app/desktop/updates.ts';

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

test('reports a feed that can’t be reached or doesn’t answer in a minute, and a download that fails or takes an hour; can try again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const fails = () => Promise.reject(new Error('net::ERR_NAME_NOT_RESOLVED'));
  const canceled = Promise.withResolvers<never>();
  const cancellationToken = { cancel: () => canceled.reject(new Error('canceled')) } as CancellationToken;
  const hangs = (token: unknown) => (token === cancellationToken ? canceled.promise : fails());
  const [check, download] = ['update-check-failed', 'update-download-failed'];
  for (const [afterMinutes, code, change] of [
    [0, check, { checkForUpdates: fails }],
    [1, check, { checkForUpdates: () => new Promise<never>(() => undefined) }],
    [0, download, { downloadUpdate: fails }],
    [60, download, { downloadUpdate: hangs }],
  ] as const) {
    const { updates, updater, calls } = bench();
    const { downloadUpdate } = updater;
    updater.checkForUpdates = async () => found(true, { cancellationToken });
    Object.assign(updater, change);
    const checked = updates.check();
    for (let minute = 0; minute < afterMinutes; minute += 1) {
      await new Promise(setImmediate);
      assert.notEqual(updates.state()?.status, 'failed');
      t.mock.timers.tick(60_000);
    }
    await checked;
    const { status, problem } = updates.state() ?? {};
    assert.deepEqual([status, problem?.code], ['failed', code]);
    assert.doesNotMatch(problem?.message ?? '', /ERR_/);
    Object.assign(updater, { downloadUpdate, checkForUpdates: async () => found(true) });
    await updates.check();
    assert.deepEqual([updates.state()?.status, calls], ['ready', ['download']]);
  }
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
