import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { addressList, isLoopback, plainAddress } from '../../../app/network/addresses.ts';
import { callerOf, type Client } from '../../../app/server/client-address.ts';

interface Sent {
  peer?: string;
  own?: string;
  host?: string;
  headers?: Record<string, string>;
  url?: string;
  isEncrypted?: boolean;
  minor?: number;
}

function clientOf(sent: Sent, proxies: string[] = []): Client {
  const { peer = '192.0.2.9', own = '192.0.2.1', host = 'localhost:8790', headers = {} } = sent;
  const request = {
    headers: { host, ...headers },
    url: sent.url ?? '/',
    httpVersionMinor: sent.minor ?? 1,
    socket: { remoteAddress: peer, localAddress: own, localPort: 8790, encrypted: sent.isEncrypted },
  };
  return callerOf(request as unknown as IncomingMessage, addressList(proxies));
}

for (const sent of [
  { peer: '127.0.0.1', host: 'localhost:8790' },
  { peer: '127.0.0.1', host: '127.0.0.1' },
  { peer: '127.0.0.1', host: 'LOCALHOST.' },
  { peer: '127.8.9.1', host: '127.8.9.2:1' },
  { peer: '::1', own: '::1', host: '[::1]:8790' },
  { peer: '::ffff:127.0.0.1', own: '::ffff:127.0.0.1' },
  { peer: '192.0.2.1', host: '192.0.2.1:8790' },
  { peer: '::ffff:192.0.2.1', own: '::ffff:192.0.2.1', host: '192.0.2.1' },
  { peer: '2001:db8::7', own: '2001:db8::7', host: '[2001:db8::7]' },
]) {
  test(`a request from ${sent.peer} to ${sent.host ?? 'localhost'} is from this computer`, () => {
    const client = clientOf(sent);
    assert.deepEqual([client.isThisComputer, client.isExposed], [true, false]);
  });
}

for (const [why, sent] of [
  ['another address', { peer: '192.0.2.9' }],
  ['an unknown address', { peer: '' }],
  [
    'a name that isn’t loopback, as with a tunnel or DNS rebinding',
    { peer: '127.0.0.1', host: 'tray.example' },
  ],
  ['a name that only starts like a loopback name', { peer: '127.0.0.1', host: 'localhost.evil.example' }],
  ['another address of this computer than the one it connected to', { peer: '192.0.2.1', host: '192.0.2.2' }],
  ['no host name', { peer: '127.0.0.1', host: '' }],
  ['an absolute address', { peer: '127.0.0.1', url: 'http://evil.example/api/2.0/files' }],
  ['HTTP/1.0, as nginx sends it', { peer: '127.0.0.1', minor: 0 }],
  ...[
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
    'x-forwarded-server',
    'forwarded',
    'via',
    'x-real-ip',
    'cf-connecting-ip',
  ].map((name) => [`the header ${name}`, { peer: '127.0.0.1', headers: { [name]: '127.0.0.1' } }] as const),
] as const) {
  test(`a request with ${why} isn’t from this computer, with or without trusted proxies`, () => {
    assert.equal(clientOf(sent).isThisComputer, false);
    assert.equal(clientOf(sent, ['127.0.0.1', '192.0.2.0/24']).isThisComputer, false);
  });
}

test('a request from a trusted proxy on this computer that forwards nothing is from this computer', () => {
  assert.equal(clientOf({ peer: '127.0.0.1' }, ['127.0.0.1']).isThisComputer, true);
});

test('ignores forwarding headers of clients that are not trusted proxies', () => {
  const headers = {
    'x-forwarded-for': '10.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
    forwarded: 'for=10.0.0.1;proto=https;host=evil.example',
  };
  const client = clientOf({ headers }, ['10.0.0.1']);
  assert.deepEqual(
    [client.clientAddress, client.scheme, client.host],
    ['192.0.2.9', 'http', 'localhost:8790'],
  );
});

test('trusts a configured proxy for the client’s address, scheme and host', () => {
  const headers = {
    'x-forwarded-for': '198.51.100.4',
    'x-forwarded-proto': 'HTTPS',
    'x-forwarded-host': 'docs.example:8443',
  };
  const client = clientOf({ headers }, ['192.0.2.0/24']);
  assert.deepEqual(
    [client.clientAddress, client.scheme, client.host, client.isThisComputer],
    ['198.51.100.4', 'https', 'docs.example:8443', false],
  );
});

