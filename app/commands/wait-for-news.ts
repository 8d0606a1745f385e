// Long polling for terminal commands that follow something: each call returns when there is something new.

/** A call returns after this time even if there is nothing new. */
const limitMs = 10_000;

/** @param listen calls its listener when there may be something new, and returns a function that removes the listener */
export async function waitForNews(
  listen: (listener: () => void) => () => void,
  isNews: () => boolean,
): Promise<void> {
  if (isNews()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stopListening = listen(() => {
    if (isNews()) resolve();
  });
  const timer = setTimeout(resolve, limitMs);
  try {
    await promise;
  } finally {
    stopListening();
    clearTimeout(timer);
  }
}
