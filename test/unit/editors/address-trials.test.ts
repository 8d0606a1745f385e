import assert from 'node:assert/strict';
import type { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { addressTrials, containerAddresses } from '../../../app/editors/address-trials.ts';
import type { ReachableAddress } from '../../../app/contract/editors.ts';
import { ownAddresses } from '../../../app/editors/own-addresses.ts';

const interfaces = {
  lo: [{ address: '127.0.0.1', family: 'IPv4', internal: true, cidr: '127.0.0.1/8' }],
  eth0: [
    { address: '192.168.1.20', family: 'IPv4', internal: false, cidr: '192.168.1.20/24' },
    { address: 'fd00::20', family: 'IPv6', internal: false, cidr: 'fd00::20/64' },
  ],
  docker0: [{ address: '172.17.0.1', family: 'IPv4', internal: false, cidr: '172.17.0.1/16' }],
  podman0: [{ address: '10.88.0.1', family: 'IPv4', internal: false, cidr: '10.88.0.1/16' }],
} as unknown as ReturnType<typeof networkInterfaces>;

function addresses(host = '127.0.0.1', platform: NodeJS.Platform = 'linux'): ReachableAddress[] {
  const { eth0, lo } = interfaces;
  return ownAddresses({
    port: 8790,
    scheme: 'http',
    host,
    publicUrl: null,
    hostname: 'desk',
    platform,
    interfaces: () => (platform === 'linux' ? interfaces : { lo, eth0 }),
  });
}

const order = (input: Parameters<typeof addressTrials>[0]): string[] =>
  addressTrials(input).map(({ url, listenOn }) => `${new URL(url).hostname} on ${listenOn ?? 'as it is'}`);

test('tries the bridge first for rootful Docker, then the network, then all addresses', () => {
  assert.deepEqual(
    order({
      addresses: addresses(),
      engine: { name: 'docker', mode: 'rootful' },
      gateways: ['172.17.0.1'],
    }),
    [
      'host.docker.internal on 172.17.0.1',
      '172.17.0.1 on 172.17.0.1',
      '192.168.1.20 on 192.168.1.20',
      'host.docker.internal on 0.0.0.0',
      'host.containers.internal on 0.0.0.0',
    ],
  );
});

test('tries Podman’s own bridge and host name if rootful, and no bridge if rootless', () => {
  const podman = order({
    addresses: addresses(),
    engine: { name: 'podman', mode: 'rootful' },
    gateways: ['10.88.0.1'],
  });
  assert.deepEqual(podman.slice(0, 2), ['host.containers.internal on 10.88.0.1', '10.88.0.1 on 10.88.0.1']);
  const rootless = order({
    addresses: addresses(),
    engine: { name: 'podman', mode: 'rootless' },
    gateways: [],
  });
  assert.deepEqual(rootless.slice(0, 2), [
    'host.containers.internal on 192.168.1.20',
    '192.168.1.20 on 192.168.1.20',
  ]);
});

test('tries the current bind address first for an engine in a virtual machine', () => {
  const [first] = addressTrials({
    addresses: addresses('127.0.0.1', 'darwin'),
    engine: { name: 'docker', mode: 'virtual-machine' },
    gateways: ['172.17.0.1'],
  });
  assert.deepEqual(first, { url: 'http://host.docker.internal:8790', listenOn: null });
});

test('changes no bind address if the host listens on all addresses', () => {
  const trials = addressTrials({
    addresses: addresses('::'),
    engine: { name: 'docker', mode: 'rootful' },
    gateways: ['172.17.0.1'],
  });
  assert.ok(trials.length > 2);
  assert.ok(trials.every(({ listenOn }) => listenOn === null));
});

test('passes a container every address it may need, and no other', () => {
  assert.deepEqual(containerAddresses(addresses()), [
    'http://host.docker.internal:8790',
    'http://192.168.1.20:8790',
    'http://172.17.0.1:8790',
    'http://10.88.0.1:8790',
    'http://host.containers.internal:8790',
  ]);
});
