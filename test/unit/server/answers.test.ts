// What the middleware and the WOPI route make of operations that answer, fail or throw: a real Koa on a real socket, with
// operations made for the test.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { createJournal } from '../../../app/log/journal.ts';
import { createLogger } from '../../../app/log/logger.ts';
import { createApp, type AppDeps } from '../../../app/server/create-app.ts';
import type { WopiAnswer, WopiCall } from '../../../app/wopi/wopi-call.ts';

const fileId = 'f'.repeat(22);
const token = 'A'.repeat(42) + 'b';
const MiB = 1024 * 1024;

/** An app whose every operation answers as told. */
async function app(t: TestContext, run: (call: WopiCall) => Promise<WopiAnswer>) {
  const lines = new PassThrough();
  let text = '';
  lines.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const log = await createLogger({ destination: lines, pretty: false, level: 'debug' });
  const journal = createJournal({ capacity: 1000 });
  const operation = { name: 'Test', run };
  const expiresAtMs = Number.MAX_SAFE_INTEGER;
  const grant = { id: 'id', fileId, userId: 'u', userLogin: 'anna', canWrite: true, mode: 'edit', expiresAtMs };
  const deps = {
    clock: () => 0,
    journal,
    log,
    allowedHosts: () => new Set(['127.0.0.1']),
    allowedAddresses: () => [],
    wopi: {
      operations: new Proxy({}, { get: () => operation }),
      sessions: { note: () => undefined },
      publicUrl: () => 'http://127.0.0.1',
      maxUploadBytes: () => MiB,
      accessTokens: { find: (given: string) => (given === token ? grant : undefined) },
      folder: () => assert.fail('asked for the folder'),
      locks: {},
      drift: {},
      clock: () => 0,
    },
    authentication: { apiTokens: {}, signIn: {} },
    files: { apiTokens: {}, folder: () => undefined, openDocument: async () => assert.fail('opened') },
  } as unknown as AppDeps;
  const server = createServer(createApp(deps).callback());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(3000), ...init });
  return { call, journal, log: () => text };
}

const address = `/wopi/files/${fileId}?access_token=${token}`;

test('A surprise is told as 500 without a word of it, and logged with it', async (t) => {
  const { call, log } = await app(t, async () => {
    throw new Error('ENOENT: /home/anna/secret plan.docx');
  });
  const answer = await call(address);
  assert.equal(answer.status, 500);
  assert.equal(answer.headers.get('X-WOPI-ServerError'), 'Something went wrong in DocTray. Its log says more.');
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('Content-Length'), '0');
  assert.equal(await answer.text(), '');
  assert.match(log(), /secret plan/);
});

test('An AppError is told with its own status and words, in one line of ASCII', async (t) => {
  const { call } = await app(t, async () => {
    throw new AppError('disk-refused', { detail: 'Größe\r\nX-Evil: 1' });
  });
  const answer = await call(address);
  assert.equal(answer.status, 500);
  assert.equal(
    answer.headers.get('X-WOPI-ServerError'),
    'The disk refused. Nothing was changed. Gro?e X-Evil: 1',
  );
  assert.equal(answer.headers.get('X-Evil'), null);
});

test('A document that cannot be read is answered with 500, the large as the small one', async (t) => {
  for (const bytes of [10, 4 * MiB]) {
    let isClosed = false;
    const { call } = await app(t, async () => ({
      status: 200,
      content: {
        start: 0,
        end: bytes,
        read: () => Promise.reject(new Error('EIO')),
        close() {
          isClosed = true;
        },
      },
    }));
    const answer = await call(`/wopi/files/${fileId}/contents?access_token=${token}`);
    assert.equal(answer.status, 500, `${bytes} bytes`);
    assert.equal((await answer.arrayBuffer()).byteLength, 0);
    assert.ok(isClosed);
  }
});

test('A small document that became shorter is a 500 without a byte of it', async (t) => {
  const { call } = await app(t, async () => ({
    status: 200,
    content: { start: 0, end: 10, read: async () => 0, close: () => undefined },
  }));
  const answer = await call(`/wopi/files/${fileId}/contents?access_token=${token}`);
  assert.equal(answer.status, 500);
  assert.equal((await answer.arrayBuffer()).byteLength, 0);
});

