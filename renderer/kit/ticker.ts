// The one timer for every time shown. Whoever shows a time says when its words change next; the timer sleeps until the nearest of these,
// never less than a second, and stands still while the page is hidden.

const shortestMs = 1000;

/** The document. */
interface Page {
  readonly hidden: boolean;
  addEventListener(name: 'visibilitychange', listener: () => void): void;
  removeEventListener(name: 'visibilitychange', listener: () => void): void;
}

export interface Ticker {
  /** `notify` is called once `dueInMs(now)` has passed, then asked again. Returns how to stop. */
  watch(dueInMs: (nowMs: number) => number, notify: () => void): () => void;
  close(): void;
}

export function createTicker(deps: { clock: () => number; page: Page }): Ticker {
  const { clock, page } = deps;
  const watches = new Map<
    object,
    { dueInMs: (nowMs: number) => number; dueAtMs: number; notify: () => void }
  >();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAtMs = Number.POSITIVE_INFINITY;

  const sleepUntil = (atMs: number) => {
    if (page.hidden || atMs >= timerAtMs) return;
    clearTimeout(timer);
    timerAtMs = atMs;
    timer = setTimeout(tick, Math.max(shortestMs, Math.min(atMs - clock(), 3_600_000)));
  };
  const tick = () => {
    timer = undefined;
    timerAtMs = Number.POSITIVE_INFINITY;
    const nowMs = clock();
    let nextAtMs = Number.POSITIVE_INFINITY;
    for (const watch of watches.values()) {
      // What would be due within the shortest sleep is done now: one waking instead of two.
      if (watch.dueAtMs <= nowMs + shortestMs / 2) {
        watch.dueAtMs = nowMs + Math.max(shortestMs, watch.dueInMs(nowMs));
        watch.notify();
      }
      nextAtMs = Math.min(nextAtMs, watch.dueAtMs);
    }
    if (watches.size > 0) sleepUntil(nextAtMs);
  };
  const turn = () => {
    if (page.hidden) {
      clearTimeout(timer);
      timer = undefined;
      timerAtMs = Number.POSITIVE_INFINITY;
      return;
    }
    for (const watch of watches.values()) watch.dueAtMs = 0;
    tick();
  };
  page.addEventListener('visibilitychange', turn);

  return {
    watch: (dueInMs, notify) => {
      const key = {};
      const nowMs = clock();
      const dueAtMs = nowMs + Math.max(shortestMs, dueInMs(nowMs));
      watches.set(key, { dueInMs, dueAtMs, notify });
      sleepUntil(dueAtMs);
      return () => void watches.delete(key);
    },
    close: () => {
      page.removeEventListener('visibilitychange', turn);
      clearTimeout(timer);
      watches.clear();
    },
  };
}
