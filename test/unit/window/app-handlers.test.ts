import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createLogger } from '../../../app/log/logger.ts';
import { loadSettings } from '../../../app/settings/load-settings.ts';
import { createAppHandlers, type AppHandlers } from '../../../app/window/app-handlers.ts';
import { createWindowSettings } from '../../../app/window/live-state-settings.ts';
import { createLiveState, type LiveState } from '../../../app/window/live-state.ts';
import { fakeKeeper } from './fake-keeper.ts';
import { fakeDesktop, until, type FakeDesktop } from './window-fixture.ts';

let dataDir: string;
let desktop: FakeDesktop;
let live: LiveState;
let handlers: AppHandlers;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'doctray-window-'));
  const log = createLogger({ destination: 'stderr', pretty: false, level: 'silent' });
  desktop = fakeDesktop();
  const keeper = fakeKeeper(dataDir);
  const settings = createWindowSettings({ keeper, onChange: () => live.mark('app') });
  live = createLiveState({ keeper, desktop, settings, clock: Date.now, log });
  await settings.refresh();
  await until(() => live.state().app.isFirstRun);
  handlers = createAppHandlers({ desktop, dataDir, live, settings });
});
after(async () => {
  live.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('the whole state is answered', async () => {
  assert.equal(await handlers['state.get']({}), live.state());
});

test('start at login is set, and seen', async () => {
  await handlers['app.setStartsAtLogin']({ isOn: true });
  await until(() => live.state().app.startsAtLogin === true);
});

test('the first steps are done once for all', async () => {
  assert.equal(live.state().app.isFirstRun, true);
  await handlers['app.finishFirstRun']({});
  await until(() => !live.state().app.isFirstRun);
  assert.equal((await loadSettings({ dataDir })).current().windowFirstRunDone, true);
});

test('text is saved where the person chose, and only a name is suggested', async () => {
  const chosen = join(dataDir, 'export.csv');
  desktop.nextSavePath = chosen;
  assert.deepEqual(
    await handlers['app.saveText']({ suggestedName: '../../etc/locks.csv', text: 'a,b', kind: 'csv' }),
    { savedTo: chosen },
  );
  assert.equal(await readFile(chosen, 'utf8'), 'a,b');
  assert.deepEqual(desktop.suggested, ['locks.csv']);
  desktop.nextSavePath = undefined;
  assert.deepEqual(await handlers['app.saveText']({ suggestedName: 'x', text: 'y', kind: 'json' }), {
    savedTo: null,
  });
  desktop.nextSavePath = join(dataDir, 'missing', 'x.csv');
  await assert.rejects(async () => handlers['app.saveText']({ suggestedName: 'x', text: 'y', kind: 'csv' }), {
    code: 'disk-refused',
  });
});

test('the rest is the desktop’s to do', async () => {
  await handlers['app.copyText']({ text: 'copied' });
  await handlers['app.revealDataFolder']({});
  await handlers['app.openHelp']({ page: 'start' });
  await handlers['app.quit']({});
  assert.deepEqual(
    [desktop.copied, desktop.opened, desktop.helped, desktop.quits],
    [['copied'], [dataDir], ['start'], 1],
  );
});
