import assert from 'node:assert/strict';
import type { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { addressTrials, containerAddresses } from '../../../app/editors/address-trials.ts';
import type { ConnectionTest, ReachableAddress } from '../../../app/contract/editors.ts';
import { ownAddresses } from '../../../app/editors/own-addresses.ts';
import { findReachableAddress } from '../../../app/editors/reachable-address.ts';

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

interface Recorded {
  trials: string[];
  kept: string[];
  undone: string[];
}

/** A host that the editor reaches at these addresses. The test of an address with a `~` is inconclusive. */
function host(reached: string[], recorded: Recorded) {
  let current = '';
  return {
    addresses: () => addresses(),
    listensOn: () => '127.0.0.1',
    baseUrlOf: () => 'http://127.0.0.1:8790',
    tryAddress(_id: string, url: string) {
      if (url.endsWith(':1')) return Promise.reject(new Error('gone'));
      recorded.trials.push(url);
      current = url;
      return Promise.resolve({
        keep() {
          recorded.kept.push(url);
          return Promise.resolve();
        },
        undo() {
          recorded.undone.push(url);
          return Promise.resolve();
        },
      });
    },
    testEditor(editorId: string): Promise<ConnectionTest> {
      const isUnsure = reached.includes(`~${current}`);
      const isGood = reached.includes(current);
      const state = isUnsure ? 'warned' : isGood ? 'passed' : 'failed';
      const sentence = `It ${state} at ${current}.`;
      return Promise.resolve({
        editorId,
        testedAtMs: 1,
        isGood,
        steps: [{ name: 'callback', state, code: null, sentence, remedy: null, lines: [] }],
      });
    },
  };
}

const three = ['http://a:1', 'http://b:2', 'http://c:3'].map((url) => ({ url, listenOn: null }));
const find = (reached: string[], recorded: Recorded, signal = new AbortController().signal) =>
  findReachableAddress({
    host: host(reached, recorded),
    editorId: 'e',
    trials: three,
    signal,
    onTrial: () => undefined,
  });

test('keeps the first address that works, and undoes the ones tried before', async () => {
  const recorded: Recorded = { trials: [], kept: [], undone: [] };
  const result = await find(['http://c:3'], recorded);
  assert.ok('found' in result);
  assert.equal(result.found.url, 'http://c:3');
  assert.equal(result.found.warning, null);
  assert.deepEqual(recorded, {
    trials: ['http://b:2', 'http://c:3'],
    kept: ['http://c:3'],
    undone: ['http://b:2'],
  });
});

test('restores everything and reports the first failure if no address works', async () => {
  const recorded: Recorded = { trials: [], kept: [], undone: [] };
  const result = await find([], recorded);
  assert.ok('failure' in result);
  assert.equal(result.failure?.sentence, 'gone');
  assert.deepEqual(recorded.undone, recorded.trials);
});

test('reports a test that couldn’t decide if no address works', async () => {
  const recorded: Recorded = { trials: [], kept: [], undone: [] };
  const result = await findReachableAddress({
    host: host(['~http://b:2'], recorded),
    editorId: 'e',
    trials: three.slice(1, 2),
    signal: new AbortController().signal,
  });
  assert.ok('failure' in result);
  assert.equal(result.failure?.sentence, 'It warned at http://b:2.');
  assert.deepEqual(recorded.undone, ['http://b:2']);
});

test('undoes the current trial when canceled', async () => {
  const recorded: Recorded = { trials: [], kept: [], undone: [] };
  const controller = new AbortController();
  const trying = host([], recorded);
  const stopping = {
    ...trying,
    testEditor(id: string) {
      controller.abort();
      return trying.testEditor(id);
    },
  };
  await assert.rejects(
    findReachableAddress({
      host: stopping,
      editorId: 'e',
      trials: three,
      signal: controller.signal,
      onTrial: () => undefined,
    }),
    { name: 'AbortError' },
  );
  assert.deepEqual(recorded, { trials: ['http://b:2'], kept: [], undone: ['http://b:2'] });
});
