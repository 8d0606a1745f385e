import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParameterizedContext } from 'koa';
import { createHostGuard, hostName } from '../../../app/server/middleware/host-guard.ts';

for (const [header, name] of [
  ['localhost', 'localhost'],
  ['LocalHost', 'localhost'],
  ['localhost:8790', 'localhost'],
  ['localhost.', 'localhost'],
  ['localhost.:8790', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1:1', '127.0.0.1'],
  ['[::1]', '[::1]'],
  ['[::1]:65535', '[::1]'],
  ['[FE80::1]:80', '[fe80::1]'],
  ['[::ffff:127.0.0.1]:80', '[::ffff:127.0.0.1]'],
  ['my_desk-2.example', 'my_desk-2.example'],
] as const) {
  test(`reads the name ${name} from the Host header ${header}`, () => assert.equal(hostName(header), name));
}

for (const header of [
  undefined,
  '',
  ' ',
  ':80',
  '::1',
  '::1:80',
  '[::1',
  '::1]',
  '[]',
  '[::1%25eth0]',
  '[::1]x',
  'localhost:',
  'localhost:port',
  'localhost:123456',
  'localhost:80:80',
  'localhost, evil.example',
  'localhost evil.example',
  'localhost\tx',
  'localhost/evil',
  'user@localhost',
  'user:secret@localhost:80',
  'localhost#evil',
  'localhost?evil',
  'http://localhost',
  'localhost\n',
  'locálhost',
  'local%68ost',
]) {
  test(`reads no name from the Host header ${JSON.stringify(header)}`, () =>
    assert.equal(hostName(header), undefined));
}

interface Asked {
  host?: string;
  address?: string;
  forwarded?: Record<string, string>;
  isEncrypted?: boolean;
  url?: string;
}

interface Lists {
  hosts?: string[];
  formerHosts?: string[];
  addresses?: string[];
  proxies?: string[];
  isTlsOn?: boolean;
}

function guardOf(lists: Lists): ReturnType<typeof createHostGuard> {
  return createHostGuard({
    isAllowedHost: (host: string) => new Set(lists.hosts ?? ['localhost', '[::1]']).has(host),
    wasAllowedHost: (host: string) => (lists.formerHosts ?? []).includes(host),
    allowedAddresses: () => lists.addresses ?? none,
    trustedProxies: () => lists.proxies ?? none,
    isTlsOn: () => lists.isTlsOn ?? false,
  });
}
const none: string[] = [];

function contextOf({
  host,
  address,
  forwarded,
  isEncrypted = false,
  url = '/',
}: Asked): ParameterizedContext {
  const socket = { remoteAddress: address, localAddress: '192.0.2.200', encrypted: isEncrypted };
  const req = { headers: { host, ...forwarded }, socket, url, httpVersionMinor: 1 };
  return { req, state: {}, set: () => undefined } as unknown as ParameterizedContext;
}

/** Returns 'passed', or the code that the guard throws. */
function ask(lists: Lists, asked: Asked): string {
  const guard = guardOf(lists);
  let hasPassed = false;
  try {
    void guard(contextOf(asked), async () => {
      hasPassed = true;
    });
  } catch (error) {
    assert.ok(!hasPassed);
    return (error as { code: string }).code;
  }
  assert.ok(hasPassed);
  return 'passed';
}

test('accepts listed names with any port', () => {
  for (const host of ['localhost', 'localhost:1', 'LOCALHOST.', '[::1]:8790']) {
    assert.equal(ask({}, { host }), 'passed', host);
  }
});

test('rejects a name that only resembles a listed one', () => {
  const near = [
    'evil.example',
    'localhost.evil.example',
    'xlocalhost',
    'localhost..',
    '[::2]',
    '127.0.0.1',
    '',
  ];
  for (const host of near) assert.equal(ask({}, { host }), 'host-not-allowed', host);
  assert.equal(ask({}, {}), 'host-not-allowed');
});

test('checks the name before the address', () => {
  const lists = { addresses: ['10.0.0.0/8'] };
  assert.equal(ask(lists, { host: 'evil.example', address: '192.0.2.1' }), 'host-not-allowed');
  assert.equal(ask(lists, { host: 'localhost', address: '192.0.2.1' }), 'address-not-allowed');
});

test('an empty address list allows every address, including an unknown one', () => {
  assert.equal(ask({}, { host: 'localhost', address: '192.0.2.1' }), 'passed');
  assert.equal(ask({}, { host: 'localhost' }), 'passed');
});

test('allows listed addresses and networks of both families, and IPv4 mapped to IPv6', () => {
  const addresses = ['10.1.0.0/16', '192.0.2.7', '2001:db8::/32', 'fe80::1'];
  for (const address of [
    '10.1.0.0',
    '10.1.255.255',
    '192.0.2.7',
    '::ffff:192.0.2.7',
    '::ffff:10.1.2.3',
    '2001:db8:1::5',
    'fe80::1',
  ]) {
    assert.equal(ask({ addresses }, { host: 'localhost', address }), 'passed', address);
  }
});

test('an address list rejects every other address, including an unknown one', () => {
  const addresses = ['10.1.0.0/16', '192.0.2.7', '2001:db8::/32'];
  for (const address of ['10.2.0.1', '192.0.2.8', '127.0.0.1', '::1', '2001:db9::1', '::ffff:10.2.0.1', '']) {
    assert.equal(ask({ addresses }, { host: 'localhost', address }), 'address-not-allowed', address);
  }
  assert.equal(ask({ addresses }, { host: 'localhost' }), 'address-not-allowed');
});

test('applies a changed address list to the next request', () => {
  let addresses = ['10.0.0.1'];
  const guard = createHostGuard({
    isAllowedHost: () => true,
    wasAllowedHost: () => false,
    allowedAddresses: () => addresses,
    trustedProxies: () => none,
    isTlsOn: () => false,
  });
  const call = (): unknown =>
    guard(contextOf({ host: 'localhost', address: '10.0.0.2' }), async () => undefined);
  assert.throws(call, { code: 'address-not-allowed' });
  addresses = ['10.0.0.2'];
  assert.doesNotThrow(call);
});

test('behind a trusted proxy, checks the client’s address and the host it requested', () => {
  const lists: Lists = {
    hosts: ['localhost', 'docs.example'],
    addresses: ['192.0.2.7'],
    proxies: ['10.0.0.1'],
  };
  const through = (forwarded: Record<string, string>, address = '10.0.0.1'): string =>
    ask(lists, { host: 'localhost', address, forwarded });
  assert.equal(through({ 'x-forwarded-for': '192.0.2.7' }), 'passed');
  assert.equal(
    through({ 'x-forwarded-for': '192.0.2.7', 'x-forwarded-host': 'docs.example:8443' }),
    'passed',
  );
  assert.equal(
    through({ 'x-forwarded-for': '192.0.2.7', 'x-forwarded-host': 'evil.example' }),
    'host-not-allowed',
  );
  assert.equal(through({ 'x-forwarded-for': '192.0.2.8' }), 'address-not-allowed');
  assert.equal(through({ 'x-forwarded-for': '192.0.2.7, nonsense' }), 'address-not-allowed');
  // Not a trusted proxy, so its headers don't count.
  assert.equal(through({ 'x-forwarded-for': '192.0.2.7' }, '192.0.2.66'), 'address-not-allowed');
});

test('accepts plain HTTP only from this computer while TLS is on, whatever the headers', () => {
  const lists: Lists = { isTlsOn: true, proxies: ['10.0.0.1'] };
  const forwarded = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' };
  assert.equal(ask(lists, { host: 'localhost', address: '192.0.2.1' }), 'plain-http-refused');
  assert.equal(ask(lists, { host: 'localhost', address: '192.0.2.1', forwarded }), 'plain-http-refused');
  assert.equal(ask(lists, { host: 'localhost', address: '10.0.0.1', forwarded }), 'plain-http-refused');
  assert.equal(ask(lists, { host: 'localhost' }), 'plain-http-refused');
  assert.equal(ask(lists, { host: 'localhost', address: '192.0.2.1', isEncrypted: true }), 'passed');
  assert.equal(ask(lists, { host: 'localhost', address: '127.0.0.1' }), 'passed');
  assert.equal(ask(lists, { host: 'localhost', address: '::ffff:127.0.0.1' }), 'passed');
  assert.equal(ask(lists, { host: 'localhost', address: '192.0.2.200' }), 'passed');
});

test('leaves former names and plain HTTP on /wopi to the route, but never another name', async () => {
  const url = '/wopi/files/AAAAAAAAAAAAAAAAAAAAAA?access_token=x';
  const lists = { formerHosts: ['tray.example'] };
  const refusalOf = (some: Lists, asked: Asked): string | undefined => {
    const context = contextOf(asked);
    void guardOf(some)(context, async () => undefined);
    return (context.state as { refusal?: { code: string } }).refusal?.code;
  };
  assert.equal(refusalOf(lists, { host: 'localhost', url }), undefined);
  assert.equal(refusalOf(lists, { host: 'tray.example', url }), 'host-not-allowed');
  assert.equal(
    refusalOf({ isTlsOn: true }, { host: 'localhost', address: '192.0.2.1', url }),
    'plain-http-refused',
  );
  assert.equal(ask(lists, { host: 'evil.example', url }), 'host-not-allowed');
  assert.equal(
    ask({ isTlsOn: true }, { host: 'evil.example', address: '192.0.2.1', url }),
    'plain-http-refused',
  );
  assert.equal(ask(lists, { host: 'tray.example', url: '/edit/AAAAAAAAAAAAAAAAAAAAAA' }), 'host-not-allowed');
  assert.equal(ask(lists, { host: 'tray.example', url: `http://evil.example${url}` }), 'host-not-allowed');
});
