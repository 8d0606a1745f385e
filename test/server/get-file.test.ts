// GetFile: whole, by range, by HEAD, small and large, while others write.

import assert from 'node:assert/strict';
import { writeFile, rename, readdir } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestHost, type TestHost } from './test-host.ts';

const MiB = 1024 * 1024;
const bytes = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 7) % 251));
const small = bytes(1000);
const large = bytes(5 * MiB + 3);

let host: TestHost;
before(async () => {
  host = await startTestHost({
    files: {
      'ones.bin': Buffer.alloc(200 * 1024, 1),
      'twos.bin': Buffer.alloc(200 * 1024, 2),
      'small.bin': small,
      'large.bin': large,
      'empty.odt': '',
      'a.txt': 'first',
    },
  });
});
after(() => host.stop());

async function read(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { fileId, accessToken } = await host.access(path, { mode: 'view' });
  return host.wopi({ method, fileId, token: accessToken, contents: true, headers });
}

for (const [path, content] of [
  ['small.bin', small],
  ['large.bin', large],
  ['empty.odt', Buffer.alloc(0)],
] as const) {
  test(`${path} arrives whole, with its length, its version and as bytes of no type`, async () => {
    const { status, headers, body } = await read(path);
    assert.equal(status, 200);
    assert.ok(body.equals(content));
    assert.equal(headers.get('Content-Length'), String(content.length));
    assert.equal(headers.get('Content-Type'), 'application/octet-stream');
    assert.equal(headers.get('Content-Disposition'), 'attachment');
    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
    assert.equal(headers.get('Accept-Ranges'), 'bytes');
    assert.equal(headers.get('Cache-Control'), 'no-store');
    assert.match(headers.get('X-WOPI-ItemVersion') ?? '', /^\d+\./);
    assert.equal(headers.get('Content-Range'), null);
  });

  test(`HEAD of ${path} has the headers of GET and no body`, async () => {
    const [whole, head] = [await read(path), await read(path, {}, 'HEAD')];
    assert.equal(head.status, 200);
    assert.equal(head.body.length, 0);
    for (const name of [
      'Content-Length',
      'Content-Type',
      'X-WOPI-ItemVersion',
      'Accept-Ranges',
      'Cache-Control',
    ]) {
      assert.equal(head.headers.get(name), whole.headers.get(name), name);
    }
  });
}

for (const [range, start, end] of [
  ['bytes=0-0', 0, 1],
  ['bytes=10-19', 10, 20],
  ['bytes=1048575-1048576', 1_048_575, 1_048_577],
  [`bytes=${2 * MiB}-`, 2 * MiB, large.length],
  ['bytes=-5', large.length - 5, large.length],
  ['bytes=0-99999999999', 0, large.length],
] as const) {
  test(`Range ${range} of a large document is 206 with exactly these bytes`, async () => {
    const { status, headers, body } = await read('large.bin', { Range: range });
    assert.equal(status, 206);
    assert.ok(body.equals(large.subarray(start, end)));
    assert.equal(headers.get('Content-Range'), `bytes ${start}-${end - 1}/${large.length}`);
    assert.equal(headers.get('Content-Length'), String(end - start));
  });
}

test('A range behind the end is 416 with the size, and nothing of an empty document can be had by range', async () => {
  for (const [path, size] of [
    ['small.bin', 1000],
    ['empty.odt', 0],
  ] as const) {
    const { status, headers, body } = await read(path, { Range: `bytes=${size}-` });
    assert.deepEqual([status, headers.get('Content-Range'), body.length], [416, `bytes */${size}`, 0]);
    assert.equal(headers.get('X-WOPI-ItemVersion'), null);
  }
});

