// Long work on the event loop in short turns: editors are served between two of them.

/** A turn is given up after this long; what one step does beyond it has to be short. */
const turnMs = 4;
/** Measured with the names of 100,000 files: sorted at once 100 ms; in runs of this many the longest turn, the last join, is 40 ms. */
const sortedAtOnce = 16_384;

/** Called between two steps: resolves at once, or after everything else had a turn. @throws the signal's reason when aborted */
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

/** A new array in order, stable. A long one is sorted in runs, which are then joined in pairs: sorting two runs merges them. */
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
