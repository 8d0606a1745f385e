// The first start on a fresh computer: no options, no settings, an empty home folder.

import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WindowState } from '../../app/contract/state.ts';
import { openServices } from '../../app/host/services.ts';
import { createLogger } from '../../app/log/logger.ts';
import { connectPage, secretOf } from '../dashboard/dashboard-page.ts';
import { makePlace, type Ended, type Place, type Running } from './processes.ts';
import { startTextDiscovery, stopServer, urlOf } from './text-discovery.ts';

let place: Place;
let home: string;
beforeEach(async () => {
  place = await makePlace({});
  home = join(place.root, 'home');
  await mkdir(home);
  place.env['HOME'] = home;
  place.env['DBUS_SESSION_BUS_ADDRESS'] = '';
});
afterEach(() => place.remove());

/** Resolves once all start messages are printed. */
async function start(command: 'start' | 'serve' = 'start', env: NodeJS.ProcessEnv = {}): Promise<Running> {
  // only the port is given: 8790 may be taken here
  const host = place.start([command, '--port', '0'], { env });
  let isOver = false;
  void host.ended.then(() => (isOver = true));
  while (!/ {2}Next .*\n/.test(host.stdout())) {
    assert.ok(!isOver, `the process exited: ${host.stderr()}`);
    await sleep(20);
  }
  return host;
}

async function stop(host: Running): Promise<Ended> {
  host.child.kill('SIGTERM');
  const ended = await host.ended;
  assert.equal(ended.code, 0, ended.stderr);
  return ended;
}

function addressIn(stdout: string): string {
  return /^ {2}Address {11}(\S+)$/m.exec(stdout)?.[1] ?? '';
}

function linkIn(stdout: string): string {
  return / {2}Open a document {3}(\S+)/.exec(stdout)?.[1] ?? '';
}

const samples = ['Shopping list.csv', 'Welcome.docx', 'Welcome.md'];

/** Starts without options in a home without settings, and checks what is printed. */
async function firstStart(command: 'start' | 'serve', folder: string): Promise<void> {
  const host = await start(command);
  assert.deepEqual((await readdir(folder)).toSorted(), samples);
  assert.equal((await fetch(`${addressIn(host.stdout())}/api/2.0/people/@self.json`)).status, 401);
  const { stdout, stderr } = await stop(host);
  const next =
    'npm run cli -- editors detect · npm run cli -- open FILE · npm run cli -- dashboard · npm run cli -- --help';
  // The tests may run in a container or over SSH.
  const lines = stdout
    .split('\n')
    .filter((line) => !/^ {2}(?:Open a document|In a container|Over SSH) /.test(line));
  assert.deepEqual(lines, [
    `DocTray is serving ${folder}`,
    `  Address           ${addressIn(stdout)}`,
    `  Next              ${next}`,
    'DocTray stopped.',
    '',
  ]);
  const [warning, ...sentences] = stderr.trimEnd().split('\n');
  assert.match(warning ?? '', /^\d\d:\d\d:\d\d WARN Secrets are kept in secrets\.json /);
  assert.deepEqual(
    sentences,
    command === 'start' ? ['No display is available. Serving from the terminal.'] : [],
  );
  const log = await readFile(join(home, '.local', 'share', 'doctray', 'doctray.log'), 'utf8');
  const messages = log
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  for (const part of ['Secrets are kept', 'DocTray is listening', 'ReadProfile'])
    assert.ok(
      messages.some((message) => message.startsWith(part)),
      messages.join('\n'),
    );
}

test('start creates DocTray with samples; the next start doesn’t recreate deleted ones, and reports a missing folder', async () => {
  const folder = join(home, 'DocTray');
  await firstStart('start', folder);
  await writeFile(join(folder, 'Welcome.md'), 'mine');
  await rm(join(folder, 'Welcome.docx'));
  // the folder is remembered, even if a better default appears
  await mkdir(join(home, 'Documents'));
  const { stdout } = await stop(await start());
  assert.ok(stdout.startsWith(`DocTray is serving ${folder}\n`), stdout);
  assert.equal(await readFile(join(folder, 'Welcome.md'), 'utf8'), 'mine');
  assert.deepEqual((await readdir(folder)).toSorted(), ['Shopping list.csv', 'Welcome.md']);
  assert.deepEqual(await readdir(join(home, 'Documents')), []);

  await rm(folder, { recursive: true });
  const { code, stderr } = await place.run(['start', '--port', '0']);
  assert.notEqual(code, 0);
  assert.match(
    stderr,
    /^The folder .*DocTray doesn’t exist\. Connect its drive, or choose another folder with `.* settings set folder DIR`\.$/m,
  );
  assert.equal((await readdir(home)).includes('DocTray'), false, 'it isn’t created again');
});

