// Long work with progress, such as an import.

import { z } from 'zod';
import { AppError } from '../contract/errors.ts';
import type { JobItem } from '../contract/state.ts';
import { command, id, longPoll } from './command.ts';

export const jobCommands = {
  /** Returns when the job has got further than `done` or has ended, or after 10 seconds. */
  'jobs.progress': command({
    needs: 'host',
    from: 'terminal',
    isPolled: true,
    args: z.strictObject({ id, done: z.number() }),
    async run({ services: { jobs, events } }, { id, done }): Promise<JobItem> {
      const find = (): JobItem | undefined => jobs.items('terminal').find((job) => job.id === id);
      await longPoll(
        (listener) => events.on('row-changed', ({ table }) => void (table === 'jobs' && listener())),
        () => find()?.state !== 'running' || (find()?.done ?? 0) > done,
      );
      const item = find();
      if (item === undefined) throw new AppError('job-unknown');
      return item;
    },
  }),

  'jobs.cancel': command({
    needs: 'host',
    from: 'both',
    args: z.strictObject({ id }),
    run: ({ services }, { id }) => services.jobs.cancel(id),
  }),

  'jobs.dismiss': command({
    needs: 'host',
    from: 'both',
    args: z.strictObject({ id }),
    run: ({ services }, { id }) => services.jobs.dismiss(id),
  }),
};
