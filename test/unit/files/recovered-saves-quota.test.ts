import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  maxSavesPerToken,
  roomFor,
  type NewRecoveredSave,
} from '../../../app/files/recovered-saves-quota.ts';
import type { RecoveredRow } from '../../../app/store/versions.ts';

const limits = { totalBytes: 100, tokenBytes: 40 };
let arrivals = 0;

function row(id: string, size: number, change: Partial<RecoveredRow> = {}): RecoveredRow {
  arrivals += 1;
  return {
    id,
    fileId: 'report',
    path: 'report.docx',
    size,
    sha256: Buffer.from(id),
    userId: 'anna',
    tokenId: 'anna-1',
    savedBy: null,
    reason: 'Not saved.',
    receivedAtMs: arrivals,
    isUnreadable: 0,
    ...change,
  };
}

const save = (size: number, change: Partial<NewRecoveredSave> = {}): NewRecoveredSave => ({
  fileId: 'report',
  userId: 'anna',
  tokenId: 'anna-1',
  isCopy: false,
  size,
  ...change,
});

/** Ids of the rows to remove, in that order. Takes rows oldest first. */
function removed(one: NewRecoveredSave, rows: RecoveredRow[]): string[] | undefined {
  return roomFor(one, rows.toReversed(), limits)?.map(({ id }) => id);
}

test('removes nothing while there is room', () => {
  assert.deepEqual(removed(save(20), [row('a', 10), row('b', 10)]), []);
});

test('a token over its quota loses its own oldest saves, and no more than needed', () => {
  const rows = [row('a', 15), row('b', 15), row('c', 10)];
  assert.deepEqual(removed(save(15), rows), ['a']);
  assert.deepEqual(removed(save(16), rows), ['a', 'b']);
});

test('a token over its quota doesn’t remove saves of the user’s other tokens', () => {
  const rows = [row('other', 40, { tokenId: 'anna-2' }), row('a', 40)];
  assert.deepEqual(removed(save(10), rows), ['a']);
});

test('keeps one save even if it exceeds the quota of a token', () => {
  assert.deepEqual(removed(save(70), [row('a', 5), row('theirs', 30, { userId: 'ben', tokenId: 'b' })]), [
    'a',
  ]);
});

test('keeps one save even if it exceeds the total quota and nothing else is kept', () => {
  assert.deepEqual(removed(save(170), [row('a', 5)]), ['a']);
  assert.equal(removed(save(170), [row('theirs', 1, { userId: 'ben', tokenId: 'b' })]), undefined);
});

test('over the total quota, removes the user’s own older saves of the document, those of the same token first', () => {
  const rows = [
    row('other token', 20, { tokenId: 'anna-2' }),
    row('a', 10),
    row('theirs', 60, { userId: 'ben', tokenId: 'b' }),
  ];
  assert.deepEqual(removed(save(20), rows), ['a']);
  assert.deepEqual(removed(save(30), rows), ['a', 'other token']);
});

for (const [whose, change] of [
  ['another user', { userId: 'ben', tokenId: 'ben-1' }],
  ['no user', { userId: null, tokenId: null }],
  ['the same user and another document', { fileId: 'letter', tokenId: 'anna-2' }],
] as const) {
  test(`never removes a save of ${whose}: rejects the new one and removes nothing`, () => {
    assert.equal(removed(save(20), [row('a', 10), row('full', 85, change)]), undefined);
  });
}

test('never removes saves without a user for another one without a user', () => {
  const noUser = { userId: null, tokenId: null };
  assert.equal(removed(save(20, noUser), [row('full', 90, noUser)]), undefined);
});

test('removes nothing to make room for a copy', () => {
  assert.equal(removed(save(20, { isCopy: true }), [row('a', 30)]), undefined);
  assert.deepEqual(removed(save(10, { isCopy: true }), [row('a', 30)]), []);
});

test('limits the number of saves per token, however small they are', () => {
  const rows = Array.from({ length: maxSavesPerToken }, (_, at) => row(`s${at}`, 0));
  assert.deepEqual(removed(save(0), rows), ['s0']);
  // This token sent the bytes of another one's save again.
  rows.push(row('renewed', 0));
  assert.deepEqual(removed(save(0), rows), ['s0', 's1']);
});
