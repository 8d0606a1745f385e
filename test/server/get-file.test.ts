// GetFile: complete, by range and by HEAD, of small and large documents, and during writes.

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
  test(`returns ${path} completely, as an octet-stream with its length and version`, async () => {
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

  test(`HEAD of ${path} returns the headers of GET without a body`, async () => {
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
  test(`answers Range ${range} of a large document with 206 and exactly these bytes`, async () => {
    const { status, headers, body } = await read('large.bin', { Range: range });
    assert.equal(status, 206);
    assert.ok(body.equals(large.subarray(start, end)));
    assert.equal(headers.get('Content-Range'), `bytes ${start}-${end - 1}/${large.length}`);
    assert.equal(headers.get('Content-Length'), String(end - start));
  });
}

test('answers a range after the end, and any range of an empty document, with 416 and the size', async () => {
  for (const [path, size] of [
    ['small.bin', 1000],
    ['empty.odt', 0],
  ] as const) {
    const { status, headers, body } = await read(path, { Range: `bytes=${size}-` });
    assert.deepEqual([status, headers.get('Content-Range'), body.length], [416, `bytes */${size}`, 0]);
    assert.equal(headers.get('X-WOPI-ItemVersion'), null);
  }
});

test('ignores invalid and multiple ranges, and returns the complete document', async () => {
  for (const range of ['bytes=5-1', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=x-y', '0-1']) {
    const { status, body } = await read('small.bin', { Range: range });
    assert.equal(status, 200, range);
    assert.ok(body.equals(small));
  }
});

test('compares X-WOPI-MaxExpectedSize exactly, and rejects what isn’t a whole number', async () => {
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

test('failed and HEAD requests leave no file descriptor open', async () => {
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

test('a client that disconnects during the download leaves no file descriptor open', async () => {
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

test('doesn’t mix up answers that are queued for slow clients', { timeout: 60_000 }, async () => {
  const length = 200 * 1024;
  const accesses = await Promise.all(['ones.bin', 'twos.bin'].map((path) => host.access(path)));
  const { hostname, port, host: name } = new URL(host.baseUrl);
  // More than the socket buffers hold, so the rest is queued in the host.
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

test('a save during a download doesn’t change what is downloaded', async () => {
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

/**
 * Replaces the document as another program would, sends `read`, then saves with the lock.
 * @returns the documents with that name, and so its conflict copies too
 */
async function saveAfter(
  name: string,
  read: { method: string; headers?: Record<string, string> },
): Promise<string[]> {
  await writeFile(join(host.folder, name), 'first');
  const { fileId, accessToken: token } = await host.access(name);
  const lock = { 'X-WOPI-Lock': 'L' };
  await host.wopi({ fileId, token, override: 'LOCK', headers: lock });
  await host.wopi({ fileId, token, contents: true });
  await writeFile(join(host.folder, `new-${name}`), 'another program');
  await rename(join(host.folder, `new-${name}`), join(host.folder, name));
  const { status } = await host.wopi({ ...read, fileId, token, contents: true });
  assert.ok(status < 300);
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

test('creates no conflict copy if the editor read what another program wrote', async () => {
  assert.deepEqual(await saveAfter('read.txt', { method: 'GET' }), ['read.txt']);
});

test('creates a conflict copy if the editor only sent a HEAD since', async () => {
  assert.equal((await saveAfter('head.txt', { method: 'HEAD' })).length, 2);
});

test('creates a conflict copy if the editor only read a range since', async () => {
  assert.equal((await saveAfter('part.txt', { method: 'GET', headers: { Range: 'bytes=0-0' } })).length, 2);
});
