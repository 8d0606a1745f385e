import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerEngineState } from '../../../app/contract/document-servers.ts';
import type { ConnectionTest, FoundAddress, ReachableAddress } from '../../../app/contract/editors.ts';
import type { HostEvent } from '../../../app/contract/events.ts';
import {
  addressesToTry,
  createAddressSearch,
  type AddressSearchHost,
} from '../../../app/editors/address-search.ts';

const id = 'a1b2c3d4';
const usual = 'http://127.0.0.1:8790';

function address(url: string, kind: ReachableAddress['kind'], neededHost: string | null): ReachableAddress {
  const network =
    kind === 'interface' ? `${new URL(url).hostname.split('.').slice(0, 3).join('.')}.0/24` : null;
  return {
    url,
    kind,
    interfaceName: null,
    network,
    sentence: '',
    isListening: neededHost === null,
    neededHost,
  };
}

const addresses = [
  address(usual, 'loopback', null),
  address('http://host.docker.internal:8790', 'docker', '172.17.0.1'),
  address('http://172.17.0.1:8790', 'docker', '172.17.0.1'),
  address('http://10.8.0.3:8790', 'interface', '10.8.0.3'),
  address('http://192.168.1.14:8790', 'interface', '192.168.1.14'),
  address('http://atelier.local:8790', 'name', '0.0.0.0'),
];

const docker: ContainerEngineState = {
  name: 'docker',
  status: 'ready',
  version: '28.5.1',
  mode: 'rootful',
  sentence: '',
  remedy: null,
  help: null,
};

interface Bench {
  find(isInContainer: boolean, editorId?: string): Promise<FoundAddress | null>;
  cancel(): void;
  /** Addresses that were tested, oldest first. */
  tested: string[];
  /** The window is told of the test that was done. */
  told: HostEvent[];
  listensOn(): string;
  given(): string | null;
}

/** `reaches`: the addresses that the editor reaches; the test of any other fails, and `hangs` never ends. */
function bench(input: { editorUrl?: string; reaches: string[]; hangs?: string }): Bench {
  let listensOn = '127.0.0.1';
  let given: string | null = null;
  const tested: string[] = [];
  const told: HostEvent[] = [];
  const host: AddressSearchHost = {
    services: {
      emit: (event) => void told.push(event),
      editors: {
        byId: (one) => (one === id ? { url: input.editorUrl ?? 'http://localhost:9980' } : undefined),
      },
      documentServers: { state: () => ({ engines: [docker] }) },
    },
    addresses: () => addresses,
    listensOn: () => listensOn,
    baseUrlOf: () => given ?? usual,
    async tryAddress(_id, url, listenOn) {
      const before = { listensOn, given };
      listensOn = listenOn ?? listensOn;
      given = url;
      return {
        keep: async () => undefined,
        undo: async () => {
          ({ listensOn, given } = before);
        },
      };
    },
    async testEditor(editorId): Promise<ConnectionTest> {
      const url = given ?? usual;
      tested.push(url);
      if (url === input.hangs) await new Promise(() => undefined);
      const isReached = input.reaches.includes(url);
      return {
        editorId,
        testedAtMs: 0,
        isGood: isReached,
        steps: [
          {
            name: 'callback',
            state: isReached ? 'passed' : 'failed',
            code: isReached ? null : 'no-call',
            sentence: isReached ? '' : `Nothing came by ${url}.`,
            remedy: null,
            lines: [],
          },
        ],
      };
    },
  };
  const search = createAddressSearch();
  return {
    find: (isInContainer, editorId = id) => search.run(host, { id: editorId, isInContainer }),
    cancel: () => search.cancel(id),
    tested,
    told,
    listensOn: () => listensOn,
    given: () => given,
  };
}

test('an address that works as it is stays, and nothing is opened', async () => {
  const { find, tested, given, listensOn } = bench({ reaches: [usual] });
  assert.deepEqual(await find(false), {
    url: usual,
    openedHost: null,
    warning: null,
    failed: null,
  });
  assert.deepEqual([tested, given(), listensOn()], [[usual], null, '127.0.0.1']);
});

test('a container is never tested at its own loopback address, and what was opened for the one that works is said', async () => {
  const made = bench({ reaches: ['http://172.17.0.1:8790', 'http://192.168.1.14:8790'] });
  const found = await made.find(true);
  assert.deepEqual([found?.url, found?.openedHost], ['http://172.17.0.1:8790', '172.17.0.1']);
  assert.deepEqual(made.tested, ['http://host.docker.internal:8790', 'http://172.17.0.1:8790']);
  assert.equal(made.listensOn(), '172.17.0.1');
  assert.deepEqual(made.told, [{ event: 'row-changed', table: 'editors' }]);
});

test('where none works, the first failure is told and everything is as it was', async () => {
  const { find, given, listensOn } = bench({ reaches: [] });
  const found = await find(false);
  assert.equal(found?.url, null);
  assert.equal(found.failed?.sentence, `Nothing came by ${usual}.`);
  assert.deepEqual([given(), listensOn()], [null, '127.0.0.1']);
});

test('a search that is cancelled does not wait for the test that runs, and takes back what it tried', async () => {
  const { find, cancel, tested, given, listensOn } = bench({ reaches: [], hangs: 'http://172.17.0.1:8790' });
  const searching = find(true);
  while (tested.length < 2) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(listensOn(), '172.17.0.1');
  cancel();
  assert.equal(await searching, null);
  assert.deepEqual([given(), listensOn()], [null, '127.0.0.1']);
});

test('an editor that is not connected is refused', async () => {
  const { find } = bench({ reaches: [] });
  await assert.rejects(find(false, 'gone'), { code: 'editor-unknown' });
});

test('a server in the network is given the address of its own network first, and none of containers', () => {
  const trials = addressesToTry({
    editorUrl: 'http://192.168.1.40:9980',
    isInContainer: false,
    addresses,
    engines: [docker],
  });
  assert.deepEqual(trials, [
    { url: 'http://192.168.1.14:8790', listenOn: '192.168.1.14' },
    { url: 'http://10.8.0.3:8790', listenOn: '10.8.0.3' },
    { url: 'http://atelier.local:8790', listenOn: '0.0.0.0' },
  ]);
});
