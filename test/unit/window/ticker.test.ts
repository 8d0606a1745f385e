import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { createTicker, type Ticker } from '../../../renderer/kit/ticker.ts';

describe('the timer shared by all relative times', () => {
  let page: EventTarget & { hidden: boolean };
  let ticker: Ticker;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    page = Object.assign(new EventTarget(), { hidden: false });
    ticker = createTicker({ clock: () => Date.now(), page });
  });
  afterEach(() => {
    ticker.close();
    mock.timers.reset();
  });
  const turn = (isHidden: boolean) => {
    page.hidden = isHidden;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  const watch = (everyMs: number) => {
    const seen = { count: 0 };
    const stop = ticker.watch(
      (nowMs) => everyMs - (nowMs % everyMs),
      () => {
        seen.count += 1;
      },
    );
    return { seen, stop };
  };

  it('wakes for the next change, and notifies only the watchers that are due', () => {
    const minutes = watch(60_000);
    const hours = watch(3_600_000);
    mock.timers.tick(59_000);
    assert.deepEqual([minutes.seen.count, hours.seen.count], [0, 0]);
    mock.timers.tick(2000);
    assert.deepEqual([minutes.seen.count, hours.seen.count], [1, 0]);
    hours.stop();
    mock.timers.tick(7_200_000);
    assert.equal(hours.seen.count, 0);
  });

  it('never wakes more than once a second', () => {
    const hurried = watch(10);
    for (let step = 0; step < 100; step += 1) mock.timers.tick(50);
    assert.ok(hurried.seen.count <= 5, `${hurried.seen.count} times in 5 s`);
    assert.ok(hurried.seen.count >= 4);
  });

  it('stops while the window is hidden, and catches up when it is shown', () => {
    const minutes = watch(60_000);
    turn(true);
    mock.timers.tick(600_000);
    assert.equal(minutes.seen.count, 0);
    turn(false);
    assert.equal(minutes.seen.count, 1);
    mock.timers.tick(61_000);
    assert.equal(minutes.seen.count, 2);
  });
});
