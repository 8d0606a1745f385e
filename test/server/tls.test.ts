// One port that takes TLS and plain HTTP: real sockets, certificates made for the test.

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

interface Opened extends Listener {
  tls: { isOn: boolean; context: KeyAndCertificate | undefined };
}

const hello: Handler = async (request: IncomingMessage, response: ServerResponse) => {
  let bytes = 0;
  for await (const part of request) bytes += (part as Buffer).length;
  const isEncrypted = 'encrypted' in request.socket;
  response.end(`${isEncrypted ? 'secured' : 'plain'} ${request.method ?? ''} ${bytes}`);
  await once(response, 'close');
};

async function opened(
  t: TestContext,
  options: { handler?: Handler; host?: string; headersTimeoutMs?: number; drainLimitMs?: number } = {},
): Promise<Opened> {
  const tls: Opened['tls'] = { isOn: true, context: one };
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

/** Resolves with what came until the other side closed. */
async function closed(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => undefined);
  // `once` of node:events would reject with a reset, which closes it as well
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(parts).toString();
}

test('One port takes TLS and plain HTTP, with bodies of any size', async (t) => {
  const { port } = await opened(t);
  assert.equal((await ask({ port })).body, 'plain GET 0');
  assert.equal((await ask({ port, ca: one.cert })).body, 'secured GET 0');
  const body = 'x'.repeat(3_000_000);
  assert.equal((await ask({ port, method: 'POST', body })).body, `plain POST ${body.length}`);
  assert.equal((await ask({ port, method: 'POST', body, ca: one.cert })).body, `secured POST ${body.length}`);
});

test('Several requests go over one connection, secured or plain', async (t) => {
  const { port } = await opened(t);
  for (const socket of [connect(port, '127.0.0.1'), connectTls({ port, host: '127.0.0.1', ca: one.cert })]) {
    const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
    socket.write(request + request);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    assert.equal((await closed(socket)).match(/ GET 0/gu)?.length, 3);
  }
});

test('A request that comes byte by byte, and a handshake that comes so, arrive whole', async (t) => {
  const { port } = await opened(t);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  for (const letter of 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n') {
    socket.write(letter);
    await pause(1);
  }
  assert.match(await closed(socket), /plain GET 0/);

  const relay = await droppingBytes(t, port);
  const answer = await ask({ port: relay, ca: one.cert });
  assert.equal(answer.body, 'secured GET 0');
});

/** A relay that passes on the first bytes one by one. */
async function droppingBytes(t: TestContext, port: number): Promise<number> {
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
  const { port, tls } = await opened(t);
  const kept = connectTls({ port, host: '127.0.0.1', ca: one.cert });
  await once(kept, 'secureConnect');
  tls.context = two;
  assert.equal((await ask({ port, ca: two.cert })).body, 'secured GET 0');
  await assert.rejects(ask({ port, ca: one.cert }), /self-signed|certificate/i);
  kept.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  assert.match(await closed(kept), /secured GET 0/);
});

test('Without a certificate TLS is not answered, and plain HTTP as before; a certificate that comes is used at once', async (t) => {
  const { port, tls } = await opened(t);
  tls.context = undefined;
  await assert.rejects(ask({ port, ca: one.cert }), { code: 'ECONNRESET' });
  assert.equal((await ask({ port })).body, 'plain GET 0');
  tls.context = one;
  assert.equal((await ask({ port, ca: one.cert })).body, 'secured GET 0');
});

test('TLS is switched on and off while the port stays open', async (t) => {
  const { port, tls } = await opened(t);
  tls.isOn = false;
  await assert.rejects(ask({ port, ca: one.cert }));
  assert.equal((await ask({ port })).body, 'plain GET 0');
  tls.isOn = true;
  assert.equal((await ask({ port, ca: one.cert })).body, 'secured GET 0');
});

