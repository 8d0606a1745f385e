import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJournal, type JournalEntry } from '../../../app/log/journal.ts';

function entry(atMs: number): JournalEntry {
  return {
    atMs,
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
}

test('the journal keeps the newest entries, oldest first', () => {
  const journal = createJournal({ capacity: 3 });
  assert.deepEqual(journal.entries(), []);
  for (let at = 1; at <= 2; at += 1) journal.add(entry(at));
  assert.deepEqual(
    journal.entries().map(({ atMs }) => atMs),
    [1, 2],
  );
  for (let at = 3; at <= 7; at += 1) journal.add(entry(at));
  assert.deepEqual(
    journal.entries().map(({ atMs }) => atMs),
    [5, 6, 7],
  );
});

test('a cleared journal starts again', () => {
  const journal = createJournal({ capacity: 2 });
  for (let at = 1; at <= 3; at += 1) journal.add(entry(at));
  journal.clear();
  assert.deepEqual(journal.entries(), []);
  journal.add(entry(9));
  assert.deepEqual(
    journal.entries().map(({ atMs }) => atMs),
    [9],
  );
});

test('a journal without room takes entries and keeps none', () => {
  const journal = createJournal({ capacity: 0 });
  journal.add(entry(1));
  assert.deepEqual(journal.entries(), []);
});