test('An answer without a body has Content-Length 0, no type and no text of the framework', async (t) => {
  for (const status of [200, 404, 409, 412, 413, 416, 501]) {
    const { call } = await app(t, async () => ({ status }));
    const answer = await call(address, { method: 'POST', headers: { 'X-WOPI-Override': 'LOCK' }, body: '' });
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('Content-Length'), '0', `${status}`);
    assert.equal(answer.headers.get('Content-Type'), null, `${status}`);
    assert.equal(await answer.text(), '');
  }
});

test('A JSON answer has its exact length in bytes, and HEAD has the headers of GET', async (t) => {
  const { call } = await app(t, async () => ({ status: 200, json: { BaseFileName: 'é日本.docx' } }));
  const answer = await call(address);
  const bytes = await answer.arrayBuffer();
  assert.equal(Number(answer.headers.get('Content-Length')), bytes.byteLength);
  const head = await call(address, { method: 'HEAD' });
  assert.equal(head.headers.get('Content-Length'), answer.headers.get('Content-Length'));
  assert.equal(head.headers.get('Content-Type'), answer.headers.get('Content-Type'));
});

test('A body that nobody wanted is read past, so that the connection goes on', async (t) => {
  const { call } = await app(t, async () => ({ status: 200 }));
  const body = Buffer.alloc(2 * MiB, 1);
  const answer = await call(address, { method: 'POST', headers: { 'X-WOPI-Override': 'RENAME_FILE' }, body });
  assert.equal(answer.status, 200);
  assert.notEqual(answer.headers.get('Connection'), 'close');
});

test('More than 16 MiB that nobody wanted end the connection after the answer', async (t) => {
  const { call } = await app(t, async () => ({ status: 409, headers: { 'X-WOPI-Lock': 'x' } }));
  const body = Buffer.alloc(17 * MiB, 1);
  const answer = await call(address, { method: 'POST', headers: { 'X-WOPI-Override': 'RENAME_FILE' }, body }).catch(
    () => undefined,
  );
  // The client may be cut off before it reads the answer; a connection that stays is what must not be.
  if (answer !== undefined) assert.equal(answer.headers.get('Connection'), 'close');
});

test('The correlation id of the request is echoed and stands in log and journal', async (t) => {
  const { call, journal, log } = await app(t, async () => ({ status: 200 }));
  const answer = await call(address, { headers: { 'X-WOPI-CorrelationId': 'abc-123' } });
  assert.equal(answer.headers.get('X-WOPI-CorrelationId'), 'abc-123');
  assert.equal(journal.entries()[0]?.correlationId, 'abc-123');
  assert.match(log(), /"correlationId":"abc-123"/);
});

test('The journal holds one entry a request, without the query', async (t) => {
  const { call, journal, log } = await app(t, async () => ({ status: 200, lockNote: 'The document is locked' }));
  await call(address);
  const [entry] = journal.entries();
  assert.ok(entry !== undefined);
  const { operation, method, path, status, user, lock } = entry;
  assert.deepEqual(
    { operation, method, path, status, user, lock, fileId: entry.fileId },
    {
      operation: 'Test',
      method: 'GET',
      path: `/wopi/files/${fileId}`,
      status: 200,
      user: 'anna',
      lock: 'The document is locked',
      fileId,
    },
  );
  assert.ok(!JSON.stringify(journal.entries()).includes(token));
  assert.ok(!log().includes(token));
});

test('A token that a broken client put into the path stands neither in the journal nor in the log', async (t) => {
  const { call, journal, log } = await app(t, async () => ({ status: 200 }));
  await call(`/wopi/files/${fileId}&access_token=${token}`);
  assert.equal(journal.entries().length, 1);
  assert.ok(!log().includes(token), 'the log tells it');
  assert.ok(!JSON.stringify(journal.entries()).includes(token), 'the journal tells it');
});

test('A stranger cannot fill the memory through the journal: an entry keeps a bounded part of the path', async (t) => {
  const { call, journal } = await app(t, async () => ({ status: 200 }));
  assert.equal((await call(`/${'x'.repeat(12_000)}`)).status, 404);
  const [entry] = journal.entries();
  assert.ok(entry !== undefined);
  assert.ok(JSON.stringify(entry).length < 4096, `an entry of ${JSON.stringify(entry).length} characters`);
});