test('serve creates DocTray in the documents folder of user-dirs.dirs', async () => {
  await mkdir(join(home, 'Dokumente'));
  await mkdir(join(home, '.config'));
  await writeFile(join(home, '.config', 'user-dirs.dirs'), 'XDG_DOCUMENTS_DIR="$HOME/Dokumente"\n');
  await firstStart('serve', join(home, 'Dokumente', 'DocTray'));
});

test('serves an existing DocTray folder without changing it; Ctrl+C prints one line and exits within a second', async () => {
  const folder = join(home, 'DocTray');
  await mkdir(folder);
  await writeFile(join(folder, 'novel.odt'), 'a novel');
  const tookMs: number[] = [];
  // other tests may keep the processors busy, so one of three tries must make it
  while (tookMs.length < 3 && Math.min(...tookMs) > 1000) {
    const host = await start();
    await sleep(500);
    const startedAtMs = performance.now();
    host.child.kill('SIGINT');
    const { code, stdout } = await host.ended;
    tookMs.push(Math.round(performance.now() - startedAtMs));
    assert.equal(code, 0);
    assert.ok(stdout.startsWith(`DocTray is serving ${folder}\n`), stdout);
    assert.equal(linkIn(stdout), '', 'no editor opens the only document');
    assert.match(stdout, / {2}Next .*\nDocTray stopped\.\n$/);
    assert.deepEqual(await readdir(folder), ['novel.odt']);
  }
  assert.ok(Math.min(...tookMs) < 1000, `it took ${tookMs.join(', ')} ms`);
});

test('serves a chosen folder without creating the default one, and remembers it; --json prints only events', async () => {
  const first = place.start(['serve', '--folder', place.folder, '--port', '0', '--json']);
  assert.equal((await first.event('listening'))['folder'], place.folder);
  await stop(first);
  const host = place.start(['start', '--port', '0', '--json']);
  const listening = await host.event('listening');
  assert.deepEqual(Object.keys(listening), ['event', 'pid', 'baseUrl', 'folder', 'owner']);
  assert.equal(listening['folder'], place.folder);
  await stop(host);
  assert.deepEqual(
    host.events().map(({ event }) => event),
    ['listening', 'stopping', 'stopped'],
  );
  assert.ok(!(await readdir(home)).includes('DocTray'));
  assert.deepEqual(await readdir(place.folder), []);
});

test('says what to do when a file has the folder’s name, and leaves the file', async () => {
  await writeFile(join(home, 'DocTray'), 'a file');
  const { code, stdout, stderr } = await place.run(['start', '--port', '0']);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  const sentence = `DocTray can’t create the folder for your documents. Choose another with --folder DIR. ${join(home, 'DocTray')}: A file with this name already exists.`;
  assert.ok(stderr.split('\n').includes(sentence), stderr);
  assert.equal(await readFile(join(home, 'DocTray'), 'utf8'), 'a file');
});

test('reports a missing home folder', async () => {
  const nobody = join(place.root, 'nobody');
  await writeFile(nobody, '');
  place.env['HOME'] = nobody;
  const { code, stderr } = await place.run(['start', '--port', '0', '--data', place.dataDir]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /Choose another with --folder DIR\. .*nobody\/DocTray: The home folder isn’t a folder\.$/m,
  );
});

/** Loaded before DocTray: SIGUSR2 moves every clock ahead by five minutes. */
const fiveMinutes = `
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  let passedMs = 0;
  const [now, awake, uptime] = [Date.now, performance.now.bind(performance), os.uptime];
  Date.now = () => now() + passedMs;
  performance.now = () => awake() + passedMs;
  os.uptime = () => uptime() + passedMs / 1000;
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => {
    passedMs += 5 * 60_000;
    process.stderr.write('five minutes passed\\n');
  });`;

