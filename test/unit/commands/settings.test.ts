// Settings: the window's on a running host and without one, the terminal's on a host that listens where the settings say.

import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { after, before, test, type TestContext } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { parseTypedSetting } from '../../../app/settings/setting-text.ts';
import { eventually } from '../../durability/eventually.ts';
import { freePorts } from '../../free-ports.ts';
import { ask, networkAddress } from '../../server/network-host.ts';
import { startTestHost, type TestHost } from '../../server/test-host.ts';
import { fakeKeeper } from '../live-state/fake-keeper.ts';
import { fakeDesktop, openWindow, until, windowPlace } from '../live-state/window-fixture.ts';
import type { WindowPlace } from '../live-state/window-fixture.ts';
import { terminalOf, type Run } from './terminal-commands.ts';

let place: WindowPlace;
let host: TestHost;
let run: Run;
before(async () => {
  place = await windowPlace();
  host = await startTestHost({ files: { 'letter.docx': 'x', 'sub/sheet.xlsx': 'x' } });
  run = terminalOf(host);
});
after(() => Promise.all([place.close(), host.stop()]));

/** Sets a value as typed in the terminal, with the hosted folder as the current directory. */
async function set(key: string, text: string) {
  const typed = parseTypedSetting(key, text, host.folder);
  const { value, needsRestart } = await run('settings.set', { key, value: typed });
  return { value, needsRestart };
}
const stored = async (dataDir: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(dataDir, 'settings.json'), 'utf8'));

test('settings.check says what is wrong with a value, and changes nothing', async () => {
  const missing = join(place.dataDir, 'none.pem');
  const noFile = (path: string) => `There is no file at ${path}. Check the path.`;
  const hosts = 'Enter host names or addresses, without a port. “no/no” isn’t one.';
  for (const [key, value, expected] of [
    ['port', 9000, null],
    ['port', 70_000, 'Enter a whole number from 0 to 65535.'],
    ['maxUploadMB', 0, 'Enter a size from 1 MB to 1 TB.'],
    ['publicUrl', '', null],
    ['publicUrl', 'https://docs.example.org/', null],
    ['allowedHosts', ['fine', 'no/no'], hosts],
    ['folder', place.dataDir, 'Use the Choose folder button.'],
    ['tlsKey', missing, noFile(missing)],
    ['tlsKey', place.dataDir, noFile(place.dataDir)],
  ] as const) {
    const { sentence } = await place.run('settings.check', { key, value: value as string });
    assert.equal(sentence, expected, key);
  }
  for (const key of ['colour', '__proto__', 'windowFirstRunDone'])
    await assert.rejects(place.run('settings.check', { key, value: 'red' }), {
      code: 'setting-unknown',
      message: 'This setting doesn’t exist.',
    });
  await assert.rejects(place.run('settings.set', { key: 'tlsCertificate', value: missing }), {
    code: 'setting-invalid',
    message: `The setting wasn’t changed. ${noFile(missing)}`,
  });
  assert.deepEqual(await stored(place.dataDir), { textEditor: false });
});

test('another bind address clears the problem of one that doesn’t exist, also for the text editor', async (t) => {
  const away = await windowPlace({ isStarted: false });
  t.after(() => away.close());
  await writeFile(join(away.dataDir, 'settings.json'), '{"host": "203.0.113.7"}');
  await away.keeper.start();
  await until(() => away.window.state().host.problem?.code === 'address-unavailable');
  const [textEditor] = away.host().services.editors.list();
  const port = Number(new URL(textEditor!.url).port);
  await assert.rejects(ask({ port, to: networkAddress() }), { code: 'ECONNREFUSED' });
  await away.run('settings.set', { key: 'host', value: '0.0.0.0' });
  await until(() => away.window.state().host.problem === null);
  const checkReached = async () => void (await ask({ port, to: networkAddress() }));
  await eventually('the text editor listens there too', checkReached, 5000);
});

/** A window over a new data folder, without a host. */
async function withoutHost(t: TestContext, name: string) {
  const dataDir = join(place.dataDir, name);
  await mkdir(dataDir);
  const keeper = fakeKeeper(dataDir);
  const desktop = fakeDesktop();
  const { window, run: runHere } = openWindow({ ...place, keeper, desktop });
  t.after(() => window.close());
  return { dataDir, keeper, desktop, run: runHere };
}

