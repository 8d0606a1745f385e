// Long work on the event loop in short turns: editors are served between two of them.

/** A turn is given up after this long; what one step does beyond it has to be short. */
const sliceMs = 4;

/** Called between two steps: resolves at once, or after everybody else had a turn. @throws the signal's reason when aborted */
export type Breathe = () => Promise<void> | undefined;

export function createBreathe(signal?: AbortSignal): Breathe {
  let turnEndsAt = performance.now() + sliceMs;
  return () => {
    if (signal?.aborted !== true && performance.now() < turnEndsAt) return undefined;
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        turnEndsAt = performance.now() + sliceMs;
        if (signal?.aborted === true) reject(signal.reason as Error);
        else resolve();
      });
    });
  };
}
