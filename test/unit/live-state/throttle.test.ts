import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { createThrottle, pushEveryMs } from '../../../app/live-state/throttle.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setImmediate', 'Date'] }));
afterEach(() => mock.timers.reset());

test('runs without delay after the first call, but not synchronously', () => {
  let runs = 0;
  const throttle = createThrottle(() => (runs += 1));
  throttle.request();
  assert.equal(runs, 0);
  mock.timers.tick(0);
  assert.equal(runs, 1);
  throttle.close();
});

test('batches calls into at most ten runs a second', () => {
  const at: number[] = [];
  const throttle = createThrottle(() => at.push(Date.now()));
  for (let ms = 0; ms < 1000; ms += 1) {
    throttle.request();
    mock.timers.tick(1);
  }
  assert.ok(at.length <= 10, `${at.length} runs in a second`);
  assert.ok(at.length >= 9, `${at.length} runs in a second`);
  throttle.close();
});

test('runs only after a call, once', () => {
  let runs = 0;
  const throttle = createThrottle(() => (runs += 1));
  mock.timers.tick(10_000);
  assert.equal(runs, 0);
  throttle.request();
  mock.timers.tick(10_000);
  assert.equal(runs, 1);
  throttle.close();
});

test('runs without delay again after a pause', () => {
  let runs = 0;
  const throttle = createThrottle(() => (runs += 1));
  throttle.request();
  mock.timers.tick(0);
  mock.timers.tick(5000);
  throttle.request();
  mock.timers.tick(0);
  assert.equal(runs, 2);
  throttle.close();
});

test('a call during a run causes another one after the interval', () => {
  let runs = 0;
  const throttle = createThrottle(() => {
    runs += 1;
    if (runs < 3) throttle.request();
  });
  throttle.request();
  mock.timers.tick(0);
  assert.equal(runs, 1);
  mock.timers.tick(pushEveryMs - 1);
  assert.equal(runs, 1);
  mock.timers.tick(1);
  assert.equal(runs, 2);
  mock.timers.tick(1000);
  assert.equal(runs, 3);
  throttle.close();
});

test('doesn’t run after close', () => {
  let runs = 0;
  const throttle = createThrottle(() => (runs += 1));
  throttle.request();
  throttle.close();
  throttle.request();
  mock.timers.tick(1000);
  assert.equal(runs, 0);
});
