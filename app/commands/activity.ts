// The journal of what happened, as the Activity view shows it.

import { z } from 'zod';
import { isError, isSaveOperation } from '../contract/request-errors.ts';
import type { ActivitySummary } from '../contract/results.ts';
import { activityItems } from '../live-state/activity-feed.ts';
import { findDocument } from '../documents/file-argument.ts';
import { command, id, longPoll, typedFile, type Contexts } from './command.ts';

export const activityCommands = {
  /** The last 10,000 entries, oldest first. */
  'activity.list': command({
    needs: 'window',
    from: 'window',
    run: ({ feed }) => ({ items: feed.list() }),
  }),

  /**
   * The entries after that number, oldest first; waits up to 10 seconds if there are none. Null: all entries, without waiting. The
   * numbers start at 0 again when the host restarts. With a file or its id, only the entries about it.
   */
  'activity.since': command({
    needs: 'host',
    from: 'terminal',
    isPolled: true,
    args: z.strictObject({
      after: z.int().min(0).nullable(),
      document: z.union([z.strictObject(typedFile), z.strictObject({ fileId: id })]).optional(),
    }),
    async run({ services }, { after, document }) {
      const { journal } = services;
      const found = document !== undefined && 'file' in document;
      const { id: fileId } = found ? await findDocument(services, document) : { id: document?.fileId };
      const isBehind = (): boolean => after === null || journal.lastSequence() !== after;
      await longPoll(journal.onAdd, isBehind);
      const last = journal.lastSequence();
      const isSame = after !== null && after <= last;
      const items = activityItems(services, isSame ? last - after : last);
      return {
        last,
        fileId: fileId ?? null,
        items: fileId === undefined ? items : items.filter((item) => item.fileId === fileId),
      };
    },
  }),

  'activity.summary': command({
    needs: 'host',
    from: 'window',
    run: summaryOf,
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
    run: ({ feed }, { isWatching }) => feed.watch(isWatching),
  }),

  /** The log stays. */
  'activity.clear': command({
    needs: 'host',
    from: 'both',
    run: ({ services: { journal, clock } }) => journal.clear(clock()),
  }),
};

const dayMs = 24 * 60 * 60 * 1000;

function summaryOf({ services: { journal, clock }, host }: Contexts['host']): ActivitySummary {
  const keptSinceMs = journal.completeSinceMs() ?? host.state().startedAtMs;
  const sinceMs = Math.max(keptSinceMs, clock() - dayMs);
  // Without what users did.
  const requests = journal.newest(Infinity).filter(({ atMs, method }) => method !== '' && atMs >= sinceMs);
  return {
    sinceMs,
    saves: requests.filter((one) => isSaveOperation(one.operation) && !isError(one)).length,
    documents: new Set(requests.flatMap(({ fileId }) => fileId ?? [])).size,
    errors: requests.filter(isError).length,
  };
}
