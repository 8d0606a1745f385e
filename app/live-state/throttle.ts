// Limits work to ten times a second: the first request runs in the same turn of the event loop, later ones are merged until the pause
// has passed. No timer runs without a request.

/** At most ten in any second, even if a timer fires slightly early. */
export const pushEveryMs = 105;

export interface Throttle {
  /** Requests the work; requests that arrive before it runs share one run. */
  request(): void;
  /** No work runs after this. */
  close(): void;
}

/**
 * @param work must not throw. It runs in its own microtask, after the caller has finished writing
 * @param longerPauseMs the pause after a run, if it should be longer than `pushEveryMs`
 */
export function createThrottle(work: () => void, longerPauseMs: () => number = () => 0): Throttle {
  let isRequested = false;
  let isClosed = false;
  let soon: NodeJS.Immediate | undefined;
  let pause: NodeJS.Timeout | undefined;

  const run = (): void => {
    soon = undefined;
    isRequested = false;
    const pauseMs = Math.max(pushEveryMs, longerPauseMs());
    pause = setTimeout(() => {
      pause = undefined;
      if (isRequested) run();
    }, pauseMs).unref();
    work();
  };

  return {
    request() {
      if (isClosed || isRequested) return;
      isRequested = true;
      if (pause === undefined) soon = setImmediate(run);
    },
    close() {
      isClosed = true;
      clearImmediate(soon);
      clearTimeout(pause);
    },
  };
}
