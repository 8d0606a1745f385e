// Work that nobody waits for, one piece at a time: hashing what an editor opened, what a save replaced.

export interface Background {
  /** Does nothing when work of that key waits or runs already. */
  add(key: string, work: () => Promise<void>): void;
  /** Drops what waits, and resolves when what runs is done. */
  close(): Promise<void>;
}

export function createBackground(deps: { onError: (error: unknown) => void }): Background {
  const waiting = new Map<string, () => Promise<void>>();
  let running: Promise<void> | undefined;
  let isClosed = false;

  const run = async (): Promise<void> => {
    for (const [key, work] of waiting) {
      try {
        await work();
      } catch (error) {
        deps.onError(error);
      }
      waiting.delete(key);
    }
    running = undefined;
  };

  return {
    add(key, work) {
      if (isClosed || waiting.has(key)) return;
      waiting.set(key, work);
      running ??= new Promise((resolve) => setImmediate(resolve)).then(run);
    },
    async close() {
      isClosed = true;
      waiting.clear();
      await running;
    },
  };
}
