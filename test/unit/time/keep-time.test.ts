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
  let isMisread = false;
  const changes: string[] = [];
  const storedTimes: StoredTimes = {
    lastSeen: () => lastSeen,
    setLastSeen: (seen) => void (lastSeen = seen),
    shift: (stepMs) => void changes.push(`shifted by ${Math.round(stepMs)}`),
    expireAll: () => void changes.push('expired'),
    extendExpiry: nothing,
    transaction: (work) => {
      work();
    },
  };
  const wallMs = (): number => {
    if (!isMisread) return at.wallMs;
    isMisread = false;
    return at.uptimeMs;
  };
  const source = { wallMs, uptimeMs: () => at.uptimeMs, awakeMs: () => at.uptimeMs };
  const log = { warn: nothing, error: nothing };
  return {
    changes,
    at,
    misread: () => void (isMisread = true),
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

test('a slightly lower uptime doesn’t count as a reboot', () => {
  const { start, at, changes } = computer();
  start().close();
  at.wallMs += 400;
  // Whole seconds only, as in a locale with a decimal comma.
  at.uptimeMs -= 600;
  start().close();
  assert.deepEqual(changes, []);
});

test('ignores a single wrong clock reading, at startup and while running', async () => {
  const { start, pass, at, misread, changes } = computer();
  start().close();
  pass(1000);
  misread();
  const time = start();
  assert.deepEqual(changes, []);
  pass(2000);
  misread();
  assert.equal(time.now(), at.wallMs);
  misread();
  time.noteSeen();
  await new Promise((resolve) => setTimeout(resolve, 2));
  time.close();
  start().close();
  assert.deepEqual(changes, []);
});

test('a clock that was never set expires nothing, and neither does its correction', () => {
  const { start, pass, at, changes } = computer();
  start().close();
  const rightMs = at.wallMs;
  at.wallMs = 1000;
  start().close();
  assert.deepEqual(changes, [`shifted by ${1000 - rightMs}`]);
  pass(hour);
  at.wallMs = rightMs + hour;
  start().close();
  assert.deepEqual(changes, [`shifted by ${1000 - rightMs}`, `shifted by ${rightMs - 1000}`]);
});
