// A port that accepts TLS and plain HTTP, with real sockets and generated certificates.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { listen, type Handler, type ListenOptions } from '../../app/server/http-server.ts';
import { createTlsSockets } from '../../app/server/tls-sockets.ts';
import type { KeyAndCertificate } from '../../app/tls/key-and-certificate.ts';
import { makeCertificate, type Made } from '../unit/tls/made-certificates.ts';
import { ask, networkAddress, type AskOptions } from './network-host.ts';

let place: string;
let one: Made;
let two: Made;
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'doctray-tls-'));
  one = await makeCertificate(place, 'one');
  two = await makeCertificate(place, 'two');
});
after(() => rm(place, { recursive: true, force: true }));

const hello: Handler = async (request, response) => {
  let bytes = 0;
  for await (const part of request) bytes += (part as Buffer).length;
  const isEncrypted = 'encrypted' in request.socket;
  response.end(`${isEncrypted ? 'secured' : 'plain'} ${request.method ?? ''} ${bytes}`);
  await once(response, 'close');
};

async function openListener(
  t: TestContext,
  {
    handler = hello,
    host = '127.0.0.1',
    ...options
  }: { handler?: Handler; host?: string } & ListenOptions = {},
) {
  const tls: { isOn: boolean; context: KeyAndCertificate | undefined } = { isOn: true, context: one };
  const sockets = createTlsSockets({ isOn: () => tls.isOn, context: () => tls.context });
  const listener = await listen(handler, { host, port: 0 }, { tls: sockets, ...options });
  t.after(() => listener.close(0));
  const { port } = listener;
  return {
    ...listener,
    tls,
    open: () => connect(port, '127.0.0.1'),
    openTls: () => connectTls({ port, host: '127.0.0.1', ca: one.cert }),
    /** The answer's body, by plain HTTP or trusting the certificate. */
    body: async (ca?: string, asked: Partial<AskOptions> = {}) =>
      (await ask({ port, ...(ca !== undefined && { ca }), ...asked })).body,
  };
}

const get = (end = '') => `GET / HTTP/1.1\r\nHost: localhost\r\n${end}\r\n`;
const lastGet = get('Connection: close\r\n');

/** Resolves with the data that arrives until the other side closes the connection. */
async function receiveUntilClose(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => undefined);
  // `once` from node:events rejects on ECONNRESET, which also closes the socket.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(parts).toString();
}

test('accepts TLS and plain HTTP on one port, with small and large bodies, and switches TLS without closing it', async (t) => {
  const { body, tls } = await openListener(t);
  const large = 'x'.repeat(3_000_000);
  for (const [ca, how] of [
    [undefined, 'plain'],
    [one.cert, 'secured'],
  ] as const) {
    assert.equal(await body(ca), `${how} GET 0`);
    assert.equal(await body(ca, { method: 'POST', body: large }), `${how} POST ${large.length}`);
  }
  tls.isOn = false;
  await assert.rejects(body(one.cert));
  assert.equal(await body(), 'plain GET 0');
  tls.isOn = true;
  assert.equal(await body(one.cert), 'secured GET 0');
});

test('serves several requests on one connection, with and without TLS', async (t) => {
  const { open, openTls } = await openListener(t);
  for (const socket of [open(), openTls()]) {
    socket.write(get() + get());
    socket.write(lastGet);
    assert.equal((await receiveUntilClose(socket)).match(/ GET 0/gu)?.length, 3);
  }
});

test('accepts a request and a TLS handshake that arrive byte by byte', async (t) => {
  const { port, open } = await openListener(t);
  const socket = open().setNoDelay();
  for (const letter of lastGet) {
    socket.write(letter);
    await pause(1);
  }
  assert.match(await receiveUntilClose(socket), /plain GET 0/);
  const relay = await startSlowRelay(t, port);
  assert.equal((await ask({ port: relay, ca: one.cert })).body, 'secured GET 0');
});

/** A relay that forwards the first bytes one by one. */
async function startSlowRelay(t: TestContext, port: number): Promise<number> {
  const relay = createServer((near) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    far.pipe(near);
    near.on('error', () => undefined);
    far.on('error', () => undefined);
    let passed = 0;
    void (async () => {
      for await (const part of near) {
        for (const byte of (part as Buffer).subarray(0, Math.max(0, 12 - passed))) {
          far.write(Buffer.of(byte));
          await pause(2);
        }
        far.write((part as Buffer).subarray(Math.max(0, 12 - passed)));
        passed += (part as Buffer).length;
      }
      far.end();
    })().catch(() => undefined);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => relay.close());
  return (relay.address() as AddressInfo).port;
}

test('uses a new certificate for the next connection, and keeps open connections; without one, closes new ones', async (t) => {
  const { body, openTls, tls } = await openListener(t);
  const kept = openTls();
  await once(kept, 'secureConnect');
  tls.context = two;
  assert.equal(await body(two.cert), 'secured GET 0');
  await assert.rejects(body(one.cert), /self-signed|certificate/i);
  tls.context = undefined;
  await assert.rejects(body(one.cert), { code: 'ECONNRESET' });
  assert.equal(await body(), 'plain GET 0');
  tls.context = one;
  assert.equal(await body(one.cert), 'secured GET 0');
  kept.write(lastGet);
  assert.match(await receiveUntilClose(kept), /secured GET 0/);
});

