// A port that accepts TLS and plain HTTP, with real sockets and generated certificates.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { listen, type Handler, type Listener } from '../../app/server/http-server.ts';
import { createTlsSockets } from '../../app/server/tls-sockets.ts';
import type { KeyAndCertificate } from '../../app/tls/key-and-certificate.ts';
import { makeCertificate, type Made } from '../unit/tls/made-certificates.ts';
import { ask, networkAddress } from './network-host.ts';

let place: string;
let one: Made;
let two: Made;
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'doctray-tls-'));
  one = await makeCertificate(place, 'one');
  two = await makeCertificate(place, 'two');
});
after(() => rm(place, { recursive: true, force: true }));

interface TlsListener extends Listener {
  tls: { isOn: boolean; context: KeyAndCertificate | undefined };
}

const hello: Handler = async (request: IncomingMessage, response: ServerResponse) => {
  let bytes = 0;
  for await (const part of request) bytes += (part as Buffer).length;
  const isEncrypted = 'encrypted' in request.socket;
  response.end(`${isEncrypted ? 'secured' : 'plain'} ${request.method ?? ''} ${bytes}`);
  await once(response, 'close');
};

async function openListener(
  t: TestContext,
  options: { handler?: Handler; host?: string; headersTimeoutMs?: number; drainLimitMs?: number } = {},
): Promise<TlsListener> {
  const tls: TlsListener['tls'] = { isOn: true, context: one };
  const { headersTimeoutMs, drainLimitMs } = options;
  const listener = await listen(
    options.handler ?? hello,
    { host: options.host ?? '127.0.0.1', port: 0 },
    {
      tls: createTlsSockets({ isOn: () => tls.isOn, context: () => tls.context }),
      ...(headersTimeoutMs !== undefined && { headersTimeoutMs }),
      ...(drainLimitMs !== undefined && { drainLimitMs }),
    },
  );
  t.after(() => listener.close(0));
  return Object.assign(listener, { tls });
}

/** Resolves with the data that arrives until the other side closes the connection. */
async function receiveUntilClose(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => undefined);
  // `once` from node:events rejects on ECONNRESET, which also closes the socket.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(parts).toString();
}

test('accepts TLS and plain HTTP on one port, with small and large bodies', async (t) => {
  const { port } = await openListener(t);
  assert.equal((await ask({ port })).body, 'plain GET 0');
  assert.equal((await ask({ port, ca: one.cert })).body, 'secured GET 0');
  const body = 'x'.repeat(3_000_000);
  assert.equal((await ask({ port, method: 'POST', body })).body, `plain POST ${body.length}`);
  assert.equal((await ask({ port, method: 'POST', body, ca: one.cert })).body, `secured POST ${body.length}`);
});

test('serves several requests on one connection, with and without TLS', async (t) => {
  const { port } = await openListener(t);
  for (const socket of [connect(port, '127.0.0.1'), connectTls({ port, host: '127.0.0.1', ca: one.cert })]) {
    const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
    socket.write(request + request);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    assert.equal((await receiveUntilClose(socket)).match(/ GET 0/gu)?.length, 3);
  }
});

