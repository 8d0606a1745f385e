// The first start on a fresh computer: no options, no settings, an empty home folder.

import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { WindowState } from '../../app/contract/state.ts';
import { connectPage, secretOf } from '../dashboard/dashboard-page.ts';
import { startDocumentServer } from '../server/document-server.ts';
import { commandsOf, makePlace, type Place } from './processes.ts';
import type { Running } from './running-process.ts';

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
async function start(env: NodeJS.ProcessEnv = {}): Promise<Running> {
  // only the port is given: 8790 may be taken here
  const host = place.start(['start', '--port', '0'], { env });
  await host.printed(/ {2}Next .*\n/);
  return host;
}

const addressIn = (stdout: string): string => /^ {2}Address {11}(\S+)$/m.exec(stdout)?.[1] ?? '';
const linkIn = (stdout: string): string => / {2}Open a document {3}(\S+)/.exec(stdout)?.[1] ?? '';

const statusOf = async (url: string): Promise<number> => (await fetch(url, { redirect: 'manual' })).status;

test('the first start creates DocTray with samples; the next doesn’t recreate deleted ones, and reports a missing folder', async () => {
  const folder = join(home, 'DocTray');
  const first = await start();
  const samples = (await readdir(folder)).toSorted();
  assert.deepEqual(samples, ['Shopping list.csv', 'Welcome.docx', 'Welcome.md']);
  assert.equal(await statusOf(`${addressIn(first.stdout())}/api/2.0/people/@self.json`), 401);
  const { code, stdout, stderr } = await first.stop('SIGINT');
  assert.equal(code, 0, stderr);
  const next = ['editors detect', 'open FILE', 'dashboard', '--help'].map((one) => `npm run cli -- ${one}`);
  // The tests may run in a container or over SSH.
  assert.equal(
    stdout.replaceAll(/^ {2}(?:Open a document|In a container|Over SSH) .*\n/gm, ''),
    [
      `DocTray is serving ${folder}`,
      `  Address           ${addressIn(stdout)}`,
      `  Next              ${next.join(' · ')}`,
      'DocTray stopped.',
      '',
    ].join('\n'),
  );
  assert.match(
    stderr,
    /^\d\d:\d\d:\d\d WARN Secrets are kept in secrets\.json .*\nNo display is available\. Serving from the terminal\.\n$/,
  );
  const log = await readFile(join(home, '.local', 'share', 'doctray', 'doctray.log'), 'utf8');
  for (const part of ['Secrets are kept', 'DocTray is listening', 'ReadProfile'])
    assert.ok(log.includes(`"msg":"${part}`), log);

  await writeFile(join(folder, 'Welcome.md'), 'mine');
  await rm(join(folder, 'Welcome.docx'));
  // the folder is remembered, even if a better default appears
  await mkdir(join(home, 'Documents'));
  const second = await (await start()).stop();
  assert.ok(second.stdout.startsWith(`DocTray is serving ${folder}\n`), second.stdout);
  assert.equal(await readFile(join(folder, 'Welcome.md'), 'utf8'), 'mine');
  assert.deepEqual((await readdir(folder)).toSorted(), ['Shopping list.csv', 'Welcome.md']);
  assert.deepEqual(await readdir(join(home, 'Documents')), []);

  await rm(folder, { recursive: true });
  const missing = await place.run(['start', '--port', '0']);
  assert.notEqual(missing.code, 0);
  assert.match(
    missing.stderr,
    /^The folder .*DocTray doesn’t exist\. Connect its drive, or choose another folder with `.* settings set folder DIR`\.$/m,
  );
  assert.equal((await readdir(home)).includes('DocTray'), false, 'it isn’t created again');
});

