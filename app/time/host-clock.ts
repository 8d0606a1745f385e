// The host's clock. It shows the computer's time, but ages measured with it are real time: if the computer's clock is set while
// the process runs, this clock continues unchanged until the stored times were shifted by the same amount, and only then follows.
// So no lock or token lives longer because the clock was set back, and none expires because it was set ahead.

import { uptime } from 'node:os';
import type { Clock } from '../contract/clock.ts';

export interface TimeSource {
  /** The computer's clock, which can be wrong and can be set. */
  wallMs(): number;
  /** Monotonic time. Stops while the computer sleeps on some systems; cheap. */
  awakeMs(): number;
  /** Real time since the computer booted, including sleep; more expensive. */
  uptimeMs(): number;
}

export const systemTime: TimeSource = {
  wallMs: () => Date.now(),
  awakeMs: () => performance.now(),
  uptimeMs: () => uptime() * 1000,
};

/** Both clocks at the same moment. */
export interface ClockReading {
  wallMs: number;
  uptimeMs: number;
}

export interface HostClock {
  now: Clock;
  /** Real time, for ages kept in memory: never set, and comparable only within this process. */
  elapsed: Clock;
  /** This clock’s time, and the uptime. */
  reading(): ClockReading;
  close(): void;
}

export interface HostClockDeps {
  source: TimeSource;
  start: ClockReading;
  /** The computer's clock was set by `stepMs`. Shifts every stored time; if it throws, it is called again later. */
  onStep: (stepMs: number, after: ClockReading) => void;
}

/** DocTray didn't exist before this date: an earlier clock was never set, for example on a computer without a clock battery. */
export const earliestMs = Date.UTC(2026, 0, 1);

/** Smaller adjustments happen all the time, and are followed. */
const toleranceMs = 10_000;
/** Small adjustments are absorbed this often, so that an age is wrong by at most the tolerance in each interval. */
const anchorEveryMs = 60 * 60 * 1000;
const checkEveryMs = 1000;
const retryMs = 10_000;

export function createHostClock({ source, start, onStep }: HostClockDeps): HostClock {
  let anchor = start;
  let checked: { awakeMs: number; offsetMs: number } | undefined;
  let steppedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const readOnce = () => {
    const uptimeMs = source.uptimeMs();
    const wallMs = source.wallMs();
    const expectedMs = Math.round(anchor.wallMs + uptimeMs - anchor.uptimeMs);
    const isSet = Math.abs(wallMs - expectedMs) > toleranceMs;
    return { uptimeMs, wallMs, expectedMs, isSet };
  };

  /** The computer's clock, and what it would show if nobody had set it. A single wrong reading changes nothing. */
  const read = () => {
    const first = readOnce();
    return first.isSet ? readOnce() : first;
  };

  const follow = (): void => {
    timer = undefined;
    if (isClosed) return;
    const { uptimeMs, wallMs, expectedMs, isSet } = read();
    if (!isSet) return;
    const stepMs = wallMs - expectedMs;
    try {
      onStep(stepMs, { wallMs, uptimeMs });
    } catch {
      timer = setTimeout(follow, retryMs).unref();
      return;
    }
    anchor = { wallMs, uptimeMs };
    steppedMs += stepMs;
  };

  const check = (): number => {
    const { uptimeMs, wallMs, expectedMs, isSet } = read();
    if (isSet) {
      checked = undefined;
      // Not in this turn: the caller may compare this result with a time it has just read from the database.
      if (!isClosed) timer ??= setTimeout(follow, 0).unref();
      return expectedMs;
    }
    if (uptimeMs - anchor.uptimeMs >= anchorEveryMs) anchor = { wallMs, uptimeMs };
    checked = { awakeMs: source.awakeMs(), offsetMs: wallMs - source.awakeMs() };
    return wallMs;
  };

  const now = (): number => {
    if (checked === undefined) return check();
    const wallMs = source.wallMs();
    const awakeMs = source.awakeMs();
    const isRecent = awakeMs - checked.awakeMs < checkEveryMs;
    const isSteady = Math.abs(wallMs - awakeMs - checked.offsetMs) <= toleranceMs;
    return isRecent && isSteady ? wallMs : check();
  };

  return {
    now,
    elapsed: () => now() - steppedMs,
    reading() {
      const { uptimeMs, wallMs, expectedMs, isSet } = read();
      return { wallMs: isSet ? expectedMs : wallMs, uptimeMs };
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
