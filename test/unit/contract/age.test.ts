import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOver } from '../../../app/contract/age.ts';

test('isOver is true after the lifetime, and before the start', () => {
  assert.deepEqual(
    [999, 1000, 1099, 1100, 9999].map((nowMs) => isOver(1000, 100, nowMs)),
    [true, false, false, true, true],
  );
});
