import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { createThrottle, pushEveryMs } from '../../../app/live-state/throttle.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setImmediate', 'Date'] }));
afterEach(() => mock.timers.reset());

test('the first call is answered at once, and not within the turn of whoever asks', () => {
  let runs = 0;
  const throttle = createThrottle(() => (runs += 1));
  throttle.ask();
  assert.equal(runs, 0);
  mock.timers.tick(0);
  assert.equal(runs, 1);
  throttle.close();
});

test('what is asked meanwhile is gathered until a tenth of a second has passed', () => {
  const at: number[] = [];
  const throttle = createThrottle(() => at.push(Date.now()));
  for (let ms = 0; ms < 1000; ms += 1) {
    throttle.ask();
    mock.timers.tick(1);
  }
  assert.ok(at.length <= 10, `${at.length} runs in a second`);
  assert.ok(at.length >= 9, `${at.length} runs in a second`);
  throttle.close();
});

test('nothing runs that nobody asked for', () => {
  let runs = 0;
  const throttle = createThrottle(() => (runs += 1));
  mock.timers.tick(10_000);
  assert.equal(runs, 0);
  throttle.ask();
  mock.timers.tick(10_000);
  assert.equal(runs, 1);
  throttle.close();
});

test('after a quiet time the next call is answered at once again', () => {
  let runs = 0;
  const throttle = createThrottle(() => (runs += 1));
  throttle.ask();
  mock.timers.tick(0);
  mock.timers.tick(5000);
  throttle.ask();
  mock.timers.tick(0);
  assert.equal(runs, 2);
  throttle.close();
});

test('what asks while it runs is asked again, a tenth of a second later', () => {
  let runs = 0;
  const throttle = createThrottle(() => {
    runs += 1;
    if (runs < 3) throttle.ask();
  });
  throttle.ask();
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

test('a closed one does nothing more', () => {
  let runs = 0;
  const throttle = createThrottle(() => (runs += 1));
  throttle.ask();
  throttle.close();
  throttle.ask();
  mock.timers.tick(1000);
  assert.equal(runs, 0);
});
