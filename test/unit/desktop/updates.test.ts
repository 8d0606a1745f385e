import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  assertSigned,
  createUpdates,
  findUpdateFeed,
  metadataName,
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
const updateInfo: UpdateInfo = { version: '0.2.0', files: [{ sha512 }], releaseNotes: '- Faster.' };
const metadata = `version: 0.2.0\nfiles:\n  - url: DocTray.AppImage\n    sha512: ${sha512}\n    size: 1\nsha512: ${sha512}\n`;
const signed = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64');

function bench(change: Partial<UpdatesDeps> = {}): {
  updates: Updates;
  updater: Updater;
  calls: string[];
  answers: Record<string, string>;
} {
  const calls: string[] = [];
  const answers: Record<string, string> = {
    'https://updates.example/doctray/latest-linux.yml': metadata,
    'https://updates.example/doctray/latest-linux.yml.sig': signed(metadata),
  };
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
    quitAndInstall: (isSilent, isForceRunAfter) => void calls.push(`install ${isSilent} ${isForceRunAfter}`),
  };
  const updates = createUpdates({
    feed,
    loadUpdater: async () => updater,
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
  return { updates, updater, calls, answers };
}

test('a newer version is downloaded and installed at the next quit', async () => {
  const { updates, updater, calls } = bench();
  await updates.check();
  assert.deepEqual(updates.state(), {
    status: 'ready',
    version: '0.2.0',
    notes: '- Faster.',
    problem: null,
    checkedAtMs: 5000,
  });
  assert.equal(updater.autoDownload, false, 'nothing is downloaded before its signature is checked');
  assert.equal(updater.autoInstallOnAppQuit, true);
  await updates.check();
  assert.deepEqual(calls, ['check', 'download'], 'what is ready isn’t looked for again');
  updates.installAndRestart();
  assert.equal(calls.at(-1), 'install true true');
  updates.skip();
  assert.equal(updater.autoInstallOnAppQuit, false, 'nothing is installed while the system shuts down');
});

test('without a newer version nothing is downloaded', async () => {
  const { updates, updater, calls } = bench();
  updater.checkForUpdates = async () => ({ isUpdateAvailable: false, updateInfo });
  await updates.check();
  assert.equal(updates.state()?.status, 'current');
  assert.deepEqual(calls, []);
});

test('an update without the right signature isn’t downloaded, and the next check may find a good one', async () => {
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

test('signed metadata of another update doesn’t help', () => {
  const signature = signed(metadata);
  const isAccepted = (info: UpdateInfo): boolean => {
    try {
      assertSigned({ metadata, signature, publicKey: feed.publicKey, updateInfo: info });
      return true;
    } catch {
      return false;
    }
  };
  const other = Buffer.alloc(64, 8).toString('base64');
  assert.ok(isAccepted(updateInfo));
  assert.ok(!isAccepted({ ...updateInfo, version: '0.2' }));
  assert.ok(!isAccepted({ ...updateInfo, version: '9.0.0' }));
  assert.ok(!isAccepted({ ...updateInfo, files: [] }));
  assert.ok(!isAccepted({ ...updateInfo, files: [{ sha512: other }] }));
  assert.ok(!isAccepted({ ...updateInfo, files: [{ sha512 }, { sha512: other }] }));
  assert.ok(!isAccepted({ ...updateInfo, files: [{ sha512: sha512.slice(0, 20) }] }));
});

test('a feed that can’t be reached is an error with a sentence, in the state only', async () => {
  const { updates, updater } = bench();
  updater.checkForUpdates = async () => {
    throw new Error('net::ERR_NAME_NOT_RESOLVED');
  };
  await updates.check();
  const { status, problem } = updates.state() ?? {};
  assert.deepEqual([status, problem?.code], ['failed', 'update-failed']);
  assert.doesNotMatch(problem?.message ?? '', /ERR_/);
});

test('checks by itself after the start, unless the setting is off', async (t) => {
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
        env: { APPIMAGE: '/home/ana/DocTray.AppImage' },
        ...change,
      });
    writeFileSync(join(folder, 'package.json'), '{"name": "doctray"}');
    assert.equal(find(), undefined);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'doctray', updates: feed }));
    assert.deepEqual(find(), feed);
    assert.deepEqual(find({ platform: 'win32', env: {} }), feed);
    assert.equal(find({ env: {} }), undefined, 'a deb or rpm');
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
