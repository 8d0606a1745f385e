// Recovered saves: received, but not written to their document.

import { z } from 'zod';
import { command, id, journalAction } from './command.ts';

export const recoveredSaveCommands = {
  'recovered.list': command({
    needs: 'services',
    from: 'terminal',
    run: ({ services }) => services.recoveredSaves.list(),
  }),

  'recovered.restore': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id }),
    async run(context, args) {
      const path = await context.services.recoveredSaves.restore(args.id);
      journalAction(context, 'RestoreRecoveredSave', path);
      return { path };
    },
  }),

  'recovered.saveAnyway': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id }),
    async run(context, args) {
      const path = await context.services.recoveredSaves.saveAnyway(args.id);
      journalAction(context, 'SaveAnyway', path);
      return { path };
    },
  }),

  'recovered.discard': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id }),
    async run(context, args) {
      const { recoveredSaves } = context.services;
      const path = recoveredSaves.list().find(({ id }) => id === args.id)?.path ?? '';
      await recoveredSaves.discard(args.id);
      journalAction(context, 'DiscardRecoveredSave', path);
      return { id: args.id };
    },
  }),
};
