// A pause of the host: new opens are refused, saves aren't. It ends at its time, also if the computer slept or its clock was set.

import type { Clock } from '../contract/clock.ts';

export interface Pause {
  /** Undefined while not paused; null while paused without a time limit. */
  untilMs(): number | null | undefined;
  pause(untilMs: number | null): void;
  resume(): void;
  /** Ends the pause if its time has passed: no timer fires during sleep. */
  check(): void;
  close(): void;
}

/** If the clock was set, the end of a pause is detected after this time at the latest. */
const checkEveryMs = 60_000;

export function createPause(deps: { clock: Clock; onChange: () => void }): Pause {
  let untilMs: number | null | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const resume = (): void => {
    clearTimeout(timer);
    if (untilMs === undefined) return;
    untilMs = undefined;
    deps.onChange();
  };
  /** A timer stops while the computer sleeps, doesn't follow a clock that is set, and can't wait for a month. */
  const check = (): void => {
    clearTimeout(timer);
    if (isClosed || untilMs === undefined || untilMs === null) return;
    const leftMs = untilMs - deps.clock();
    if (leftMs <= 0) resume();
    else timer = setTimeout(check, Math.min(leftMs, checkEveryMs)).unref();
  };

  return {
    untilMs: () => untilMs,
    pause(until) {
      untilMs = until;
      check();
      deps.onChange();
    },
    resume,
    check,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
