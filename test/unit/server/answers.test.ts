// How the middleware and the WOPI route respond when an operation succeeds, fails or throws: a real Koa on a real socket, with
// test operations.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { createJournal } from '../../../app/log/journal.ts';
import { createLogger, toStream } from '../../../app/log/logger.ts';
import { createApp, type AppDeps } from '../../../app/server/create-app.ts';
import { createRunningSaves } from '../../../app/server/running-saves.ts';
import type { WopiAnswer, WopiCall } from '../../../app/wopi/wopi-call.ts';
import { exchange } from '../../fuzz/raw-exchange.ts';

const fileId = 'f'.repeat(22);
const token = 'A'.repeat(42) + 'b';
const MiB = 1024 * 1024;

/** An app whose only operation is `run`. */
async function app(t: TestContext, run: (call: WopiCall) => Promise<WopiAnswer>) {
  const lines = new PassThrough();
  let text = '';
  lines.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const log = createLogger([toStream(lines)]);
  const journal = createJournal({ capacity: 1000 });
  const operation = { name: 'Test', run };
  const expiresAtMs = Number.MAX_SAFE_INTEGER;
  const grant = {
    id: 'id',
    fileId,
    userId: 'u',
    userLogin: 'anna',
    canWrite: true,
    mode: 'edit',
    expiresAtMs,
    editorId: null,
    pageUrl: null,
  };
  const deps = {
    clock: () => 0,
    journal,
    log,
    isAllowedHost: (host: string) => new Set(['127.0.0.1']).has(host),
    wasAllowedHost: () => false,
    allowedAddresses: () => [],
    trustedProxies: () => [],
    isTlsOn: () => false,
    isApiOpen: () => false,
    arePagesOpen: () => false,
    wopi: {
      hostedFolderOf: () => ({
        wopi: {
          operations: new Proxy({}, { get: () => operation }),
          accessTokens: {
            find: (given: string) => (given === token ? grant : undefined),
            issued: () => undefined,
          },
          folder: () => assert.fail('asked for the folder'),
          locks: {},
          externalChanges: {},
          clock: () => 0,
        },
      }),
      isAway: () => false,
      refusalOfOpens: () => undefined,
      sessions: { note: () => undefined },
      saves: createRunningSaves({
        missedSaves: { set: () => undefined, clear: () => undefined },
        clock: () => 0,
        onError: () => undefined,
      }),
      baseUrlOf: () => 'http://127.0.0.1',
      checkCaller: () => undefined,
      probes: { answer: () => undefined },
      versionViews: {
        find: () => undefined,
        isAllowed: () => false,
        answer: () => Promise.reject(new Error('No version is open.')),
      },
      maxUploadBytes: () => MiB,
    },
    helpFolder: '',
    licensesFile: '',
    authentication: { apiTokens: {}, signIn: {} },
    files: { apiTokens: {}, folder: () => undefined, openDocument: async () => assert.fail('opened') },
    pages: {},
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
    fetch(`http://127.0.0.1:${port}${path}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(3000),
      ...init,
    });
  return { call, port, journal, log: () => text };
}

const address = `/wopi/files/${fileId}?access_token=${token}`;

test('answers an unexpected error with 500 without its text, and logs it', async (t) => {
  const { call, log } = await app(t, async () => {
    throw new Error('ENOENT: /home/anna/secret plan.docx');
  });
  const answer = await call(address);
  assert.equal(answer.status, 500);
  assert.equal(
    answer.headers.get('X-WOPI-ServerError'),
    'Something went wrong in DocTray. See its log for details.',
  );
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('Content-Length'), '0');
  assert.equal(await answer.text(), '');
  assert.match(log(), /secret plan/);
});

test('logs an expected refusal neither as an error nor with a stack', async (t) => {
  const { call, log } = await app(t, async () => {
    throw new AppError('paused');
  });
  const port = Number(new URL((await call(address)).url).port);
  await exchange({ port, parts: ['PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'] });
  assert.match(log(), /"status":501/);
  assert.match(log(), /"status":503/);
  assert.doesNotMatch(log(), /"level":(?:"error"|"warn"|50|40)|stack/);
});

test('answers an AppError with its status and sentence, in one line of ASCII', async (t) => {
  const { call } = await app(t, async () => {
    throw new AppError('disk-refused', { detail: 'Größe\r\nX-Evil: 1' });
  });
  const answer = await call(address);
  assert.equal(answer.status, 500);
  assert.equal(
    answer.headers.get('X-WOPI-ServerError'),
    'The disk returned an error. Nothing was changed. Gro?e X-Evil: 1',
  );
  assert.equal(answer.headers.get('X-Evil'), null);
});

test('answers a full database or disk with 500', async (t) => {
  for (const code of ['SQLITE_FULL', 'ENOSPC']) {
    const { call } = await app(t, () => Promise.reject(Object.assign(new Error('full'), { code })));
    const answer = await call(address);
    assert.equal(answer.status, 500);
    assert.match(answer.headers.get('X-WOPI-ServerError') ?? '', /full/);
  }
});

test('answers 500 if a large document can’t be read', async (t) => {
  let isClosed = false;
  const { call } = await app(t, async () => ({
    status: 200,
    content: {
      start: 0,
      end: 4 * MiB,
      read: () => Promise.reject(new Error('EIO')),
      close() {
        isClosed = true;
      },
    },
  }));
  const answer = await call(`/wopi/files/${fileId}/contents?access_token=${token}`);
  assert.equal(answer.status, 500);
  assert.equal((await answer.arrayBuffer()).byteLength, 0);
  assert.ok(isClosed);
});

test('cuts the connection and closes a large document that became empty', async (t) => {
  let isClosed = false;
  const { call } = await app(t, async () => ({
    status: 200,
    content: {
      start: 0,
      end: 4 * MiB,
      read: async () => 0,
      close() {
        isClosed = true;
      },
    },
  }));
  await assert.rejects(
    call(`/wopi/files/${fileId}/contents?access_token=${token}`).then((answer) => answer.arrayBuffer()),
    { name: 'TypeError' },
  );
  assert.ok(isClosed);
});

test('sends a small document as application/octet-stream with its exact length', async (t) => {
  const type = { 'Content-Type': 'application/octet-stream' };
  for (const bytes of [Buffer.alloc(0), Buffer.from('<html>')]) {
    const { call } = await app(t, async () => ({ status: 200, headers: type, bytes }));
    const answer = await call(`/wopi/files/${fileId}/contents?access_token=${token}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('Content-Type'), 'application/octet-stream');
    assert.equal(answer.headers.get('Content-Length'), String(bytes.length));
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes));
  }
});

