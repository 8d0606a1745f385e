import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOver, prunedBefore } from '../../../app/contract/age.ts';

const day = 24 * 60 * 60 * 1000;

test('Something is over when it has lived its life, and when it would begin in the future', () => {
  assert.deepEqual(
    [999, 1000, 1099, 1100, 9999].map((nowMs) => isOver(1000, 100, nowMs)),
    [true, false, false, true, true],
  );
});

test('What is kept ages by the newest that was kept a day ago or earlier, not by the clock', () => {
  const kept = [10 * day, 20 * day, 100 * day];
  const newestBy = (atMs: number): number | undefined => kept.findLast((keptAtMs) => keptAtMs <= atMs);
  assert.equal(prunedBefore(5 * day, 60 * day, newestBy), 15 * day);
  assert.equal(prunedBefore(5 * day, 100 * day, newestBy), 15 * day, 'the one of today does not count yet');
  assert.equal(prunedBefore(5 * day, 101 * day, newestBy), 95 * day);
  assert.equal(prunedBefore(5 * day, 10 * day, newestBy), Number.NEGATIVE_INFINITY);
});
