import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { ContainerEngineState } from '../../../app/contract/document-servers.ts';
import type { ConnectionTest, ReachableAddress } from '../../../app/contract/editors.ts';
import { AppError } from '../../../app/contract/errors.ts';
import type { HostEvent } from '../../../app/contract/events.ts';
import { addressesToTry, createAddressSearch } from '../../../app/editors/address-search.ts';
import type { AddressSearchHost } from '../../../app/editors/address-search.ts';

const id = 'a1b2c3d4';
const other = 'b1b2c3d4';
const usual = 'http://127.0.0.1:8790';

function address(url: string, kind: ReachableAddress['kind'], neededHost: string | null): ReachableAddress {
  const network = kind === 'interface' ? `${new URL(url).hostname}/24` : null;
  const isListening = neededHost === null;
  return { url, kind, interfaceName: null, network, sentence: '', isListening, neededHost };
}

const addresses = [
  address(usual, 'loopback', null),
  address('http://host.docker.internal:8790', 'docker', '172.17.0.1'),
  address('http://172.17.0.1:8790', 'docker', '172.17.0.1'),
  address('http://10.8.0.3:8790', 'interface', '10.8.0.3'),
  address('http://192.168.1.14:8790', 'interface', '192.168.1.14'),
  address('http://atelier.local:8790', 'name', '0.0.0.0'),
];

const docker = { name: 'docker', status: 'ready', mode: 'rootful' } as ContainerEngineState;

/** `reaches`: the addresses that the editor reaches; the test of any other fails, and that of `hangs` never ends. */
function bench(input: {
  reaches: string[];
  hangs?: string;
  /** The address that can’t be opened. */
  refuses?: string;
  /** Of a test without a call. */
  state?: 'warned';
  isAway?: boolean;
  confirms?(): Promise<boolean>;
}) {
  let listensOn = '127.0.0.1';
  let triedUrl: string | null = null;
  /** Addresses that were tested, oldest first. */
  const tested: string[] = [];
  /** What it asked to listen on. */
  const asked: (readonly string[])[] = [];
  const events: HostEvent[] = [];
  const host: AddressSearchHost = {
    services: {
      emit: (event) => void events.push(event),
      editors: {
        byId: (one) => ([id, other].includes(one) ? { url: 'http://localhost:9980' } : undefined),
        refresh: async () => input.isAway && Promise.reject(new AppError('editor-unreachable')),
      },
      documentServers: { state: () => ({ engines: [docker] }) },
    },
    addresses: () => addresses,
    listensOn: () => listensOn,
    baseUrlOf: () => triedUrl ?? usual,
    async tryAddress(_id, url, listenOn) {
      if (url === input.refuses) throw new AppError('port-taken');
      const before = { listensOn, triedUrl };
      listensOn = listenOn ?? listensOn;
      triedUrl = url;
      return { keep: async () => undefined, undo: async () => void ({ listensOn, triedUrl } = before) };
    },
    async testEditor(editorId): Promise<ConnectionTest> {
      const url = triedUrl ?? usual;
      tested.push(url);
      if (url === input.hangs) await new Promise(() => undefined);
      const isGood = input.reaches.includes(url);
      const state = isGood ? 'passed' : (input.state ?? 'failed');
      const found = { code: null, sentence: `Nothing came by ${url}.`, remedy: null, lines: [] };
      return { editorId, testedAtMs: 0, isGood, steps: [{ name: 'callback', state, ...found }] };
    },
  };
  const search = createAddressSearch();
  return {
    find: (isInContainer: boolean, editorId = id) =>
      search.run(host, {
        id: editorId,
        isInContainer,
        confirmOpening(hosts) {
          asked.push(hosts);
          return input.confirms?.() ?? Promise.resolve(true);
        },
      }),
    cancel: (editorId = id) => search.cancel(editorId),
    close: search.close,
    tested,
    asked,
    events,
    listensOn: () => listensOn,
    triedUrl: () => triedUrl,
  };
}

