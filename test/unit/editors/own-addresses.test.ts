import assert from 'node:assert/strict';
import type { NetworkInterfaceInfo } from 'node:os';
import { test } from 'node:test';
import type { ReachableAddress } from '../../../app/contract/editors.ts';
import { ownAddresses, type OwnAddressesInput } from '../../../app/editors/own-addresses.ts';

function info(cidr: string, internal = false): NetworkInterfaceInfo {
  const [address = ''] = cidr.split('/');
  const common = { address, netmask: '', mac: '', internal, cidr };
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' };
}

const interfaces = () => ({
  lo: [info('127.0.0.1/8', true), info('::1/128', true)],
  eth0: [info('192.168.5.130/23'), info('2001:db8:1:2:aaaa::5/64'), info('fe80::1/64')],
  docker0: [info('172.17.0.1/16')],
  vpn: [info('169.254.7.7/16')],
});

function addresses(change: Partial<OwnAddressesInput> = {}): Map<string, ReachableAddress> {
  const all = ownAddresses({
    port: 8790,
    scheme: 'http',
    host: '127.0.0.1',
    publicUrl: null,
    interfaces,
    hostname: 'Workbench',
    platform: 'linux',
    ...change,
  });
  return new Map(all.map((address) => [address.url, address]));
}

test('lists every address that an editor could use, and as its bind address only the chosen one', () => {
  const all = [...addresses().values()];
  assert.deepEqual(
    all.map(({ url, kind, network, neededHost }) => [url, kind, network, neededHost]),
    [
      ['http://127.0.0.1:8790', 'loopback', null, null],
      ['http://host.docker.internal:8790', 'docker', null, '172.17.0.1'],
      ['http://192.168.5.130:8790', 'interface', '192.168.5.130/23', '192.168.5.130'],
      ['http://172.17.0.1:8790', 'docker', '172.17.0.1/16', '172.17.0.1'],
      ['http://[2001:db8:1:2:aaaa::5]:8790', 'interface', '2001:db8:1:2:aaaa::5/64', '2001:db8:1:2:aaaa::5'],
      ['http://workbench:8790', 'name', null, '::'],
    ],
  );
  for (const { isListening, neededHost } of all) assert.equal(isListening, neededHost === null);
});

test('a second address needs a wildcard bind address, so that the first one keeps working', () => {
  const all = addresses({ host: '192.168.5.130' });
  assert.equal(all.get('http://127.0.0.1:8790')?.isListening, true);
  assert.equal(all.get('http://192.168.5.130:8790')?.isListening, true);
  assert.equal(all.get('http://172.17.0.1:8790')?.neededHost, '::');
  const withoutIpv6 = addresses({
    host: '192.168.5.130',
    interfaces: () => ({ eth0: [info('192.168.5.130/24')], docker0: [info('172.17.0.1/16')] }),
  });
  assert.equal(withoutIpv6.get('http://172.17.0.1:8790')?.neededHost, '0.0.0.0');
});

test('0.0.0.0 doesn’t cover IPv6 addresses, and :: covers all', () => {
  const four = addresses({ host: '0.0.0.0' });
  assert.equal(four.get('http://192.168.5.130:8790')?.isListening, true);
  assert.equal(four.get('http://[2001:db8:1:2:aaaa::5]:8790')?.neededHost, '::');
  const six = addresses({ host: '::' });
  assert.ok([...six.values()].every(({ isListening }) => isListening));
});

test('uses HTTPS for network addresses if the host does, and HTTP for loopback', () => {
  const all = addresses({ scheme: 'https', port: 443 });
  assert.ok(all.has('http://127.0.0.1:443'));
  assert.ok(all.has('https://192.168.5.130'));
  assert.ok(all.has('https://workbench'));
});

test('lists the public URL first, without a bind address', () => {
  const [{ url, kind, neededHost } = {}] = addresses({ publicUrl: 'https://docs.example/tray/' }).values();
  assert.deepEqual([url, kind, neededHost], ['https://docs.example/tray', 'public', null]);
});

test('Docker Desktop’s host name reaches loopback, so it needs no other bind address', () => {
  const all = addresses({ platform: 'darwin', scheme: 'https' });
  assert.equal(all.get('http://host.docker.internal:8790')?.isListening, true);
});

test('doesn’t list a hostname that only this computer resolves', () => {
  for (const hostname of ['localhost', 'localhost.localdomain', '', '192.168.1.1', 'has space'])
    for (const { kind } of addresses({ hostname }).values()) assert.notEqual(kind, 'name', hostname);
});
