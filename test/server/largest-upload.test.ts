// The upload limit is read for each request, so a changed setting applies to the next one.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestHost, type TestAccess, type TestHost } from './test-host.ts';

const MB = 1_000_000;

let host: TestHost;
let file: TestAccess;
before(async () => {
  host = await startTestHost({ files: { 'a.bin': 'one' }, settings: { maxUploadMB: 2 } });
  file = await host.access('a.bin');
  await host.wopi({
    fileId: file.fileId,
    token: file.accessToken,
    override: 'LOCK',
    headers: { 'X-WOPI-Lock': 'L' },
  });
  await host.wopi({ fileId: file.fileId, token: file.accessToken, contents: true });
});
after(() => host.stop());

async function put(bytes: number): Promise<number> {
  const call = { fileId: file.fileId, token: file.accessToken, contents: true, override: 'PUT' };
  const { status } = await host.wopi({
    ...call,
    headers: { 'X-WOPI-Lock': 'L' },
    body: Buffer.alloc(bytes, 'x'),
  });
  return status;
}

async function putInChunks(bytes: number): Promise<number> {
  const answer = await fetch(
    `${host.baseUrl}/wopi/files/${file.fileId}/contents?access_token=${file.accessToken}`,
    {
      method: 'POST',
      headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'L' },
      body: new Blob([new Uint8Array(bytes)]).stream(),
      duplex: 'half',
    },
  );
  await answer.arrayBuffer();
  return answer.status;
}

test('accepts a body of exactly the limit, and answers 413 to one byte more, with or without a Content-Length', async () => {
  assert.equal(await put(2 * MB), 200);
  assert.equal(await put(2 * MB + 1), 413);
  assert.equal(await putInChunks(2 * MB + 1), 413);
  assert.equal((await readFile(join(host.folder, 'a.bin'))).length, 2 * MB);
  assert.deepEqual(await readdir(host.folder), ['a.bin']);
  assert.deepEqual(host.host.services.recoveredSaves.list(), []);
  assert.equal(await putInChunks(2 * MB), 200);
});

test('applies a lower and a higher limit to the next request', async () => {
  const { settings } = host.host.services;
  await settings.update({ maxUploadMB: 1 });
  assert.equal(await put(MB + 1), 413);
  assert.equal(await put(MB), 200);
  await settings.update({ maxUploadMB: 3 });
  assert.equal(await put(3 * MB), 200);
  assert.ok(
    host.events.some((event) => event.event === 'settings-changed' && event.keys.includes('maxUploadMB')),
  );
});

test('checks the limit before the lock', async () => {
  const call = { fileId: file.fileId, token: file.accessToken, contents: true, override: 'PUT' };
  const body = Buffer.alloc(3 * MB + 1);
  assert.equal((await host.wopi({ ...call, headers: { 'X-WOPI-Lock': 'wrong' }, body })).status, 413);
});
