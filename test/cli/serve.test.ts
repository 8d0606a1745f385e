import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePlace, ownerPassword, signIn, type Place } from './processes.ts';

let place: Place;
before(async () => {
  place = await makePlace();
});
after(() => place.remove());

test('serve --json prints one line per event, the first when it listens, and stops on SIGTERM', async () => {
  const host = await place.serve();
  const [first] = host.events();
  assert.deepEqual(Object.keys(first!), ['event', 'pid', 'baseUrl', 'folder', 'owner']);
  assert.equal(first!['pid'], host.child.pid);
  assert.equal(first!['folder'], place.folder);
  assert.equal(first!['owner'], 'owner');
  assert.match(host.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);

  const token = await signIn(host.baseUrl);
  const self = await fetch(`${host.baseUrl}/api/2.0/people/@self.json`, {
    headers: { authorization: token },
  });
  assert.equal(self.status, 200);
  const startedAt = performance.now();
  host.child.kill('SIGTERM');
  const { code, stdout, stderr } = await host.ended;
  assert.equal(code, 0, stderr);
  assert.ok(performance.now() - startedAt < 6000);
  assert.deepEqual(
    host.events().map(({ event }) => event),
    ['listening', 'settings-changed', 'stopping', 'stopped'],
  );
  for (const line of stderr.trimEnd().split('\n')) JSON.parse(line);
  assert.match(stderr, /`npm run cli -- secrets move keychain --data /);
  for (const secret of [token, ownerPassword]) assert.ok(!`${stdout}${stderr}`.includes(secret));
});

test('only this user can read the data folder, and start serves the folder remembered in it', async () => {
  assert.equal((await stat(place.dataDir)).mode & 0o777, 0o700);
  const host = place.start(['start', '--data', place.dataDir, '--port', '0', '--json']);
  assert.equal((await host.event('listening'))['folder'], place.folder);
  host.child.kill('SIGINT');
  const { code, stderr } = await host.ended;
  assert.equal(code, 0);
  assert.match(stderr, /^No display is available\. Serving from the terminal\.$/m);
});

test(
  'a full disk under its output doesn’t stop the host, and is reported',
  { skip: process.platform !== 'linux' && 'needs /dev/full' },
  async () => {
    const own = await makePlace();
    const cli = join(import.meta.dirname, '../../app/cli.ts');
    const run = (args: string[]) => {
      const line = [
        '-c',
        'exec "$0" "$@" > /dev/full',
        process.execPath,
        cli,
        ...args,
        '--data',
        own.dataDir,
      ];
      const child = spawn('/bin/sh', line, { env: own.env, stdio: ['ignore', 'ignore', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
      const ended = new Promise<number | null>((resolve) => void child.on('close', resolve));
      return { child, ended, stderr: () => stderr };
    };
    const lost = /^The output ends here: standard output can’t be written \(ENOSPC\)\.$/m;
    const host = run(['serve', '--folder', own.folder, '--port', '0', '--json']);
    while (!host.stderr().includes('DocTray is listening.')) await sleep(50);
    assert.match(host.stderr(), lost);
    const { baseUrl } = JSON.parse(
      host
        .stderr()
        .split('\n')
        .find((line) => line.includes('listening'))!,
    );
    assert.equal((await fetch(`${baseUrl}/help/start`)).status, 200);

    const command = run(['settings']);
    assert.equal(await command.ended, 1);
    assert.match(command.stderr(), lost);
    host.child.kill('SIGTERM');
    assert.equal(await host.ended, 1);
    await own.remove();
  },
);

test(
  'a command keeps its exit code if neither its output nor its errors can be written',
  { skip: process.platform !== 'linux' && 'needs /dev/full' },
  async () => {
    const cli = join(import.meta.dirname, '../../app/cli.ts');
    const line = ['-c', 'exec "$0" "$@" > /dev/full 2>&1', process.execPath, cli, 'settings', '--wrong'];
    const child = spawn('/bin/sh', line, { env: place.env, stdio: 'ignore' });
    assert.deepEqual(await once(child, 'close'), [2, null]);
  },
);

test('without --json, prints where it serves but not the generated password', async () => {
  const fresh = await makePlace();
  delete fresh.env['DOCTRAY_OWNER_PASSWORD'];
  const host = fresh.start([
    'serve',
    '--folder',
    'documents',
    '--data',
    'data',
    '--port',
    '0',
    '--owner',
    'eva',
  ]);
  while (!host.stdout().includes('  Next ')) await sleep(20);
  const secrets = await readFile(join(fresh.dataDir, 'secrets.json'), 'utf8');
  const stored = Object.values(JSON.parse(secrets) as Record<string, unknown>).flatMap(
    (value) => JSON.stringify(value).match(/[\w-]{12,}/g) ?? [],
  );
  assert.ok(stored.length > 0);
  host.child.kill('SIGTERM');
  const { stdout, stderr } = await host.ended;
  assert.match(stdout, /^DocTray is serving .*documents\n/);
  assert.match(stdout, /^ {2}Address {11}http:\/\/127\.0\.0\.1:\d+$/m);
  assert.match(
    stdout,
    /^ {2}Sign in {11}eva {2}\(password generated, kept in secrets\.json .*set a new one with `npm run cli -- users password eva --data data`\)$/m,
  );
  assert.match(stdout, / · npm run cli -- open FILE --data data · /);
  for (const value of stored) assert.ok(!`${stdout}${stderr}`.includes(value));
  await fresh.remove();
});

test('refuses a second host on the same data folder; the first keeps running, and stops in time despite a request that never ends', async () => {
  const host = await place.serve();
  const second = await place.run(['serve', '--folder', place.folder, '--data', place.dataDir, '--port', '0']);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /^Another DocTray is using this data folder\. .*\n$/);
  assert.match(second.stdout, /^DocTray is already running\. Nothing was started\.\nDocTray is serving /);
  const script = await place.run(['start', '--data', place.dataDir, '--json']);
  assert.deepEqual([script.code, script.stdout], [1, '']);
  assert.match(script.stderr, /^Another DocTray is using this data folder\./m);
  assert.equal((await fetch(`${host.baseUrl}/api/2.0/people/@self.json`)).status, 401);

  const socket = await openEndlessRequest(host.baseUrl);
  const startedAt = performance.now();
  host.child.kill('SIGTERM');
  const { code } = await host.ended;
  socket.destroy();
  assert.equal(code, 0);
  assert.ok(performance.now() - startedAt < 7000);
});

/** A request whose body never arrives, which slows down the shutdown. */
async function openEndlessRequest(baseUrl: string): Promise<Socket> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    'POST /api/2.0/authentication.json HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
  );
  await sleep(300);
  return socket;
}

test('says what to do when the port is taken', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await place.run([
    'serve',
    '--folder',
    place.folder,
    '--data',
    place.dataDir,
    '--port',
    `${port}`,
  ]);
  server.close();
  assert.equal(code, 1);
  const [last] = stderr.trimEnd().split('\n').slice(-1);
  assert.match(last!, /Port \d+ is already in use.*--port/);
  assert.ok(last!.includes(String(port)), last);
});

test('rejects wrong usage in one sentence, with exit code 2, and creates nothing', async () => {
  const other = await makePlace();
  const { folder, root } = other;
  await writeFile(join(root, 'file'), '');
  const cases: [string[], RegExp][] = [
    [['serve', '--folder', join(root, 'nowhere')], /^DocTray can’t serve this folder\./],
    [
      ['serve', '--folder', join(root, 'file')],
      /^DocTray can’t serve this folder\. \S+file is a file, not a folder\.\n/,
    ],
    [['serve', '--folder', ''], /^--folder needs/],
    [['serve', '--folder', folder, '--port', '65536'], /^--port takes a whole number/],
    [['serve', '--folder', folder, '--port', '-1'], /^--port takes|^Option '--port/],
    [['serve', '--folder', folder, '--public-url', 'docs'], /^--public-url: Enter an http or https address/],
    [['serve', '--folder', folder, '--host', 'a b'], /^--host: Enter an address/],
    [['serve', '--folder', folder, '--port', '0', '--owner', 'two words'], /^A user name has/],
    [['serve', '--folder', folder, '--bogus'], /^Unknown option “--bogus”; see --help\.\n$/],
    [['serve', 'documents'], /^Too many arguments/],
    [['serve', '--folder', root], /is inside it/],
    [['serve', '--folder', other.dataDir], /It is the data folder/],
    [['serve', '--folder', join(other.dataDir, 'in')], /is inside the data folder/],
    [['frobnicate'], /^Unknown command “frobnicate”; see --help\.\n$/],
    [['users', 'frobnicate'], /^Unknown command “users frobnicate”; see --help\.\n$/],
    [['users', 'role', 'ada', 'boss'], /^Value “boss” is invalid for argument “role”\./],
  ];
  for (const [args, sentence] of cases) {
    const data = args[0] === 'serve' && args.length > 1 ? ['--data', other.dataDir] : [];
    const { code, stdout, stderr } = await other.run([...args, ...data]);
    const said = stderr
      .split('\n')
      .filter((line) => !/^\d\d:\d\d:\d\d WARN /.test(line))
      .join('\n');
    assert.match(said, sentence, args.join(' '));
    assert.equal(code, 2, args.join(' '));
    assert.equal(said.trimEnd().split('\n').length, 1, said);
    assert.equal(stdout, '');
    assert.doesNotMatch(said, /\n\s+at /);
  }
  assert.deepEqual(await readdir(folder), ['letter.docx']);
  await other.remove();
});

test('doesn’t use a folder with other files as the data folder', async () => {
  const other = await makePlace();
  const busy = join(other.root, 'busy');
  await mkdir(busy);
  await writeFile(join(busy, 'novel.odt'), '');
  await chmod(busy, 0o755);
  const refused = await other.run(['serve', '--folder', other.folder, '--data', busy]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Other users can open it, and it contains other files/);
  const asked = await other.run(['locks', '--data', busy]);
  assert.equal(asked.code, 1);
  assert.deepEqual(await readdir(busy), ['novel.odt']);
  assert.equal((await stat(busy)).mode & 0o777, 0o755);
  await other.remove();
});

test('reports an invalid settings file and leaves it unchanged', async () => {
  const other = await makePlace();
  await mkdir(other.dataDir, { mode: 0o700 });
  await writeFile(join(other.dataDir, 'settings.json'), '{"maxUploadMB": "much"}');
  const { code, stderr } = await other.run([
    'serve',
    '--folder',
    other.folder,
    '--data',
    other.dataDir,
    '--port',
    '0',
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /settings file isn’t valid.*maxUploadMB: Enter a whole number/);
  assert.equal(await readFile(join(other.dataDir, 'settings.json'), 'utf8'), '{"maxUploadMB": "much"}');
  await other.remove();
});

test('a second signal ends the process at once', async () => {
  const host = await place.serve();
  const socket = await openEndlessRequest(host.baseUrl);
  host.child.kill('SIGTERM');
  await host.event('stopping');
  await sleep(400);
  host.child.kill('SIGTERM');
  const { code } = await host.ended;
  socket.destroy();
  assert.equal(code, 130);
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
    const hang = `for (let count = 0; count < 8; count += 1) fs.open(${JSON.stringify(pipe)}, 'r', () => undefined);`;
    await writeFile(preload, `import fs from 'node:fs'; process.on('SIGUSR2', () => { ${hang} });`);
    const args = ['serve', '--folder', place.folder, '--data', place.dataDir, '--port', '0', '--json'];
    const host = place.start(args, { env: { NODE_OPTIONS: `--import=${preload}` } });
    const { baseUrl } = await host.event('listening');
    const access = await fetch(`${String(baseUrl)}/api/2.0/files/access`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: await signIn(String(baseUrl)) },
      body: JSON.stringify({ path: 'letter.docx', mode: 'edit' }),
    });
    const { response } = (await access.json()) as { response: { wopiSrc: string; accessToken: string } };
    const send = (path: string, override: string, body: string): Promise<unknown> =>
      fetch(`${response.wopiSrc}${path}?access_token=${response.accessToken}`, {
        method: 'POST',
        headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': 'mine' },
        body,
      }).catch(() => undefined);
    await send('', 'LOCK', '');
    host.child.kill('SIGUSR2');
    await sleep(200);
    // A save that waits for a pool thread.
    const save = send('/contents', 'PUT', 'new');
    await sleep(200);
    const startedAt = performance.now();
    host.child.kill('SIGTERM');
    const { code, signal, stderr } = await host.ended;
    assert.ok(performance.now() - startedAt < 5500, 'it took too long');
    assert.deepEqual([code, signal], [null, 'SIGKILL']);
    assert.match(stderr, /didn’t stop in time/);
    // SQLite removes its log when the last connection is closed.
    assert.deepEqual(
      (await readdir(place.dataDir)).filter((name) => name.startsWith('doctray.db')),
      ['doctray.db'],
    );
    await save;
    const again = await place.serve();
    again.child.kill('SIGTERM');
    assert.equal((await again.ended).code, 0);
    assert.equal(await readFile(join(place.folder, 'letter.docx'), 'utf8'), 'a letter');
  },
);

test('stops cleanly when the reader of its events goes away', async () => {
  const host = await place.serve();
  host.child.stdout?.destroy();
  await place.run(['settings', 'set', 'versionDays', '31', '--data', place.dataDir]);
  const { code, stderr } = await host.ended;
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stderr, /EPIPE/);
});
