// An address that an editor uses, or that is only tried, may need another bind address. The other editors keep theirs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { createEditorsTable } from '../../app/store/editors.ts';
import { startDocumentServer } from './document-server.ts';
import { startTestHost } from './test-host.ts';

test('an editor’s address may need another bind address, which other editors don’t notice; undoing a trial restores everything', async (t) => {
  const test = await startTestHost({}, t);
  test.listenOn({ host: undefined });
  const { host } = test;
  const { editors, settings } = host.services;
  const one = await editors.add({ url: (await startDocumentServer({}, t)).url });
  const other = await editors.add({ url: (await startDocumentServer({}, t)).url, name: 'Other' });
  const now = () => [one, other].map(({ id }) => editors.byId(id)?.publicUrl);
  const saved = () =>
    createEditorsTable(host.services.store.db)
      .list()
      .filter(({ kind }) => kind !== 'text-editor')
      .map(({ publicUrl }) => publicUrl);
  const bound = () => [host.listensOn(), settings.current().host];

  const first = await host.tryAddress(one.id, 'http://desk:8790', '0.0.0.0');
  assert.deepEqual(now(), ['http://desk:8790', test.baseUrl], 'the other editor keeps its address');
  assert.deepEqual([...saved(), ...bound()], [null, null, '0.0.0.0', '127.0.0.1'], 'nothing is saved yet');
  await first.undo();
  assert.deepEqual([...now(), ...bound()], [null, null, '127.0.0.1', '127.0.0.1']);
  const kept = await host.tryAddress(one.id, 'http://desk:8790', '0.0.0.0');
  await kept.keep();
  assert.deepEqual([...saved(), ...bound()], ['http://desk:8790', test.baseUrl, '0.0.0.0', '0.0.0.0']);
  await kept.undo();
  assert.deepEqual(saved(), [null, null]);
  assert.deepEqual([...now(), ...bound()], [null, null, '127.0.0.1', '127.0.0.1']);

  // undo() must not overwrite an address that the user chose during the trial.
  const second = await host.tryAddress(one.id, 'http://desk:8790', null);
  editors.change(one.id, { publicUrl: 'http://own:8790' });
  await second.undo();
  assert.deepEqual(now(), ['http://own:8790', null]);

  const blocker = createServer();
  blocker.listen(Number(new URL(test.baseUrl).port), '127.0.0.2');
  await once(blocker, 'listening');
  await assert.rejects(host.tryAddress(one.id, 'http://desk:8790', '0.0.0.0'), { code: 'port-taken' });
  assert.deepEqual([...now(), ...bound()], ['http://own:8790', null, '127.0.0.1', '127.0.0.1']);
  blocker.close();
  await once(blocker, 'close');

  await host.listenAt({ host: '127.0.0.3' });
  await host.closeContainerAddress({ gateways: ['127.0.0.3'], given: [] });
  assert.deepEqual(bound(), ['127.0.0.1', '127.0.0.1'], 'a container’s bridge, without an editor');

  const network = host.addresses().find(({ neededHost }) => neededHost !== null);
  assert.ok(network !== undefined);
  await host.useAddress(one.id, network.url);
  assert.deepEqual(now(), [network.url, test.baseUrl]);
  assert.equal(settings.current().host, network.neededHost);
  await assert.rejects(host.useAddress(one.id, 'http://198.51.100.9:1'), { code: 'address-unknown' });
  await assert.rejects(host.useAddress('nobody', network.url), { code: 'editor-unknown' });
});

test('a host that stops during a search restores everything first', async (t) => {
  const test = await startTestHost({}, t);
  test.listenOn({ host: undefined });
  const { host } = test;
  const { editors, settings, addressSearch } = host.services;
  const one = await editors.add({ url: (await startDocumentServer({}, t)).url });
  const { promise: tested, resolve } = Promise.withResolvers<void>();
  const searching = addressSearch.run(
    {
      services: host.services,
      addresses: () => host.addresses(),
      listensOn: () => host.listensOn(),
      baseUrlOf: (id) => host.baseUrlOf(id),
      tryAddress: (id, url) => host.tryAddress(id, url, '0.0.0.0'),
      testEditor(id) {
        if (editors.byId(id)?.publicUrl != null) resolve();
        return editors.byId(id)?.publicUrl == null
          ? Promise.resolve({ editorId: id, testedAtMs: 0, isGood: false, steps: [] })
          : new Promise(() => undefined);
      },
    },
    { id: one.id, isInContainer: true, confirmOpening: () => Promise.resolve(true) },
  );
  await tested;
  assert.equal(host.listensOn(), '0.0.0.0');
  const stopped = host.stop();
  assert.equal(await searching, null);
  assert.deepEqual([settings.current().host, host.listensOn()], ['127.0.0.1', '127.0.0.1']);
  await stopped;
});
