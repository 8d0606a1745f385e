// The window's commands and state for connected editors, over a real host and a document server that serves only its discovery.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { listeningQuestion } from '../../../app/commands/settings.ts';
import type { ConnectionTest } from '../../../app/contract/editors.ts';
import type { Editor } from '../../../app/store/editors.ts';
import { editorItems } from '../../../app/editors/editor-item.ts';
import { defaultSettings } from '../../../app/settings/settings.ts';
import { until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;
let hasDiscovery = true;
let actionsHost = '127.0.0.1';
const server = createServer((request, response) => {
  const { port } = server.address() as AddressInfo;
  const isDiscovery = hasDiscovery && request.url === '/hosting/discovery';
  response.writeHead(isDiscovery ? 200 : 404, { 'Content-Type': 'text/xml' });
  response.end(`<wopi-discovery><net-zone name="external-http"><app name="Word">
    <action name="view" ext="odt" urlsrc="http://${actionsHost}:${port}/view?"/>
    <action name="edit" ext="odt" urlsrc="http://${actionsHost}:${port}/edit?"/>
  </app></net-zone></wopi-discovery>`);
});

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  place = await windowPlace();
});
after(async () => {
  await place.close();
  server.closeAllConnections();
  server.close();
});

const listed = () => place.window.state().editors;
const serverUrl = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
const newEditor = () => ({ url: serverUrl(), name: null, publicUrl: null, acceptsOtherHosts: false });

test('the state shows that an editor was connected, changed, unreachable and removed', async () => {
  assert.deepEqual(listed(), []);
  const { id, ...added } = await place.run('editors.add', { ...newEditor(), name: 'Office' });
  await until(() => listed().length === 1);
  assert.equal(added.name, 'Office');
  assert.equal(added.publicUrl, null);
  assert.equal(added.acceptsOtherHosts, false);
  assert.deepEqual(listed()[0]?.types, [{ extension: 'odt', actions: ['view', 'edit'] }]);
  assert.equal(listed()[0]?.effectiveUrl, place.host().baseUrl);
  assert.equal(listed()[0]?.hasProofKeys, false);

  const change = {
    publicUrl: 'https://for-office.example',
    proofMode: 'off',
    allowedAddresses: ['10.0.0.0/8'],
  };
  await place.run('editors.change', { id, ...change, proofMode: 'off', acceptsOtherHosts: true });
  await until(() => listed()[0]?.effectiveUrl === 'https://for-office.example');
  // Omitted settings stay unchanged.
  const renamed = await place.run('editors.change', { id, name: 'Office two', proofMode: undefined });
  const { name, publicUrl, proofMode, allowedAddresses, acceptsOtherHosts } = renamed;
  assert.deepEqual({ publicUrl, proofMode, allowedAddresses }, change);
  assert.deepEqual([name, acceptsOtherHosts], ['Office two', true]);
  await place.run('editors.change', { id, publicUrl: null });
  await place.run('editors.setDefault', { extension: 'odt', editorId: id });
  await until(() => listed()[0]?.name === 'Office two' && listed()[0]?.defaultFor.includes('odt') === true);
  await place.run('editors.setDefault', { extension: 'odt', editorId: null });
  await until(() => listed()[0]?.defaultFor.length === 0);

  await place.host().services.settings.update({ publicUrl: 'https://docs.example.org' });
  await until(() => listed()[0]?.effectiveUrl === 'https://docs.example.org');
  await place.host().services.settings.update({ publicUrl: null });

  hasDiscovery = false;
  await assert.rejects(place.run('editors.refresh', { id }));
  await until(() => listed()[0]?.problem != null);
  hasDiscovery = true;
  await place.run('editors.refresh', { id });
  await until(() => listed()[0]?.problem === null);

  await place.run('editors.remove', { id });
  await until(() => listed().length === 0);
});

test('rejects an editor whose pages are on another host until the user allows it', async () => {
  actionsHost = 'docs.example';
  await assert.rejects(
    place.run('editors.add', newEditor()),
    (error: Error & { code?: string; detail?: string }) => {
      assert.equal(error.code, 'editor-other-host');
      assert.match(error.message, /docs\.example/);
      return true;
    },
  );
  assert.deepEqual(listed(), []);
  const { id } = await place.run('editors.add', { ...newEditor(), acceptsOtherHosts: true });
  await until(() => listed()[0]?.acceptsOtherHosts === true);
  await place.run('editors.remove', { id });
  actionsHost = '127.0.0.1';
});

