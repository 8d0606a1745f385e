// Keeps the stored moments true to real time: across starts, when the computer's clock may have been set while nobody looked, and
// while the process runs.

import type { Clock } from '../contract/clock.ts';
import type { Logger } from '../log/logger.ts';
import type { LastSeen, StoredTimes } from '../store/stored-times.ts';
import { createHostClock, type HostClock, type TimeSource } from './host-clock.ts';

export interface HostTime extends Pick<HostClock, 'now' | 'elapsed'> {
  /** Real time since this data folder was first used, as far as it is known. Comparable across starts; only ever grows. */
  livedMs: Clock;
  /** To be called every few minutes and at the end: a clock that is set between two starts is known by it. */
  noteSeen(): void;
  close(): void;
}

export interface HostTimeDeps {
  source: TimeSource;
  storedTimes: StoredTimes;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Before the stored moments are moved: those that wait in memory are written. */
  flush: () => void;
  /** After it: what is cached is old, and moments in memory are to be moved by as much. */
  onShifted: (stepMs: number) => void;
}

/** How far two clocks may drift apart before one of them was set: a minute, and a thousandth of the time between. */
const toleranceMs = 60_000;

export function keepTime({ source, storedTimes, log, flush, onShifted }: HostTimeDeps): HostTime {
  const start = resume(source, storedTimes, log);
  const livedMs = (): number => Math.round(start.livedMs + source.uptimeMs() - start.uptimeMs);
  const noteSeen = (wallMs: number): void =>
    storedTimes.setLastSeen({ wallMs, uptimeMs: source.uptimeMs(), livedMs: livedMs() });
  const clock = createHostClock({
    source,
    onStep(stepMs) {
      try {
        flush();
        storedTimes.transaction(() => {
          storedTimes.shift(stepMs);
          noteSeen(source.wallMs());
        });
      } catch (error) {
        log.error(
          { err: error },
          'This computer’s clock changed, and DocTray could not update its stored times. It will retry.',
        );
        throw error;
      }
      log.warn(
        { stepMs },
        'The clock of this computer was set. Locks, tokens and sessions keep the time they have left.',
      );
      onShifted(stepMs);
    },
  });
  return {
    now: clock.now,
    elapsed: clock.elapsed,
    livedMs,
    // Not by the computer's clock while the stored moments do not follow it yet.
    noteSeen: () => noteSeen(clock.now()),
    close: clock.close,
  };
}

/**
 * What the host had when it last ran, by the clock of now. A clock that is behind was set back, and nobody knows how long the host
 * was off: sessions and tokens expire, locks lapse. One that is ahead may be wrong, too: for whoever was editing then, the time in
 * which an expired token still saves begins now. Returns what it noted as last seen.
 */
function resume(source: TimeSource, storedTimes: StoredTimes, log: HostTimeDeps['log']): LastSeen {
  const now = { wallMs: source.wallMs(), uptimeMs: source.uptimeMs(), livedMs: 0 };
  storedTimes.transaction(() => {
    const last = storedTimes.lastSeen();
    if (last !== undefined) {
      const leastMs = leastBetween(last, now);
      now.livedMs = Math.round(last.livedMs + leastMs);
      const behindMs = last.wallMs + leastMs - now.wallMs;
      if (behindMs > toleranceMs + leastMs / 1000) {
        log.warn(
          { behindMs },
          'The clock of this computer was set back since DocTray last ran. Sessions and tokens have expired.',
        );
        storedTimes.shift(-behindMs);
        storedTimes.expireAll(now.wallMs);
      } else storedTimes.extendExpiry(last.wallMs, now.wallMs);
    }
    storedTimes.setLastSeen(now);
  });
  return now;
}

/** Real time between the two that has passed for certain: the computer ran on, or was started in between. */
function leastBetween(last: LastSeen, now: LastSeen): number {
  return now.uptimeMs >= last.uptimeMs ? now.uptimeMs - last.uptimeMs : now.uptimeMs;
}
