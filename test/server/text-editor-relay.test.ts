// The relay of calls from the text editor's page to the host: which calls it accepts, where it sends them, and that it stores
// nothing of them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import {
  Agent,
  createServer,
  request as httpRequest,
  type ClientRequest,
  type OutgoingHttpHeaders,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createProofSigner } from '../../app/text-editor/proof-signer.ts';
import { createRelay, HostUnreachable, type Relay } from '../../app/text-editor/relay.ts';
import { postForm, send, startTextEditorHost, until, type TextEditorHost } from './text-editor-host.ts';

const lock = { 'X-WOPI-Lock': 'one' };
const large = Buffer.alloc(20_000_000, 'Zeile ÄÖÜ\r\n');

let host: TextEditorHost;
let stop: () => Promise<void>;
let logged = '';
before(async () => {
  const logTo = new PassThrough().on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const names = ['a.txt', 'aborted.txt', 'busy.txt', 'b.txt', '<!--<script>alert(1)<.txt'];
  const files = { ...Object.fromEntries(names.map((name) => [name, 'before'])), 'large.log': large };
  host = await startTextEditorHost({ after: (end) => void (stop = end) }, { files, logTo });
});
after(() => stop());

test('rejects calls of other sites and origins, and without a valid token', async () => {
  const { session, origin, call } = await host.open('a.txt');
  const url = `${origin}/wopi/files/${session.fileId}`;
  const token = { Authorization: `Bearer ${session.accessToken}` };
  const ask = async (headers: Record<string, string>, method = 'GET'): Promise<number> =>
    (await send(url, { method, headers })).status;

  assert.equal((await call()).status, 200);
  for (const site of ['cross-site', 'same-site', 'none']) {
    assert.equal(await ask({ ...token, 'Sec-Fetch-Site': site }), 403, site);
    assert.equal(await ask({ ...token, 'Sec-Fetch-Site': site, Origin: origin }), 403, site);
  }
  for (const foreign of [
    host.baseUrl,
    origin.replace('localhost', '127.0.0.1'),
    'https://evil.example',
    'null',
  ]) {
    const override = { 'X-WOPI-Override': 'GET_LOCK' };
    assert.equal(await ask({ ...token, ...override, Origin: foreign }, 'POST'), 403, foreign);
  }
  assert.equal(await ask({}), 401);
  assert.equal(await ask({ Authorization: 'Bearer wrong' }), 401);
  assert.equal(await ask({ Authorization: `Bearer a b` }), 401);
  assert.equal(
    (await send(url, { method: 'OPTIONS', headers: token })).status,
    501,
    'no CORS preflight is allowed',
  );
});

test('relays nothing but WOPI paths of documents, and no methods but GET and POST', async () => {
  const { session, origin } = await host.open('a.txt');
  const id = session.fileId;
  const headers = { Authorization: `Bearer ${session.accessToken}`, 'Sec-Fetch-Site': 'same-origin' };
  const before = host.host.services.journal.lastSequence();
  const paths = [
    '/wopi/files',
    '/wopi/files/',
    `/wopi/files/${id}/`,
    `/wopi/files/${id}/contents/`,
    `/wopi/files/${id}/other`,
    `/wopi/files/${id}/../../../api/2.0/files`,
    `/wopi/files/${id}%2f..%2f..%2fclosed`,
    `/wopi/files/%2e%2e/${id}`,
    `/wopi/files/${id}?access_token=${session.accessToken}`,
    `/wopi/files/${id}#x`,
    `/wopi/files/${id}/contents?x`,
    `//wopi/files/${id}`,
    `/WOPI/files/${id}`,
    `/wopi/files/${id.slice(1)}`,
    `/wopi/files/a@evil.example:80/aaaaaaa`,
    '/api/2.0/files',
    `/edit/${id}`,
    '/closed',
  ];
  for (const path of paths) assert.equal((await send(origin, { path, headers })).status, 404, path);
  const absolute = `${host.baseUrl}/wopi/files/${id}`;
  for (const path of [absolute, `${origin}/wopi/files/${id}`]) {
    const refused = await send(origin, { path, headers });
    assert.equal(refused.status, 404, path);
    assert.match(refused.body.toString(), /This address doesn’t exist/u);
  }
  const options = await send(origin, { method: 'OPTIONS', path: '*' });
  assert.equal(options.status, 501);
  assert.match(options.body.toString(), /doesn’t support that method/u);
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    assert.equal((await send(origin, { path: `/wopi/files/${id}`, method, headers })).status, 501, method);
  }
  const seen = host.host.services.journal.newest(host.host.services.journal.lastSequence() - before);
  assert.deepEqual(
    seen.filter(({ operation }) => !['TextEditorCall', 'Request'].includes(operation)),
    [],
    'none of them reached the host',
  );
});

