import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createYieldTurn, sortInTurns } from '../../../app/files/event-loop.ts';

interface Thing {
  key: number;
  index: number;
}

/** Unsorted, with many equal keys. */
function things(count: number): Thing[] {
  return Array.from({ length: count }, (_, index) => ({ key: (index * 7919) % 997, index }));
}
const compare = (a: Thing, b: Thing): number => a.key - b.key;

test('sorts stably', async () => {
  for (const count of [0, 1, 16_383, 16_384, 16_385, 80_000]) {
    const items = things(count);
    assert.deepEqual(await sortInTurns(items, compare, createYieldTurn()), items.toSorted(compare));
  }
});

test('yields to the event loop while it sorts many items', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await sortInTurns(things(200_000), compare, createYieldTurn());
  isOver = true;
  assert.ok(turns > 3, String(turns));
});

test('stops with the reason of the aborted signal', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const sorting = sortInTurns(things(200_000), compare, createYieldTurn(controller.signal));
  controller.abort(reason);
  await assert.rejects(sorting, reason);
});
