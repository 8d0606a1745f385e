// Long polling for terminal commands that follow something: each call returns when there is something new.

/** A call returns after this time even if there is nothing new. */
const limitMs = 10_000;

/** @param listen calls its listener when there may be something new, and returns a function that removes the listener */
export async function longPoll(
  listen: (listener: () => void) => () => void,
  hasNews: () => boolean,
): Promise<void> {
  if (hasNews()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stopListening = listen(() => {
    if (hasNews()) resolve();
  });
  const timer = setTimeout(resolve, limitMs);
  try {
    await promise;
  } finally {
    stopListening();
    clearTimeout(timer);
  }
}
