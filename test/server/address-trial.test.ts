// An address that an editor uses, or that is only tried, may need another bind address. The other editors keep theirs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
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
  const bound = () => [host.listensOn(), settings.current().host];

  const undoFirst = await host.tryAddress(one.id, 'http://desk:8790', '0.0.0.0');
  assert.deepEqual(now(), ['http://desk:8790', test.baseUrl], 'the other editor keeps its address');
  assert.deepEqual(bound(), ['0.0.0.0', '0.0.0.0']);
  await undoFirst();
  assert.deepEqual([...now(), ...bound()], [null, null, '127.0.0.1', '127.0.0.1']);

  // undo() must not overwrite an address that the user chose during the trial.
  const undoSecond = await host.tryAddress(one.id, 'http://desk:8790', null);
  editors.change(one.id, { publicUrl: 'http://own:8790' });
  await undoSecond();
  assert.deepEqual(now(), ['http://own:8790', null]);

  const blocker = createServer();
  blocker.listen(Number(new URL(test.baseUrl).port), '127.0.0.2');
  await once(blocker, 'listening');
  await assert.rejects(host.tryAddress(one.id, 'http://desk:8790', '0.0.0.0'), { code: 'port-taken' });
  assert.deepEqual([...now(), ...bound()], ['http://own:8790', null, '127.0.0.1', '127.0.0.1']);
  blocker.close();
  await once(blocker, 'close');

  const network = host.addresses().find(({ neededHost }) => neededHost !== null);
  assert.ok(network !== undefined);
  await host.useAddress(one.id, network.url);
  assert.deepEqual(now(), [network.url, test.baseUrl]);
  assert.equal(settings.current().host, network.neededHost);
  await assert.rejects(host.useAddress(one.id, 'http://198.51.100.9:1'), { code: 'address-unknown' });
  await assert.rejects(host.useAddress('nobody', network.url), { code: 'editor-unknown' });
});
