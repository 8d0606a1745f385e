import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasExpired } from '../../../app/contract/age.ts';

test('isOver is true after the lifetime, and before the start', () => {
  assert.deepEqual(
    [999, 1000, 1099, 1100, 9999].map((nowMs) => hasExpired(1000, 100, nowMs)),
    [true, false, false, true, true],
  );
});
