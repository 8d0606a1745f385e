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

/** `192.168.1.20 on 0.0.0.0` for each trial. */
const order = (
  name: 'docker' | 'podman',
  mode: 'rootful' | 'rootless' | 'virtual-machine',
  gateways: string[],
  given = addresses(),
): string[] =>
  addressTrials({ addresses: given, engine: { name, mode }, gateways }).map(
    ({ url, listenOn }) => `${new URL(url).hostname} on ${listenOn ?? 'as it is'}`,
  );
const bridge = '172.17.0.1';

test('tries the bridge first for rootful Docker, then the network, then all addresses', () => {
  assert.deepEqual(order('docker', 'rootful', [bridge]), [
    `host.docker.internal on ${bridge}`,
    `${bridge} on ${bridge}`,
    '192.168.1.20 on 192.168.1.20',
    'host.docker.internal on 0.0.0.0',
    'host.containers.internal on 0.0.0.0',
  ]);
});

test('tries Podman’s own bridge and host name if rootful, and no bridge if rootless', () => {
  const rootful = order('podman', 'rootful', ['10.88.0.1']);
  assert.deepEqual(rootful.slice(0, 2), ['host.containers.internal on 10.88.0.1', '10.88.0.1 on 10.88.0.1']);
  const network = ['host.containers.internal on 192.168.1.20', '192.168.1.20 on 192.168.1.20'];
  assert.deepEqual(order('podman', 'rootless', []).slice(0, 2), network);
});

test('tries the current bind address first for a virtual machine, and no other if the host listens on all', () => {
  const [first] = order('docker', 'virtual-machine', [bridge], addresses('127.0.0.1', 'darwin'));
  assert.equal(first, 'host.docker.internal on as it is');
  const trials = order('docker', 'rootful', [bridge], addresses('::'));
  assert.ok(trials.length > 2);
  assert.ok(trials.every((trial) => trial.endsWith(' on as it is')));
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
