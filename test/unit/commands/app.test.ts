import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadSettings } from '../../../app/settings/load-settings.ts';
import { until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;

before(async () => {
  place = await windowPlace({ isStarted: false });
  await until(() => state().app.isFirstRun);
});
after(() => place.close());

const state = () => place.window.state();

test('state.get returns the whole state', async () => {
  assert.equal(await place.run('state.get', {}), state());
});

test('app.setStartsAtLogin updates the state', async () => {
  await place.run('app.setStartsAtLogin', { isOn: true });
  await until(() => state().app.startsAtLogin === true);
});

test('app.finishFirstRun updates the state and is saved in the settings', async () => {
  assert.equal(state().app.isFirstRun, true);
  await place.run('app.finishFirstRun', {});
  await until(() => !state().app.isFirstRun);
  assert.equal((await loadSettings(place)).current().windowFirstRunDone, true);
});

test('app.saveText saves to the chosen file, and suggests only a file name', async () => {
  const chosen = join(place.dataDir, 'export.csv');
  place.desktop.nextSavePath = chosen;
  assert.deepEqual(
    await place.run('app.saveText', { suggestedName: '../../etc/locks.csv', text: 'a,b', kind: 'csv' }),
    { savedTo: chosen },
  );
  assert.equal(await readFile(chosen, 'utf8'), 'a,b');
  assert.deepEqual(place.desktop.suggested, ['locks.csv']);
  place.desktop.nextSavePath = undefined;
  assert.deepEqual(await place.run('app.saveText', { suggestedName: 'x', text: 'y', kind: 'json' }), {
    savedTo: null,
  });
});

test('passes copying, revealing, help and quitting to the desktop', async () => {
  await place.run('app.copyText', { text: 'copied' });
  await place.run('app.revealDataFolder', {});
  await place.run('app.openHelp', { page: 'start' });
  await place.run('app.quit', {});
  assert.deepEqual(
    [place.desktop.copied, place.desktop.opened, place.desktop.helped, place.desktop.quits],
    [['copied'], [place.dataDir], ['start'], 1],
  );
});
