import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LockRow } from '../../../app/store/locks.ts';
import {
  heldLockId,
  isUnchangedSinceLapse,
  lockStateAt,
  lockLifeMs,
  silentAfterMs,
  staleCause,
} from '../../../app/wopi/lock-rules.ts';

const minute = 60_000;

function lock(change: Partial<LockRow> = {}): LockRow {
  return {
    fileId: 'file',
    lockId: 'mine',
    accessTokenId: 'token',
    userId: 'user',
    takenAtMs: 0,
    refreshedAtMs: 0,
    expiresAtMs: lockLifeMs,
    baseVersion: 1,
    baseSha256: null,
    seenVersion: 3,
    lapsedVersion: null,
    ...change,
  };
}

test('expires a lock after 30 minutes, and reports no silence before 16', () => {
  assert.equal(lockLifeMs, 30 * minute);
  assert.equal(silentAfterMs, 16 * minute);
});

test('a document without a lock row is unlocked', () => {
  assert.deepEqual(lockStateAt(undefined, 0), { kind: 'unlocked' });
});

test('a lock is held until the millisecond before it expires', () => {
  const row = lock();
  assert.deepEqual(lockStateAt(row, lockLifeMs - 1), { kind: 'locked', lock: row });
  assert.deepEqual(lockStateAt(row, lockLifeMs), { kind: 'lapsed', lock: row });
});

test('reports the id of a held lock only; an empty one if it expired or there is none', () => {
  assert.equal(heldLockId(lockStateAt(lock({ lockId: 'x' }), 0)), 'x');
  assert.equal(heldLockId(lockStateAt(lock({ lockId: 'x' }), lockLifeMs)), '');
  assert.equal(heldLockId(lockStateAt(undefined, 0)), '');
});

test('compares an unrecorded expiry with the version seen last', () => {
  assert.equal(isUnchangedSinceLapse(lock({ seenVersion: 3 }), 3), true);
  assert.equal(isUnchangedSinceLapse(lock({ seenVersion: 3 }), 4), false);
});

test('compares a recorded expiry with the version at that time', () => {
  assert.equal(isUnchangedSinceLapse(lock({ seenVersion: 3, lapsedVersion: 5 }), 5), true);
  assert.equal(isUnchangedSinceLapse(lock({ seenVersion: 3, lapsedVersion: 5 }), 3), false);
  assert.equal(isUnchangedSinceLapse(lock({ seenVersion: 3, lapsedVersion: 0 }), 3), false);
});

const live = { lastCallAtMs: 0, awakeSinceMs: 0, tokensEnded: undefined };

test('a lock is stale after 16 minutes without a call, and not before', () => {
  assert.equal(staleCause({ ...live, nowMs: silentAfterMs - 1 }), null);
  assert.deepEqual(staleCause({ ...live, nowMs: silentAfterMs }), { kind: 'silent', quietSinceMs: 0 });
});

test('counts the time without a call from the last call or wake-up, whichever is later', () => {
  const nowMs = 20 * minute;
  const recently = 5 * minute;
  assert.equal(staleCause({ ...live, nowMs, lastCallAtMs: recently }), null);
  assert.equal(staleCause({ ...live, nowMs, awakeSinceMs: recently }), null);
});

test('a lock whose tokens have ended is stale immediately, even after a recent call', () => {
  const facts = { nowMs: 1, lastCallAtMs: 1, awakeSinceMs: 1 };
  assert.deepEqual(staleCause({ ...facts, tokensEnded: 'revoked' }), { kind: 'revoked' });
  assert.deepEqual(staleCause({ ...facts, tokensEnded: 'expired' }), { kind: 'expired' });
});
