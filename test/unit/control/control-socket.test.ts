import assert from 'node:assert/strict';
import { lstat, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  findControlAddress,
  prepareControlAddress,
  removeControlAddress,
} from '../../../app/control/control-address.ts';
import { callHost } from '../../../app/control/control-client.ts';
import { createControlServer } from '../../../app/control/control-server.ts';
import { startTestHost, type TestHost } from '../../server/test-host.ts';
import { lockOf } from '../commands/terminal-commands.ts';

/** The host of every control socket in this file. */
let host: TestHost;
before(async () => {
  host = await startTestHost({ files: { 'ünïcode 文.docx': 'x' } });
});
const cleanups: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
  await host.stop();
});

async function emptyFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'dt-'));
  cleanups.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Opens another control socket of the host, in its own data folder. */
async function start(options: Partial<Parameters<typeof createControlServer>[0]> = {}) {
  const dataDir = options.dataDir ?? (await emptyFolder());
  const logged: string[] = [];
  const note = (fields: object, text: string): void => void logged.push(`${text} ${JSON.stringify(fields)}`);
  const log = { info: note, warn: note, error: note };
  const server = await createControlServer({ host: host.host, log, ...options, dataDir });
  cleanups.push(() => server.close());
  return { dataDir, logged, close: () => server.close() };
}

/** Sends raw bytes and collects the response until the server closes the connection. */
function exchange(path: string, bytes: string, options: { end?: boolean } = {}): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path, () => {
      socket.write(bytes);
      if (options.end === true) socket.end();
    });
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

