// `editors start` tries an address before it keeps it. A crash during the trial must not leave the address in the database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEditorsTable } from '../../app/store/editors.ts';
import { startDocumentServer } from './document-server.ts';
import { startTestHost } from './test-host.ts';

test('stores a tried address only once it is kept, for every editor', async (t) => {
  const test = await startTestHost({}, t);
  const { host } = test;
  const { editors, store } = host.services;
  const one = await editors.add({ url: (await startDocumentServer(t)).url });
  const other = await editors.add({ url: (await startDocumentServer(t)).url, name: 'Other' });
  const saved = (): unknown[] =>
    createEditorsTable(store.db)
      .list()
      .map(({ publicUrl }) => publicUrl);

  const first = await host.tryAddress(one.id, 'http://desk:8790', '0.0.0.0');
  assert.equal(editors.byId(one.id)?.publicUrl, 'http://desk:8790');
  assert.equal(editors.byId(other.id)?.publicUrl, test.baseUrl, 'the other editor keeps its address');
  // Both of these write the editor's row.
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

  // undo() must not overwrite an address that the user chose during the trial.
  const third = await host.tryAddress(one.id, 'http://desk:8790', null);
  editors.change(one.id, { publicUrl: 'http://own:8790' });
  await third.undo();
  assert.equal(editors.byId(one.id)?.publicUrl, 'http://own:8790');
});
