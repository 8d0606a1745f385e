// Recovered saves: received, but not written to their document.

import { z } from 'zod';
import { command, id, noArgs } from './command.ts';

export const recoveredSaveCommands = {
  'recovered.list': command({
    needs: 'services',
    from: 'terminal',
    args: noArgs,
    run: ({ services }) => services.recoveredSaves.list(),
  }),

  'recovered.restore': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id }),
    run: async ({ services }, args) => ({ path: await services.recoveredSaves.restore(args.id) }),
  }),

  'recovered.discard': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id }),
    async run({ services }, args) {
      await services.recoveredSaves.discard(args.id);
      return { id: args.id };
    },
  }),
};
