// Background work, one piece at a time: hashing what an editor opened or a save replaced.

export interface IdleQueue {
  /** Does nothing if work with that key is queued or running. */
  add(key: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Drops queued work, aborts running work, and resolves when that has ended. */
  close(): Promise<void>;
}

export function createIdleQueue(deps: { onError: (error: unknown) => void }): IdleQueue {
  const waiting = new Map<string, (signal: AbortSignal) => Promise<void>>();
  let running: Promise<void> | undefined;
  const closing = new AbortController();

  const run = async (): Promise<void> => {
    for (const [key, work] of waiting) {
      try {
        await work(closing.signal);
      } catch (error) {
        if (!closing.signal.aborted) deps.onError(error);
      }
      waiting.delete(key);
    }
    running = undefined;
  };

  return {
    add(key, work) {
      if (closing.signal.aborted || waiting.has(key)) return;
      waiting.set(key, work);
      running ??= new Promise((resolve) => setImmediate(resolve)).then(run);
    },
    async close() {
      closing.abort();
      waiting.clear();
      await running;
    },
  };
}