test('opens no document of another host, and none without a valid token', async () => {
  const { opened, session } = await host.open('a.txt');
  const { origin } = new URL(opened.action);
  const at = (source: string): string => `${origin}/edit?WOPISrc=${encodeURIComponent(source)}`;
  const good = `${host.baseUrl}/wopi/files/${session.fileId}`;
  const token = { access_token: session.accessToken };
  assert.equal((await postForm(at(good), token)).status, 200);
  for (const source of [
    `http://evil.example/wopi/files/${session.fileId}`,
    good.replace('127.0.0.1', '127.9.9.9'),
    good.replace('http:', 'file:'),
    `${host.baseUrl}.evil.example/wopi/files/${session.fileId}`,
    `${host.baseUrl}@evil.example/wopi/files/${session.fileId}`,
    `${good}/../../../`,
    `${good}?access_token=x`,
    '',
  ]) {
    const refused = await postForm(at(source), token);
    assert.equal(refused.status, 400, source);
    assert.doesNotMatch(refused.body.toString(), /<script/);
  }
  assert.equal((await postForm(at(good), {})).status, 400);
  const expired = await postForm(at(good), { access_token: 'wrong' });
  assert.equal(expired.status, 401);
  assert.match(expired.body.toString(), /has expired/);
  assert.equal((await send(at(good))).status, 405);
});

test('the page doesn’t contain the document’s name, which may be markup', async () => {
  const { page } = await host.open('<!--<script>alert(1)<.txt');
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.body.toString(), /alert|<!--/);
});

test('no token is in the log, the journal or an event', async () => {
  const { session, origin, call } = await host.open('a.txt');
  await call();
  await call({ override: 'LOCK', headers: lock });
  await call({ override: 'PUT', contents: true, headers: lock, body: 'b' });
  await call({ override: 'PUT', contents: true, headers: { 'X-WOPI-Lock': 'other' }, body: 'c' });
  await send(`${origin}/wopi/files/${session.fileId}?access_token=${session.accessToken}`);
  await send(`${origin}/wopi/${session.accessToken}`);
  await send(`${origin}/assets/nothing.js?${session.accessToken}`);
  host.host.services.log.flush();
  const shown = logged + JSON.stringify([host.host.services.journal.newest(Infinity), host.events]);
  assert.match(shown, /TextEditorPage/);
  assert.match(shown, /PutFile/);
  assert.ok(!shown.includes(session.accessToken));
});

test('a save that the page aborts changes nothing, and stops at the host too', async () => {
  const { beginSave, call } = await host.open('aborted.txt');
  await call({ override: 'LOCK', headers: lock });
  const upload = beginSave(lock);
  await until('the save runs', () => host.host.runningSaves() === 1);
  upload.destroy();
  await until('the save stopped', () => host.host.runningSaves() === 0);
  assert.equal(await readFile(join(host.folder, 'aborted.txt'), 'utf8'), 'before');
  assert.equal((await call({ override: 'PUT', contents: true, headers: lock, body: 'after' })).status, 200);
});

