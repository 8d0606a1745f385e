// The signals that end this process, and its end without one: npm runs scripts in a shell that a signal kills without being forwarded.

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm forwards a Ctrl+C that the terminal also sends to this process; both arrive within this time and count as one. */
const sameSignalMs = 300;
const orphanCheckMs = 1000;

type OnSignal = (signal: NodeJS.Signals) => void;

/** @param again is called for a signal that the user sends after the first one */
export function signalHandler(first: OnSignal, again: OnSignal): OnSignal {
  let signaledAtMs: number | undefined;
  return (signal) => {
    const nowMs = performance.now();
    const sinceMs = signaledAtMs === undefined ? undefined : nowMs - signaledAtMs;
    signaledAtMs ??= nowMs;
    if (sinceMs === undefined) first(signal);
    else if (sinceMs > sameSignalMs) again(signal);
  };
}

/** As `signalHandler`. Returns a function that removes the handlers. */
export function onStopSignal(first: OnSignal, again: OnSignal = () => undefined): () => void {
  const handler = signalHandler(first, again);
  for (const signal of stopSignals) process.on(signal, handler);
  return () => {
    for (const signal of stopSignals) process.off(signal, handler);
  };
}

/** Calls the handler within a second once this process has another parent. Returns a function that ends the watch. */
export function onOrphaned(handler: () => unknown): () => void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    handler();
  }, orphanCheckMs).unref();
  return () => clearInterval(watch);
}