test('accepts a request and a TLS handshake that arrive byte by byte', async (t) => {
  const { port } = await openListener(t);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  for (const letter of 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n') {
    socket.write(letter);
    await pause(1);
  }
  assert.match(await receiveUntilClose(socket), /plain GET 0/);

  const relay = await startSlowRelay(t, port);
  const answer = await ask({ port: relay, ca: one.cert });
  assert.equal(answer.body, 'secured GET 0');
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

test('uses a new certificate for the next connection, and keeps open connections', async (t) => {
  const { port, tls } = await openListener(t);
  const kept = connectTls({ port, host: '127.0.0.1', ca: one.cert });
  await once(kept, 'secureConnect');
  tls.context = two;
  assert.equal((await ask({ port, ca: two.cert })).body, 'secured GET 0');
  await assert.rejects(ask({ port, ca: one.cert }), /self-signed|certificate/i);
  kept.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  assert.match(await receiveUntilClose(kept), /secured GET 0/);
});

test('without a certificate, closes TLS connections and serves plain HTTP; uses a new certificate at once', async (t) => {
  const { port, tls } = await openListener(t);
  tls.context = undefined;
  await assert.rejects(ask({ port, ca: one.cert }), { code: 'ECONNRESET' });
  assert.equal((await ask({ port })).body, 'plain GET 0');
  tls.context = one;
  assert.equal((await ask({ port, ca: one.cert })).body, 'secured GET 0');
});

test('switches TLS on and off without closing the port', async (t) => {
  const { port, tls } = await openListener(t);
  tls.isOn = false;
  await assert.rejects(ask({ port, ca: one.cert }));
  assert.equal((await ask({ port })).body, 'plain GET 0');
  tls.isOn = true;
  assert.equal((await ask({ port, ca: one.cert })).body, 'secured GET 0');
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
  const { port } = await openListener(t, { headersTimeoutMs: 200 });
  const silent = connect(port, '127.0.0.1');
  const half = connect(port, '127.0.0.1');
  half.write(Buffer.of(0x16, 3, 1, 2, 0, 1));
  const head = connect(port, '127.0.0.1');
  head.write('GET / HTTP/1.1\r\nHost:');
  const secured = connectTls({ port, host: '127.0.0.1', ca: one.cert });
  secured.write('GET / HTTP/1.1\r\nHost:');
  const [nothing, noHandshake, timeout, securedTimeout] = await Promise.all(
    [silent, half, head, secured].map(receiveUntilClose),
  );
  assert.equal(nothing, '');
  assert.equal(noHandshake?.includes('HTTP'), false);
  assert.match(timeout ?? '', /408/);
  assert.match(securedTimeout ?? '', /408/);
});

test('disconnects a client that keeps sending its body after the answer, but not one that finishes it', async (t) => {
  const { port } = await openListener(t, {
    drainLimitMs: 2000,
    handler: async (_request, response) => {
      response.end('no');
      await once(response, 'close');
    },
  });
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n';
  const slow = connect(port, '127.0.0.1');
  slow.write(head.replace('20', '100000'));
  const dripping = setInterval(() => slow.write('x'), 20);
  t.after(() => clearInterval(dripping));
  const late = connect(port, '127.0.0.1');
  late.write(head);
  await pause(100);
  late.write('x'.repeat(20));
  const isDisconnected = await Promise.race([
    receiveUntilClose(slow).then(() => true),
    pause(60_000, undefined, { ref: false }).then(() => false),
  ]);
  slow.destroy();
  assert.ok(isDisconnected);
  await pause(300);
  late.write(head);
  const [again] = (await once(late, 'data')) as [Buffer];
  assert.match(again.toString(), /200 OK/);
  late.destroy();
});

test('an invalid or reset handshake affects only its connection', async (t) => {
  const { port } = await openListener(t);
  const odd = connect(port, '127.0.0.1');
  odd.write(Buffer.concat([Buffer.of(0x16), Buffer.alloc(2000, 0x41)]));
  assert.ok(!(await receiveUntilClose(odd)).includes('HTTP'));
  const gone = connect(port, '127.0.0.1');
  gone.write(Buffer.of(0x16));
  await pause(20);
  gone.resetAndDestroy();
  await receiveUntilClose(gone);
  assert.equal((await ask({ port, ca: one.cert })).body, 'secured GET 0');
});

test('close() ends idle connections and handshakes at once, and waits for running requests', async (t) => {
  let isReached = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    isReached = resolve;
  });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { port, close } = await openListener(t, {
    handler: async (request, response) => {
      isReached();
      await released;
      await hello(request, response);
    },
  });
  const silent = connect(port, '127.0.0.1');
  const half = connect(port, '127.0.0.1');
  half.write(Buffer.of(0x16, 3, 1));
  const idle = connectTls({ port, host: '127.0.0.1', ca: one.cert });
  await once(idle, 'secureConnect');
  const running = ask({ port, ca: one.cert });
  await reached;
  const closing = close(60_000);
  await Promise.all([silent, half, idle].map(receiveUntilClose));
  release();
  assert.equal((await running).body, 'secured GET 0');
  await closing;
  await assert.rejects(ask({ port }), { code: 'ECONNREFUSED' });
});

test('close() aborts requests that exceed its limit, with and without TLS', async (t) => {
  const { port, close } = await openListener(t, {
    handler: (request) => once(request.socket, 'close').then(() => undefined),
  });
  const asked = [ask({ port }), ask({ port, ca: one.cert })].map((one) => assert.rejects(one));
  await pause(100);
  await close(100);
  await Promise.all(asked);
});

test('bound to a network address, also listens on loopback at the same port, and closes both', async (t) => {
  const host = networkAddress();
  const listener = await openListener(t, { host });
  const { port, baseUrl, networkHost } = listener;
  assert.deepEqual([baseUrl, networkHost], [`http://127.0.0.1:${port}`, host]);
  assert.equal((await ask({ port })).body, 'plain GET 0');
  assert.equal((await ask({ port, to: host })).body, 'plain GET 0');
  assert.equal((await ask({ port, to: host, ca: one.cert, servername: 'localhost' })).body, 'secured GET 0');
  await listener.close(0);
  await assert.rejects(ask({ port }), { code: 'ECONNREFUSED' });
  await assert.rejects(ask({ port, to: host }), { code: 'ECONNREFUSED' });
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
  assert.equal((await openListener(t)).networkHost, null);
  assert.equal((await openListener(t, { host: 'localhost' })).networkHost, null);
  assert.equal((await openListener(t, { host: '::1' })).networkHost, null);
  const all = await openListener(t, { host: '0.0.0.0' });
  assert.deepEqual([all.networkHost, all.baseUrl], ['0.0.0.0', `http://127.0.0.1:${all.port}`]);
  const both = await openListener(t, { host: '::' });
  assert.deepEqual([both.networkHost, both.baseUrl], ['::', `http://127.0.0.1:${both.port}`]);
});
