// A pause of the host: new opens are refused, saves are not. It ends by itself at its time, also where the machine slept or
// its clock was set meanwhile.

import type { Clock } from '../contract/clock.ts';

export interface Pause {
  /** Undefined while not paused; null while paused until somebody resumes it. */
  untilMs(): number | null | undefined;
  pause(untilMs: number | null): void;
  resume(): void;
  /** Ends the pause when it is over: after a sleep, no timer has told. */
  look(): void;
  close(): void;
}

/** A pause whose end was moved by a clock that was set is noticed this long after at the latest. */
const lookEveryMs = 60_000;

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
  /** A timer stands still while the machine sleeps, does not follow a clock that is set, and cannot be set for a month. */
  const look = (): void => {
    clearTimeout(timer);
    if (isClosed || untilMs === undefined || untilMs === null) return;
    const leftMs = untilMs - deps.clock();
    if (leftMs <= 0) resume();
    else timer = setTimeout(look, Math.min(leftMs, lookEveryMs)).unref();
  };

  return {
    untilMs: () => untilMs,
    pause(until) {
      untilMs = until;
      look();
      deps.onChange();
    },
    resume,
    look,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
