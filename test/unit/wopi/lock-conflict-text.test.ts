import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LockSummary } from '../../../app/wopi/locks.ts';
import { lockConflictHeader, lockConflictText } from '../../../app/wopi/lock-conflict-text.ts';

const lock = (change: Partial<LockSummary> = {}): LockSummary => ({
  fileId: 'f',
  path: 'a.docx',
  user: 'ana',
  userName: 'Ana',
  editorName: 'ONLYOFFICE',
  client: null,
  takenAtMs: 0,
  refreshedAtMs: 0,
  expiresAtMs: 1,
  state: 'held',
  stale: null,
  lastCallAtMs: 0,
  quietSinceMs: 0,
  ...change,
});

for (const [what, shown, change] of [
  [
    'names the user and the editor, and says what to do',
    'Ana is editing this document in ONLYOFFICE. Ask them to close it, or force-clear the lock in DocTray.',
    {},
  ],
  [
    'leaves out names that aren’t known',
    'Another user is editing this document. Ask them to close it, or force-clear the lock in DocTray.',
    { userName: null, editorName: null },
  ],
  [
    'says that the user’s own editor has the lock',
    "You're already editing this document in ONLYOFFICE. Close it there, or force-clear the lock in DocTray.",
    { user: 'bjorn' },
  ],
  [
    'says that the editor of a stale lock has gone away',
    'Ana locked this document in ONLYOFFICE, and that editor has gone away. Force-clear the lock in DocTray.',
    { state: 'stale' },
  ],
] as [string, string, Partial<LockSummary>][]) {
  test(what, () => {
    assert.equal(lockConflictText(lock(change), { userLogin: 'bjorn', isOwner: true }), shown);
    assert.equal(lockConflictHeader(lock(change), { userLogin: 'bjorn', isOwner: true }), shown);
  });
}

test('is a valid header value with any names, and truncates long ones', () => {
  const reader = { userLogin: 'bjorn', isOwner: false };
  const names = ['Zoë\r\nX-Evil: 1', '日本', '\u{1f600}'.repeat(500), 'n'.repeat(500), '\ud800', ''];
  for (const userName of names) {
    const value = lockConflictHeader(lock({ userName, editorName: userName }), reader);
    assert.match(value, /^[\x20-\x7e]{1,256}$/);
    assert.match(value, /force-clear the lock\.$/u);
  }
  assert.match(lockConflictHeader(lock({ userName: '日本' }), reader), /^Another user is editing/);
  assert.match(lockConflictText(lock({ userName: '日本' }), reader), /^日本 is editing/);
});
