// `serve` as a process: its events, signals, lost output, and what keeps it from starting.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { programEntry } from './built-program.ts';
import { commandsOf, makePlace, ownerPassword, signIn, type Place } from './processes.ts';

let place: Place;
before(async () => {
  place = await makePlace();
});
after(() => place.remove());

test('serve --json prints one line per event, the first when it listens, and stops in time on SIGTERM; start serves the remembered folder, and stops when the reader of its output goes away', async () => {
  const host = await place.serve();
  const [first = {}] = host.events();
  assert.deepEqual(Object.keys(first), ['event', 'pid', 'baseUrl', 'folder', 'owner']);
  const { baseUrl, ...others } = first as Record<string, unknown>;
  const { pid } = host.child;
  assert.deepEqual(others, { event: 'listening', pid, folder: place.folder, owner: 'owner' });
  assert.match(String(baseUrl), /^http:\/\/127\.0\.0\.1:\d+$/);

  const token = await signIn(host.baseUrl);
  const self = `${host.baseUrl}/api/2.0/people/@self.json`;
  assert.equal((await fetch(self, { headers: { authorization: token } })).status, 200);
  const endless = await openEndlessRequest(host.baseUrl);
  const { code, stdout, stderr } = await host.stop();
  endless.destroy();
  assert.equal(code, 0, `it stopped before its own limit, despite a request that never ends: ${stderr}`);
  assert.deepEqual(
    host.events().map(({ event }) => event),
    ['listening', 'settings-changed', 'stopping', 'stopped'],
  );
  for (const line of stderr.trimEnd().split('\n')) JSON.parse(line);
  assert.match(stderr, /`npm run cli -- secrets move keychain --data /);
  for (const secret of [token, ownerPassword]) assert.ok(!`${stdout}${stderr}`.includes(secret));

  const made = (await readdir(place.root)).filter((name) => !name.startsWith('.'));
  assert.deepEqual(made.toSorted(), ['data', 'documents'], 'the default folder isn’t created');
  assert.equal((await stat(place.dataDir)).mode & 0o777, 0o700, 'only this user can read the data folder');
  const again = place.start(['start', '--data', place.dataDir, '--port', '0', '--json']);
  assert.equal((await again.event('listening'))['folder'], place.folder);
  // The reader of its events goes away.
  again.child.stdout.destroy();
  await place.run(['settings', 'set', 'versionDays', '31', '--data', place.dataDir]);
  const ended = await again.ended;
  assert.equal(ended.code, 0, ended.stderr);
  assert.doesNotMatch(ended.stderr, /EPIPE/);
  assert.match(ended.stderr, /^No display is available\. Serving from the terminal\.$/m);
});

test(
  'a full disk under its output doesn’t stop the host and is reported; a command keeps its exit code',
  { skip: process.platform !== 'linux' && 'needs /dev/full' },
  async (t) => {
    const own = await makePlace();
    const entry = await programEntry();
    // Also ends the host of a failed test.
    t.after(() => own.remove());
    const run = (args: string[], output = '> /dev/full') => {
      const line = [`exec "$0" "$@" ${output}`, process.execPath, entry, ...args, '--data', own.dataDir];
      return own.start(line, { program: '/bin/sh', script: '-c' });
    };
    const lost = /^The output ends here: standard output can’t be written \(ENOSPC\)\.$/m;
    const host = run(['serve', '--folder', own.folder, '--port', '0', '--json']);
    await host.printed(/DocTray is listening\./, 'stderr');
    assert.match(host.stderr(), lost);
    const [, baseUrl = ''] = /"baseUrl":"([^"]+)"/.exec(host.stderr()) ?? [];
    assert.equal((await fetch(`${baseUrl}/help/start`)).status, 200);

    const command = await run(['settings']).ended;
    assert.equal(command.code, 1);
    assert.match(command.stderr, lost);
    assert.equal((await run(['settings', '--wrong'], '> /dev/full 2>&1').ended).code, 2);
    assert.equal((await host.stop()).code, 1);
  },
);

test('without --json, prints where it serves but not the generated password', async (t) => {
  const fresh = await makePlace();
  t.after(() => fresh.remove());
  delete fresh.env['DOCTRAY_OWNER_PASSWORD'];
  const args = ['--folder', 'documents', '--data', 'data', '--port', '0', '--owner', 'eva'];
  const host = fresh.start(['serve', ...args]);
  await host.printed(/ {2}Next /);
  const secrets = await readFile(join(fresh.dataDir, 'secrets.json'), 'utf8');
  const stored = Object.values(JSON.parse(secrets) as Record<string, unknown>).flatMap(
    (value) => JSON.stringify(value).match(/[\w-]{12,}/g) ?? [],
  );
  assert.ok(stored.length > 0);
  const { stdout, stderr } = await host.stop();
  assert.match(stdout, /^DocTray is serving .*documents\n/);
  assert.match(stdout, /^ {2}Address {11}http:\/\/127\.0\.0\.1:\d+$/m);
  assert.match(
    stdout,
    /^ {2}Sign in {11}eva {2}\(password generated, kept in secrets\.json .*set a new one with `npm run cli -- users password eva --data data`\)$/m,
  );
  assert.match(stdout, / · npm run cli -- open FILE --data data · /);
  for (const value of stored) assert.ok(!`${stdout}${stderr}`.includes(value));
});

test('refuses a second host on the same data folder; the first keeps running, and ends at once with a second signal', async () => {
  const args = ['--folder', place.folder, '--port', '0', '--data', place.dataDir];
  const self = '/api/2.0/people/@self.json';
  const host = await place.serve();
  const second = await place.run(['serve', ...args]);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /^Another DocTray is using this data folder\. .*\n$/);
  assert.match(second.stdout, /^DocTray is already running\. Nothing was started\.\nDocTray is serving /);
  const script = await place.run(['start', '--data', place.dataDir, '--json']);
  assert.deepEqual([script.code, script.stdout], [1, '']);
  assert.match(script.stderr, /^Another DocTray is using this data folder\./m);
  assert.equal((await fetch(host.baseUrl + self)).status, 401);

  const endless = await openEndlessRequest(host.baseUrl);
  // The first one waits for the request. Those that npm and the terminal send together count as one.
  for (; host.isRunning(); await sleep(100)) host.child.kill('SIGINT');
  assert.equal((await host.ended).code, 130);
  endless.destroy();
});

/** A request whose body never arrives. The answer to an earlier one on the same connection shows that the host has received it. */
async function openEndlessRequest(baseUrl: string): Promise<Socket> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n';
  socket.write(
    `GET /help/start ${head}\r\nPOST /api/2.0/authentication.json ${head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
  );
  await once(socket, 'data');
  return socket;
}

test('rejects wrong usage in one sentence, with exit code 2, and creates nothing', async (t) => {
  const other = await makePlace();
  t.after(() => other.remove());
  const { folder, root, dataDir } = other;
  await writeFile(join(root, 'file'), '');
  const ofFolder: [string[], RegExp][] = [
    [[join(root, 'nowhere')], /^DocTray can’t serve this folder\./],
    [[join(root, 'file')], /^DocTray can’t serve this folder\. \S+file is a file, not a folder\.\n/],
    [[''], /^--folder needs/],
    [[root], /is inside it/],
    [[dataDir], /It is the data folder/],
    [[join(dataDir, 'in')], /is inside the data folder/],
    [[folder, '--port', '65536'], /^--port takes a whole number/],
    [[folder, '--port', '-1'], /^--port takes|^Option '--port/],
    [[folder, '--public-url', 'docs'], /^--public-url: Enter an http or https address/],
    [[folder, '--host', 'a b'], /^--host: Enter an address/],
    [[folder, '--port', '0', '--owner', 'two words'], /^A user name has/],
    [[folder, '--bogus'], /^Unknown option “--bogus”; see --help\.\n$/],
  ];
  for (const [args, sentence] of [
    ...ofFolder.map(
      ([rest, expected]) => [['serve', '--data', dataDir, '--folder', ...rest], expected] as const,
    ),
    [['serve', 'documents'], /^Too many arguments/],
    [['frobnicate'], /^Unknown command “frobnicate”; see --help\.\n$/],
    [['users', 'frobnicate'], /^Unknown command “users frobnicate”; see --help\.\n$/],
    [['users', 'role', 'ada', 'boss'], /^Value “boss” is invalid for argument “role”\./],
  ] as const) {
    const { code, stdout, stderr } = await other.run([...args]);
    const said = stderr.replaceAll(/^\d\d:\d\d:\d\d WARN .*\n/gm, '');
    assert.match(said, sentence, args.join(' '));
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.equal(said.trimEnd().split('\n').length, 1, said);
  }
  assert.deepEqual(await readdir(folder), ['letter.docx']);
});

test('says what to do if the port is taken, the data folder has other files, or the settings are invalid, and leaves those files', async (t) => {
  const other = await makePlace();
  t.after(() => other.remove());
  const start = ['serve', '--folder', other.folder, '--port', '0'];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const taken = await commandsOf(other).cli(['serve', '--folder', other.folder, '--port', `${port}`]);
  server.close();
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, new RegExp(`Port ${port} is already in use.*--port.*\n$`));

  const busy = join(other.root, 'busy');
  await mkdir(busy);
  await writeFile(join(busy, 'novel.odt'), '');
  await chmod(busy, 0o755);
  const refused = await other.run([...start, '--data', busy]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Other users can open it, and it contains other files/);
  assert.deepEqual(await readdir(busy), ['novel.odt']);
  assert.equal((await stat(busy)).mode & 0o777, 0o755);

  const settings = join(other.dataDir, 'settings.json');
  await writeFile(settings, '{"maxUploadMB": "much"}');
  const { code, stderr } = await other.run([...start, '--data', other.dataDir]);
  assert.equal(code, 1);
  assert.match(stderr, /settings file isn’t valid.*maxUploadMB: Enter a size from/);
  assert.equal(await readFile(settings, 'utf8'), '{"maxUploadMB": "much"}');
});

test(
  'SIGTERM closes the database and ends the host within 5 seconds while every pool thread hangs',
  { skip: process.platform === 'win32' && 'Windows has no named pipes in folders' },
  async (t) => {
    const place = await makePlace();
    t.after(() => place.remove());
    // Simulates a drive that doesn't respond: opening a pipe without a writer never returns.
    const pipe = join(place.root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const preload = join(place.root, 'hang.mjs');
    const hang = `for (let count = 0; count < 8; count += 1) fs.open(${JSON.stringify(pipe)}, 'r', () => undefined); process.stderr.write('hangs\\n');`;
    await writeFile(preload, `import fs from 'node:fs'; process.on('SIGUSR2', () => { ${hang} });`);
    const args = ['serve', '--folder', place.folder, '--data', place.dataDir, '--port', '0', '--json'];
    const host = place.start(args, { env: { NODE_OPTIONS: `--import=${preload}` } });
    await host.event('listening');
    const call = await commandsOf(place).editor('letter.docx');
    assert.equal(await call('LOCK'), 200);
    host.child.kill('SIGUSR2');
    await host.printed(/^hangs$/m, 'stderr');
    // A save that waits for a pool thread.
    const save = call('PUT', 'new').catch(() => undefined);
    await sleep(200);
    const startedAt = performance.now();
    const { code, signal, stderr } = await host.stop();
    // A busy computer adds to the 5 seconds.
    assert.ok(performance.now() - startedAt < 30_000, 'it took too long');
    assert.deepEqual([code, signal], [null, 'SIGKILL']);
    assert.match(stderr, /didn’t stop in time/);
    // SQLite removes its log when the last connection is closed.
    const ofDatabase = (await readdir(place.dataDir)).filter((name) => name.startsWith('doctray.db'));
    assert.deepEqual(ofDatabase, ['doctray.db']);
    await save;
    assert.equal((await (await place.serve()).stop()).code, 0);
    assert.equal(await readFile(join(place.folder, 'letter.docx'), 'utf8'), 'a letter');
  },
);
