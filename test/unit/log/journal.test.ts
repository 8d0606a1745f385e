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
  assert.deepEqual(journal.newest(Infinity), []);
  for (let at = 1; at <= 2; at += 1) journal.add(entry(at));
  assert.deepEqual(
    journal.newest(Infinity).map(({ atMs }) => atMs),
    [1, 2],
  );
  for (let at = 3; at <= 7; at += 1) journal.add(entry(at));
  assert.deepEqual(
    journal.newest(Infinity).map(({ atMs }) => atMs),
    [5, 6, 7],
  );
});

test('a cleared journal is empty and accepts new entries', () => {
  const journal = createJournal({ capacity: 2 });
  for (let at = 1; at <= 3; at += 1) journal.add(entry(at));
  journal.clear();
  assert.deepEqual(journal.newest(Infinity), []);
  journal.add(entry(9));
  assert.deepEqual(
    journal.newest(Infinity).map(({ atMs }) => atMs),
    [9],
  );
});

test('a journal with capacity 0 keeps no entries', () => {
  const journal = createJournal({ capacity: 0 });
  journal.add(entry(1));
  assert.deepEqual(journal.newest(Infinity), []);
});

test('returns the newest entries, also after wrapping around', () => {
  for (const count of [0, 1, 2, 3, 4, 7]) {
    const journal = createJournal({ capacity: 4 });
    for (let at = 1; at <= count; at += 1) journal.add(entry(at));
    for (const wanted of [0, 1, 3, 4, 9]) {
      assert.deepEqual(
        journal.newest(wanted),
        journal.newest(Infinity).slice(Math.max(0, Math.min(count, 4) - wanted)),
      );
    }
  }
});

test('numbers entries from the first one added, and continues after a clear', () => {
  const journal = createJournal({ capacity: 2 });
  assert.equal(journal.lastSequence(), 0);
  for (let at = 1; at <= 3; at += 1) journal.add(entry(at));
  assert.equal(journal.lastSequence(), 3);
  journal.clear();
  assert.equal(journal.lastSequence(), 3);
  journal.add(entry(4));
  assert.equal(journal.lastSequence(), 4);
});

test('notifies listeners of each entry until they are removed', () => {
  const journal = createJournal({ capacity: 2 });
  const added: number[] = [];
  const end = journal.onAdd(() => added.push(journal.newest(1)[0]!.atMs));
  const endOther = journal.onAdd(() => added.push(-1));
  journal.add(entry(1));
  endOther();
  journal.add(entry(2));
  end();
  journal.add(entry(3));
  assert.deepEqual(added, [1, -1, 2]);
});

test('adds a user action as an entry with empty request fields', () => {
  const journal = createJournal({ capacity: 2 });
  journal.addAction({ atMs: 1, operation: 'ForceClear', path: 'a.docx', fileId: 'f', user: 'window' });
  assert.deepEqual(journal.newest(Infinity), [
    {
      atMs: 1,
      operation: 'ForceClear',
      method: '',
      path: 'a.docx',
      status: 200,
      durationMs: 0,
      fileId: 'f',
      user: 'window',
      correlationId: '',
      address: '',
      bytesIn: 0,
      bytesOut: 0,
    },
  ]);
});
