import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemVersionOf } from '../../../app/files/item-version.ts';

const row = { id: 'file1', createdAtMs: 1_700_000_000_000, version: 12 };

test('An item version is the counter and a short mark, the same for the same content', () => {
  assert.match(itemVersionOf(row), /^12\.[0-9a-f]{8}$/);
  assert.equal(itemVersionOf({ ...row }), itemVersionOf(row));
});

test('differs for the same counter of another document or of a new record', () => {
  const others = [
    { ...row, id: 'file2' },
    { ...row, createdAtMs: row.createdAtMs + 1 },
    { ...row, version: 13 },
  ];
  assert.equal(new Set([row, ...others].map(itemVersionOf)).size, 4);
});

test('What is put together from other parts is another item version', () => {
  const one = itemVersionOf({ id: 'f', createdAtMs: 11, version: 2 });
  const other = itemVersionOf({ id: 'f1', createdAtMs: 1, version: 2 });
  assert.notEqual(one, other);
});