test('limits the concurrent calls of a token with 429, without affecting other documents', async (t) => {
  const { beginSave, call } = await host.open('busy.txt');
  const other = await host.open('b.txt');
  await call({ override: 'LOCK', headers: lock });
  const uploads = Array.from({ length: 100 }, () => beginSave(lock));
  t.after(() => {
    for (const upload of uploads) upload.destroy();
  });
  await until('the save runs', () => host.host.runningSaves() === 1);
  let refused = await call();
  await until('a call is refused', async () => {
    refused = await call();
    return refused.status !== 200;
  });
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal(JSON.parse(refused.body.toString()).code, 'too-many-calls');
  assert.equal((await other.call()).status, 200);
  assert.equal((await host.open('b.txt')).page.status, 200);
});

test('relays large documents unchanged in both directions', async () => {
  const { call } = await host.open('large.log');
  const read = await call({ contents: true });
  assert.ok(read.body.equals(large));
  await call({ override: 'LOCK', headers: lock });
  const changed = Buffer.concat([Buffer.from('first\n'), large]);
  assert.equal((await call({ override: 'PUT', contents: true, headers: lock, body: changed })).status, 200);
  assert.ok((await readFile(join(host.folder, 'large.log'))).equals(changed));
});

test('serves built assets with their type and policy, answers 304 to a known ETag, and serves no other files', async () => {
  const { origin } = await host.open('a.txt');
  const script = await send(`${origin}/assets/text-editor.js`);
  assert.equal(script.status, 200);
  assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(script.headers['x-content-type-options'], 'nosniff');
  assert.equal(script.headers['cache-control'], 'no-cache');
  const again = await send(`${origin}/assets/text-editor.js`, {
    headers: { 'If-None-Match': String(script.headers.etag) },
  });
  assert.equal(again.status, 304);
  const preview = await send(`${origin}/assets/preview.html`);
  const policy = String(preview.headers['content-security-policy']);
  assert.match(policy, /^sandbox allow-scripts; default-src 'none';/);
  assert.match(policy, /connect-src 'none'/);
  assert.doesNotMatch(policy, /allow-same-origin|unsafe-eval|\*/);
  for (const name of [
    '..%2fhost-page%2fhost-page.js',
    '.hidden.js',
    'nothing.js',
    'text-editor.ts',
    '%00.js',
    '',
  ]) {
    assert.equal((await send(`${origin}/assets/${name}`)).status, 404, name);
  }
});

test('waits for the build of the page, and reports a failed build in the frame and once in the log', async (t) => {
  let logged = '';
  const logTo = new PassThrough().on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const { promise: built, resolve: finish } = Promise.withResolvers<string>();
  const host = await startTextEditorHost(t, {
    logTo,
    pagesBuild: {
      folder: join('/', 'nowhere'),
      build: async (page) => (page === 'host-page' ? undefined : built),
    },
  });
  let isAnswered = false;
  const opening = host.open('a.txt').finally(() => {
    isAnswered = true;
  });
  await pause(300);
  assert.equal(isAnswered, false);
  finish('Expected a semicolon');
  const { page } = await opening;
  assert.equal(page.status, 503);
  assert.match(page.body.toString(), /couldn’t be built/);
  await host.open('a.txt');
  host.host.services.log.flush();
  assert.equal(logged.split('couldn’t be built: Expected a semicolon').length, 2);
});

// From here on: only the relay, between a page and a host that the test provides.

interface RelaySetup {
  relay: Relay;
  /** Sends a call through the relay, as a page does. */
  call(input?: { method?: string; headers?: Record<string, string | string[]> }): Promise<IncomingMessage>;
  begin(method: string, headers?: OutgoingHttpHeaders): ClientRequest;
  /** The error that the relay threw last. */
  failure(): unknown;
  host: Server;
}

const fileId = 'a'.repeat(22);

async function listening(t: TestContext, listener: RequestListener): Promise<[Server, string]> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

