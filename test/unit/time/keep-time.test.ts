import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LastSeen, StoredTimes } from '../../../app/store/stored-times.ts';
import { keepTime, type HostTime } from '../../../app/time/keep-time.ts';

const hour = 60 * 60_000;
const nothing = (): void => undefined;

/** A simulated computer with a data folder, on which the host is started and killed. */
function computer() {
  const at = { wallMs: Date.UTC(2026, 10, 20, 12), uptimeMs: 5 * hour + 0.5 };
  let lastSeen: LastSeen | undefined;
  const storedTimes: StoredTimes = {
    lastSeen: () => lastSeen,
    setLastSeen: (seen) => void (lastSeen = seen),
    shift: nothing,
    expireAll: nothing,
    extendExpiry: nothing,
    transaction: (work) => {
      work();
    },
  };
  const source = { wallMs: () => at.wallMs, uptimeMs: () => at.uptimeMs, awakeMs: () => at.uptimeMs };
  const log = { warn: nothing, error: nothing };
  return {
    start: (): HostTime => keepTime({ source, storedTimes, log, flush: nothing, onShifted: nothing }),
    pass(ms: number): void {
      at.wallMs += ms;
      at.uptimeMs += ms;
    },
    set: (byMs: number): void => void (at.wallMs += byMs),
    boot(): void {
      at.uptimeMs = 0;
    },
  };
}

test('the running time grows with real time, whatever the clock shows', () => {
  const { start, pass, set } = computer();
  const time = start();
  assert.equal(time.livedMs(), 0);
  pass(hour);
  assert.equal(time.livedMs(), hour);
  set(-400 * hour);
  time.now();
  pass(hour);
  assert.equal(time.livedMs(), 2 * hour);
  set(800 * hour);
  assert.equal(time.livedMs(), 2 * hour);
  time.close();
});

test('continues the running time at the next start, without the time the computer was off', () => {
  const { start, pass, set, boot } = computer();
  start().close();
  pass(hour);
  let time = start();
  assert.equal(time.livedMs(), hour, 'the computer kept running');
  pass(2 * hour);
  time.noteSeen();
  time.close();
  boot();
  set(900 * hour);
  pass(hour);
  time = start();
  assert.equal(time.livedMs(), 4 * hour, 'the time off is unknown');
  time.close();
});
