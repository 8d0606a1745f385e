// The state without a host.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AppError, type ErrorCode } from '../../../app/contract/errors.ts';
import { hostState } from '../../../app/live-state/host-state.ts';
import { createWindowSettings } from '../../../app/live-state/window-settings.ts';
import { defaultSettings } from '../../../app/settings/settings.ts';
import { fakeKeeper } from './fake-keeper.ts';

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

test('shows invalid settings as the defaults without the first-run steps, and doesn’t overwrite them', async () => {
  await writeFile(join(dataDir, 'settings.json'), '{"port": true}');
  const settings = createWindowSettings({ keeper: fakeKeeper(dataDir), onChange: () => undefined });
  await settings.refresh();
  // The first-run steps would hide the problem.
  assert.deepEqual(settings.current(), { ...defaultSettings, windowFirstRunDone: true });
  await assert.rejects(settings.store(), { code: 'settings-invalid' });
});