async function startRelay(t: TestContext, answer: RequestListener, isRevoked = false): Promise<RelaySetup> {
  const [host, hostUrl] = await listening(t, answer);
  const signer = createProofSigner({ clock: Date.now, onGenerated: () => undefined });
  await signer.keys();
  const relay = createRelay({ signer, hostUrl: () => hostUrl, isRevoked: () => isRevoked });
  let failure: unknown;
  const [, pageUrl] = await listening(t, (request, response) => {
    const method = request.method === 'POST' ? 'POST' : 'GET';
    const { headers } = request;
    relay
      .stream(
        {
          method,
          fileId,
          hasContents: true,
          token: String(headers['x-token']),
          headers,
          correlationId: 'one',
        },
        request,
        response,
      )
      .catch((error: unknown) => {
        failure = error;
        response.writeHead(502).end();
      });
  });
  // Browsers keep their connections alive too.
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const begin: RelaySetup['begin'] = (method, headers = {}) =>
    httpRequest(pageUrl, { method, agent, headers }).on('error', () => undefined);
  return {
    relay,
    host,
    begin,
    failure: () => failure,
    async call({ method = 'GET', headers = {} } = {}) {
      const sent = begin(method, headers).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return response;
    },
  };
}

test('relays only the protocol’s headers, in both directions', async (t) => {
  let received: IncomingHttpHeaders = {};
  const { call } = await startRelay(t, (request, response) => {
    received = request.headers;
    response.writeHead(200, {
      'X-WOPI-ItemVersion': '7',
      'Content-Type': 'application/octet-stream',
      'Set-Cookie': 'a=b',
      'Keep-Alive': 'timeout=900',
      'X-Other': '1',
      'Access-Control-Allow-Origin': '*',
    });
    response.end('x');
  });
  const { headers } = await call({
    headers: {
      'X-WOPI-Lock': 'one',
      'X-EXT-WOPI-IsAutosave': 'true',
      'X-WOPI-Proof': 'forged',
      'X-WOPI-TimeStamp': '1',
      'X-Forwarded-For': '203.0.113.1',
      Forwarded: 'for=203.0.113.1',
      Cookie: 'a=b',
      Authorization: 'Bearer other',
      Origin: 'http://localhost',
      TE: 'trailers',
    },
  });
  assert.equal(received['x-wopi-lock'], 'one');
  assert.equal(received['x-ext-wopi-isautosave'], 'true');
  assert.notEqual(received['x-wopi-proof'], 'forged');
  assert.notEqual(received['x-wopi-timestamp'], '1');
  assert.equal(received['x-wopi-correlationid'], 'one');
  for (const name of ['x-forwarded-for', 'forwarded', 'cookie', 'authorization', 'origin', 'te']) {
    assert.equal(received[name], undefined, name);
  }
  assert.equal(headers['x-wopi-itemversion'], '7');
  for (const name of ['set-cookie', 'x-other', 'access-control-allow-origin']) {
    assert.equal(headers[name], undefined, name);
  }
  assert.notEqual(headers['keep-alive'], 'timeout=900');
});

test('doesn’t follow redirects of the host', async (t) => {
  let calls = 0;
  const [, elsewhere] = await listening(t, (_request, response) => {
    calls += 1;
    response.end();
  });
  const { call } = await startRelay(t, (_request, response) => {
    response.writeHead(307, { Location: elsewhere }).end();
  });
  const answer = await call();
  assert.equal(answer.statusCode, 307);
  assert.equal(answer.headers.location, undefined);
  assert.equal(calls, 0);
});

const mebibyte = 1024 * 1024;
const fewMebibytes = 16 * mebibyte;