test('the state shows a new address and a connection test, and is updated after a test that failed to run', async () => {
  const { id } = await place.run('editors.add', newEditor());
  const addresses = await place.run('editors.addresses', {});
  assert.deepEqual(addresses, place.host().addresses());
  const address = addresses.find(({ isListening }) => isListening);
  assert.ok(address !== undefined);
  const used = await place.run('editors.useAddress', { id, url: `${address.url}/` });
  assert.equal(used.effectiveUrl, address.url);
  await until(() => listed()[0]?.publicUrl === address.url);

  hasDiscovery = false;
  const { name: _name, ...tested } = await place.run('editors.test', { id });
  hasDiscovery = true;
  assert.equal(tested.isGood, false);
  await until(() => listed()[0]?.lastTest?.testedAtMs === tested.testedAtMs);
  assert.deepEqual(listed()[0]?.lastTest, tested);

  const host = place.host();
  const tables: string[] = [];
  const stop = place.keeper.onEvent((event) => {
    if (event.event === 'row-changed') tables.push(event.table);
  });
  host.testEditor = () => Promise.reject(new Error('no test'));
  await assert.rejects(place.run('editors.test', { id }), { code: 'internal' });
  stop();
  assert.deepEqual(tables, ['editors']);
  await assert.rejects(place.run('editors.test', { id: 'gone' }), { code: 'editor-unknown' });
});

const connected: Editor = {
  id: '0a1b2c3d',
  name: 'Office',
  url: 'http://localhost:9980',
  kind: 'collabora',
  product: 'Collabora Online',
  version: '25.4',
  publicUrl: 'http://host.docker.internal:8790',
  proofMode: 'if-present',
  allowedAddresses: ['172.17.0.0/16'],
  acceptsOtherHosts: false,
  discovery: {
    actions: [
      { app: 'writer', name: 'edit', extension: 'odt', urlsrc: 'http://localhost:9980/x?', isDefault: true },
      { app: 'writer', name: 'view', extension: 'odt', urlsrc: 'http://localhost:9980/x?', isDefault: false },
      {
        app: 'Capabilities',
        name: 'getinfo',
        extension: '',
        urlsrc: 'http://localhost:9980/c',
        isDefault: false,
      },
    ],
    proofKeys: { current: 'a key in PEM', old: null },
  },
  addedAtMs: 1,
  discoveredAtMs: 2,
  problem: null,
};
const tested: ConnectionTest = { editorId: connected.id, testedAtMs: 3, isGood: true, steps: [] };
test('asks before it listens anywhere else to find an address, and listens nowhere else if the user declines', async () => {
  const id = listed()[0]?.id ?? (await place.run('editors.add', newEditor())).id;
  const listened = new Set<string>();
  place.host().testEditor = async () => {
    listened.add(place.host().listensOn());
    return { ...tested, isGood: false };
  };
  place.desktop.asked = [];
  place.desktop.confirms = false;
  const found = await place.run('editors.findAddress', { id, isInContainer: true });
  assert.deepEqual([found?.url, found?.openedHost, found?.isDeclined], [null, null, true]);
  assert.deepEqual(place.desktop.asked, ['Let other computers reach DocTray?']);
  assert.deepEqual([...listened], ['127.0.0.1']);
  place.desktop.confirms = true;
});

test('the question before DocTray listens names each address once, and doesn’t show wildcards', () => {
  const detail = listeningQuestion(['127.0.0.1', '172.17.0.1', '0.0.0.0', '::'])?.detail;
  assert.match(detail ?? '', / that works: 172\.17\.0\.1, all addresses of this computer\./);
});

test('lists an editor with its types, address and last test, but without its proof keys', () => {
  const [item] = editorItems(
    {
      editors: { list: () => [connected], defaults: () => ({ odt: connected.id, docx: 'another' }) },
      settings: { current: () => defaultSettings },
      addressSearch: { isAwaitingConfirmation: () => false },
    },
    { lastTest: () => tested, baseUrlOf: (editorId: string) => `http://for-${editorId}` },
  );
  assert.deepEqual(item, {
    id: connected.id,
    name: 'Office',
    url: 'http://localhost:9980',
    kind: 'collabora',
    product: 'Collabora Online',
    version: '25.4',
    publicUrl: 'http://host.docker.internal:8790',
    effectiveUrl: `http://for-${connected.id}`,
    isAwaitingConfirmation: false,
    proofMode: 'if-present',
    hasProofKeys: true,
    allowedAddresses: ['172.17.0.0/16'],
    acceptsOtherHosts: false,
    types: [{ extension: 'odt', actions: ['view', 'edit'] }],
    defaultFor: ['odt'],
    opens: ['odt'],
    addedAtMs: 1,
    discoveredAtMs: 2,
    problem: null,
    lastTest: tested,
  });
  assert.doesNotMatch(JSON.stringify(item), /PEM/);
});

test('lists no editors without a host', async () => {
  assert.equal(listed().length, 1);
  await place.keeper.stop();
  await until(() => listed().length === 0);
});
