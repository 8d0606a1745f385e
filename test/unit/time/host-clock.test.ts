import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick, setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { createHostClock, systemTime, type TimeSource } from '../../../app/time/host-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const startMs = Date.UTC(2026, 10, 20, 12);

/** A computer: time passes, it sleeps, somebody sets its clock. */
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
  const place = computer();
  const steps: number[] = [];
  const clock = createHostClock({
    source: place.source,
    onStep(stepMs) {
      onStep(stepMs);
      steps.push(stepMs);
    },
  });
  return { ...place, clock, steps };
}

/** Long enough for a step to be followed. */
async function settle(): Promise<void> {
  await wait(2);
  await tick();
}

test('The clock shows the time of the computer, asleep or not', async () => {
  const { clock, pass, sleep, steps, source } = open();
  assert.equal(clock.now(), startMs);
  pass(minute);
  assert.equal(clock.now(), startMs + minute);
  sleep(8 * hour);
  assert.equal(clock.now(), source.wallMs());
  assert.equal(clock.elapsed(), source.wallMs());
  await settle();
  assert.deepEqual(steps, []);
});

for (const [how, byMs] of [
  ['back by eight hours', -8 * hour],
  ['back by a minute', -minute],
  ['ahead by 40 days', 40 * day],
] as const) {
  test(`A clock that is set ${how} is followed only after the stored moments were moved by as much`, async () => {
    const { clock, pass, set, steps, source } = open();
    clock.now();
    pass(5 * minute);
    set(byMs);
    assert.equal(clock.now(), startMs + 5 * minute, 'not in the same turn');
    assert.equal(clock.elapsed(), startMs + 5 * minute);
    await settle();
    assert.deepEqual(steps, [byMs]);
    assert.equal(clock.now(), source.wallMs());
    assert.equal(clock.elapsed(), startMs + 5 * minute, 'no time passed');
  });
}

test('A clock that is set back while the computer sleeps hides none of that time', async () => {
  const { clock, sleep, set, pass, steps } = open();
  clock.now();
  sleep(8 * hour);
  set(-8 * hour);
  pass(1000);
  assert.equal(clock.now(), startMs + 8 * hour + 1000);
  await settle();
  assert.deepEqual(steps, [-8 * hour]);
});

test('Small adjustments are followed without a step', async () => {
  const { clock, pass, set, steps, source } = open();
  for (let round = 0; round < 100; round += 1) {
    pass(hour);
    set(round % 3 === 0 ? -3000 : 2000);
    assert.equal(clock.now(), source.wallMs());
  }
  await settle();
  assert.deepEqual(steps, []);
});

test('While the stored moments cannot be moved the clock runs on in real time', async () => {
  let isFull = true;
  const { clock, pass, set, steps } = open(() => {
    if (isFull) throw new Error('The disk is full');
  });
  set(-hour);
  clock.now();
  await settle();
  pass(minute);
  assert.equal(clock.now(), startMs + minute);
  assert.deepEqual(steps, []);
  isFull = false;
  clock.close();
});

test('A clock that was closed follows nothing more', async () => {
  const { clock, set, steps } = open();
  set(hour);
  clock.now();
  clock.close();
  await settle();
  clock.now();
  await settle();
  assert.deepEqual(steps, []);
});

test('The time of this system agrees with itself', async () => {
  const clock = createHostClock({ source: systemTime, onStep: () => assert.fail('Nobody set it.') });
  for (let round = 0; round < 3; round += 1) {
    assert.ok(Math.abs(clock.now() - Date.now()) < 50);
    await wait(600);
  }
  clock.close();
});

test('However the clock is set, moments that move with it are as old as they are in real time', async () => {
  const happening = fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 2 * day }) }),
    fc.record({ kind: fc.constant('sleep' as const), ms: fc.integer({ min: 0, max: 2 * day }) }),
    fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -60 * day, max: 60 * day }) }),
    fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -12_000, max: 12_000 }) }),
    fc.record({ kind: fc.constant('begin' as const), ms: fc.constant(0) }),
    fc.record({ kind: fc.constant('turn' as const), ms: fc.constant(0) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 30 }), async (happenings) => {
      let moments: { atMs: number; elapsedMs: number; realMs: number }[] = [];
      const { clock, pass, sleep, set, real } = open((stepMs) => {
        moments = moments.map((moment) => ({ ...moment, atMs: moment.atMs + stepMs }));
      });
      let adjustedMs = 10_000;
      for (const { kind, ms } of happenings) {
        if (kind === 'pass') pass(ms);
        if (kind === 'sleep') sleep(ms);
        if (kind === 'set') {
          set(ms);
          // What is small enough to be followed can be lived longer by.
          adjustedMs += Math.min(Math.abs(ms), 20_000);
        }
        if (kind === 'begin') {
          moments.push({ atMs: clock.now(), elapsedMs: clock.elapsed(), realMs: real() });
        }
        if (kind === 'turn') await settle();
        for (const moment of moments) {
          const realAgeMs = real() - moment.realMs;
          for (const ageMs of [clock.now() - moment.atMs, clock.elapsed() - moment.elapsedMs]) {
            assert.ok(Math.abs(ageMs - realAgeMs) <= adjustedMs, `${ageMs} for ${realAgeMs}`);
          }
        }
      }
      clock.close();
    }),
    { numRuns: 200 },
  );
});
