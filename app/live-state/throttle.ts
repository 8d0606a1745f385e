// Limits work to ten times a second: the first request runs once the caller's turn of the event loop is over, later ones share a run
// after the pause. No timer runs without a request.

/** At most ten in any second, even if a timer fires slightly early. */
export const pushEveryMs = 105;

export interface Throttle {
  /** Requests the work; requests that arrive before it runs share one run. */
  request(): void;
  /** No work runs after this. */
  close(): void;
}

/**
 * @param work must not throw
 * @param longerPauseMs from the beginning of a run to the next, if that should be longer than `pushEveryMs`
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
