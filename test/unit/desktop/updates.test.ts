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
  type Updates,
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

function bench(change: Partial<UpdatesDeps> = {}): {
  updates: Updates;
  updater: Updater;
  native: EventEmitter;
  calls: string[];
  answers: Record<string, string>;
} {
  const calls: string[] = [];
  const answers: Record<string, string> = {
    'https://updates.example/doctray/latest-linux.yml': metadata,
    'https://updates.example/doctray/latest-linux.yml.sig': signed(metadata),
  };
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
    quitAndInstall: (isSilent, isForceRunAfter) => void calls.push(`install ${isSilent} ${isForceRunAfter}`),
  };
  const updates = createUpdates({
    feed,
    loadUpdater: async () => ({ autoUpdater: updater, parse: (text) => JSON.parse(text) as unknown }),
    native,
    canRestart: true,
    releaseInstanceLock: () => void calls.push('release'),
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

test('downloads a newer version and installs it at the next quit', async () => {
  const { updates, updater, calls } = bench();
  await updates.check();
  assert.deepEqual(updates.state(), {
    status: 'ready',
    version: '0.2.0',
    notes: '- Faster.',
    problem: null,
    checkedAtMs: 5000,
    canRestart: true,
  });
  assert.equal(updater.autoDownload, false, 'nothing is downloaded before its signature is checked');
  assert.equal(updater.autoInstallOnAppQuit, true);
  await updates.check();
  assert.deepEqual(calls, ['check', 'download'], 'what is ready is installed before anything newer');
  updates.installAndRestart();
  assert.deepEqual(calls.slice(-2), ['release', 'install true true'], 'the new version may start first');
  updates.cancelInstallOnQuit();
  assert.equal(updater.autoInstallOnAppQuit, false, 'nothing is installed while the system shuts down');
});

test('downloads nothing without a newer version', async () => {
  const { updates, updater, calls } = bench();
  updater.checkForUpdates = async () => found(false);
  await updates.check();
  assert.equal(updates.state()?.status, 'current');
  assert.deepEqual(calls, []);
});

test('doesn’t download an update with a wrong signature, and does so once the signature is right', async () => {
  const { updates, calls, answers } = bench();
  const url = 'https://updates.example/doctray/latest-linux.yml';
  const other = generateKeyPairSync('ed25519').privateKey;
  for (const signature of [
    sign(null, Buffer.from(metadata), other).toString('base64'),
    signed(`${metadata} `),
    '',
    '!',
  ]) {
    answers[`${url}.sig`] = signature;
    // oxlint-disable-next-line no-await-in-loop
    await updates.check();
    const { status, version, problem } = updates.state() ?? {};
    assert.deepEqual([status, version, problem?.code], ['failed', null, 'update-not-signed']);
  }
  assert.ok(!calls.includes('download'));
  answers[`${url}.sig`] = signed(metadata);
  await updates.check();
  assert.equal(updates.state()?.status, 'ready');
});

test('rejects signed metadata that doesn’t match the update', async () => {
  const url = 'https://updates.example/doctray/latest-linux.yml';
  for (const change of [
    { version: '0.1.9' },
    { files: [{ url: 'DocTray.deb', sha512, size: 1 }] },
    { files: [] },
    { releaseNotes: 'Visit evil.example' },
    { isAdminRightsRequired: true },
  ]) {
    const { updates, calls, answers } = bench();
    answers[url] = metadataOf(change);
    answers[`${url}.sig`] = signed(metadataOf(change));
    // oxlint-disable-next-line no-await-in-loop
    await updates.check();
    assert.equal(updates.state()?.problem?.code, 'update-not-signed', JSON.stringify(change));
    assert.ok(!calls.includes('download'));
  }
});

test('reports “up to date” only with a valid signature', async () => {
  const { updates, updater, answers } = bench();
  updater.checkForUpdates = async () => found(false);
  answers['https://updates.example/doctray/latest-linux.yml.sig'] = signed('something else');
  await updates.check();
  assert.equal(updates.state()?.status, 'failed');
});

test('doesn’t install a download that finishes during a shutdown', async () => {
  const { updates, updater } = bench();
  updater.downloadUpdate = async () => {
    updates.cancelInstallOnQuit();
    return [];
  };
  await updates.check();
  assert.equal(updater.autoInstallOnAppQuit, false);
});

test('installs nothing on quit after a shutdown began before the first check', async () => {
  const { updates, updater } = bench();
  updates.cancelInstallOnQuit();
  await updates.check();
  assert.equal(updater.autoInstallOnAppQuit, false);
});

test('fails the check if the feed doesn’t respond within a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { updates, updater } = bench();
  updater.checkForUpdates = () => new Promise(() => undefined);
  const checked = updates.check();
  await new Promise(setImmediate);
  t.mock.timers.tick(60_000);
  await checked;
  assert.equal(updates.state()?.problem?.code, 'update-check-failed');
});

test('reports a failed download', async () => {
  const { updates, updater } = bench();
  updater.downloadUpdate = () => Promise.reject(new Error('ENOSPC'));
  await updates.check();
  assert.equal(updates.state()?.problem?.code, 'update-download-failed');
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
  const url = 'https://updates.example/doctray/latest-mac.yml';
  for (const event of ['update-downloaded', 'error']) {
    const { updates, native, answers } = bench({ platform: 'darwin' });
    Object.assign(answers, { [url]: metadata, [`${url}.sig`]: signed(metadata) });
    const checked = updates.check();
    // oxlint-disable-next-line no-await-in-loop
    await new Promise(setImmediate);
    assert.equal(updates.state()?.status, 'downloading');
    native.emit(event, new Error('the signature'));
    // oxlint-disable-next-line no-await-in-loop
    await checked;
    assert.equal(updates.state()?.status, event === 'error' ? 'failed' : 'ready');
  }
});

test('reports a feed that can’t be reached in the state, without the raw error', async () => {
  const { updates, updater } = bench();
  updater.checkForUpdates = async () => {
    throw new Error('net::ERR_NAME_NOT_RESOLVED');
  };
  await updates.check();
  const { status, problem } = updates.state() ?? {};
  assert.deepEqual([status, problem?.code], ['failed', 'update-check-failed']);
  assert.doesNotMatch(problem?.message ?? '', /ERR_/);
});

test('checks automatically, unless the setting is off', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let isOn = false;
  const { updates, updater, calls } = bench({ isAutomatic: () => isOn });
  updater.checkForUpdates = async () => {
    calls.push('check');
    return found(false);
  };
  updates.start();
  t.mock.timers.tick(60_000);
  await new Promise(setImmediate);
  assert.deepEqual(calls, []);
  isOn = true;
  t.mock.timers.tick(24 * 60 * 60 * 1000);
  await new Promise(setImmediate);
  assert.deepEqual(calls, ['check']);
  updates.close();
  t.mock.timers.tick(24 * 60 * 60 * 1000);
  await new Promise(setImmediate);
  assert.deepEqual(calls, ['check']);
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
