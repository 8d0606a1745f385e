// Runs long work on the event loop in short turns, so that editors are served in between.

/** The length of a turn; a single step must not take much longer. */
const turnMs = 4;
/** Measured with 100,000 file names: sorted at once 100 ms; in runs of this size the longest turn, the last merge, is 40 ms. */
const sortedAtOnce = 16_384;

/**
 * Call it between two steps: returns at once, or resolves after everything else had a turn. @throws the signal's reason when
 * aborted
 */
export type YieldTurn = () => Promise<void> | undefined;

export function createYieldTurn(signal?: AbortSignal): YieldTurn {
  let turnEndsAt = performance.now() + turnMs;
  return () => {
    if (signal?.aborted !== true && performance.now() < turnEndsAt) return undefined;
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        turnEndsAt = performance.now() + turnMs;
        if (signal?.aborted === true) reject(signal.reason as Error);
        else resolve();
      });
    });
  };
}

/** A new sorted array, stable. A long one is sorted in runs, which are then merged in pairs. */
export async function sortInTurns<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  yieldTurn: YieldTurn,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += sortedAtOnce) {
    runs.push(items.slice(start, start + sortedAtOnce).toSorted(compare));
    await yieldTurn();
  }
  while (runs.length > 1) {
    const joined: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      joined.push(
        runs
          .slice(index, index + 2)
          .flat()
          .toSorted(compare),
      );
      await yieldTurn();
    }
    runs = joined;
  }
  return runs[0] ?? [];
}
