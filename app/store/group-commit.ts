// One durable commit for all that is written at the same moment. A commit waits for the disk, and what sixteen editors write
// at once needs to wait for it only once; each is told when its own work is on the disk, never before.

import type { Db } from './open-store.ts';

/** Runs the work in a transaction and resolves with its result once that is committed; rejects with what it throws. */
export type Commit = <T>(work: () => T) => Promise<T>;

interface Waiting {
  /** Does the work; the function it answers tells the caller. */
  work: () => () => void;
  reject: (error: unknown) => void;
}

export function createGroupCommit(db: Db): Commit {
  let queue: Waiting[] = [];

  const transaction = db.transaction((batch: readonly Waiting[]) =>
    batch.map(({ work }) => {
      const tell = work();
      // A full disk rolls the whole transaction back. Work that hid that error would go on outside of any.
      if (!db.inTransaction) throw new Error('The transaction was rolled back while it was written.');
      return tell;
    }),
  );
  const commitAll = (batch: readonly Waiting[]): (() => void)[] => {
    // Inside a transaction that somebody left open this would only be a savepoint, and nothing would be committed.
    if (db.inTransaction) db.exec('ROLLBACK');
    return transaction.immediate(batch);
  };

  const flush = (): void => {
    const batch = queue;
    queue = [];
    try {
      for (const tell of commitAll(batch)) tell();
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) {
        only.reject(error);
        return;
      }
      // Nothing of the batch was committed: each once more, so that a failure is its own alone.
      for (const waiting of batch) {
        try {
          for (const tell of commitAll([waiting])) tell();
        } catch (failure) {
          waiting.reject(failure);
        }
      }
    }
  };

  return (work) =>
    new Promise((resolve, reject) => {
      queue.push({
        work: () => {
          const result = work();
          return () => resolve(result);
        },
        reject,
      });
      if (queue.length === 1) setImmediate(flush);
    });
}
