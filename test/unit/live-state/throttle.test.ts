import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createThrottle, pushEveryMs } from '../../../app/live-state/throttle.ts';

test('runs after a call, not during it, at most ten times a second, and again after the pause if called during a run; never once it is closed', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate', 'Date'] });
  const at: number[] = [];
  const throttle = createThrottle(() => {
    at.push(Date.now());
    if (at.length === 10) throttle.request();
  });
  throttle.request();
  assert.deepEqual(at, []);
  for (let ms = 0; ms < 2000; ms += 1) {
    if (ms < 1000) throttle.request();
    if (ms === 1000) assert.equal(at.length, 10);
    t.mock.timers.tick(1);
  }
  assert.deepEqual(
    at.slice(1).map((ms, index) => ms - at[index]!),
    Array(10).fill(pushEveryMs),
  );
  throttle.request();
  throttle.close();
  throttle.request();
  t.mock.timers.tick(1000);
  assert.equal(at.length, 11);
});
