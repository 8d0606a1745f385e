// An address that is tried for an editor, such as by `editors start`: what a crash in the middle of it leaves behind.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createEditorsTable } from '../../app/store/editors.ts';
import { startTestHost } from './test-host.ts';

async function documentServer(t: TestContext): Promise<string> {
  const server = createServer((_request, response) => {
    response.end(
      `<wopi-discovery><net-zone name="external-http"><app name="Word"><action name="edit" ext="odt" urlsrc="${url}/edit?"/></app></net-zone></wopi-discovery>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url;
}

test('an address that is only tried is not in the database, for none of the editors', async (t) => {
  const test = await startTestHost();
  t.after(test.stop);
  const { host } = test;
  const { editors, store } = host.services;
  const one = await editors.add({ url: await documentServer(t) });
  const other = await editors.add({ url: await documentServer(t), name: 'Other' });
  const saved = (): unknown[] =>
    createEditorsTable(store.db)
      .list()
      .map(({ publicUrl }) => publicUrl);

  const first = await host.tryAddress(one.id, 'http://desk:8790', '0.0.0.0');
  assert.equal(editors.byId(one.id)?.publicUrl, 'http://desk:8790');
  assert.equal(editors.byId(other.id)?.publicUrl, test.baseUrl, 'it goes on under the address it knows');
  // A test reads the discovery again, and that is written.
  await editors.refresh(one.id);
  editors.change(other.id, { name: 'Renamed' });
  assert.deepEqual(saved(), [null, null]);
  await first.undo();
  assert.deepEqual([editors.byId(one.id)?.publicUrl, editors.byId(other.id)?.publicUrl], [null, null]);

  const second = await host.tryAddress(one.id, 'http://desk:8790', '0.0.0.0');
  await second.keep();
  assert.deepEqual(saved(), ['http://desk:8790', test.baseUrl]);
  await second.undo();
  assert.deepEqual(saved(), [null, null]);

  // What the user chooses in the middle of a trial counts.
  const third = await host.tryAddress(one.id, 'http://desk:8790', null);
  editors.change(one.id, { publicUrl: 'http://own:8790' });
  await third.undo();
  assert.equal(editors.byId(one.id)?.publicUrl, 'http://own:8790');
});
