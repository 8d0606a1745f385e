import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { createWindowSettings } from '../../../app/window/live-state-settings.ts';
import {
  createSettingsHandlers,
  createUseFolder,
  type SettingsHandlers,
} from '../../../app/window/settings-handlers.ts';
import { fakeKeeper } from './fake-keeper.ts';
import { windowPlace, type WindowPlace } from './window-fixture.ts';

let place: WindowPlace;
let handlers: SettingsHandlers;
let elsewhere: string;

before(async () => {
  place = await windowPlace();
  elsewhere = await mkdtemp(join(tmpdir(), 'doctray-window-'));
  handlers = handlersOf(place);
});
after(async () => {
  await place.close();
  await rm(elsewhere, { recursive: true, force: true });
});

function handlersOf({ keeper }: Pick<WindowPlace, 'keeper'>): SettingsHandlers {
  const settings = createWindowSettings({ keeper, onChange: () => undefined });
  return createSettingsHandlers({ settings });
}

type Value = string | number | boolean | null | string[];
const sentenceOf = async (key: string, value: Value): Promise<string | null> =>
  (await handlers['settings.check']({ key, value })).sentence;

test('a value is judged in a sentence while it is typed, and nothing is changed by it', async () => {
  assert.equal(await sentenceOf('port', 9000), null);
  assert.equal(await sentenceOf('port', 70_000), 'Give a whole number from 0 to 65535.');
  assert.match((await sentenceOf('publicUrl', 'docs.example.org')) ?? '', /^Give an http or https address/);
  assert.equal(await sentenceOf('publicUrl', ''), null);
  assert.equal(await sentenceOf('publicUrl', 'https://docs.example.org/'), null);
  assert.equal(
    await sentenceOf('allowedHosts', ['fine', 'no/no']),
    'Give host names or addresses, without a port. "no/no" isn’t one.',
  );
  assert.equal(await sentenceOf('folder', elsewhere), 'Use the Choose folder button.');
  assert.equal(await sentenceOf('colour', 'red'), 'There is no such setting.');
  assert.equal(await sentenceOf('__proto__', 'red'), 'There is no such setting.');
  assert.equal(await sentenceOf('windowFirstRunDone', true), 'There is no such setting.');
  assert.equal(place.host().services.settings.current().port, 8790);
});

test('a setting is saved and in force at once; the answer has all of them', async () => {
  const { settings } = await handlers['settings.set']({ key: 'maxUploadMiB', value: 7 });
  assert.equal(settings.maxUploadMiB, 7);
  assert.equal('windowFirstRunDone' in settings, false);
  const { services } = place.host();
  assert.equal(services.tenantLimits.limits(services.folder()!.tenantId).maxUploadBytes, 7 * 1024 * 1024);
  const trimmed = await handlers['settings.set']({ key: 'publicUrl', value: 'https://docs.example.org/ ' });
  assert.equal(trimmed.settings.publicUrl, 'https://docs.example.org');
  assert.equal(place.host().publicUrl(), 'https://docs.example.org');
  await handlers['settings.set']({ key: 'publicUrl', value: null });
});

test('a value that is wrong is refused and nothing is saved', async () => {
  const before = await readFile(join(place.dataDir, 'settings.json'), 'utf8');
  const wrong = async (key: string, value: string | number | null): Promise<void> => {
    await assert.rejects(
      async () => handlers['settings.set']({ key, value }),
      { code: 'setting-invalid' },
      key,
    );
  };
  await wrong('port', 'x');
  await wrong('folder', null);
  await wrong('folder', join(elsewhere, 'missing'));
  await wrong('windowFirstRunDone', 'x');
  assert.equal(await readFile(join(place.dataDir, 'settings.json'), 'utf8'), before);
});

test('the folder is no setting that a message can change: only the dialog chooses one', async () => {
  await assert.rejects(async () => handlers['settings.set']({ key: 'folder', value: elsewhere }), {
    code: 'setting-invalid',
  });
  assert.equal(place.host().services.folder()?.root, place.folder);
});

test('without a host settings can be changed, and another folder is a reason to start again', async () => {
  const dataDir = join(elsewhere, 'data');
  const documents = join(elsewhere, 'documents');
  await mkdir(dataDir);
  await mkdir(documents);
  const keeper = fakeKeeper(dataDir);
  keeper.problemNow = new AppError('port-taken');
  const away = handlersOf({ keeper });
  const { settings } = await away['settings.set']({ key: 'port', value: 9100 });
  assert.equal(settings.port, 9100);
  assert.equal(keeper.restarts, 0);
  // It still does not start: what is told is why.
  const settingsThere = createWindowSettings({ keeper, onChange: () => undefined });
  const useFolder = createUseFolder({ keeper, settings: settingsThere });
  await assert.rejects(useFolder(documents), { code: 'port-taken' });
  assert.equal(keeper.restarts, 1);
  assert.deepEqual(JSON.parse(await readFile(join(dataDir, 'settings.json'), 'utf8')), {
    port: 9100,
    folder: documents,
  });
});

test('without a host two settings that are changed at once are both kept', async () => {
  const dataDir = join(elsewhere, 'data-of-two');
  await mkdir(dataDir);
  const away = handlersOf({ keeper: fakeKeeper(dataDir) });
  await Promise.all([
    away['settings.set']({ key: 'port', value: 9200 }),
    away['settings.set']({ key: 'versionCount', value: 7 }),
  ]);
  assert.deepEqual(JSON.parse(await readFile(join(dataDir, 'settings.json'), 'utf8')), {
    port: 9200,
    versionCount: 7,
  });
});