test('isOwnPort is true if the host names the connection’s port or a trusted proxy forwarded it', () => {
  for (const host of ['localhost:8790', '[::1]:8790']) assert.ok(clientOf({ host }).isOwnPort, host);
  for (const host of ['localhost:8791', 'localhost', '[2001:db8::8790]', ':', '', 'localhost:8790x']) {
    assert.ok(!clientOf({ host }).isOwnPort, host);
  }
  const headers = { 'x-forwarded-host': 'docs.example' };
  assert.ok(!clientOf({ host: 'localhost', headers }).isOwnPort);
  assert.ok(clientOf({ host: 'localhost', headers }, ['192.0.2.9']).isOwnPort);
});

test('the client’s address is the rightmost in X-Forwarded-For that isn’t a trusted proxy', () => {
  const via = (chain: string): string =>
    clientOf({ headers: { 'x-forwarded-for': chain } }, ['192.0.2.9', '10.0.0.0/8']).clientAddress;
  assert.equal(via('1.1.1.1, 198.51.100.4'), '198.51.100.4');
  assert.equal(via('127.0.0.1, 198.51.100.4, 10.1.1.1'), '198.51.100.4');
  assert.equal(via('10.2.2.2,10.1.1.1'), '10.2.2.2');
  assert.equal(via('198.51.100.4:5555'), '198.51.100.4');
  assert.equal(via('[2001:db8::5]:443'), '2001:db8::5');
  assert.equal(via('2001:db8::5'), '2001:db8::5');
  assert.equal(via('::ffff:198.51.100.4'), '198.51.100.4');
  assert.equal(via(' , '), '192.0.2.9');
  // An invalid address becomes an empty one, which is in no list and isn't another client's.
  for (const text of ['unknown', '_hidden', '127.0.0.1 evil', '999.1.1.1', '10.1.1.1, x', '1'.repeat(9999)]) {
    assert.equal(via(text), '', text.slice(0, 20));
  }
});

test('uses scheme and host of the client’s hop if every hop added them, or else the last ones', () => {
  const proxies = ['192.0.2.9', '10.0.0.0/8'];
  const clientWith = (headers: Record<string, string>): Client => clientOf({ headers }, proxies);
  const aligned = clientWith({
    'x-forwarded-for': '1.1.1.1, 198.51.100.4, 10.1.1.1',
    'x-forwarded-proto': 'ftp, https, http',
    'x-forwarded-host': 'evil.example, docs.example, inner.example',
  });
  assert.deepEqual([aligned.scheme, aligned.host], ['https', 'docs.example']);
  const single = clientWith({ 'x-forwarded-for': '198.51.100.4, 10.1.1.1', 'x-forwarded-proto': 'https' });
  assert.deepEqual([single.scheme, single.host], ['https', 'localhost:8790']);
  assert.equal(clientWith({ 'x-forwarded-proto': 'gopher' }).scheme, 'http');
});

test('an encrypted connection is HTTPS, and an unencrypted one from another computer is exposed', () => {
  assert.deepEqual(
    [clientOf({ isEncrypted: true }).scheme, clientOf({ isEncrypted: true }).isExposed],
    ['https', false],
  );
  assert.equal(clientOf({}).isExposed, true);
  assert.equal(clientOf({ headers: { 'x-forwarded-proto': 'https' } }, ['192.0.2.9']).isExposed, true);
});

test('normalizes addresses, and does not mistake others for loopback', () => {
  assert.equal(plainAddress('::ffff:10.0.0.1'), '10.0.0.1');
  assert.equal(plainAddress('fe80::1%eth0'), 'fe80::1');
  assert.equal(plainAddress('2001:db8::1'), '2001:db8::1');
  for (const address of ['127.0.0.1', '127.255.0.9', '::1']) assert.ok(isLoopback(address), address);
  for (const address of ['127.0.0.1.evil.example', '127.evil', '::', '10.0.0.1', '']) {
    assert.ok(!isLoopback(address), address);
  }
});

test('evaluates each request of one connection separately', () => {
  const socket = { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', localPort: 8790 };
  const isOwnUser = (headers: Record<string, string>, url = '/'): boolean => {
    const request = { headers, url, httpVersionMinor: 1, socket };
    return callerOf(request as unknown as IncomingMessage, addressList([])).isThisComputer;
  };
  const own = { host: 'localhost:8790' };
  assert.deepEqual([isOwnUser(own), isOwnUser(own)], [true, true]);
  assert.equal(isOwnUser({ host: 'tray.example' }), false);
  assert.equal(isOwnUser(own), true);
  assert.equal(isOwnUser({ ...own, via: '1.1 tunnel' }), false);
  assert.equal(isOwnUser(own, 'http://evil.example/'), false);
});
