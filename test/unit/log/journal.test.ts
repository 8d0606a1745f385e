import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJournal } from '../../../app/log/journal.ts';

/** A journal of two, or `capacity` entries, and what adds one of that time. */
function openJournal(capacity = 2) {
  const journal = createJournal({ capacity });
  const add = (atMs: number) =>
    journal.addAction({ atMs, operation: 'ForceClear', path: 'a', user: 'window' });
  return { ...journal, add, times: (count = Infinity) => journal.newest(count).map(({ atMs }) => atMs) };
}

test('keeps the newest entries, oldest first', () => {
  for (const count of [0, 1, 2, 3, 4, 7]) {
    const { add, times } = openJournal(4);
    const all = Array.from({ length: count }, (_, index) => index + 1);
    all.forEach(add);
    const kept = all.slice(-4);
    assert.deepEqual(times(), kept);
    for (const wanted of [0, 1, 3, 4, 9])
      assert.deepEqual(times(wanted), wanted === 0 ? [] : kept.slice(-wanted));
  }
});

test('says since when it is complete', () => {
  const { add, clear, completeSinceMs } = openJournal();
  const since = (atMs: number): number | undefined => {
    add(atMs);
    return completeSinceMs();
  };
  assert.deepEqual([1, 2, 3].map(since), [undefined, undefined, 2]);
  clear(9);
  assert.equal(completeSinceMs(), 9);
  assert.deepEqual([10, 11, 12].map(since), [9, 9, 11]);
});
