import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemVersionOf } from '../../../app/files/item-version.ts';

const row = { id: 'file1', createdAtMs: 1_700_000_000_000, version: 12 };

test('an item version is the counter and a short hash, the same for the same row', () => {
  assert.match(itemVersionOf(row), /^12\.[0-9a-f]{8}$/);
  assert.equal(itemVersionOf({ ...row }), itemVersionOf(row));
});

test('differs by document, record and counter', () => {
  const others = [
    { ...row, id: 'file2' },
    { ...row, createdAtMs: row.createdAtMs + 1 },
    { ...row, version: 13 },
  ];
  assert.equal(new Set([row, ...others].map(itemVersionOf)).size, 4);
});

test('differs if id and time only concatenate to the same text', () => {
  const one = itemVersionOf({ id: 'f', createdAtMs: 11, version: 2 });
  const other = itemVersionOf({ id: 'f1', createdAtMs: 1, version: 2 });
  assert.notEqual(one, other);
});
