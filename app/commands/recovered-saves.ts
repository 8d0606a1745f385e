// Recovered saves: received, but not written to their document.

import { z } from 'zod';
import type { UserActionName } from '../contract/user-actions.ts';
import { command, id, journalAction } from './command.ts';

/** Writes a recovered save to a document, whose path is the result. */
const writing = (method: 'restore' | 'saveAnyway', action: UserActionName) =>
  command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id }),
    async run(context, args) {
      const path = await context.services.recoveredSaves[method](args.id);
      journalAction(context, action, path);
      return { path };
    },
  });

export const recoveredSaveCommands = {
  'recovered.list': command({
    needs: 'services',
    from: 'terminal',
    run: ({ services }) => services.recoveredSaves.list(),
  }),

  'recovered.restore': writing('restore', 'RestoreRecoveredSave'),
  'recovered.saveAnyway': writing('saveAnyway', 'SaveAnyway'),

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