test('says what to do when a file has the folder’s name', async () => {
  await writeFile(join(home, 'DocTray'), 'a file');
  const { code, stdout, stderr } = await place.run(['start', '--port', '0']);
  assert.deepEqual([code, stdout], [1, '']);
  const sentence = `DocTray can’t create the folder for your documents. Choose another with --folder DIR. ${join(home, 'DocTray')}: A file with this name already exists.`;
  assert.ok(stderr.split('\n').includes(sentence), stderr);
  assert.equal(await readFile(join(home, 'DocTray'), 'utf8'), 'a file');
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
  const { url } = await startDocumentServer({ actions: ['md edit', 'docx edit'] }, t);
  const dataDir = join(home, '.local', 'share', 'doctray');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(join(dataDir, 'settings.json'), '{}');
  await commandsOf({ ...place, dataDir }).done(['editors', 'add', url, '--name', 'Desk']);

  const preload = join(place.root, 'five-minutes.mjs');
  await writeFile(preload, fiveMinutes);
  const host = await start({ NODE_OPTIONS: `--import=${preload}` });
  host.child.kill('SIGUSR2');
  await host.printed(/five minutes passed\n/, 'stderr');
  const link = linkIn(host.stdout());
  const address = addressIn(host.stdout());
  assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/edit\/[\w-]{22}\?ticket=[\w-]{43}$/);
  assert.match(host.stdout(), /\?ticket=[\w-]{43} {2}\(Welcome\.md, valid once\)$/m);
  assert.ok(link.startsWith(`${address}/`));
  const entered = await fetch(link, { redirect: 'manual' });
  assert.equal(entered.status, 303);
  const cookies = entered.headers.getSetCookie().map((text) => text.split(';', 1)[0]);
  const headers = { cookie: cookies.join('; ') };
  const page = await fetch(new URL(entered.headers.get('location') ?? '', link), { headers });
  assert.match(await page.text(), /Welcome\.md/);
  assert.equal(await statusOf(link), 403);

  const folder = join(home, 'DocTray');
  for (const named of [[], ['--folder', `${home}/../home/DocTray`]]) {
    const { code, stdout, stderr } = await place.run(['start', '--port', '0', ...named]);
    assert.deepEqual([code, stderr], [0, '']);
    const running = `DocTray is already running. Nothing was started.\nDocTray is serving ${folder}\n`;
    assert.ok(stdout.startsWith(running), stdout);
    assert.equal(addressIn(stdout), address);
    assert.match(stdout, /^ {2}Next {14}npm run cli -- editors detect · .*\n$/m);
    assert.notEqual(linkIn(stdout), link);
    assert.equal(await statusOf(linkIn(stdout)), 303);
  }
  await mkdir(join(home, 'other'));
  const refused = await place.run(['start', '--folder', join(home, 'other')]);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.equal(
    refused.stderr,
    `DocTray is already running with this data folder and serves ${folder}. Quit it first, or choose another data folder with --data.\n`,
  );
  const { stderr } = await host.stop();
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

test('a folder that can’t be written to or listed is served with a warning, which a second start and the window show too', async (t) => {
  /** Root without the capability to ignore file permissions. */
  const prefix =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];
  const other = await makePlace({ 'a.md': 'a' }, undefined, { prefix });
  t.after(async () => {
    await chmod(other.folder, 0o700);
    await other.remove();
  });
  await chmod(other.folder, 0o500);
  const args = ['serve', '--folder', other.folder, '--data', other.dataDir, '--port', '0'];
  const host = other.start(args);
  await host.printed(/ {2}Next .*\n/);
  const problem =
    'Documents can be opened but not saved. You don’t have permission to write to this folder. Change its permissions, or choose another folder.';
  assert.equal(host.stdout().split('\n')[1], `  Warning           ${problem}`);
  assert.ok((await other.run(args)).stdout.includes(`  Warning           ${problem}\n`));
  const { stdout } = await other.run(['dashboard', '--data', other.dataDir]);
  const link = /http\S+/.exec(stdout)?.[0] ?? '';
  const page = await connectPage(link);
  await page.open(secretOf(link));
  const state = await page.call('state.get', {});
  assert.ok(state.isDone);
  assert.equal((state.result as WindowState).host.warning, problem);
  page.close();
  await host.stop();

  await chmod(other.folder, 0o300);
  const unlisted = await other.serve();
  await unlisted.printed(
    /"msg":"DocTray can’t list the documents in this folder\. You don’t have permission to read this folder\. Change its permissions, or choose another folder\."/,
    'stderr',
  );
  await unlisted.stop();
});