test('an answer without a body has Content-Length 0, no Content-Type and no default text', async (t) => {
  for (const status of [200, 404, 409, 412, 413, 416, 501]) {
    const { call } = await app(t, async () => ({ status }));
    const answer = await call(address, { method: 'POST', headers: { 'X-WOPI-Override': 'LOCK' }, body: '' });
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('Content-Length'), '0', `${status}`);
    assert.equal(answer.headers.get('Content-Type'), null, `${status}`);
    assert.equal(await answer.text(), '');
  }
});

test('a JSON answer has its exact length in bytes, and HEAD has the headers of GET', async (t) => {
  const { call } = await app(t, async () => ({ status: 200, json: { BaseFileName: 'é日本.docx' } }));
  const answer = await call(address);
  const bytes = await answer.arrayBuffer();
  assert.equal(Number(answer.headers.get('Content-Length')), bytes.byteLength);
  const head = await call(address, { method: 'HEAD' });
  assert.equal(head.headers.get('Content-Length'), answer.headers.get('Content-Length'));
  assert.equal(head.headers.get('Content-Type'), answer.headers.get('Content-Type'));
});

test('discards an unwanted body, so that the connection can be reused', async (t) => {
  const { call, port } = await app(t, async () => ({ status: 200 }));
  const body = 'x'.repeat(2 * MiB);
  const head = `POST ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-WOPI-Override: LOCK\r\nContent-Length: ${body.length}`;
  const next = `GET ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  const { answers } = await exchange({ port, parts: [`${head}\r\n\r\n`, body, next], answers: 2 });
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await call(address)).status, 200);
});

test('cuts off an unwanted body that does not end', async (t) => {
  const { port } = await app(t, async () => ({ status: 409, headers: { 'X-WOPI-Lock': 'x' } }));
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  t.after(() => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.resume();
  socket.write(
    `POST ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-WOPI-Override: LOCK\r\nContent-Length: 1e12\r\n`.replace(
      '1e12',
      String(1e12),
    ),
  );
  socket.write('\r\n');
  const piece = Buffer.alloc(MiB);
  let sent = 0;
  while (!socket.destroyed && sent < 1024) {
    sent += 1;
    if (!socket.write(piece)) await Promise.race([closed, once(socket, 'drain').catch(() => undefined)]);
  }
  await closed;
  assert.ok(sent < 1024, `${sent} MiB were taken`);
});

test('echoes the correlation id of the request, and writes it to log and journal', async (t) => {
  const { call, journal, log } = await app(t, async () => ({ status: 200 }));
  const answer = await call(address, { headers: { 'X-WOPI-CorrelationId': 'abc-123' } });
  assert.equal(answer.headers.get('X-WOPI-CorrelationId'), 'abc-123');
  assert.equal(journal.newest(Infinity)[0]?.correlationId, 'abc-123');
  assert.match(log(), /"correlationId":"abc-123"/);
});

test('the journal has one entry per request, without the query', async (t) => {
  const { call, journal, log } = await app(t, async () => ({
    status: 200,
    lockNote: 'The document is locked',
  }));
  await call(address);
  const [entry] = journal.newest(Infinity);
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
  assert.ok(!JSON.stringify(journal.newest(Infinity)).includes(token));
  assert.ok(!log().includes(token));
});

test('keeps a token in the path out of journal and log', async (t) => {
  const { call, journal, log } = await app(t, async () => ({ status: 200 }));
  await call(`/wopi/files/${fileId}&access_token=${token}`);
  assert.equal(journal.newest(Infinity).length, 1);
  assert.ok(!log().includes(token), 'the log contains it');
  assert.ok(!JSON.stringify(journal.newest(Infinity)).includes(token), 'the journal contains it');
});

test('limits the length of paths in the journal', async (t) => {
  const { call, journal } = await app(t, async () => ({ status: 200 }));
  assert.equal((await call(`/${'x'.repeat(12_000)}`)).status, 404);
  const [entry] = journal.newest(Infinity);
  assert.ok(entry !== undefined);
  assert.ok(JSON.stringify(entry).length < 4096, `an entry of ${JSON.stringify(entry).length} characters`);
});
