// The journal of what happened, as the Activity view shows it.

import { z } from 'zod';
import { activityItems } from '../live-state/activity-feed.ts';
import { command, id, noArgs, longPoll } from './command.ts';

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
    isPolled: true,
    args: z.strictObject({ after: z.int().min(0).nullable() }),
    async run({ services: { journal } }, { after }) {
      const isBehind = (): boolean => after === null || journal.lastSequence() !== after;
      await longPoll(journal.onAdd, isBehind);
      const last = journal.lastSequence();
      const isSame = after !== null && after <= last;
      return { last, items: activityItems(journal, isSame ? last - after : last) };
    },
  }),

  /** Saves, open documents and errors of each of the last 24 hours; kept when the host restarts. */
  'activity.summary': command({
    needs: 'host',
    from: 'both',
    args: noArgs,
    run: ({ services: { activityHours } }) => ({ hours: activityHours.list() }),
  }),

  /** The last entries about one document, newest first. */
  'activity.ofDocument': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ fileId: id, count: z.int().min(1).max(200) }),
    run: ({ feed }, { fileId, count }) => ({
      items: feed
        .list()
        .filter((item) => item.fileId === fileId)
        .slice(-count)
        .toReversed(),
    }),
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
