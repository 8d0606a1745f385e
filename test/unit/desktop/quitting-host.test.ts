// Quitting with a real host: a running save is written completely, or the document stays unchanged.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createQuitting, type Quitting } from '../../../app/desktop/quitting.ts';
import { startTestHost, type TestHost } from '../../server/test-host.ts';
import { lock, questions, quietLog, stateOf } from './desktop-fixture.ts';

const before = Buffer.from('before');
const after = Buffer.alloc(4 * 1024 * 1024, 'after ');

interface Bench {
  host: TestHost;
  quitting: Quitting;
  asked: ReturnType<typeof questions>;
  /** A PutFile whose first half has been sent. */
  upload: ClientRequest;
  /** Its status; 0 if the connection was closed. */
  status: Promise<number>;
  hasQuit: Promise<void>;
}

async function until(check: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(20_000);
  while (!check()) {
    signal.throwIfAborted();
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
}

async function bench(t: TestContext): Promise<Bench> {
  const host = await startTestHost({ files: { 'a.odt': before } });
  t.after(() => host.stop());
  const { fileId, accessToken: token } = await host.access('a.odt');
  const locked = await host.wopi({
    method: 'POST',
    fileId,
    token,
    override: 'LOCK',
    headers: { 'X-WOPI-Lock': 'one' },
  });
  assert.equal(locked.status, 200);

  const upload = request(`${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`, {
    method: 'POST',
    headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'one', 'Content-Length': after.length },
  });
  const status = new Promise<number>((resolve) => {
    upload.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    upload.on('error', () => resolve(0));
  });
  upload.write(after.subarray(0, after.length / 2));
  await until(() => host.host.runningSaves() === 1);

  const asked = questions();
  const quit = Promise.withResolvers<void>();
  const quitting = createQuitting({
    app: { on: () => undefined, quit: quit.resolve, exit: () => undefined },
    ask: asked.ask,
    state: () => stateOf({ locks: [lock('a.odt')] }),
    host: () => host.host,
    stopHost: (limitMs) => host.host.stop({ limitMs }),
    hasTray: () => true,
    onForcedEnd: () => undefined,
    onProgress: () => undefined,
    log: quietLog(),
    limits: { pollMs: 10, otherRequestsMs: 1000, closeMs: 1000 },
  });
  return { host, quitting, asked, upload, status, hasQuit: quit.promise };
}

test('finishes a running save before the app quits, and accepts no new connections', async (t) => {
  const { host, quitting, asked, upload, status, hasQuit } = await bench(t);
  quitting.request();
  await asked.answer(0);
  assert.deepEqual(quitting.progress(), { saves: 1 });
  const late = connect(Number(new URL(host.baseUrl).port), '127.0.0.1');
  await assert.rejects(once(late, 'connect'), { code: 'ECONNREFUSED' }, 'nothing new is taken');
  upload.end(after.subarray(after.length / 2));
  assert.equal(await status, 200);
  await hasQuit;
  assert.deepEqual(quitting.progress(), { saves: 0 });
  assert.ok((await readFile(join(host.folder, 'a.odt'))).equals(after));
});

test('keeps the document as it was last saved if the user doesn’t wait', async (t) => {
  const { host, quitting, asked, status, hasQuit } = await bench(t);
  quitting.request();
  await asked.answer(0);
  quitting.request();
  assert.equal(asked.open[0]?.message, 'DocTray is finishing 1 save.');
  await asked.answer(1);
  await hasQuit;
  assert.equal(await status, 0);
  assert.ok((await readFile(join(host.folder, 'a.odt'))).equals(before));
});
