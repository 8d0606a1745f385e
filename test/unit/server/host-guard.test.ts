import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParameterizedContext } from 'koa';
import { createHostGuard, hostName, type HostGuardDeps } from '../../../app/server/middleware/host-guard.ts';

test('reads the name from a Host header', () => {
  for (const [header, name] of [
    ['LocalHost', 'localhost'],
    ['localhost:8790', 'localhost'],
    ['localhost.:8790', 'localhost'],
    ['127.0.0.1:1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['[::1]:65535', '[::1]'],
    ['[FE80::1]:80', '[fe80::1]'],
    ['[::ffff:127.0.0.1]:80', '[::ffff:127.0.0.1]'],
    ['my_desk-2.example', 'my_desk-2.example'],
  ] as const)
    assert.equal(hostName(header), name);
});

test('reads no name from an invalid Host header', () => {
  const invalid =
    ':80 ::1 ::1:80 [::1 ::1] [] [::1%25eth0] [::1]x localhost: localhost:port localhost:123456 localhost:80:80 localhost/evil user:secret@localhost:80 localhost#evil localhost?evil http://localhost locálhost local%68ost';
  const spaced = ['', ' ', 'localhost, evil.example', 'localhost\tx', 'localhost\n'];
  for (const header of [undefined, ...spaced, ...invalid.split(' ')])
    assert.equal(hostName(header), undefined, JSON.stringify(header));
});

interface Asked {
  host?: string;
  address?: string;
  headers?: Record<string, string>;
  isEncrypted?: boolean;
  url?: string;
}

interface Lists {
  hosts?: string[];
  addresses?: string[];
  proxies?: string[];
  isTlsOn?: boolean;
}

const guardOf = (lists: Lists): ReturnType<typeof createHostGuard> => {
  const deps: HostGuardDeps = {
    isAllowedHost: (host) => (lists.hosts ?? ['localhost', '[::1]']).includes(host),
    wasAllowedHost: () => false,
    allowedAddresses: () => lists.addresses ?? [],
    trustedProxies: () => lists.proxies ?? [],
    isTlsOn: () => lists.isTlsOn ?? false,
  };
  return createHostGuard(deps);
};

/** Returns 'passed' or the code that the guard throws. */
function ask(lists: Lists, { host = 'localhost', address, headers, isEncrypted = false, url = '/' }: Asked) {
  const socket = { remoteAddress: address, localAddress: '192.0.2.200', encrypted: isEncrypted };
  const req = { headers: { ...(host !== '' && { host }), ...headers }, socket, url, httpVersionMinor: 1 };
  const context = { req, state: {}, set: () => undefined } as unknown as ParameterizedContext;
  let hasPassed = false;
  try {
    void guardOf(lists)(context, async () => {
      hasPassed = true;
    });
  } catch (error) {
    assert.ok(!hasPassed);
    return (error as { code: string }).code;
  }
  assert.ok(hasPassed);
  return 'passed';
}

test('accepts listed names with any port, and no name that only resembles one', () => {
  for (const host of ['localhost', 'localhost:1', 'LOCALHOST.', '[::1]:8790'])
    assert.equal(ask({}, { host }), 'passed', host);
  for (const host of ['localhost.evil.example', 'xlocalhost', 'localhost..', '[::2]', '127.0.0.1', ''])
    assert.equal(ask({}, { host }), 'host-not-allowed', host);
});

test('allows only listed addresses and networks of both families, and IPv4 mapped to IPv6; checks the name first', () => {
  const addresses = ['10.1.0.0/16', '192.0.2.7', '2001:db8::/32', 'fe80::1'];
  const allowed = '10.1.0.0 10.1.255.255 192.0.2.7 ::ffff:192.0.2.7 ::ffff:10.1.2.3 2001:db8:1::5 fe80::1';
  for (const address of allowed.split(' ')) assert.equal(ask({ addresses }, { address }), 'passed', address);
  const others = '10.2.0.1 192.0.2.8 127.0.0.1 ::1 2001:db9::1 ::ffff:10.2.0.1';
  for (const address of [...others.split(' '), '', undefined]) {
    const asked = address === undefined ? {} : { address };
    assert.equal(ask({ addresses }, asked), 'address-not-allowed', address);
    assert.equal(ask({ addresses }, { ...asked, host: 'evil.example' }), 'host-not-allowed', address);
  }
  assert.equal(
    ask({ addresses: [] }, {}),
    'passed',
    'an empty list allows every address, even an unknown one',
  );
});

test('behind a trusted proxy, checks the client’s address and the host it requested', () => {
  const lists = { hosts: ['localhost', 'docs.example'], addresses: ['192.0.2.7'], proxies: ['10.0.0.1'] };
  for (const [chain, host, expected] of [
    ['192.0.2.7', undefined, 'passed'],
    ['192.0.2.7', 'docs.example:8443', 'passed'],
    ['192.0.2.7', 'evil.example', 'host-not-allowed'],
    ['192.0.2.8', undefined, 'address-not-allowed'],
    ['192.0.2.7, nonsense', undefined, 'address-not-allowed'],
  ] as const) {
    const headers = { 'x-forwarded-for': chain, ...(host !== undefined && { 'x-forwarded-host': host }) };
    assert.equal(ask(lists, { address: '10.0.0.1', headers }), expected, `${chain} ${host}`);
  }
  const headers = { 'x-forwarded-for': '192.0.2.7' };
  assert.equal(ask(lists, { address: '192.0.2.66', headers }), 'address-not-allowed', 'no trusted proxy');
});

test('accepts plain HTTP only from this computer while TLS is on, whatever the headers', () => {
  const lists = { isTlsOn: true, proxies: ['10.0.0.1'] };
  const headers = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' };
  for (const asked of [
    { address: '192.0.2.1' },
    { address: '192.0.2.1', headers },
    { address: '10.0.0.1', headers },
    {},
  ])
    assert.equal(ask(lists, asked), 'plain-http-refused', JSON.stringify(asked));
  assert.equal(ask(lists, { address: '192.0.2.1', isEncrypted: true }), 'passed');
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '192.0.2.200'])
    assert.equal(ask(lists, { address }), 'passed', address);
});
