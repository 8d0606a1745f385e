import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AppError, inWindowWords } from '../../../app/contract/errors.ts';
import { createLogger } from '../../../app/log/logger.ts';
import { defaultSettings } from '../../../app/settings/settings.ts';
import { createLiveState } from '../../../app/live-state/live-state.ts';
import { hostState } from '../../../app/live-state/host-state.ts';
import { createWindowSettings, settingsState } from '../../../app/live-state/window-settings.ts';
import { fakeKeeper } from './fake-keeper.ts';
import { fakeDesktop, until } from './window-fixture.ts';

const log = createLogger([]);
let dataDir: string;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'doctray-window-'));
});
after(() => rm(dataDir, { recursive: true, force: true }));

test('distinguishes a host that is starting, stopping, failed to start or is waiting for the keychain', () => {
  const keeper = fakeKeeper('/data');
  keeper.isStartingNow = true;
  assert.equal(hostState(keeper).status, 'starting');
  keeper.isStartingNow = false;
  assert.equal(hostState(keeper).status, 'stopping');
  keeper.problemNow = new AppError('port-taken');
  const failed = hostState(keeper, { ...defaultSettings, folder: '/home/ana/Documents' });
  assert.equal(failed.status, 'error');
  assert.equal(failed.problem?.code, 'port-taken');
  assert.equal(failed.folder, '/home/ana/Documents');
  assert.equal(failed.folderName, 'Documents');
  keeper.isStartingNow = true;
  keeper.problemNow = new AppError('keychain-waiting');
  const waiting = hostState(keeper);
  assert.equal(waiting.status, 'starting');
  assert.equal(waiting.problem?.code, 'keychain-waiting');
});

test('describes problems for the window without terminal options', () => {
  for (const code of [
    'port-taken',
    'address-unavailable',
    'port-forbidden',
    'data-folder-busy',
    'folder-not-chosen',
  ] as const) {
    assert.doesNotMatch(inWindowWords(new AppError(code)).message, /--|serve/, code);
  }
  const error = new AppError('user-unknown', { detail: 'bo' });
  assert.equal(inWindowWords(error).message, 'This user no longer exists. bo');
  assert.equal(inWindowWords(error).code, 'user-unknown');
  assert.match(
    inWindowWords(new AppError('port-taken', { detail: '8790' })).message,
    /^Port 8790 is already in use/,
  );
  assert.equal(inWindowWords(new AppError('folder-missing')).message, new AppError('folder-missing').message);
});

test('the state is complete without a host, with the settings of the data folder', async () => {
  await writeFile(join(dataDir, 'settings.json'), '{"port": 9000, "windowFirstRunDone": true}');
  const keeper = fakeKeeper(dataDir);
  keeper.problemNow = new AppError('port-taken');
  const settings = createWindowSettings({
    keeper,
    onChange: () => live.refresh(),
  });
  const onChange = (): void => undefined;
  const live = createLiveState({ keeper, desktop: fakeDesktop(), settings, clock: Date.now, log, onChange });
  assert.equal(live.state().host.status, 'error');
  assert.equal(live.state().app.isFirstRun, false);
  await settings.refresh();
  await until(() => live.state().settings.port === 9000);
  const { host: _host, ...state } = live.state();
  assert.deepEqual(state, {
    app: {
      name: 'DocTray',
      version: '1.2.3',
      platform: process.platform,
      versions: { Node: process.versions.node },
      dataDir,
      isInBrowser: false,
      startsAtLogin: false,
      hasCrashed: false,
      hasTray: true,
      isFirstRun: false,
      update: null,
    },
    settings: { ...settingsState(defaultSettings), port: 9000 },
    recent: [],
    users: [],
    documentServers: { engines: null, servers: [], downloaded: [], start: null },
    editors: [],
    locks: [],
    sessions: [],
    tokens: [],
    recovered: [],
    conflicts: [],
    jobs: [],
  });
  const store = await settings.store();
  await store.update({ windowFirstRunDone: false });
  await until(() => live.state().app.isFirstRun);
  live.close();
});

test('shows invalid settings as the defaults without the first-run steps, and doesn’t overwrite them', async () => {
  await writeFile(join(dataDir, 'settings.json'), '{"port": true}');
  const settings = createWindowSettings({ keeper: fakeKeeper(dataDir), onChange: () => undefined });
  await settings.refresh();
  // The first-run steps would hide the problem.
  assert.deepEqual(settings.current(), { ...defaultSettings, windowFirstRunDone: true });
  await assert.rejects(settings.store(), { code: 'settings-invalid' });
});
