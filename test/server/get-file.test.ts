// GetFile: complete, by range and by HEAD, of small and large documents, and during writes.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestHost, type TestHost } from './test-host.ts';

const MiB = 1024 * 1024;
const bytes = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 7) % 251));
const files = {
  'ones.bin': Buffer.alloc(200 * 1024, 1),
  'twos.bin': Buffer.alloc(200 * 1024, 2),
  'small.bin': bytes(1000),
  'large.bin': bytes(5 * MiB + 3),
  'empty.odt': Buffer.alloc(0),
};
const { 'small.bin': small, 'large.bin': large } = files;

let host: TestHost;
before(async () => {
  host = await startTestHost({ files });
});
after(() => host.stop());

async function read(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { fileId, token } = await host.document(path, { mode: 'view' });
  return host.wopi({ method, fileId, token, contents: true, headers });
}

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;

for (const path of ['small.bin', 'large.bin', 'empty.odt'] as const) {
  test(`returns ${path} completely, as an octet-stream with its length and version, and the same headers by HEAD`, async () => {
    const [whole, head] = [await read(path), await read(path, {}, 'HEAD')];
    assert.ok(whole.body.equals(files[path]));
    assert.equal(head.body.length, 0);
    for (const { status, headers } of [whole, head]) {
      assert.equal(status, 200);
      for (const [name, value] of Object.entries({
        'Content-Length': String(files[path].length),
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': 'attachment',
        'X-Content-Type-Options': 'nosniff',
        'Accept-Ranges': 'bytes',
        'Cache-Control': 'no-store',
        'Content-Range': null,
      })) {
        assert.equal(headers.get(name), value, name);
      }
      assert.match(headers.get('X-WOPI-ItemVersion') ?? '', /^\d+\./);
      assert.equal(headers.get('X-WOPI-ItemVersion'), whole.headers.get('X-WOPI-ItemVersion'));
    }
  });
}

test('answers a range of a large document with 206 and exactly these bytes', async () => {
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 1],
    ['bytes=1048575-1048576', 1_048_575, 1_048_577],
    [`bytes=${2 * MiB}-`, 2 * MiB, large.length],
    ['bytes=-5', large.length - 5, large.length],
    ['bytes=0-99999999999', 0, large.length],
  ] as const) {
    const { status, headers, body } = await read('large.bin', { Range: range });
    assert.equal(status, 206, range);
    assert.ok(body.equals(large.subarray(start, end)), range);
    assert.equal(headers.get('Content-Range'), `bytes ${start}-${end - 1}/${large.length}`);
    assert.equal(headers.get('Content-Length'), String(end - start));
  }
});

test('answers a range after the end, and any range of an empty document, with 416 and the size', async () => {
  for (const path of ['small.bin', 'empty.odt'] as const) {
    const size = files[path].length;
    const { status, headers, body } = await read(path, { Range: `bytes=${size}-` });
    assert.deepEqual([status, headers.get('Content-Range'), body.length], [416, `bytes */${size}`, 0]);
    assert.equal(headers.get('X-WOPI-ItemVersion'), null);
  }
});

test('ignores an invalid range, and returns the complete document', async () => {
  const { status, body } = await read('small.bin', { Range: 'bytes=0-1,3-4' });
  assert.equal(status, 200);
  assert.ok(body.equals(small));
});

test('compares X-WOPI-MaxExpectedSize exactly, and rejects what isn’t a whole number', async () => {
  for (const [expected, status] of [
    ['999', 412],
    ['1000', 200],
    ['0', 412],
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

test('failed, HEAD and interrupted requests leave no file descriptor open', async () => {
  const { fileId, token, read } = await host.document('large.bin');
  const url = `${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`;
  await read();
  const before = await openFiles();
  for (let round = 0; round < 20; round += 1) {
    await read({ 'X-WOPI-MaxExpectedSize': '1' });
    await read({ 'X-WOPI-MaxExpectedSize': 'x' });
    await read({ Range: 'bytes=9000000-' });
    await host.wopi({ method: 'HEAD', fileId, token, contents: true });
    await new Promise<void>((resolve) => {
      const call = get(url, { agent: false }, (response) => {
        response.on('error', () => undefined).destroy();
        resolve();
      });
      call.on('error', () => resolve());
    });
  }
  for (let tries = 0; tries < 200 && (await openFiles()) >= before + 10; tries += 1) await pause(25);
  assert.ok((await openFiles()) < before + 10, `${before} before, ${await openFiles()} after`);
});

test('doesn’t mix up answers that are queued for slow clients', { timeout: 60_000 }, async () => {
  const length = 200 * 1024;
  const documents = [await host.document('ones.bin'), await host.document('twos.bin')];
  const { hostname, host: name } = new URL(host.baseUrl);
  // More than the socket buffers hold, so the rest is queued in the host.
  const answersEach = 30;
  const sockets = Array.from({ length: 4 }, () => connect(host.port, hostname));
  for (const socket of sockets) {
    for (let index = 0; index < answersEach; index += 1) {
      const { fileId, token } = documents[index % 2]!;
      const last = index === answersEach - 1 ? 'Connection: close\r\n' : '';
      socket.write(
        `GET /wopi/files/${fileId}/contents?access_token=${token} HTTP/1.1\r\nHost: ${name}\r\n${last}\r\n`,
      );
    }
  }
  await pause(300);
  for (const socket of sockets) {
    const received = await buffer(socket);
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
  const { fileId, token, lock, save } = await host.document('large.bin');
  await lock();
  const url = `${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject);
  });
  response.pause();
  const saved = await save(Buffer.alloc(large.length, 'n'));
  assert.equal(saved.status, 200);
  assert.ok((await buffer(response)).equals(large));
  assert.notEqual(saved.headers.get('X-WOPI-ItemVersion'), response.headers['x-wopi-itemversion']);
});
