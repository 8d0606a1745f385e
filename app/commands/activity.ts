// The journal of what happened, as the Activity view shows it.

import { z } from 'zod';
import { activityItems } from '../live-state/activity-feed.ts';
import { command, noArgs } from './command.ts';
import { longPoll } from './long-poll.ts';

export const activityCommands = {
  /** The last 10,000 entries, oldest first. */
  'activity.list': command({
    needs: 'window',
    from: 'window',
    args: noArgs,
    run: ({ feed }) => ({ items: feed.list() }),
  }),

  /**
   * The entries after that number, oldest first; waits up to 10 seconds if there are none. Null: all entries, without waiting. The
   * numbers start at 0 again when the host restarts.
   */
  'activity.since': command({
    needs: 'host',
    from: 'terminal',
    args: z.strictObject({ after: z.int().min(0).nullable() }),
    async run({ services: { journal } }, { after }) {
      const isBehind = (): boolean => after === null || journal.lastSequence() !== after;
      await longPoll(journal.onAdd, isBehind);
      const last = journal.lastSequence();
      const isSame = after !== null && after <= last;
      return { last, items: activityItems(journal, isSame ? last - after : last) };
    },
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
    args: noArgs,
    run({ feed }) {
      feed.clear();
      return null;
    },
  }),
};
