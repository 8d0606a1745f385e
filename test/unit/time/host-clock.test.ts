import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick, setTimeout as wait } from 'node:timers/promises';
import { createHostClock, systemTime, type TimeSource } from '../../../app/time/host-clock.ts';
import { fc } from '../../random.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const startMs = Date.UTC(2026, 10, 20, 12);

/** A simulated computer: time passes, it sleeps, and its clock is set. */
function computer() {
  let real = 0;
  let slept = 0;
  let set = 0;
  const source: TimeSource = {
    wallMs: () => startMs + real + set,
    awakeMs: () => real - slept,
    uptimeMs: () => real,
  };
  return {
    source,
    real: () => real,
    pass: (ms: number) => void (real += ms),
    sleep(ms: number) {
      real += ms;
      slept += ms;
    },
    set: (ms: number) => void (set += ms),
  };
}

function open(onStep: (stepMs: number) => void = () => undefined) {
  const simulated = computer();
  const steps: number[] = [];
  const clock = createHostClock({
    source: simulated.source,
    start: { wallMs: startMs, uptimeMs: 0 },
    onStep(stepMs) {
      onStep(stepMs);
      steps.push(stepMs);
    },
  });
  return { ...simulated, clock, steps };
}

/** Waits until a step was handled. */
async function waitForStep(): Promise<void> {
  await wait(2);
  await tick();
}

test('shows the time of the computer, also after it slept', async () => {
  const { clock, pass, sleep, steps, source } = open();
  assert.equal(clock.now(), startMs);
  pass(minute);
  assert.equal(clock.now(), startMs + minute);
  sleep(8 * hour);
  assert.equal(clock.now(), source.wallMs());
  assert.equal(clock.elapsed(), source.wallMs());
  await waitForStep();
  assert.deepEqual(steps, []);
});

for (const [how, byMs] of [
  ['back by eight hours', -8 * hour],
  ['back by a minute', -minute],
  ['ahead by 40 days', 40 * day],
] as const) {
  test(`follows a clock that is set ${how} only after the stored times were shifted`, async () => {
    const { clock, pass, set, steps, source } = open();
    clock.now();
    pass(5 * minute);
    set(byMs);
    assert.equal(clock.now(), startMs + 5 * minute, 'not in the same turn');
    assert.equal(clock.elapsed(), startMs + 5 * minute);
    await waitForStep();
    assert.deepEqual(steps, [byMs]);
    assert.equal(clock.now(), source.wallMs());
    assert.equal(clock.elapsed(), startMs + 5 * minute, 'no time passed');
  });
}

test('counts the time asleep if the clock is set back during sleep', async () => {
  const { clock, sleep, set, pass, steps } = open();
  clock.now();
  sleep(8 * hour);
  set(-8 * hour);
  pass(1000);
  assert.equal(clock.now(), startMs + 8 * hour + 1000);
  await waitForStep();
  assert.deepEqual(steps, [-8 * hour]);
});

test('follows small adjustments without a step', async () => {
  const { clock, pass, set, steps, source } = open();
  for (let round = 0; round < 100; round += 1) {
    pass(hour);
    set(round % 3 === 0 ? -3000 : 2000);
    assert.equal(clock.now(), source.wallMs());
  }
  await waitForStep();
  assert.deepEqual(steps, []);
});

test('continues in real time while the stored times can’t be shifted', async () => {
  let isFull = true;
  const { clock, pass, set, steps } = open(() => {
    if (isFull) throw new Error('The disk is full');
  });
  set(-hour);
  clock.now();
  await waitForStep();
  pass(minute);
  assert.equal(clock.now(), startMs + minute);
  assert.deepEqual(steps, []);
  isFull = false;
  clock.close();
});

test('reports no step after it was closed', async () => {
  const { clock, set, steps } = open();
  set(hour);
  clock.now();
  clock.close();
  await waitForStep();
  clock.now();
  await waitForStep();
  assert.deepEqual(steps, []);
});

test('reports no step with the time of this system', async () => {
  const start = { wallMs: systemTime.wallMs(), uptimeMs: systemTime.uptimeMs() };
  const clock = createHostClock({
    source: systemTime,
    start,
    onStep: () => assert.fail('The clock was not set.'),
  });
  for (let round = 0; round < 3; round += 1) {
    assert.ok(Math.abs(clock.now() - Date.now()) < 50);
    await wait(600);
  }
  clock.close();
});

test('times that are shifted with the clock keep their real age, however the clock is set', async () => {
  const action = fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 2 * day }) }),
    fc.record({ kind: fc.constant('sleep' as const), ms: fc.integer({ min: 0, max: 2 * day }) }),
    fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -60 * day, max: 60 * day }) }),
    fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -12_000, max: 12_000 }) }),
    fc.record({ kind: fc.constant('begin' as const), ms: fc.constant(0) }),
    fc.record({ kind: fc.constant('turn' as const), ms: fc.constant(0) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      let times: { atMs: number; elapsedMs: number; realMs: number }[] = [];
      const { clock, pass, sleep, set, real } = open((stepMs) => {
        times = times.map((time) => ({ ...time, atMs: time.atMs + stepMs }));
      });
      let adjustedMs = 10_000;
      for (const { kind, ms } of actions) {
        if (kind === 'pass') pass(ms);
        if (kind === 'sleep') sleep(ms);
        if (kind === 'set') {
          set(ms);
          // A step that is small enough to be followed without a shift changes ages.
          adjustedMs += Math.min(Math.abs(ms), 20_000);
        }
        if (kind === 'begin') {
          times.push({ atMs: clock.now(), elapsedMs: clock.elapsed(), realMs: real() });
        }
        if (kind === 'turn') await waitForStep();
        for (const time of times) {
          const realAgeMs = real() - time.realMs;
          for (const ageMs of [clock.now() - time.atMs, clock.elapsed() - time.elapsedMs]) {
            assert.ok(Math.abs(ageMs - realAgeMs) <= adjustedMs, `${ageMs} for ${realAgeMs}`);
          }
        }
      }
      clock.close();
    }),
    { numRuns: 200 },
  );
});
