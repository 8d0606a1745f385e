// One queue per key: work under the same key never overlaps. Makes "check the lock, then write" one step.

export interface KeyedMutex {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const before = tails.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      tails.set(key, mine);
      const done = (): void => {
        if (tails.get(key) === mine) tails.delete(key);
      };
      mine.then(done, done);
      return mine;
    },
    async idle() {
      while (tails.size > 0) await Promise.allSettled(tails.values());
    },
  };
}
