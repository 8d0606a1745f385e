import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { createThrottle, pushEveryMs } from '../../../app/live-state/throttle.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setImmediate', 'Date'] }));
afterEach(() => mock.timers.reset());

test('runs soon after a call, but not during it, and only after a call', () => {
  let runs = 0;
  const throttle = createThrottle(() => (runs += 1));
  for (const wanted of [1, 2]) {
    mock.timers.tick(10_000);
    throttle.request();
    assert.equal(runs, wanted - 1);
    mock.timers.tick(0);
    assert.equal(runs, wanted);
  }
  throttle.request();
  throttle.close();
  throttle.request();
  mock.timers.tick(1000);
  assert.equal(runs, 2);
});

test('batches calls into at most ten runs a second; one during a run causes another after the interval', () => {
  const at: number[] = [];
  const throttle = createThrottle(() => {
    at.push(Date.now());
    if (at.length === 10) throttle.request();
  });
  for (let ms = 0; ms < 2000; ms += 1) {
    if (ms < 1000) throttle.request();
    if (ms === 1000) assert.equal(at.length, 10);
    mock.timers.tick(1);
  }
  assert.deepEqual(
    at.slice(1).map((ms, index) => ms - at[index]!),
    Array(10).fill(pushEveryMs),
  );
  throttle.close();
});
