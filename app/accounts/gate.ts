// Lets a bounded number of jobs run at once and a bounded number wait; the rest is turned away. Password checks take
// 32 MiB and a worker thread each, and the same few threads write documents.

import { AppError } from '../contract/errors.ts';

export interface Gate {
  /** @throws AppError too-busy when the queue is full; else whatever the job throws */
  run<Result>(job: () => Promise<Result>): Promise<Result>;
}

const retryAfterSeconds = 2;

export function createGate(limits: { maxRunning: number; maxWaiting: number }): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];

  const enter = async (): Promise<void> => {
    if (running < limits.maxRunning) {
      running += 1;
      return;
    }
    if (waiting.length >= limits.maxWaiting) throw new AppError('too-busy', { retryAfterSeconds });
    await new Promise<void>((resolve) => waiting.push(resolve));
  };

  // A place is handed over, never freed and taken again: a newcomer cannot slip in between.
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };

  return {
    async run(job) {
      await enter();
      try {
        return await job();
      } finally {
        leave();
      }
    },
  };
}
