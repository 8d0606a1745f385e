// One durable commit for everything written in the same turn. A commit waits for the disk, and the writes of sixteen editors
// share that wait; each is confirmed when its own work is on disk, never before.

import type { Db } from './open-store.ts';
import { keepingRows } from './sql.ts';

/** Runs the work in a transaction and resolves with its result once that is committed; rejects with what it throws. */
export type Commit = <T>(work: () => T) => Promise<T>;

interface Waiting {
  /** Does the work; returns a function that notifies the caller. */
  work: () => () => void;
  reject: (error: unknown) => void;
}

export function createGroupCommit(db: Db): Commit {
  let queue: Waiting[] = [];

  const transaction = db.transaction((batch: readonly Waiting[]) =>
    batch.map(({ work }) => {
      const notify = work();
      // A full disk rolls the whole transaction back. Work that hid that error would continue outside of any transaction.
      if (!db.inTransaction) throw new Error('The transaction was rolled back while it was being written.');
      return notify;
    }),
  );
  const commitAll = (batch: readonly Waiting[]): (() => void)[] => {
    // Inside a transaction left open this would only be a savepoint, and nothing would be committed.
    if (db.inTransaction) db.exec('ROLLBACK');
    return keepingRows(db, () => transaction.immediate(batch));
  };

  const flush = (): void => {
    const batch = queue;
    queue = [];
    try {
      for (const notify of commitAll(batch)) notify();
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) {
        only.reject(error);
        return;
      }
      // Nothing of the batch was committed: retries each separately, so that a failure affects only its own work.
      for (const waiting of batch) {
        try {
          for (const notify of commitAll([waiting])) notify();
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