test('keeps an address that works, and doesn’t change the bind address', async () => {
  const { find, tested, triedUrl, listensOn } = bench({ reaches: [usual] });
  await assert.rejects(find(false, 'gone'), { code: 'editor-unknown' });
  const nothingElse = { openedHost: null, warning: null, failed: null, isDeclined: false };
  assert.deepEqual(await find(false), { url: usual, ...nothingElse });
  assert.deepEqual([tested, triedUrl(), listensOn()], [[usual], null, '127.0.0.1']);
});

test('doesn’t test a container at loopback, and returns the bind address that the working address needed', async () => {
  const search = bench({ reaches: ['http://172.17.0.1:8790', 'http://192.168.1.14:8790'] });
  const found = await search.find(true);
  assert.deepEqual([found?.url, found?.openedHost], ['http://172.17.0.1:8790', '172.17.0.1']);
  assert.deepEqual(search.tested, ['http://host.docker.internal:8790', 'http://172.17.0.1:8790']);
  assert.equal(search.listensOn(), '172.17.0.1');
  assert.deepEqual(search.asked, [['172.17.0.1', '10.8.0.3', '192.168.1.14', '0.0.0.0']]);
  const changed = { event: 'row-changed', table: 'editors' };
  assert.deepEqual(search.events, [changed, changed, changed], 'when it asks, after the answer, at the end');
});

test('returns the first test that didn’t pass and restores everything if no address works', async () => {
  const { find, triedUrl, listensOn } = bench({ reaches: [], state: 'warned' });
  const found = await find(false);
  assert.deepEqual([found?.url, found?.failed?.sentence], [null, `Nothing came by ${usual}.`]);
  assert.deepEqual([triedUrl(), listensOn()], [null, '127.0.0.1']);
});

test('neither tests nor asks about addresses of an editor that can’t be read', async () => {
  const { find, tested, asked } = bench({ reaches: [], isAway: true });
  await assert.rejects(find(true), { code: 'editor-unreachable' });
  assert.deepEqual([tested, asked], [[], []]);
});

test('canceling doesn’t wait for the running test, and restores everything', async () => {
  const hangs = 'http://172.17.0.1:8790';
  const { find, cancel, tested, triedUrl, listensOn } = bench({ reaches: [], hangs });
  const searching = find(true);
  while (tested.length < 2) await turn();
  assert.equal(listensOn(), '172.17.0.1');
  cancel();
  assert.equal(await searching, null);
  assert.deepEqual([triedUrl(), listensOn()], [null, '127.0.0.1']);
});

test('tries the next address if one can’t be opened', async () => {
  const search = bench({ reaches: ['http://172.17.0.1:8790'], refuses: 'http://host.docker.internal:8790' });
  assert.equal((await search.find(true))?.url, 'http://172.17.0.1:8790');
});

test('a question that nobody answers doesn’t block another search, and a waiting search can be canceled', async () => {
  const unanswered = bench({ reaches: [usual], confirms: () => new Promise(() => undefined) });
  const asking = unanswered.find(true);
  while (unanswered.asked.length === 0) await turn();
  assert.equal((await unanswered.find(false, other))?.url, usual);
  await unanswered.close();
  assert.equal(await asking, null);
  assert.equal(await unanswered.find(false), null, 'after closing');

  const busy = bench({ reaches: [], hangs: usual });
  const testing = busy.find(false);
  const waiting = busy.find(false, other);
  while (busy.tested.length === 0) await turn();
  busy.cancel(other);
  assert.equal(await waiting, null);
  await busy.close();
  assert.equal(await testing, null);
});

test('tries the address in the server’s own network first, and none for containers', () => {
  const editorUrl = 'http://192.168.1.40:9980';
  const trials = addressesToTry({ editorUrl, isInContainer: false, addresses, engines: [docker] });
  assert.deepEqual(trials, [
    { url: 'http://192.168.1.14:8790', listenOn: '192.168.1.14' },
    { url: 'http://10.8.0.3:8790', listenOn: '10.8.0.3' },
    { url: 'http://atelier.local:8790', listenOn: '0.0.0.0' },
  ]);
});
