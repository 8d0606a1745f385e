import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { addressList, isLoopback } from '../../../app/network/addresses.ts';
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

test('a request from loopback, or the address it connected to, is from this computer if it names one of these', () => {
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
    const { isThisComputer, isExposed } = clientOf(sent);
    assert.deepEqual([isThisComputer, isExposed], [true, false], JSON.stringify(sent));
  }
  assert.equal(
    clientOf({ peer: '127.0.0.1' }, ['127.0.0.1']).isThisComputer,
    true,
    'a proxy that forwards nothing',
  );
});

test('a request from elsewhere, for another name, or through a proxy isn’t from this computer', () => {
  const forwarding =
    'x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port x-forwarded-server forwarded via x-real-ip cf-connecting-ip';
  for (const [why, sent] of [
    ['another address', { peer: '192.0.2.9' }],
    ['an unknown address', { peer: '' }],
    ['a name as with a tunnel or DNS rebinding', { peer: '127.0.0.1', host: 'tray.example' }],
    ['a name that only starts like a loopback name', { peer: '127.0.0.1', host: 'localhost.evil.example' }],
    ['another address of this computer', { peer: '192.0.2.1', host: '192.0.2.2' }],
    ['no host name', { peer: '127.0.0.1', host: '' }],
    ['an absolute address', { peer: '127.0.0.1', url: 'http://evil.example/api/2.0/files' }],
    ['HTTP/1.0, as nginx sends it', { peer: '127.0.0.1', minor: 0 }],
    ...forwarding
      .split(' ')
      .map((name) => [name, { peer: '127.0.0.1', headers: { [name]: '127.0.0.1' } }] as const),
  ] as [string, Sent][])
    for (const proxies of [[], ['127.0.0.1', '192.0.2.0/24']])
      assert.equal(clientOf(sent, proxies).isThisComputer, false, why);
});

test('trusts a configured proxy, and no other client, for the client’s address, scheme and host', () => {
  const headers = {
    'x-forwarded-for': '198.51.100.4',
    'x-forwarded-proto': 'HTTPS',
    'x-forwarded-host': 'docs.example:8443',
    forwarded: 'for=10.0.0.1;proto=https;host=evil.example',
  };
  for (const [proxies, expected] of [
    [['192.0.2.0/24'], ['198.51.100.4', 'https', 'docs.example:8443', false]],
    [['198.51.100.4'], ['192.0.2.9', 'http', 'localhost:8790', false]],
  ] as const) {
    const { clientAddress, scheme, host, isThisComputer } = clientOf({ headers }, [...proxies]);
    assert.deepEqual([clientAddress, scheme, host, isThisComputer], expected);
  }
});

test('isOwnPort is true if the host names the connection’s port or a trusted proxy forwarded it', () => {
  for (const host of ['localhost:8790', '[::1]:8790']) assert.ok(clientOf({ host }).isOwnPort, host);
  for (const host of ['localhost:8791', 'localhost', '[2001:db8::8790]', ':', '', 'localhost:8790x'])
    assert.ok(!clientOf({ host }).isOwnPort, host);
  const headers = { 'x-forwarded-host': 'docs.example' };
  assert.ok(!clientOf({ host: 'localhost', headers }).isOwnPort);
  assert.ok(clientOf({ host: 'localhost', headers }, ['192.0.2.9']).isOwnPort);
});

test('the client’s address is the rightmost in X-Forwarded-For that isn’t a trusted proxy', () => {
  for (const [chain, address] of [
    ['1.1.1.1, 198.51.100.4', '198.51.100.4'],
    ['127.0.0.1, 198.51.100.4, 10.1.1.1', '198.51.100.4'],
    ['10.2.2.2,10.1.1.1', '10.2.2.2'],
    ['198.51.100.4:5555', '198.51.100.4'],
    ['[2001:db8::5]:443', '2001:db8::5'],
    ['2001:db8::5', '2001:db8::5'],
    ['::ffff:198.51.100.4', '198.51.100.4'],
    [' , ', '192.0.2.9'],
    // An invalid address becomes an empty one, which is in no list and isn't another client's.
    ...['unknown', '_hidden', '127.0.0.1 evil', '999.1.1.1', '10.1.1.1, x', '1'.repeat(9999)].map(
      (text) => [text, ''] as const,
    ),
  ] as const) {
    const client = clientOf({ headers: { 'x-forwarded-for': chain } }, ['192.0.2.9', '10.0.0.0/8']);
    assert.equal(client.clientAddress, address, chain.slice(0, 40));
  }
});

test('uses scheme and host of the client’s hop if every hop added them, or else the last ones', () => {
  for (const [chain, proto, host, expected] of [
    [
      '1.1.1.1, 198.51.100.4, 10.1.1.1',
      'ftp, https, http',
      'evil.example, docs.example, inner.example',
      ['https', 'docs.example'],
    ],
    ['198.51.100.4, 10.1.1.1', 'https', undefined, ['https', 'localhost:8790']],
    [undefined, 'gopher', undefined, ['http', 'localhost:8790']],
    // What a client sent itself comes first.
    ['198.51.100.4', 'https, http', 'evil.example, docs.example', ['http', 'docs.example']],
  ] as const) {
    const headers = {
      ...(chain !== undefined && { 'x-forwarded-for': chain }),
      'x-forwarded-proto': proto,
      ...(host !== undefined && { 'x-forwarded-host': host }),
    };
    const client = clientOf({ headers }, ['192.0.2.9', '10.0.0.0/8']);
    assert.deepEqual([client.scheme, client.host], expected);
  }
});

test('an encrypted connection is HTTPS, and an unencrypted one from another computer is exposed', () => {
  const { scheme, isExposed } = clientOf({ isEncrypted: true });
  assert.deepEqual([scheme, isExposed], ['https', false]);
  assert.equal(clientOf({}).isExposed, true);
  assert.equal(clientOf({ headers: { 'x-forwarded-proto': 'https' } }, ['192.0.2.9']).isExposed, true);
});

test('does not mistake other addresses for loopback', () => {
  for (const address of ['127.0.0.1', '127.255.0.9', '::1']) assert.ok(isLoopback(address), address);
  for (const address of ['127.0.0.1.evil.example', '127.evil', '::', '10.0.0.1', ''])
    assert.ok(!isLoopback(address), address);
});

test('evaluates each request of one connection separately', () => {
  const socket = { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', localPort: 8790 };
  const own = { host: 'localhost:8790' };
  for (const [headers, url, isOwnUser] of [
    [own, '/', true],
    [own, '/', true],
    [{ host: 'tray.example' }, '/', false],
    [own, '/', true],
    [{ ...own, via: '1.1 tunnel' }, '/', false],
    [own, 'http://evil.example/', false],
  ] as const) {
    const request = { headers, url, httpVersionMinor: 1, socket } as unknown as IncomingMessage;
    assert.equal(callerOf(request, addressList([])).isThisComputer, isOwnUser);
  }
});
