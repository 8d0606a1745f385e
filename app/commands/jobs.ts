// Long work that the window shows with its progress.

import { z } from 'zod';
import { command, id } from './command.ts';

export const jobCommands = {
  'jobs.cancel': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ id }),
    run({ jobs }, { id }) {
      jobs.cancel(id);
      return null;
    },
  }),

  'jobs.dismiss': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ id }),
    run({ jobs }, { id }) {
      jobs.dismiss(id);
      return null;
    },
  }),
};
