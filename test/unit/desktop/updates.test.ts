import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  createUpdates,
  findUpdateFeed,
  metadataName,
  untilInstallable,
  type UpdateInfo,
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

function bench(change: Partial<UpdatesDeps> = {}): {
  updates: Updates;
  updater: Updater;
  progress: EventEmitter;
  calls: string[];
  answers: Record<string, string>;
} {
  const calls: string[] = [];
  const answers: Record<string, string> = {
    'https://updates.example/doctray/latest-linux.yml': metadata,
    'https://updates.example/doctray/latest-linux.yml.sig': signed(metadata),
  };
  const progress = new EventEmitter();
  const updater: Updater = {
    autoDownload: true,
    autoInstallOnAppQuit: false,
    disableWebInstaller: false,
    requestHeaders: null,
    logger: console,
    async checkForUpdates() {
      calls.push('check');
      return { isUpdateAvailable: true, updateInfo };
    },
    downloadUpdate: async () => void calls.push('download'),
    on: (event, listener) => progress.on(event, listener),
    off: (event, listener) => progress.off(event, listener),
    quitAndInstall: (isSilent, isForceRunAfter) => void calls.push(`install ${isSilent} ${isForceRunAfter}`),
  };
  const updates = createUpdates({
    feed,
    loadUpdater: async () => ({ autoUpdater: updater, parse: (text) => JSON.parse(text) as unknown }),
    untilInstallable: () => Promise.resolve(),
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
  return { updates, updater, progress, calls, answers };
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
  assert.deepEqual(calls, ['check', 'download', 'check'], 'what is ready isn’t downloaded again');
  updates.installAndRestart();
  assert.deepEqual(calls.slice(-2), ['release', 'install true true'], 'the new version may start first');
  updates.cancelInstallOnQuit();
  assert.equal(updater.autoInstallOnAppQuit, false, 'nothing is installed while the system shuts down');
});

test('downloads nothing without a newer version', async () => {
  const { updates, updater, calls } = bench();
  updater.checkForUpdates = async () => ({ isUpdateAvailable: false, updateInfo });
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
  updater.checkForUpdates = async () => ({ isUpdateAvailable: false, updateInfo });
  answers['https://updates.example/doctray/latest-linux.yml.sig'] = signed('something else');
  await updates.check();
  assert.equal(updates.state()?.status, 'failed');
});

test('keeps a downloaded update when a check fails, and replaces it by a newer version', async () => {
  const { updates, updater, calls, answers } = bench();
  await updates.check();
  const url = 'https://updates.example/doctray/latest-linux.yml';
  answers[url] = '';
  await updates.check();
  assert.deepEqual([updates.state()?.status, updates.state()?.version], ['ready', '0.2.0']);
  const newer = metadataOf({ version: '0.3.0' });
  answers[url] = newer;
  answers[`${url}.sig`] = signed(newer);
  updater.checkForUpdates = async () => ({
    isUpdateAvailable: true,
    updateInfo: JSON.parse(newer) as UpdateInfo,
  });
  await updates.check();
  assert.deepEqual([updates.state()?.status, updates.state()?.version], ['ready', '0.3.0']);
  assert.equal(calls.filter((call) => call === 'download').length, 2);
});

test('doesn’t install a downloaded update while a newer one is downloading, or after that failed', async () => {
  const { updates, updater, answers } = bench();
  await updates.check();
  const newer = metadataOf({ version: '0.3.0' });
  const url = 'https://updates.example/doctray/latest-linux.yml';
  answers[url] = newer;
  answers[`${url}.sig`] = signed(newer);
  const info = JSON.parse(newer) as UpdateInfo;
  updater.checkForUpdates = async () => ({ isUpdateAvailable: true, updateInfo: info });
  let wasOn: boolean | undefined;
  updater.downloadUpdate = () => {
    wasOn = updater.autoInstallOnAppQuit;
    return Promise.reject(new Error('ENOSPC'));
  };
  await updates.check();
  assert.equal(wasOn, false);
  assert.deepEqual([updates.state()?.status, updater.autoInstallOnAppQuit], ['failed', false]);
});

test('doesn’t install a download that finishes during a shutdown', async () => {
  const { updates, updater } = bench();
  updater.downloadUpdate = async () => updates.cancelInstallOnQuit();
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

test('fails a download that receives nothing for a minute, and can download again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { updates, updater, progress, calls } = bench();
  const { downloadUpdate } = updater;
  const canceled = new AbortController();
  const cancellationToken = { cancel: () => canceled.abort() };
  updater.checkForUpdates = async () => ({ isUpdateAvailable: true, updateInfo, cancellationToken });
  updater.downloadUpdate = (token) =>
    new Promise((_resolve, reject) => {
      assert.equal(token, cancellationToken);
      canceled.signal.addEventListener('abort', () => reject(new Error('canceled')));
    });
  const checked = updates.check();
  await new Promise(setImmediate);
  t.mock.timers.tick(59_000);
  progress.emit('download-progress', { percent: 40 });
  t.mock.timers.tick(59_000);
  await new Promise(setImmediate);
  assert.equal(updates.state()?.status, 'downloading');
  t.mock.timers.tick(1_000);
  await checked;
  assert.deepEqual(
    [updates.state()?.status, updates.state()?.problem?.code, canceled.signal.aborted],
    ['failed', 'update-download-failed', true],
  );
  assert.deepEqual(progress.eventNames(), []);
  updater.downloadUpdate = downloadUpdate;
  await updates.check();
  assert.deepEqual([updates.state()?.status, calls], ['ready', ['download']]);
});

test('waits for what follows the last byte of a download', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { updates, updater, progress } = bench();
  let finish = (): void => undefined;
  updater.downloadUpdate = () => new Promise<void>((resolve) => (finish = resolve));
  const checked = updates.check();
  await new Promise(setImmediate);
  progress.emit('download-progress', { percent: 100 });
  t.mock.timers.tick(10 * 60_000);
  finish();
  await checked;
  assert.equal(updates.state()?.status, 'ready');
});

test('on macOS, an update is ready when the system has checked it', async () => {
  await untilInstallable('linux', new EventEmitter());
  for (const event of ['update-downloaded', 'error']) {
    const native = new EventEmitter();
    const waiting = untilInstallable('darwin', native);
    native.emit(event, new Error('the signature'));
    // oxlint-disable-next-line no-await-in-loop
    await (event === 'error' ? assert.rejects(waiting, /the signature/) : waiting);
    assert.deepEqual(native.eventNames(), []);
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
    return { isUpdateAvailable: false, updateInfo };
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
