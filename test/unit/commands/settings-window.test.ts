import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { after, before, test, type TestContext } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { eventually } from '../../durability/eventually.ts';
import { ask, networkAddress } from '../../server/network-host.ts';
import { fakeKeeper } from '../live-state/fake-keeper.ts';
import {
  fakeDesktop,
  openWindow,
  until,
  windowPlace,
  type WindowPlace,
} from '../live-state/window-fixture.ts';

let place: WindowPlace;
let otherFolder: string;

before(async () => {
  place = await windowPlace();
  otherFolder = await mkdtemp(join(tmpdir(), 'doctray-window-'));
});
after(async () => {
  await place.close();
  await rm(otherFolder, { recursive: true, force: true });
});

type Value = string | number | boolean | null | string[];
const sentenceOf = async (key: string, value: Value): Promise<string | null> =>
  (await place.run('settings.check', { key, value })).sentence;

test('settings.check explains what is wrong with a value, and changes nothing', async () => {
  assert.equal(await sentenceOf('port', 9000), null);
  assert.equal(await sentenceOf('port', 70_000), 'Enter a whole number from 0 to 65535.');
  assert.match((await sentenceOf('publicUrl', 'docs.example.org')) ?? '', /^Enter an http or https address/);
  assert.equal(await sentenceOf('publicUrl', ''), null);
  assert.equal(await sentenceOf('publicUrl', 'https://docs.example.org/'), null);
  assert.equal(
    await sentenceOf('allowedHosts', ['fine', 'no/no']),
    'Enter host names or addresses, without a port. “no/no” isn’t one.',
  );
  assert.equal(await sentenceOf('folder', otherFolder), 'Use the Choose folder button.');
  const missing = join(otherFolder, 'none.pem');
  for (const path of [missing, otherFolder])
    // oxlint-disable-next-line no-await-in-loop
    assert.equal(await sentenceOf('tlsKey', path), `There is no file at ${path}. Check the path.`);
  await assert.rejects(place.run('settings.set', { key: 'tlsCertificate', value: missing }), {
    code: 'setting-invalid',
    message: `The setting wasn’t changed. There is no file at ${missing}. Check the path.`,
  });
  for (const key of ['colour', '__proto__', 'windowFirstRunDone']) {
    // oxlint-disable-next-line no-await-in-loop
    await assert.rejects(sentenceOf(key, 'red'), {
      code: 'setting-unknown',
      message: 'This setting doesn’t exist.',
    });
  }
  assert.equal(place.host().services.settings.current().port, 8790);
});

test('settings.set applies a setting, updates the state and returns the saved value', async () => {
  const saved = await place.run('settings.set', { key: 'maxUploadMB', value: 7 });
  assert.deepEqual(saved, { key: 'maxUploadMB', value: 7, needsRestart: false });
  await until(() => place.window.state().settings.maxUploadMB === 7);
  assert.equal('windowFirstRunDone' in place.window.state().settings, false);
  const { services } = place.host();
  assert.equal(services.tenantLimits.limits(services.folder()!.tenantId).maxUploadBytes, 7 * 1_000_000);
  const trimmed = await place.run('settings.set', { key: 'publicUrl', value: 'https://docs.example.org/ ' });
  assert.equal(trimmed.value, 'https://docs.example.org');
  assert.equal(place.host().publicUrl(), 'https://docs.example.org');
  await place.run('settings.set', { key: 'publicUrl', value: null });
});

test('rejects an invalid value and saves nothing', async () => {
  const before = await readFile(join(place.dataDir, 'settings.json'), 'utf8');
  const wrong = async (
    key: string,
    value: string | number | null,
    code = 'setting-invalid',
  ): Promise<void> => {
    await assert.rejects(place.run('settings.set', { key, value }), { code }, key);
  };
  await wrong('port', 'x');
  await wrong('folder', null);
  await wrong('folder', join(otherFolder, 'missing'));
  await wrong('windowFirstRunDone', 'x', 'setting-unknown');
  assert.equal(await readFile(join(place.dataDir, 'settings.json'), 'utf8'), before);
});

test('rejects an existing folder in settings.set, and keeps serving the current one', async () => {
  await assert.rejects(place.run('settings.set', { key: 'folder', value: otherFolder }), {
    code: 'setting-invalid',
  });
  assert.equal(place.host().services.folder()?.root, place.folder);
});

test('clears the address problem when another bind address is chosen', async (t) => {
  const away = await windowPlace({ isStarted: false });
  t.after(() => away.close());
  await writeFile(join(away.dataDir, 'settings.json'), '{"host": "203.0.113.7"}');
  await away.keeper.start();
  await until(() => away.window.state().host.problem?.code === 'address-unavailable');
  const textEditor = away
    .host()
    .services.editors.list()
    .find(({ kind }) => kind === 'text-editor')!;
  const port = Number(new URL(textEditor.url).port);
  await assert.rejects(ask({ port, to: networkAddress() }), { code: 'ECONNREFUSED' });
  await away.run('settings.set', { key: 'host', value: '0.0.0.0' });
  await until(() => away.window.state().host.problem === null);
  assert.equal(away.window.state().host.status, 'serving');
  const checkReached = async () => void (await ask({ port, to: networkAddress() }));
  await eventually('the text editor listens there too', checkReached, 5000);
});

/** A window over a new data folder, without a host. */
async function withoutHost(t: TestContext, name: string) {
  const dataDir = join(otherFolder, name);
  await mkdir(dataDir);
  const keeper = fakeKeeper(dataDir);
  const desktop = fakeDesktop();
  const { window, run } = openWindow({ ...place, keeper, desktop });
  t.after(() => window.close());
  const stored = async () => JSON.parse(await readFile(join(dataDir, 'settings.json'), 'utf8')) as unknown;
  return { keeper, desktop, run, stored };
}

test('without a host, saves settings, and starts with another port or a valid folder', async (t) => {
  const { keeper, desktop, run, stored } = await withoutHost(t, 'data');
  keeper.problemNow = new AppError('port-taken');
  await run('settings.set', { key: 'versionCount', value: 7 });
  await setImmediate();
  assert.equal(keeper.starts, 0, 'that isn’t why it doesn’t run');
  const { value, needsRestart } = await run('settings.set', { key: 'port', value: 9100 });
  assert.deepEqual([value, needsRestart], [9100, false]);
  await setImmediate();
  assert.equal(keeper.starts, 1);
  assert.equal(keeper.restarts, 0);
  desktop.nextFolder = join(otherFolder, 'documents');
  await assert.rejects(run('host.chooseFolder', {}), { code: 'folder-invalid' });
  assert.equal(keeper.restarts, 0);
  await mkdir(desktop.nextFolder);
  // The start fails again, with the same problem.
  await assert.rejects(run('host.chooseFolder', {}), { code: 'port-taken' });
  assert.equal(keeper.restarts, 1);
  assert.deepEqual(await stored(), { versionCount: 7, port: 9100, folder: desktop.nextFolder });
});

test('without a host, keeps two settings that are changed concurrently', async (t) => {
  const { run, stored } = await withoutHost(t, 'data-of-two');
  await Promise.all([
    run('settings.set', { key: 'port', value: 9200 }),
    run('settings.set', { key: 'versionCount', value: 7 }),
  ]);
  assert.deepEqual(await stored(), { port: 9200, versionCount: 7 });
});