/** A request with that body. */
function http(body: string, headers = ''): string {
  return `POST / HTTP/1.1\r\nHost: host\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}

test('runs a command in the host and returns its result; only this user can use the socket', async () => {
  const { dataDir, logged } = await start();
  assert.equal((await stat(join(dataDir, 'control.sock'))).mode & 0o777, 0o600, 'only for this user');
  const { fileId } = await lockOf(host, 'ünïcode 文.docx');
  const [lock] = await callHost(dataDir, 'locks.list', {});
  assert.deepEqual([lock?.fileId, lock?.path], [fileId, 'ünïcode 文.docx']);
  await callHost(dataDir, 'locks.forceClear', { ids: [fileId] });
  assert.deepEqual(await callHost(dataDir, 'locks.list', {}), []);
  await callHost(dataDir, 'users.setPassword', { login: 'owner', password: 'wrong horse battery' });
  assert.ok(logged.length > 0 && logged.every((line) => line.startsWith('terminal command')));
  assert.ok(!logged.some((line) => line.includes('horse')), 'passwords aren’t logged');
});

test('returns an unexpected error without its text, and logs it', async (t) => {
  const { dataDir, logged } = await start();
  t.mock.method(host.host.services.sessions, 'list', () => {
    throw new Error('secret inside');
  });
  const text = await exchange(join(dataDir, 'control.sock'), http('{"command":"sessions.list"}'));
  assert.match(text, /"code":"internal"/);
  assert.doesNotMatch(text, /secret inside/);
  assert.ok(logged.some((line) => line.startsWith('terminal command failed')));
  await assert.rejects(callHost(dataDir, 'sessions.list', {}), { code: 'internal' });
});

test('reports that no host runs, also with the socket of a killed one, which a new host replaces and removes when it closes', async () => {
  const dataDir = await emptyFolder();
  const isNotRunning = () => assert.rejects(callHost(dataDir, 'locks.list', {}), { code: 'not-running' });
  await isNotRunning();
  await writeFile(join(dataDir, 'control.sock'), 'left');
  await isNotRunning();
  const { close } = await start({ dataDir });
  assert.deepEqual(await callHost(dataDir, 'locks.list', {}), []);
  await close();
  assert.deepEqual(await readdir(dataDir), []);
  await isNotRunning();
});

test('rejects or drops malformed requests, and serves the next one', async () => {
  const { dataDir } = await start({ requestTimeoutMs: 150 });
  const path = join(dataDir, 'control.sock');
  const list = http('{"command":"locks.list"}');
  const codeOf = async (bytes: string): Promise<string | undefined> =>
    /"code":"([a-z-]+)"/u.exec(await exchange(path, bytes))?.[1];
  assert.equal(await codeOf('GET / HTTP/1.1\r\nHost: host\r\n\r\n'), 'malformed-json');
  for (const body of ['7', 'null', '{"command":7}', '{"command":"locks.list","args":{"x":1}}'])
    assert.equal(await codeOf(http(body)), 'invalid-argument', body);
  assert.equal(await codeOf(http('{"command":"explode"}')), 'not-found');
  assert.equal(await codeOf(http(JSON.stringify('x'.repeat(1 << 20)))), 'body-too-large');
  assert.match(await exchange(path, 'x'.repeat(70_000)), /^HTTP\/1\.1 4/u);
  assert.match(await exchange(path, list.slice(0, -1), { end: true }), /^HTTP\/1\.1 400 /u);
  // Closed by the reader of the body, or by Node: whichever is first.
  assert.match(await exchange(path, list.slice(0, -1)), /^(?:$|HTTP\/1\.1 408 )/u, 'too late');
  assert.match(await exchange(path, 'POST / HTTP/1.1\r\nHo'), /^HTTP\/1\.1 408 /u, 'its head is too late');
  const twice = await exchange(path, list + list);
  assert.equal(twice.split('{"isDone":true,"result":[]}').length, 2, 'one request a connection');
  assert.deepEqual(await callHost(dataDir, 'locks.list', {}), []);
});

test('reports a host that gives no valid answer', async (t) => {
  const dataDir = await emptyFolder();
  let answer = '';
  const odd = createServer((socket) => socket.resume().end(answer));
  t.after(() => odd.close());
  await new Promise<void>((resolve) => odd.listen(join(dataDir, 'control.sock'), resolve));
  const ok = 'HTTP/1.1 200 OK\r\n';
  for (answer of ['', 'not HTTP', `${ok}\r\nnull`, `${ok}\r\nno JSON`, `${ok}Content-Length: 9\r\n\r\n{}`])
    await assert.rejects(callHost(dataDir, 'locks.list', {}), { code: 'no-answer' }, answer);
});

test('finishes a running command and returns its result when the host stops', async (t) => {
  const { dataDir, close } = await start();
  const started = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<string>();
  t.mock.method(host.host.services.recoveredSaves, 'restore', () => {
    started.resolve();
    return finished.promise;
  });
  const answer = callHost(dataDir, 'recovered.restore', { id: 'r' });
  await started.promise;
  const closed = close();
  finished.resolve('late.docx');
  assert.deepEqual(await answer, { path: 'late.docx' });
  await closed;
});

test('puts the socket in a private folder with a short path if the data folder’s path is too long', async () => {
  const short = await emptyFolder();
  const dataDir = join(short, 'd'.repeat(90), 'e'.repeat(40));
  await mkdir(dataDir, { recursive: true });
  const { close } = await start({
    dataDir,
    address: { shortFolders: [join(short, 'f'.repeat(100)), short] },
  });
  const path = await readFile(join(dataDir, 'control.path'), 'utf8');
  assert.ok(path.startsWith(short) && Buffer.byteLength(path) <= 100);
  assert.equal((await lstat(join(path, '..'))).mode & 0o777, 0o700);
  assert.deepEqual(await callHost(dataDir, 'locks.list', {}), []);
  await close();
  assert.deepEqual(await readdir(dataDir), []);
  assert.ok(!(await readdir(short)).some((name) => name.startsWith('doctray-')));
});

test('doesn’t follow a symbolic link in place of the socket’s folder', async () => {
  const short = await emptyFolder();
  const dataDir = join(short, 'd'.repeat(120));
  await mkdir(dataDir);
  const path = await prepareControlAddress(dataDir, { shortFolders: [short] });
  await rm(join(path, '..'), { recursive: true });
  await mkdir(join(short, 'trap'));
  await symlink(join(short, 'trap'), join(path, '..'));
  await assert.rejects(prepareControlAddress(dataDir, { shortFolders: [short] }), {
    code: 'data-folder-invalid',
  });
  assert.equal(await findControlAddress(dataDir), undefined);
});

test('on Windows, uses a random pipe name and stores it in the data folder', async () => {
  const dataDir = await emptyFolder();
  const one = await prepareControlAddress(dataDir, { platform: 'win32' });
  assert.match(one, /^\\\\\.\\pipe\\doctray-[0-9a-f]{32}$/);
  assert.equal(await findControlAddress(dataDir), one);
  assert.equal((await stat(join(dataDir, 'control.path'))).mode & 0o777, 0o600);
  assert.notEqual(await prepareControlAddress(dataDir, { platform: 'win32' }), one);
  await removeControlAddress(dataDir, one);
  assert.deepEqual(await readdir(dataDir), []);
});

test('removes only the socket, also with trailing slashes in the data folder’s path', async () => {
  const dataDir = await emptyFolder();
  await writeFile(join(dataDir, 'settings.json'), '{}');
  const path = await prepareControlAddress(`${dataDir}/`);
  await writeFile(path, '');
  await removeControlAddress(`${dataDir}//`, path);
  assert.deepEqual(await readdir(dataDir), ['settings.json']);
});
