// Work that nobody waits for, one piece at a time: hashing what an editor opened, what a save replaced.

export interface IdleQueue {
  /** Does nothing when work of that key waits or runs already. */
  add(key: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Drops what waits, aborts what runs, and resolves when it has ended. */
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