test('applies backpressure to the host when the page reads slowly', async (t) => {
  let sent = 0;
  const { call } = await startRelay(t, (_request, response) => {
    response.writeHead(200);
    const piece = Buffer.alloc(mebibyte);
    const more = (): void => {
      while (sent < 200 * mebibyte) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  const answer = await call();
  answer.pause();
  await pause(500);
  assert.ok(sent < fewMebibytes, `${sent} bytes were sent`);
  let read = 0;
  for await (const chunk of answer) read += (chunk as Buffer).length;
  assert.equal(read, 200 * mebibyte);
});

test('applies backpressure to the page when the host reads a save slowly', async (t) => {
  let release: () => void = () => undefined;
  const { begin } = await startRelay(t, (request, response) => {
    request.pause();
    release = () => {
      request.resume();
      request.once('end', () => response.end('saved'));
    };
  });
  const upload = begin('POST', { 'X-WOPI-Override': 'PUT' });
  let taken = 0;
  const piece = Buffer.alloc(mebibyte);
  const more = (): void => {
    while (taken < 100 * mebibyte) {
      taken += piece.length;
      if (!upload.write(piece)) return void upload.once('drain', more);
    }
    upload.end();
  };
  more();
  await pause(500);
  assert.ok(taken < fewMebibytes, `${taken} bytes were taken`);
  release();
  const [answer] = (await once(upload, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 200);
});

test('relays a rejection before the page has sent the complete save', async (t) => {
  const { begin } = await startRelay(t, (_request, response) => {
    response.writeHead(409, { 'X-WOPI-Lock': 'other' }).end();
  });
  const upload = begin('POST');
  upload.write(Buffer.alloc(100_000));
  const [answer] = (await once(upload, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 409);
  assert.equal(answer.headers['x-wopi-lock'], 'other');
  // A browser only shows the answer if it can send its complete body.
  upload.end(Buffer.alloc(50_000_000));
  await once(upload, 'finish');
});

test('aborts the answer to the page when the host aborts it', async (t) => {
  const { call } = await startRelay(t, (_request, response) => {
    response.writeHead(200, { 'Content-Length': 1000 });
    response.write('half');
    setTimeout(() => response.destroy(), 50);
  });
  const answer = await call();
  await assert.rejects(buffer(answer));
  assert.equal(answer.complete, false);
});

test('aborts the call to the host when the page disconnects', async (t) => {
  const { promise: called, resolve } = Promise.withResolvers<ServerResponse>();
  const { begin } = await startRelay(t, (_request, response) => resolve(response));
  const sent = begin('GET').end();
  const response = await called;
  assert.equal(response.closed, false);
  sent.destroy();
  await until('the call to the host is closed', () => response.closed);
});

test('reports an unreachable host', async (t) => {
  const { call, host, relay, failure } = await startRelay(t, () => undefined);
  host.closeAllConnections();
  host.close();
  await once(host, 'close');
  assert.equal((await call()).statusCode, 502);
  assert.ok(failure() instanceof HostUnreachable);
  await assert.rejects(relay.checkFileInfo({ fileId, token: 'x', correlationId: 'y' }), HostUnreachable);
});

test('delays an UNLOCK until a running save with the same lock is done, even if the token was renewed', async (t) => {
  const received: string[] = [];
  const { promise: isSaving, resolve } = Promise.withResolvers<void>();
  const { begin, call } = await startRelay(t, async (request, response) => {
    const what = String(request.headers['x-wopi-override']);
    resolve();
    await buffer(request);
    received.push(what);
    response.end();
  });
  const saving = begin('POST', { ...lock, 'X-WOPI-Override': 'PUT', 'X-Token': 'old' });
  saving.write('half');
  await isSaving;
  const unlocked = call({
    method: 'POST',
    headers: { ...lock, 'X-WOPI-Override': 'UNLOCK', 'X-Token': 'renewed' },
  });
  await pause(100);
  saving.end('half');
  await unlocked;
  assert.deepEqual(received, ['PUT', 'UNLOCK']);
});

test('unlocks after a save with X-DocTray-Unlock, even if the host rejects the save', async (t) => {
  const received: string[] = [];
  let status = 200;
  const { call } = await startRelay(t, async (request, response) => {
    const { 'x-wopi-override': override, 'x-wopi-lock': held } = request.headers;
    await buffer(request);
    received.push(`${[override].join()} ${[held].join()}`);
    response.statusCode = status;
    response.end();
  });
  const save = {
    method: 'POST',
    headers: { ...lock, 'X-WOPI-Override': 'PUT', 'X-DocTray-Unlock': 'true' },
  };
  const held = lock['X-WOPI-Lock'];
  assert.equal((await call(save)).statusCode, 200);
  await until('the UNLOCK arrived', () => received.length === 2);
  assert.deepEqual(received.splice(0), [`PUT ${held}`, `UNLOCK ${held}`]);
  status = 409;
  assert.equal((await call(save)).statusCode, 409);
  await until('the UNLOCK arrived', () => received.length === 2);
  await call({ ...save, headers: { ...save.headers, 'X-DocTray-Unlock': 'false' } });
  assert.equal(received.length, 3, 'other saves don’t unlock');
});

const own = 'doctray-text-ana-1';
const relock = { 'X-WOPI-Override': 'LOCK', 'X-WOPI-Lock': 'next', 'X-WOPI-OldLock': own };

test('asks the page that holds a lock to release it before another page of the user takes it', async (t) => {
  const received: string[] = [];
  const { call } = await startRelay(t, (request, response) => {
    const { 'x-wopi-override': override = 'CHECK_FILE_INFO', 'x-wopi-oldlock': old = '' } = request.headers;
    received.push(`${[override].join()} ${[old].join()}`.trim());
    response.end(JSON.stringify({ UserId: 'ana', UserCanWrite: true }));
  });
  const wantedLock = async (): Promise<unknown> => (await call()).headers['x-doctray-wanted-lock'];
  const taken = call({ method: 'POST', headers: relock });
  await until('the page is asked', async () => (await wantedLock()) === own);
  assert.ok(!received.some((one) => one.startsWith('LOCK')), received.join());
  await call({ method: 'POST', headers: { 'X-WOPI-Override': 'UNLOCK', 'X-WOPI-Lock': 'another' } });
  assert.equal(await wantedLock(), own);
  await call({ method: 'POST', headers: { 'X-WOPI-Override': 'UNLOCK', 'X-WOPI-Lock': own } });
  assert.equal((await taken).statusCode, 200);
  assert.equal(received.at(-1), 'LOCK');
  assert.equal(await wantedLock(), undefined);
});

for (const [which, info, isRevoked] of [
  ['another user’s lock', { UserId: 'an', UserCanWrite: true }, false],
  ['a lock for a user who may only read', { UserId: 'ana', UserCanWrite: false }, false],
  ['a lock for an unknown user', 'x', false],
  ['a lock whose tokens were revoked', { UserId: 'ana', UserCanWrite: true }, true],
] as const) {
  test(`doesn’t ask a page to release ${which}`, async (t) => {
    const received: unknown[] = [];
    const answer: RequestListener = (request, response) => {
      received.push(request.headers['x-wopi-oldlock']);
      response.end(JSON.stringify(info));
    };
    const { call } = await startRelay(t, answer, isRevoked);
    const startedAtMs = performance.now();
    await call({ method: 'POST', headers: relock });
    assert.ok(performance.now() - startedAtMs < 6000);
    assert.equal(received.at(-1), own);
  });
}

test('stops asking when the page that wanted the lock disconnects', async (t) => {
  const { begin, call } = await startRelay(t, (_, response) => {
    response.end(JSON.stringify({ UserId: 'ana', UserCanWrite: true }));
  });
  const wantedLock = async (): Promise<unknown> => (await call()).headers['x-doctray-wanted-lock'];
  const asking = begin('POST', relock).end();
  await until('the page is asked', async () => (await wantedLock()) === own);
  asking.destroy();
  await until('the page is no longer asked', async () => (await wantedLock()) === undefined);
});
