import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstSliced, sortSliced } from '../../../app/files/sliced-sort.ts';
import { createBreathe } from '../../../app/files/time-slice.ts';

interface Thing {
  key: number;
  index: number;
}

/** In no order, with many equal keys. */
function things(count: number): Thing[] {
  return Array.from({ length: count }, (_, index) => ({ key: (index * 7919) % 997, index }));
}
const compare = (a: Thing, b: Thing): number => a.key - b.key;

test('Everything is in order, and equal things stay in the order they had', async () => {
  for (const count of [0, 1, 2047, 2048, 2049, 10_000]) {
    const items = things(count);
    assert.deepEqual(await sortSliced(items, compare, createBreathe()), items.toSorted(compare));
  }
});

test('The first ones are those that sorting all would put first', async () => {
  const items = things(20_000).map((item) => ({ ...item, key: item.key * 100_000 + item.index }));
  for (const count of [0, 1, 200, 2000, 19_999, 20_000, 30_000]) {
    const first = await firstSliced(items, count, compare, createBreathe());
    assert.deepEqual(first, items.toSorted(compare).slice(0, count));
  }
});

test('Others have their turn while much is sorted', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await sortSliced(things(200_000), compare, createBreathe());
  isOver = true;
  assert.ok(turns > 3, String(turns));
});

test('What is not wanted any more ends with its reason', async () => {
  const ending = new AbortController();
  const reason = new Error('enough');
  const sorting = sortSliced(things(200_000), compare, createBreathe(ending.signal));
  ending.abort(reason);
  await assert.rejects(sorting, reason);
});
