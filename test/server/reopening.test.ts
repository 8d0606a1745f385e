// The listener is reopened by the window, by the check that runs every minute and after a wake from sleep. These can run
// concurrently, and while the host stops. Afterwards exactly one port must be open, or none after a stop.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { freePorts } from '../free-ports.ts';
import { startTestHost, type TestHost } from './test-host.ts';

async function begin(t: TestContext): Promise<TestHost> {
  const host = await startTestHost({ files: { 'a.docx': 'first' } });
  t.after(() => host.stop());
  return host;
}

/** Starts a save of ten bytes, of which it sends five. */
async function startSave(host: TestHost) {
  const { fileId, accessToken: token } = await host.access('a.docx');
  const headers = { 'X-WOPI-Lock': 'held' };
  await host.wopi({ fileId, token, override: 'LOCK', headers });
  const upload = request(`${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`, {
    method: 'POST',
    headers: { ...headers, 'X-WOPI-Override': 'PUT', 'Content-Length': '10' },
  });
  upload.write('01234');
  const answered = new Promise<number>((resolve) => {
    upload.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    upload.once('error', () => resolve(0));
  });
  while (host.host.runningSaves() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return { upload, answered };
}

function isOpen(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

test('two concurrent reopenings keep the port, and a running save succeeds', async (t) => {
  const host = await begin(t);
  const { upload, answered } = await startSave(host);
  const before = host.baseUrl;
  const both = Promise.all([host.host.reopen(), host.host.reopen()]);
  upload.end('56789');
  await both;
  assert.equal(host.baseUrl, before);
  assert.equal(await answered, 200);
  assert.equal(host.host.state().status, 'serving');
  assert.equal(await isOpen(before), true);
});

test('a check during a reopening opens no second listener', async (t) => {
  const host = await begin(t);
  const { upload } = await startSave(host);
  const before = host.baseUrl;
  const opened = new Set<string>();
  const both = Promise.all([host.host.reopen(), host.host.noteWake().then(() => opened.add(host.baseUrl))]);
  upload.end('56789');
  await both;
  assert.deepEqual([...opened, host.baseUrl], [before, before]);
});

test('a host that is stopped during a reopening closes its port', async (t) => {
  const host = await begin(t);
  const { upload, answered } = await startSave(host);
  const before = host.baseUrl;
  const reopening = host.host.reopen().catch(() => undefined);
  const stopping = host.host.stop();
  upload.end('56789');
  await Promise.all([reopening, stopping]);
  assert.equal(await answered, 200);
  assert.equal(await isOpen(before), false);
  assert.equal(await isOpen(host.baseUrl), false);
});

test('rebinds the same port to 0.0.0.0 without aborting a save', async (t) => {
  const host = await begin(t);
  const { upload, answered } = await startSave(host);
  const port = Number(new URL(host.baseUrl).port);
  host.listenOn({ host: '0.0.0.0', port });
  const reopening = host.host.reopen();
  upload.end('56789');
  await reopening;
  assert.equal(await answered, 200);
  assert.equal(await readFile(join(host.folder, 'a.docx'), 'utf8'), '0123456789');
  assert.equal(host.host.state().needsListenerRestart, false);
  assert.equal(await isOpen(`http://127.0.0.1:${port}`), true);
});

test('keeps the old address open if the new one is unavailable, even with the same port', async (t) => {
  const host = await begin(t);
  const before = host.baseUrl;
  host.listenOn({ host: '203.0.113.7', port: Number(new URL(before).port) });
  await assert.rejects(host.host.reopen(), { code: 'address-unavailable' });
  assert.equal(host.baseUrl, before);
  assert.equal(await isOpen(before), true);
  assert.equal(host.host.state().status, 'serving');
});

test('after two quick changes of the port, listens on the second', async (t) => {
  const host = await begin(t);
  const first = await freePorts();
  host.listenOn({ port: first });
  const one = host.host.reopen();
  const second = await freePorts();
  host.listenOn({ port: second });
  await Promise.all([one, host.host.reopen()]);
  assert.equal(host.baseUrl, `http://127.0.0.1:${second}`);
  assert.equal(await isOpen(`http://127.0.0.1:${first}`), false);
});