test('Ranges that are none, or several, get the whole document', async () => {
  for (const range of ['bytes=5-1', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=x-y', '0-1']) {
    const { status, body } = await read('small.bin', { Range: range });
    assert.equal(status, 200, range);
    assert.ok(body.equals(small));
  }
});

test('X-WOPI-MaxExpectedSize is compared exactly, beyond 2^53 too', async () => {
  for (const [expected, status] of [
    ['999', 412],
    ['1000', 200],
    ['0', 412],
    ['104857600', 200],
    ['18446744073709551615', 200],
    ['', 200],
    ['-1', 400],
    ['1e9', 400],
    ['1000.5', 400],
    ['many', 400],
  ] as const) {
    const answer = await read('small.bin', { 'X-WOPI-MaxExpectedSize': expected });
    assert.equal(answer.status, status, expected);
    if (status === 412) assert.equal(answer.body.length, 0);
  }
});

test('Asking for too small a size, or for a wrong range, leaves no descriptor open', async () => {
  const open = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
  const { fileId, accessToken } = await host.access('small.bin');
  const ask = (headers: Record<string, string>, method = 'GET') =>
    host.wopi({ method, fileId, token: accessToken, contents: true, headers });
  await ask({});
  const before = await open();
  for (let round = 0; round < 30; round += 1) {
    await ask({ 'X-WOPI-MaxExpectedSize': '1' });
    await ask({ 'X-WOPI-MaxExpectedSize': 'x' });
    await ask({ Range: 'bytes=5000-' });
    await ask({}, 'HEAD');
  }
  assert.ok((await open()) < before + 10, `${before} before, ${await open()} after`);
});

test('A client that goes away in the middle leaves no descriptor open', async () => {
  const open = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
  const { fileId, accessToken } = await host.access('large.bin');
  const url = `${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${accessToken}`;
  const before = await open();
  for (let round = 0; round < 20; round += 1) {
    await new Promise<void>((resolve) => {
      const call = get(url, { agent: false }, (response: IncomingMessage) => {
        response.on('error', () => undefined);
        response.destroy();
        resolve();
      });
      call.on('error', () => resolve());
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok((await open()) < before + 10, `${before} before, ${await open()} after`);
});

test('Answers that wait for slow clients keep their own content', { timeout: 60_000 }, async () => {
  const length = 200 * 1024;
  const accesses = await Promise.all(['ones.bin', 'twos.bin'].map((path) => host.access(path)));
  const { hostname, port, host: name } = new URL(host.baseUrl);
  // More than the system takes for clients that read nothing: the rest waits in the host.
  const answersEach = 30;
  const sockets = Array.from({ length: 4 }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    for (let index = 0; index < answersEach; index += 1) {
      const { fileId, accessToken } = accesses[index % 2]!;
      const address = `/wopi/files/${fileId}/contents?access_token=${accessToken}`;
      const last = index === answersEach - 1 ? 'Connection: close\r\n' : '';
      socket.write(`GET ${address} HTTP/1.1\r\nHost: ${name}\r\n${last}\r\n`);
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const socket of sockets) {
    const received = Buffer.concat(await socket.toArray());
    let at = 0;
    for (let index = 0; index < answersEach; index += 1) {
      at = received.indexOf('\r\n\r\n', at) + 4;
      const body = received.subarray(at, at + length);
      assert.ok(body.equals(Buffer.alloc(length, 1 + (index % 2))), `answer ${index}`);
      at += length;
    }
  }
});

test('A save while a document is being read does not tear it: the reader gets the old one whole', async () => {
  const { fileId, accessToken: token } = await host.access('large.bin');
  const lock = { 'X-WOPI-Lock': 'L' };
  await host.wopi({ fileId, token, override: 'LOCK', headers: lock });
  const url = `${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject);
  });
  response.pause();
  const body = Buffer.alloc(large.length, 'n');
  const saved = await host.wopi({ fileId, token, contents: true, override: 'PUT', headers: lock, body });
  assert.equal(saved.status, 200);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  assert.ok(Buffer.concat(chunks).equals(large));
  assert.notEqual(saved.headers.get('X-WOPI-ItemVersion'), response.headers['x-wopi-itemversion']);
});

/** What lies in the folder after another program wrote, something read, and the holder of the lock saved. */
async function saveAfter(
  name: string,
  look: { method: string; headers?: Record<string, string> },
): Promise<string[]> {
  await writeFile(join(host.folder, name), 'first');
  const { fileId, accessToken: token } = await host.access(name);
  const lock = { 'X-WOPI-Lock': 'L' };
  await host.wopi({ fileId, token, override: 'LOCK', headers: lock });
  await host.wopi({ fileId, token, contents: true });
  await writeFile(join(host.folder, `new-${name}`), 'another program');
  await rename(join(host.folder, `new-${name}`), join(host.folder, name));
  const looked = await host.wopi({ ...look, fileId, token, contents: true });
  assert.ok(looked.status < 300);
  const save = await host.wopi({
    fileId,
    token,
    contents: true,
    override: 'PUT',
    headers: lock,
    body: 'mine',
  });
  assert.equal(save.status, 200);
  return (await readdir(host.folder)).filter((entry) => entry.startsWith(name.replace('.txt', '')));
}

test('An editor that read what another program wrote overwrites it without a conflict copy', async () => {
  assert.deepEqual(await saveAfter('read.txt', { method: 'GET' }), ['read.txt']);
});

test('A HEAD is no reading: what another program wrote is still kept beside the save', async () => {
  assert.equal((await saveAfter('head.txt', { method: 'HEAD' })).length, 2);
});

test('A few bytes are no reading: what another program wrote is still kept beside the save', async () => {
  assert.equal((await saveAfter('part.txt', { method: 'GET', headers: { Range: 'bytes=0-0' } })).length, 2);
});
