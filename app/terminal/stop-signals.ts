// The signals that end this process, and its end without one: npm runs scripts in a shell that a signal kills without being forwarded.

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm forwards a Ctrl+C that the terminal also sends to this process; both arrive within this time and count as one. */
export const sameSignalMs = 300;
const orphanCheckMs = 1000;

/** Returns a function that removes the handlers. */
export function onStopSignal(handler: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of stopSignals) process.on(signal, handler);
  return () => {
    for (const signal of stopSignals) process.off(signal, handler);
  };
}

/** Calls the handler every second from the moment this process has another parent. Returns a function that ends the watch. */
export function onOrphaned(handler: () => void): () => void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) handler();
  }, orphanCheckMs).unref();
  return () => clearInterval(watch);
}
