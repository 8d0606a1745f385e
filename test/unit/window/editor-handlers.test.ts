import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandArgs } from '../../../app/contract/commands.ts';
import type { ConnectionTest, ReachableAddress } from '../../../app/contract/editors.ts';
import { AppError } from '../../../app/contract/errors.ts';
import type { Editor } from '../../../app/editors/editor.ts';
import { createEditorHandlers } from '../../../app/window/editor-handlers.ts';
import { editorItems } from '../../../app/window/editor-items.ts';

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
const address: ReachableAddress = {
  url: 'http://192.168.1.5:8790',
  kind: 'interface',
  interfaceName: 'eth0',
  network: '192.168.1.0/24',
  sentence: 'Editors in this network.',
  isListening: false,
  neededHost: '192.168.1.5',
};

function bench(fault?: AppError) {
  const done: unknown[] = [];
  const note = (...what: unknown[]): void => {
    done.push(what);
    if (fault !== undefined) throw fault;
  };
  const handlers = createEditorHandlers({
    requireHost: () => ({
      services: {
        editors: {
          async add(input) {
            note('add', input);
            return connected;
          },
          change(id, change) {
            note('change', id, change);
            return connected;
          },
          async refresh(id) {
            note('refresh', id);
            return connected;
          },
          remove: async (id) => note('remove', id),
          setDefault: (extension, id) => note('default', extension, id),
        },
      },
      async testEditor(id) {
        note('test', id);
        return tested;
      },
      addresses: () => [address],
      async useAddress(id, url) {
        note('use', id, url);
      },
    }),
    mark: (what) => void done.push(`marked ${what}`),
  });
  return { handlers, done };
}

const { id } = connected;

test('each command asks the host for what it was given, and for nothing that was not', async () => {
  const { handlers, done } = bench();
  const given = { url: 'localhost:9980', publicUrl: null, acceptsOtherHosts: false };
  assert.deepEqual(await handlers['editors.add']({ ...given, name: null }), { id });
  await handlers['editors.add']({ ...given, name: 'Office' });
  // as the contract's check leaves what was not given
  const change: CommandArgs<'editors.change'> = { id, name: undefined, publicUrl: null };
  assert.equal(await handlers['editors.change'](change), null);
  await handlers['editors.change']({
    id,
    proofMode: 'required',
    allowedAddresses: [],
    acceptsOtherHosts: true,
  });
  await handlers['editors.change']({ id, name: 'New' });
  assert.equal(await handlers['editors.refresh']({ id }), null);
  assert.equal(await handlers['editors.setDefault']({ extension: 'odt', editorId: null }), null);
  assert.equal(await handlers['editors.remove']({ id }), null);
  assert.deepEqual(await handlers['editors.addresses']({}), [address]);
  assert.deepEqual(done, [
    ['add', given],
    ['add', { ...given, name: 'Office' }],
    ['change', id, { publicUrl: null }],
    ['change', id, { proofMode: 'required', allowedAddresses: [], acceptsOtherHosts: true }],
    ['change', id, { name: 'New' }],
    ['refresh', id],
    ['default', 'odt', null],
    ['remove', id],
  ]);
});

test('a test and another address are seen at once, also a test that could not be made', async () => {
  const { handlers, done } = bench();
  assert.equal(await handlers['editors.test']({ id }), tested);
  assert.equal(await handlers['editors.useAddress']({ id, url: address.url }), null);
  assert.deepEqual(done, [['test', id], 'marked editors', ['use', id, address.url], 'marked editors']);
  const failing = bench(new AppError('editor-unknown'));
  await assert.rejects(async () => failing.handlers['editors.test']({ id }), { code: 'editor-unknown' });
  assert.equal(failing.done.at(-1), 'marked editors');
});

test('what the host refuses is told as it says it', async () => {
  const { handlers } = bench(new AppError('editor-other-host', { detail: 'It is docs.example.' }));
  await assert.rejects(
    async () => handlers['editors.add']({ url: 'x', name: null, publicUrl: null, acceptsOtherHosts: false }),
    { code: 'editor-other-host', detail: 'It is docs.example.' },
  );
});

test('the window sees an editor with its types, its address and its last test, and no key of it', () => {
  const [item] = editorItems({
    services: { editors: { list: () => [connected], defaults: () => ({ odt: id, docx: 'another' }) } },
    lastTest: () => tested,
    baseUrlOf: (editorId) => `http://for-${editorId}`,
  });
  assert.deepEqual(item, {
    id,
    name: 'Office',
    url: 'http://localhost:9980',
    kind: 'collabora',
    product: 'Collabora Online',
    version: '25.4',
    publicUrl: 'http://host.docker.internal:8790',
    effectiveUrl: `http://for-${id}`,
    proofMode: 'if-present',
    hasProofKeys: true,
    allowedAddresses: ['172.17.0.0/16'],
    acceptsOtherHosts: false,
    types: [{ extension: 'odt', actions: ['view', 'edit'] }],
    defaultFor: ['odt'],
    addedAtMs: 1,
    discoveredAtMs: 2,
    problem: null,
    lastTest: tested,
  });
  assert.doesNotMatch(JSON.stringify(item), /PEM/);
});
