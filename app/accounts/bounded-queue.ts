// Runs a limited number of jobs at once, lets a limited number wait, and refuses the rest. Password checks take 32 MiB and a
// worker thread each, from the same small pool that writes documents. No address may take all places, and this computer has its
// own queue, which goes first.

import { AppError } from '../contract/errors.ts';

export interface QueueLimits {
  running: number;
  waiting: number;
  waitingPerAddress: number;
  waitingLocal: number;
}

export interface BoundedQueue {
  /** @throws AppError too-busy if the queue is full; else whatever the job throws */
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

  // A finished job passes its place on directly, so that a newcomer can't take it first.
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
