// Keeps the stored times in step with real time: across starts, between which the computer's clock may have been set, and while
// the process runs.

import { accessTokenGraceMs } from '../contract/age.ts';
import type { Clock } from '../contract/clock.ts';
import type { Logger } from '../log/logger.ts';
import type { LastSeen, StoredTimes } from '../store/stored-times.ts';
import {
  createHostClock,
  earliestMs,
  type ClockReading,
  type HostClock,
  type TimeSource,
} from './host-clock.ts';

export interface HostTime extends Pick<HostClock, 'now' | 'elapsed'> {
  /** Real time since this data folder was first used, as far as known. Comparable across starts; never decreases. */
  livedMs: Clock;
  /** Call it every few minutes and at the end: it reveals a clock that is set between two starts. */
  noteSeen(): void;
  close(): void;
}

export interface HostTimeDeps {
  source: TimeSource;
  storedTimes: StoredTimes;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Before the stored times are shifted: writes those that are still in memory. */
  flush: () => void;
  /** Afterwards: caches are outdated, and times in memory must be shifted too. */
  onShifted: (stepMs: number) => void;
}

/** How far two clocks may drift apart before one of them was set: a minute, plus a thousandth of the time between. */
const toleranceMs = 60_000;
const maxReadings = 3;

/** Before it returns, it compares the clock with the last run’s and adjusts the stored times. */
export function keepTime({ source, storedTimes, log, flush, onShifted }: HostTimeDeps): HostTime {
  const start = resume(source, storedTimes, log);
  const livedAt = ({ uptimeMs }: ClockReading): number =>
    Math.round(start.livedMs + uptimeMs - start.uptimeMs);
  const noteSeen = (reading: ClockReading): void =>
    storedTimes.setLastSeen({ ...reading, livedMs: livedAt(reading) });
  const clock = createHostClock({
    source,
    start,
    onStep(stepMs, after) {
      try {
        flush();
        storedTimes.transaction(() => {
          storedTimes.shift(stepMs);
          noteSeen(after);
        });
      } catch (error) {
        log.error(
          { err: error },
          'This computer’s clock changed, and DocTray couldn’t update its stored times. It will retry.',
        );
        throw error;
      }
      log.warn(
        { stepMs },
        'This computer’s clock was changed. Locks, tokens and sessions keep their remaining time.',
      );
      onShifted(stepMs);
    },
  });
  return {
    now: clock.now,
    elapsed: clock.elapsed,
    livedMs: () => livedAt(clock.reading()),
    // Not by the computer's clock while the stored times don't follow it yet.
    noteSeen: () => noteSeen(clock.reading()),
    close: clock.close,
  };
}

/**
 * Compares the host's last run with the current clock. If the clock is behind, it was set back, and nobody knows how long the
 * host was off: sessions and tokens expire, locks lapse. If it is ahead, it may be wrong too: for users who were editing then,
 * the grace period of expired tokens begins now. A clock that was never set proves nothing, now or in the last run: all remaining
 * times are kept. Returns what it recorded as last seen.
 */
function resume(source: TimeSource, storedTimes: StoredTimes, log: HostTimeDeps['log']): LastSeen {
  const last = storedTimes.lastSeen();
  const now = readClocks(source, last);
  storedTimes.transaction(() => {
    if (last !== undefined) {
      const { leastMs, behindMs, isBehind } = compare(last, now);
      now.livedMs = Math.round(last.livedMs + leastMs);
      if (Math.min(last.wallMs, now.wallMs) < earliestMs) {
        log.warn(
          { behindMs },
          'This computer’s clock is wrong or was just corrected. Locks, tokens and sessions keep their remaining time.',
        );
        storedTimes.shift(-behindMs);
      } else if (isBehind) {
        log.warn(
          { behindMs },
          'This computer’s clock was set back since DocTray last ran. Sessions and tokens have expired.',
        );
        storedTimes.shift(-behindMs);
        storedTimes.expireAll(now.wallMs);
      } else storedTimes.extendExpiry({ fromMs: last.wallMs, toMs: now.wallMs, graceMs: accessTokenGraceMs });
    }
    storedTimes.setLastSeen(now);
  });
  return now;
}

/** A reading that looks wrong is repeated, so that a single one changes nothing. */
function readClocks(source: TimeSource, last: LastSeen | undefined): LastSeen {
  for (let readings = 1; ; readings += 1) {
    const now = { wallMs: source.wallMs(), uptimeMs: source.uptimeMs(), livedMs: 0 };
    const looksWrong = now.wallMs < earliestMs || (last !== undefined && compare(last, now).isBehind);
    if (!looksWrong || readings === maxReadings) return now;
  }
}

function compare(last: LastSeen, now: LastSeen) {
  const leastMs = leastBetween(last, now);
  const behindMs = last.wallMs + leastMs - now.wallMs;
  return { leastMs, behindMs, isBehind: behindMs > toleranceMs + leastMs / 1000 };
}

/**
 * Real time that has certainly passed between the two: the computer kept running, or was started in between. The uptime is read with
 * different precision and rounding, so a little less than before isn't a start of the computer.
 */
function leastBetween(last: LastSeen, now: LastSeen): number {
  const sinceMs = now.uptimeMs - last.uptimeMs;
  return sinceMs < -toleranceMs ? now.uptimeMs : Math.max(0, sinceMs);
}
