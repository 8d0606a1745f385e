// Lets a bounded number of jobs run at once and a bounded number wait; the rest is turned away. Password checks take
// 32 MiB and a worker thread each, and the same few threads write documents. No address may take all places, and this computer
// has a queue of its own that goes first.

import { AppError } from '../contract/errors.ts';

export interface QueueLimits {
  running: number;
  waiting: number;
  waitingPerAddress: number;
  waitingLocal: number;
}

export interface BoundedQueue {
  /** @throws AppError too-busy when the queue is full; else whatever the job throws */
  run<Result>(from: { addressKey: string; isLocal: boolean }, job: () => Promise<Result>): Promise<Result>;
}

const retryAfterSeconds = 2;

export function createBoundedQueue(limits: QueueLimits): BoundedQueue {
  let running = 0;
  const local: (() => void)[] = [];
  const others: { addressKey: string; begin: () => void }[] = [];

  const enter = async (from: { addressKey: string; isLocal: boolean }): Promise<void> => {
    if (running < limits.running) {
      running += 1;
      return;
    }
    const { addressKey, isLocal } = from;
    const isFull = isLocal
      ? local.length >= limits.waitingLocal
      : others.length >= limits.waiting ||
        others.filter((one) => one.addressKey === addressKey).length >= limits.waitingPerAddress;
    if (isFull) throw new AppError('too-busy', { retryAfterSeconds });
    await new Promise<void>((resolve) => {
      if (isLocal) local.push(resolve);
      else others.push({ addressKey, begin: resolve });
    });
  };

  // A place is handed over, never freed and taken again: a newcomer cannot slip in between.
  const leave = (): void => {
    const next = local.shift() ?? others.shift()?.begin;
    if (next) next();
    else running -= 1;
  };

  return {
    async run(from, job) {
      await enter(from);
      try {
        return await job();
      } finally {
        leave();
      }
    },
  };
}
