// Idle connections and pipelined requests must not keep other clients from being served.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createConnections, type PeerLists } from '../../app/server/connections.ts';
import { listen, type Handler } from '../../app/server/http-server.ts';
import { exchange } from '../fuzz/raw-exchange.ts';
import { ask, networkAddress } from './network-host.ts';

const many = 520;

/** Opens idle connections, or connections that send only `text`. All are closed at the end of the test. */
async function openMany(
  t: TestContext,
  count: number,
  { port, from, text = '' }: { port: number; from: string; text?: string },
): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined),
  );
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  if (text !== '') for (const socket of sockets) socket.write(text);
  return sockets;
}

/** Waits until the count is reached, then checks that it doesn't grow further. */
async function settlesAt(count: () => number, expected: number): Promise<void> {
  const limitMs = performance.now() + 30_000;
  while (count() < expected && performance.now() < limitMs) await pause(20);
  await pause(200);
  assert.equal(count(), expected);
}

async function listening(t: TestContext, handler: Handler, peers?: PeerLists) {
  const options = peers === undefined ? {} : { peers };
  const listener = await listen(handler, { host: '127.0.0.1', port: 0 }, options);
  t.after(() => listener.close(0));
  return listener;
}

const get = (path = '/'): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (path: string, body = 'abc'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

for (const [who, from] of [
  ['another computer', networkAddress()],
  ['this computer', '127.0.0.1'],
] as const) {
  test(`${many} idle connections from ${who} block neither this computer nor the network`, async (t) => {
    const { port } = await listening(t, async (_request, response) => void response.end('done'));
    await openMany(t, many, { port, from });
    for (const from of ['127.0.0.1', networkAddress()])
      assert.equal((await ask({ port, from })).body, 'done', from);
  });
}

test('rejects a new connection instead of closing one with a running request', async (t) => {
  const held: ServerResponse[] = [];
  const { port } = await listening(t, async (request, response) => {
    if (request.url === '/held') held.push(response);
    else response.end('done');
  });
  const from = networkAddress();
  await openMany(t, many, { port, from, text: get('/held') });
  await settlesAt(() => held.length, 96);
  await assert.rejects(ask({ port, from }));
  assert.equal((await ask({ port })).body, 'done');
  const closed = Promise.all(held.map((response) => once(response, 'close')));
  for (const response of held) response.end();
  await closed;
  assert.equal((await ask({ port, from })).body, 'done');
});

for (const [what, trustedProxies, limit] of [
  ['a trusted proxy may open more connections than another address', [networkAddress()], 288],
  ['addresses that aren’t allowed share a limit of 16 connections', [], 16],
] as const) {
  test(what, async (t) => {
    let running = 0;
    const peers = { trustedProxies: () => trustedProxies, allowedAddresses: () => ['198.51.100.1'] };
    const { port } = await listening(t, async () => void (running += 1), peers);
    await openMany(t, many, { port, from: networkAddress(), text: get() });
    await settlesAt(() => running, limit);
  });
}

test('at the total limit, closes a connection of the address or network with the most', () => {
  const connections = createConnections();
  const closed: string[] = [];
  const socketFrom = (remoteAddress: string): Socket => {
    const socket = {
      remoteAddress,
      localAddress: '192.0.2.1',
      once: () => socket,
      destroy: () => void closed.push(remoteAddress),
    };
    return socket as unknown as Socket;
  };
  for (const [address, count] of [
    ['198.51.100.1', 90],
    ['198.51.100.2', 96],
    ['2001:db8::1', 50],
    ['2001:db8::2', 46],
    ['203.0.113.9', 38],
  ] as const) {
    for (let index = 0; index < count; index += 1) assert.ok(connections.admit(socketFrom(address)));
  }
  assert.deepEqual(closed, []);
  assert.ok(connections.admit(socketFrom('203.0.113.10')));
  assert.ok(connections.admit(socketFrom('2001:db8::3')));
  assert.deepEqual(closed, ['198.51.100.2', '2001:db8::1']);
});

test('runs pipelined requests one at a time, and answers them in order', async (t) => {
  let running = 0;
  let most = 0;
  const { port } = await listening(t, async (request, response) => {
    running += 1;
    most = Math.max(most, running);
    for await (const _ of request);
    await pause(request.url === '/0' ? 60 : 5);
    running -= 1;
    response.end(request.url);
  });
  const requests = Array.from({ length: 12 }, (_, index) => post(`/${index}`));
  // Larger than one socket read.
  const late = post('/late', 'x'.repeat(100_000));
  const parts = [requests.slice(0, 6).join(''), requests.slice(6).join('') + late, get('/last')];
  const { answers } = await exchange({ port, parts, answers: 14 });
  const bodies = answers.map(({ body }) => body);
  assert.deepEqual(bodies, [...requests.map((_, index) => `/${index}`), '/late', '/last']);
  assert.equal(most, 1);
});

test('closes a connection that pipelines 20,000 requests, after starting at most 65', async (t) => {
  let started = 0;
  const { port } = await listening(t, async (request, response) => {
    if (request.url === '/ahead') started += 1;
    await pause(5);
    response.end('done');
  });
  const [socket] = await openMany(t, 1, { port, from: networkAddress() });
  assert.ok(socket !== undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume();
  socket.write(get('/ahead').repeat(20_000));
  await closed;
  assert.equal((await ask({ port })).body, 'done');
  assert.ok(started <= 65, `${started} were started`);
});

test('doesn’t start pipelined requests after an answer that closes the connection', async (t) => {
  const started: string[] = [];
  const { port } = await listening(t, async (request, response) => {
    started.push(request.url ?? '');
    await pause(50);
    response.setHeader('Connection', 'close');
    response.end('done');
  });
  const { answers, end } = await exchange({
    port,
    // The second request arrives before the answer, the third after it.
    parts: [post('/first') + post('/second'), '', '', '', '', '', '', post('/third')],
    answers: 2,
    halfClose: true,
  });
  assert.deepEqual([answers.length, end], [1, 'closed']);
  assert.deepEqual(started, ['/first']);
});
