import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoredTimes } from '../../../app/store/stored-times.ts';
import { nowMs, openTables } from './store-fixture.ts';

test('shift moves every stored time of locks and tokens', async (t) => {
  const { store, db, file, lock, token, locks } = await openTables(t);
  file('a');
  const held = lock('a');
  token('a', { revokedAtMs: nowMs });
  db.exec('UPDATE access_tokens SET first_call_at_ms = 1, last_call_at_ms = 2');
  createStoredTimes(store).shift(-500);
  const [takenAtMs, expiresAtMs] = [nowMs - 500, held.expiresAtMs - 500];
  assert.deepEqual(locks.get('a'), { ...held, takenAtMs, refreshedAtMs: takenAtMs, expiresAtMs });
  const times = db.prepare(
    `SELECT created_at_ms, expires_at_ms, revoked_at_ms, first_call_at_ms, last_call_at_ms, lock_taken_at_ms
     FROM access_tokens`,
  );
  assert.deepEqual(times.raw().all(), [[-500, expiresAtMs, takenAtMs, -499, -498, takenAtMs]]);
});
