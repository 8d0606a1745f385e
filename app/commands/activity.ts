// The journal of what happened, as the Activity view shows it.

import { z } from 'zod';
import { command, nothing } from './command.ts';

export const activityCommands = {
  /** The last 10,000, oldest first. */
  'activity.list': command({
    needs: 'window',
    from: 'window',
    args: nothing,
    run: ({ feed }) => ({ items: feed.list() }),
  }),

  'activity.watch': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ isWatching: z.boolean() }),
    run({ feed }, { isWatching }) {
      feed.watch(isWatching);
      return null;
    },
  }),

  'activity.clear': command({
    needs: 'window',
    from: 'window',
    args: nothing,
    run({ feed }) {
      feed.clear();
      return null;
    },
  }),
};