test('without a host, saves settings, and starts with another port or a valid folder', async (t) => {
  const { dataDir, keeper, desktop, run: runHere } = await withoutHost(t, 'alone');
  const setHere = async (key: string, value: number) => {
    const saved = await runHere('settings.set', { key, value });
    await nextTurn();
    return saved;
  };
  keeper.problemNow = new AppError('port-taken');
  await setHere('versionCount', 7);
  assert.equal(keeper.starts, 0, 'that isn’t why it doesn’t run');
  const { value, needsRestart } = await setHere('port', 9100);
  assert.deepEqual([value, needsRestart, keeper.starts, keeper.restarts], [9100, false, 1, 0]);
  desktop.nextFolder = join(place.dataDir, 'documents');
  await assert.rejects(runHere('host.chooseFolder', {}), { code: 'folder-invalid' });
  await mkdir(desktop.nextFolder);
  // The start fails again, with the same problem.
  await assert.rejects(runHere('host.chooseFolder', {}), { code: 'port-taken' });
  assert.equal(keeper.restarts, 1);
  assert.deepEqual(await stored(dataDir), { versionCount: 7, port: 9100, folder: desktop.nextFolder });
  await rm(join(dataDir, 'settings.json'));
  const change = (key: string, to: number) => runHere('settings.set', { key, value: to });
  await Promise.all([change('port', 9200), change('versionCount', 8)]);
  assert.deepEqual(await stored(dataDir), { port: 9200, versionCount: 8 }, 'of two at once, none is lost');
});

test('in the terminal, a path is resolved, and its file or folder must be there', async () => {
  for (const folder of ['letter.docx', 'nowhere', host.dataDir])
    await assert.rejects(set('folder', folder), { code: 'folder-invalid' }, folder);
  await assert.rejects(run('settings.get', { key: '__proto__' }), { code: 'setting-unknown' });
  await assert.rejects(set('tlsCertificate', 'nowhere.pem'), { message: /tlsCertificate: There is no file/ });
  const path = join(host.folder, 'host.pem');
  await writeFile(path, 'x');
  assert.deepEqual(await set('tlsCertificate', 'host.pem'), { value: path, needsRestart: false });
  const missing = { code: 'setting-invalid', message: /Set tlsCertificate and tlsKey/ };
  await assert.rejects(set('tls', 'files'), missing);
  await set('tlsKey', path);
  assert.deepEqual(await set('tls', 'files'), { value: 'files', needsRestart: false });
  await set('tls', 'off');
  assert.deepEqual(await set('tlsKey', 'none'), { value: null, needsRestart: false });

  assert.deepEqual(await set('folder', 'sub'), { value: join(host.folder, 'sub'), needsRestart: false });
  assert.equal(host.host.services.folder()?.root, join(host.folder, 'sub'), 'it serves that at once');
  assert.equal((await set('folder', 'none')).needsRestart, true);
  await set('folder', '.');
});

test('listens at another port at once, and keeps the old one if that fails or the address doesn’t exist yet', async (t) => {
  const port = await freePorts(3);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(port + 1, '127.0.0.1', resolve));
  t.after(() => taken.close());
  host.listenOn({ host: undefined, port: undefined });
  const { needsRestart, baseUrl } = await run('settings.set', { key: 'port', value: port });
  assert.deepEqual([needsRestart, baseUrl], [false, `http://127.0.0.1:${port}`]);
  await fetch(`${baseUrl}/`);
  await assert.rejects(set('port', String(port + 1)), { code: 'port-taken' });
  assert.deepEqual([(await stored(host.dataDir))['port'], host.host.baseUrl], [port, baseUrl]);
  await fetch(`${baseUrl}/closed`);

  const savedAtOpening: unknown[] = [];
  const stopListening = host.host.services.events.on('host-changed', () => {
    if (host.host.baseUrl !== baseUrl) savedAtOpening.push(stored(host.dataDir));
  });
  await set('port', String(port + 2));
  stopListening();
  // A host that is killed while it moves starts at the old port.
  const [first] = (await Promise.all(savedAtOpening)) as { port: number }[];
  assert.deepEqual([first?.port, (await stored(host.dataDir))['port']], [port, port + 2]);

  const moved = host.host.baseUrl;
  for (const [key, value] of [
    ['host', '203.0.113.7'],
    ['port', port],
  ] as const) {
    const { problem, ...saved } = await run('settings.set', { key, value });
    assert.deepEqual(saved, { key, value, needsRestart: false });
    assert.match(problem, /doesn’t have the address 203\.0\.113\.7 yet/);
    assert.equal(host.host.awaitedHost(), '203.0.113.7');
  }
  const { status, needsListenerRestart } = host.host.state();
  assert.deepEqual([host.host.baseUrl, status, needsListenerRestart], [moved, 'serving', true]);
  await fetch(`${moved}/closed`);
});