test('TLS older than 1.2 is refused', async (t) => {
  const { port } = await opened(t);
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

test('Who connects and says nothing, half a handshake or half a head is let go in time', async (t) => {
  const { port } = await opened(t, { headersTimeoutMs: 200 });
  const silent = connect(port, '127.0.0.1');
  const half = connect(port, '127.0.0.1');
  half.write(Buffer.of(0x16, 3, 1, 2, 0, 1));
  const head = connect(port, '127.0.0.1');
  head.write('GET / HTTP/1.1\r\nHost:');
  const secured = connectTls({ port, host: '127.0.0.1', ca: one.cert });
  secured.write('GET / HTTP/1.1\r\nHost:');
  const [nothing, noHandshake, timeout, securedTimeout] = await Promise.all(
    [silent, half, head, secured].map(closed),
  );
  assert.equal(nothing, '');
  assert.equal(noHandshake?.includes('HTTP'), false);
  assert.match(timeout ?? '', /408/);
  assert.match(securedTimeout ?? '', /408/);
});

test('disconnects a client that keeps sending a body after the answer, but not one that ends it', async (t) => {
  const { port } = await opened(t, {
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
  const isLetGo = await Promise.race([
    closed(slow).then(() => true),
    pause(60_000, undefined, { ref: false }).then(() => false),
  ]);
  slow.destroy();
  assert.ok(isLetGo);
  await pause(300);
  late.write(head);
  const [again] = (await once(late, 'data')) as [Buffer];
  assert.match(again.toString(), /200 OK/);
  late.destroy();
});

test('Nonsense after the first byte of a handshake costs only that connection', async (t) => {
  const { port } = await opened(t);
  const odd = connect(port, '127.0.0.1');
  odd.write(Buffer.concat([Buffer.of(0x16), Buffer.alloc(2000, 0x41)]));
  assert.ok(!(await closed(odd)).includes('HTTP'));
  const gone = connect(port, '127.0.0.1');
  gone.write(Buffer.of(0x16));
  await pause(20);
  gone.resetAndDestroy();
  await closed(gone);
  assert.equal((await ask({ port, ca: one.cert })).body, 'secured GET 0');
});

test('Closing ends silent connections, handshakes and idle ones at once, and lets running requests end', async (t) => {
  let isReached = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    isReached = resolve;
  });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { port, close } = await opened(t, {
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
  await Promise.all([silent, half, idle].map(closed));
  release();
  assert.equal((await running).body, 'secured GET 0');
  await closing;
  await assert.rejects(ask({ port }), { code: 'ECONNREFUSED' });
});

test('What still runs when the time is over is cut, secured or plain', async (t) => {
  const { port, close } = await opened(t, {
    handler: (request) => once(request.socket, 'close').then(() => undefined),
  });
  const asked = [ask({ port }), ask({ port, ca: one.cert })].map((one) => assert.rejects(one));
  await pause(100);
  await close(100);
  await Promise.all(asked);
});

test('A listener at an address of the network takes loopback on the same port too, and both close', async (t) => {
  const host = networkAddress();
  const listener = await opened(t, { host });
  const { port, baseUrl, networkHost } = listener;
  assert.deepEqual([baseUrl, networkHost], [`http://127.0.0.1:${port}`, host]);
  assert.equal((await ask({ port })).body, 'plain GET 0');
  assert.equal((await ask({ port, to: host })).body, 'plain GET 0');
  assert.equal((await ask({ port, to: host, ca: one.cert, servername: 'localhost' })).body, 'secured GET 0');
  await listener.close(0);
  await assert.rejects(ask({ port }), { code: 'ECONNREFUSED' });
  await assert.rejects(ask({ port, to: host }), { code: 'ECONNREFUSED' });
});

test('Where another program has the port on loopback the network’s is not kept open either', async (t) => {
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const host = networkAddress();
  await assert.rejects(listen(hello, { host, port }), { code: 'port-taken' });
  await assert.rejects(ask({ port, to: host }), { code: 'ECONNREFUSED' });
});

test('Loopback alone is no network; all addresses are', async (t) => {
  assert.equal((await opened(t)).networkHost, null);
  assert.equal((await opened(t, { host: 'localhost' })).networkHost, null);
  assert.equal((await opened(t, { host: '::1' })).networkHost, null);
  const all = await opened(t, { host: '0.0.0.0' });
  assert.deepEqual([all.networkHost, all.baseUrl], ['0.0.0.0', `http://127.0.0.1:${all.port}`]);
  const both = await opened(t, { host: '::' });
  assert.deepEqual([both.networkHost, both.baseUrl], ['::', `http://127.0.0.1:${both.port}`]);
});