test('the link opens Welcome.md once, also after five minutes; a second start prints its own link and what is served', async (t) => {
  const editor: Server = await startTextDiscovery();
  t.after(() => stopServer(editor));
  const dataDir = join(home, '.local', 'share', 'doctray');
  await mkdir(join(dataDir, '..'), { recursive: true });
  await mkdir(dataDir, { mode: 0o700 });
  const log = createLogger([]);
  const services = await openServices({ dataDir, log });
  await services.editors.add({ url: urlOf(editor), name: 'Desk' });
  await services.close();

  const preload = join(place.root, 'five-minutes.mjs');
  await writeFile(preload, fiveMinutes);
  const host = await start('start', { NODE_OPTIONS: `--import=${preload}` });
  host.child.kill('SIGUSR2');
  while (!host.stderr().includes('five minutes passed\n')) await sleep(20);
  const link = linkIn(host.stdout());
  assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/edit\/[\w-]{22}\?ticket=[\w-]{43}$/);
  assert.match(host.stdout(), /\?ticket=[\w-]{43} {2}\(Welcome\.md, valid once\)$/m);
  assert.ok(link.startsWith(`${addressIn(host.stdout())}/`));
  const entered = await fetch(link, { redirect: 'manual' });
  assert.equal(entered.status, 303);
  const cookie = entered.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ');
  const page = await fetch(new URL(entered.headers.get('location') ?? '', link), { headers: { cookie } });
  assert.match(await page.text(), /Welcome\.md/);
  assert.equal((await fetch(link, { redirect: 'manual' })).status, 403);

  const folder = join(home, 'DocTray');
  for (const named of [[], ['--folder', folder], ['--folder', `${home}/../home/DocTray`]]) {
    const { code, stdout, stderr } = await place.run(['start', '--port', '0', ...named]);
    assert.equal(code, 0, stderr);
    const lines = stdout.split('\n');
    assert.deepEqual(lines.slice(0, 2), [
      'DocTray is already running. Nothing was started.',
      `DocTray is serving ${folder}`,
    ]);
    assert.equal(addressIn(stdout), addressIn(host.stdout()));
    assert.match(stdout, /^ {2}Next {14}npm run cli -- editors detect · .*\n$/m);
    assert.equal(stderr, '');
    const second = linkIn(stdout);
    assert.notEqual(second, link);
    assert.equal((await fetch(second, { redirect: 'manual' })).status, 303);
  }
  const other = join(home, 'other');
  await mkdir(other);
  const refused = await place.run(['start', '--folder', other]);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.equal(
    refused.stderr,
    `DocTray is already running with this data folder and serves ${folder}. Quit it first, or choose another data folder with --data.\n`,
  );
  const { stderr } = await stop(host);
  const ticket = new URL(link).searchParams.get('ticket') ?? 'none';
  assert.ok(!stderr.includes(ticket), 'no log has the ticket');
});

test('a start while another one is starting waits for it', async () => {
  const first = place.start(['start', '--port', '0']);
  const second = place.start(['start', '--port', '0']);
  const early = await Promise.race([first.ended, second.ended]);
  assert.equal(early.code, 0, early.stderr);
  assert.match(early.stdout, /^DocTray is already running\. Nothing was started\.$/m);
});

/** Root without the capability to ignore file permissions. */
const asOthers =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];
for (const [mode, isForPeople, problem] of [
  [
    0o500,
    true,
    'Documents can be opened but not saved. You don’t have permission to write to this folder. Change its permissions, or choose another folder.',
  ],
  [
    0o300,
    false,
    'DocTray can’t list the documents in this folder. You don’t have permission to read this folder. Change its permissions, or choose another folder.',
  ],
] as const) {
  test(`a folder with mode ${mode.toString(8)} is served with a warning`, async () => {
    const other = await makePlace({ 'a.md': 'a' }, undefined, { prefix: asOthers });
    try {
      await chmod(other.folder, mode);
      const args = ['serve', '--folder', other.folder, '--data', other.dataDir, '--port', '0'];
      const host = other.start(isForPeople ? args : [...args, '--json']);
      if (isForPeople) {
        while (!/ {2}Next .*\n/.test(host.stdout())) await sleep(20);
        assert.equal(host.stdout().split('\n')[1], `  Warning           ${problem}`);
      } else {
        await host.event('listening');
        while (!host.stderr().includes(`"msg":"${problem}"`)) await sleep(20);
      }
      const { stdout } = await other.run(args);
      assert.ok(stdout.includes(`  Warning           ${problem}\n`), 'a second start prints it too');
      const { stdout: printed } = await other.run(['dashboard', '--data', other.dataDir]);
      const link = /http\S+/.exec(printed)?.[0] ?? '';
      const page = await connectPage(link);
      await page.open(secretOf(link));
      const state = await page.call('state.get', {});
      assert.ok(state.isDone);
      assert.equal((state.result as WindowState).host.warning, problem, 'the window shows it');
      page.close();
      await stop(host);
    } finally {
      await chmod(other.folder, 0o700);
      await other.remove();
    }
  });
}