test('rejects TLS versions older than 1.2', async (t) => {
  const { port } = await openListener(t);
  const old = connectTls({
    port,
    host: '127.0.0.1',
    ca: one.cert,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  const [error] = (await once(old, 'error')) as [NodeJS.ErrnoException];
  assert.match(error.code ?? '', /^ERR_SSL|ECONNRESET/u);
});

test('times out idle connections, incomplete handshakes and incomplete headers', async (t) => {
  const { open, openTls } = await openListener(t, { headersTimeoutMs: 200 });
  const [silent, half, head, secured] = [open(), open(), open(), openTls()];
  half.write(Buffer.of(0x16, 3, 1, 2, 0, 1));
  for (const one of [head, secured]) one.write('GET / HTTP/1.1\r\nHost:');
  const [nothing, noHandshake, timeout, securedTimeout] = await Promise.all(
    [silent, half, head, secured].map(receiveUntilClose),
  );
  assert.equal(nothing, '');
  assert.equal(noHandshake?.includes('HTTP'), false);
  assert.match(timeout ?? '', /408/);
  assert.match(securedTimeout ?? '', /408/);
});

const bodyBytes = 20_000_000;
const upload = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bodyBytes}\r\n\r\n`;
/** Answers in the middle of a body, as to a save when the disk is full. */
const refuseEarly: Handler = async (request, response) => {
  request.once('data', () => request.pause());
  await once(request, 'pause');
  response.end('no');
  await once(response, 'close');
};

test('disconnects a client that keeps sending its body after the answer', async (t) => {
  const { open } = await openListener(t, { drainLimitMs: 200, handler: refuseEarly });
  const client = open();
  client.write(upload);
  const dripping = setInterval(() => client.write('x'), 20);
  t.after(() => clearInterval(dripping));
  assert.match(await receiveUntilClose(client), /200 OK/);
});

test('answers a client that sends its whole body before it reads, and its next request', async (t) => {
  const { open } = await openListener(t, { drainLimitMs: 200_000, handler: refuseEarly });
  const client = open();
  for (let turn = 0; turn < 2; turn += 1) {
    client.pause().write(upload);
    await new Promise((resolve) => void client.write('x'.repeat(bodyBytes), resolve));
    const [answer] = (await once(client.resume(), 'data')) as [Buffer];
    assert.match(answer.toString(), /200 OK/);
  }
  client.destroy();
});

test('an invalid or reset handshake affects only its connection', async (t) => {
  const { open, body } = await openListener(t);
  const odd = open();
  odd.write(Buffer.concat([Buffer.of(0x16), Buffer.alloc(2000, 0x41)]));
  assert.ok(!(await receiveUntilClose(odd)).includes('HTTP'));
  const gone = open();
  gone.write(Buffer.of(0x16));
  await pause(20);
  gone.resetAndDestroy();
  await receiveUntilClose(gone);
  assert.equal(await body(one.cert), 'secured GET 0');
});

test('close() ends idle connections and handshakes at once, and waits for running requests', async (t) => {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { port, open, openTls, body, close } = await openListener(t, {
    handler: async (request, response) => {
      reach();
      await released;
      await hello(request, response);
    },
  });
  const [silent, half, idle] = [open(), open(), openTls()];
  half.write(Buffer.of(0x16, 3, 1));
  await once(idle, 'secureConnect');
  const running = body(one.cert);
  await reached;
  const closing = close(60_000);
  await Promise.all([silent, half, idle].map(receiveUntilClose));
  release();
  assert.equal(await running, 'secured GET 0');
  await closing;
  await assert.rejects(ask({ port }), { code: 'ECONNREFUSED' });
});

test('close() aborts requests that exceed its limit, with and without TLS', async (t) => {
  let started = 0;
  const { body, close } = await openListener(t, {
    async handler(request) {
      started += 1;
      await once(request.socket, 'close');
    },
  });
  const asked = [body(), body(one.cert)].map((running) => assert.rejects(running));
  while (started < 2) await pause(5);
  await close(100);
  await Promise.all(asked);
});

test('bound to a network address, also listens on loopback at the same port, and closes both', async (t) => {
  const host = networkAddress();
  const { port, baseUrl, networkHost, body, close } = await openListener(t, { host });
  assert.deepEqual([baseUrl, networkHost], [`http://127.0.0.1:${port}`, host]);
  assert.equal(await body(), 'plain GET 0');
  assert.equal(await body(undefined, { to: host }), 'plain GET 0');
  assert.equal(await body(one.cert, { to: host, servername: 'localhost' }), 'secured GET 0');
  await close(0);
  for (const to of ['127.0.0.1', host]) await assert.rejects(ask({ port, to }), { code: 'ECONNREFUSED' });
});

test('opens no network port if the port is taken on loopback', async (t) => {
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const host = networkAddress();
  await assert.rejects(listen(hello, { host, port }), { code: 'port-taken' });
  await assert.rejects(ask({ port, to: host }), { code: 'ECONNREFUSED' });
});

test('has a network host if bound to all addresses, but not on loopback', async (t) => {
  for (const host of ['127.0.0.1', 'localhost', '::1'])
    assert.equal((await openListener(t, { host })).networkHost, null);
  for (const host of ['0.0.0.0', '::']) {
    const { networkHost, baseUrl, port } = await openListener(t, { host });
    assert.deepEqual([networkHost, baseUrl], [host, `http://127.0.0.1:${port}`]);
  }
});
