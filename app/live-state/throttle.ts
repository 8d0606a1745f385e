// Keeps a burst from becoming a flood: the first call is answered in the same turn of the event loop, what follows is gathered
// until about a tenth of a second has passed. No timer runs while nobody calls.

/** At most ten in any second, also where a timer is a little early. */
export const pushEveryMs = 105;

export interface Throttle {
  /** The work is done soon, once for all who ask meanwhile. */
  ask(): void;
  /** Nothing is done any more. */
  close(): void;
}

/** `work` must not throw. It runs in a turn of its own, when whoever asked has finished writing. */
export function createThrottle(work: () => void, everyMs: number = pushEveryMs): Throttle {
  let isAsked = false;
  let isClosed = false;
  let soon: NodeJS.Immediate | undefined;
  let pause: NodeJS.Timeout | undefined;

  const run = (): void => {
    soon = undefined;
    isAsked = false;
    pause = setTimeout(() => {
      pause = undefined;
      if (isAsked) run();
    }, everyMs);
    pause.unref();
    work();
  };

  return {
    ask() {
      if (isClosed || isAsked) return;
      isAsked = true;
      if (pause === undefined) soon = setImmediate(run);
    },
    close() {
      isClosed = true;
      clearImmediate(soon);
      clearTimeout(pause);
    },
  };
}
