// The state without a host.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AppError, inWindowWords, type ErrorCode } from '../../../app/contract/errors.ts';
import { createLogger } from '../../../app/log/logger.ts';
import { hostState } from '../../../app/live-state/host-state.ts';
import { createWindowSettings, settingsState } from '../../../app/live-state/window-settings.ts';
import { defaultSettings } from '../../../app/settings/settings.ts';
import { fakeKeeper } from './fake-keeper.ts';
import { fakeDesktop, openWindow, until } from './window-fixture.ts';

let dataDir: string;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'doctray-window-'));
});
after(() => rm(dataDir, { recursive: true, force: true }));

test('distinguishes a host that is starting, stopping, failed to start or is waiting for the keychain', () => {
  const stateOf = (isStarting: boolean, code?: ErrorCode) =>
    hostState(
      {
        host: () => undefined,
        isStarting: () => isStarting,
        problem: () => (code === undefined ? undefined : new AppError(code)),
      },
      { ...defaultSettings, folder: '/home/ana/Documents' },
    );
  assert.equal(stateOf(true).status, 'starting');
  assert.equal(stateOf(false).status, 'stopping');
  const { status, problem, folderName } = stateOf(false, 'port-taken');
  assert.deepEqual([status, problem?.code, folderName], ['error', 'port-taken', 'Documents']);
  const waiting = stateOf(true, 'keychain-waiting');
  assert.deepEqual([waiting.status, waiting.problem?.code], ['starting', 'keychain-waiting']);
});

test('describes problems for the window without terminal options', () => {
  const worded = (code: ErrorCode, detail?: string) => inWindowWords(new AppError(code, { detail })).message;
  for (const code of [
    'address-unavailable',
    'port-forbidden',
    'data-folder-busy',
    'folder-not-chosen',
  ] as const)
    assert.doesNotMatch(worded(code), /--|serve/, code);
  assert.equal(worded('user-unknown', 'bo'), 'This user no longer exists. bo');
  assert.match(worded('port-taken', '8790'), /^Port 8790 is already in use(?!.*--)/);
  assert.equal(worded('folder-missing'), new AppError('folder-missing').message);
});

test('the state is complete, with the settings of the data folder', async (t) => {
  await writeFile(join(dataDir, 'settings.json'), '{"port": 9000, "windowFirstRunDone": true}');
  const keeper = fakeKeeper(dataDir);
  const desktop = fakeDesktop();
  keeper.problemNow = new AppError('port-taken');
  const { window, run } = openWindow({ keeper, desktop, clock: Date.now, log: createLogger([]) });
  t.after(() => window.close());
  assert.equal(window.state().app.isFirstRun, false, 'not before the settings are loaded');
  await until(() => window.state().settings.port === 9000);
  const { host, app, settings, documentServers, ...tables } = window.state();
  assert.deepEqual([host.status, app.dataDir, app.isFirstRun], ['error', dataDir, false]);
  assert.deepEqual(settings, { ...settingsState(defaultSettings), port: 9000 });
  assert.deepEqual(documentServers, { engines: null, servers: [], downloaded: [], start: null });
  assert.ok(Object.values(tables).every((rows) => Array.isArray(rows) && rows.length === 0));
  await run('settings.set', { key: 'appearance', value: 'dark' });
  await until(() => window.state().settings.appearance === 'dark');
});

test('shows invalid settings as the defaults without the first-run steps, and doesn’t overwrite them', async () => {
  await writeFile(join(dataDir, 'settings.json'), '{"port": true}');
  const settings = createWindowSettings({ keeper: fakeKeeper(dataDir), onChange: () => undefined });
  await settings.refresh();
  // The first-run steps would hide the problem.
  assert.deepEqual(settings.current(), { ...defaultSettings, windowFirstRunDone: true });
  await assert.rejects(settings.store(), { code: 'settings-invalid' });
});
