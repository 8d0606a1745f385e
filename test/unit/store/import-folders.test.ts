import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createImportFoldersTable } from '../../../app/store/import-folders.ts';
import { openTables } from './store-fixture.ts';

test('removing import folders leaves those of other imports and of other hosted folders', async (t) => {
  const { db, tenants, tenantId } = await openTables(t);
  const other = tenants.idOfRoot('/elsewhere', 0);
  const table = createImportFoldersTable(db);
  for (const path of ['a', 'b']) table.add(tenantId, path);
  table.add(other, 'a');
  table.removeAll(tenantId, ['a']);
  assert.deepEqual([table.list(tenantId), table.list(other)], [['b'], ['a']]);
});
