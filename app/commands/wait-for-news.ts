// A terminal command that follows something asks again and again; each answer waits until there is something new.

/** An answer is sent after this time even if there is nothing new. */
const limitMs = 10_000;

/** @param listen calls its listener when there may be news, and returns a function that ends this */
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
