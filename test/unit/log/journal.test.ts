import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJournal, type JournalEntry } from '../../../app/log/journal.ts';

const request = {
  operation: 'GetFile',
  method: 'GET',
  path: '/wopi/files/x/contents',
  status: 200,
  durationMs: 1,
  correlationId: 'c',
  address: '127.0.0.1',
  bytesIn: 0,
  bytesOut: 1,
};
const times = (entries: readonly JournalEntry[]): number[] => entries.map(({ atMs }) => atMs);

test('keeps the newest entries, oldest first', () => {
  for (const count of [0, 1, 2, 3, 4, 7]) {
    const journal = createJournal({ capacity: 4 });
    const all = Array.from({ length: count }, (_, index) => index + 1);
    for (const atMs of all) journal.add({ ...request, atMs });
    const kept = all.slice(-4);
    assert.deepEqual(times(journal.newest(Infinity)), kept);
    for (const wanted of [0, 1, 3, 4, 9])
      assert.deepEqual(times(journal.newest(wanted)), wanted === 0 ? [] : kept.slice(-wanted));
  }
});

test('numbers entries from the first one added, also after a clear', () => {
  const journal = createJournal({ capacity: 2 });
  assert.equal(journal.lastSequence(), 0);
  for (const atMs of [1, 2, 3]) journal.add({ ...request, atMs });
  journal.clear(0);
  assert.deepEqual([journal.newest(Infinity), journal.lastSequence()], [[], 3]);
  journal.addAction({ atMs: 4, operation: 'ForceClear', path: 'a.docx', fileId: 'f', user: 'window' });
  assert.equal(journal.lastSequence(), 4);
  const [{ operation, method, status, fileId, user } = {}] = journal.newest(
    Infinity,
  ) as Partial<JournalEntry>[];
  assert.deepEqual([operation, method, status, fileId, user], ['ForceClear', '', 200, 'f', 'window']);
});

test('says since when it is complete', () => {
  const journal = createJournal({ capacity: 2 });
  const since = (atMs: number): number | undefined => {
    journal.add({ ...request, atMs });
    return journal.completeSinceMs();
  };
  assert.deepEqual([1, 2, 3].map(since), [undefined, undefined, 2]);
  journal.clear(9);
  assert.equal(journal.completeSinceMs(), 9);
  assert.deepEqual([10, 11, 12].map(since), [9, 9, 11]);
});

test('notifies listeners of each entry until they are removed', () => {
  const journal = createJournal({ capacity: 2 });
  const added: number[] = [];
  const end = journal.onAdd(() => added.push(...times(journal.newest(1))));
  const endOther = journal.onAdd(() => added.push(-1));
  journal.add({ ...request, atMs: 1 });
  endOther();
  journal.add({ ...request, atMs: 2 });
  end();
  journal.add({ ...request, atMs: 3 });
  assert.deepEqual(added, [1, -1, 2]);
});
