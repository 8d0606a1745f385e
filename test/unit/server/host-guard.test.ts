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
  test(`The Host header ${header} names ${name}`, () => assert.equal(hostName(header), name));
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
  test(`The Host header ${JSON.stringify(header)} names nothing`, () =>
    assert.equal(hostName(header), undefined));
}

interface Asked {
  host?: string;
  address?: string;
}

/** What the guard says: 'passed', or the code it throws. */
function ask(lists: { hosts?: string[]; addresses?: string[] }, asked: Asked): string {
  const guard = createHostGuard({
    isAllowedHost: (host: string) => new Set(lists.hosts ?? ['localhost', '[::1]']).has(host),
    allowedAddresses: () => lists.addresses ?? [],
  });
  const context = { req: { headers: { host: asked.host }, socket: { remoteAddress: asked.address } } };
  let hasPassed = false;
  try {
    void guard(context as unknown as ParameterizedContext, async () => {
      hasPassed = true;
    });
  } catch (error) {
    assert.ok(!hasPassed);
    return (error as { code: string }).code;
  }
  assert.ok(hasPassed);
  return 'passed';
}

test('Only listed names pass, whatever the port', () => {
  for (const host of ['localhost', 'localhost:1', 'LOCALHOST.', '[::1]:8790']) {
    assert.equal(ask({}, { host }), 'passed', host);
  }
});

test('A name that only looks like a listed one does not pass', () => {
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

test('The name is judged before the address', () => {
  const lists = { addresses: ['10.0.0.0/8'] };
  assert.equal(ask(lists, { host: 'evil.example', address: '192.0.2.1' }), 'host-not-allowed');
  assert.equal(ask(lists, { host: 'localhost', address: '192.0.2.1' }), 'address-not-allowed');
});

test('An empty address list lets every address in, an unknown one too', () => {
  assert.equal(ask({}, { host: 'localhost', address: '192.0.2.1' }), 'passed');
  assert.equal(ask({}, { host: 'localhost' }), 'passed');
});

test('A list that is on lets in what it names: addresses, networks, both families, IPv4 written as IPv6', () => {
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

test('A list that is on turns away everything else, and a peer whose address is not known', () => {
  const addresses = ['10.1.0.0/16', '192.0.2.7', '2001:db8::/32'];
  for (const address of ['10.2.0.1', '192.0.2.8', '127.0.0.1', '::1', '2001:db9::1', '::ffff:10.2.0.1', '']) {
    assert.equal(ask({ addresses }, { host: 'localhost', address }), 'address-not-allowed', address);
  }
  assert.equal(ask({ addresses }, { host: 'localhost' }), 'address-not-allowed');
});

test('A changed address list counts with the next request', () => {
  let addresses = ['10.0.0.1'];
  const guard = createHostGuard({
    isAllowedHost: (host: string) => new Set(['localhost']).has(host),
    allowedAddresses: () => addresses,
  });
  const context = { req: { headers: { host: 'localhost' }, socket: { remoteAddress: '10.0.0.2' } } };
  const call = (): unknown => guard(context as unknown as ParameterizedContext, async () => undefined);
  assert.throws(call, { code: 'address-not-allowed' });
  addresses = ['10.0.0.2'];
  assert.doesNotThrow(call);
});
