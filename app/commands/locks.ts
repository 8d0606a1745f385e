// Locks: listing them, and force-clearing them by hand. Each is cleared under its own document's mutex; one that can't be
// cleared doesn't stop the others.

import { z } from 'zod';
import type { ForceClearResult, Outcome } from '../contract/results.ts';
import { AppError } from '../contract/errors.ts';
import type { Services } from '../host/services.ts';
import { shortLockId, undoLimitMs } from '../wopi/lock-rules.ts';
import type { LockSummary } from '../wopi/locks.ts';
import { command, id, ids, typedFile, type Contexts, journalAction } from './command.ts';
import { failure } from '../documents/document-changes.ts';
import { findDocument, possiblePaths, type FileArgument } from '../documents/file-argument.ts';

export const lockCommands = {
  'locks.list': command({
    needs: 'services',
    from: 'terminal',
    run: ({ services }) => services.locks.list(),
  }),

  'locks.find': command({
    needs: 'services',
    from: 'terminal',
    args: z.strictObject(typedFile),
    run: ({ services }, args) => findLock(services, args),
  }),

  /** The beginning of the lock id, as requests show it: enough to tell locks apart, not enough to use one. It is never pushed. */
  'locks.details': command({
    needs: 'host',
    from: 'window',
    args: z.strictObject({ fileId: id }),
    run({ services }, { fileId }) {
      const held = services.locks.state(fileId);
      return { lockId: held.kind === 'locked' ? shortLockId(held.lock.lockId) : null };
    },
  }),

  /** `ids` are file ids. With `onlyStale`, a lock whose editor has reconnected is kept. */
  'locks.forceClear': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ ids, onlyStale: z.boolean().optional() }),
    async run(context, args): Promise<ForceClearResult> {
      const { services, by } = context;
      // Computed before clearing, so that the undo isn't offered for longer than it works.
      const untilMs = services.clock() + undoLimitMs;
      const outcome = await forEachId(context, args.ids, async (id) => {
        const { path } = await services.locks.forceClear(id, by, { onlyStale: args.onlyStale === true });
        journalAction(context, 'ForceClear', path, id);
      });
      return { ...outcome, undoUntilMs: outcome.done.length === 0 ? null : untilMs };
    },
  }),

  /** Restores locks that were force-cleared in the last 10 seconds. */
  'locks.undoForceClear': command({
    needs: 'host',
    from: 'window',
    args: z.strictObject({ ids }),
    run: (context, args): Promise<Outcome> => {
      const { services, by } = context;
      return forEachId(context, args.ids, async (id) => {
        const result = await services.locks.undoForceClear(id, by);
        if (result === 'restored') {
          journalAction(context, 'UndoForceClear', pathOf(services, id), id);
          return;
        }
        if (result === 'too-late') throw new AppError('undo-over');
        const holder = services.locks.find(id)?.userName;
        throw new AppError('undo-taken', holder == null ? {} : { detail: holder });
      });
    },
  }),
};

async function forEachId(
  { services, by }: Contexts['services'],
  ids: readonly string[],
  work: (id: string) => Promise<void>,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  await Promise.all(
    [...new Set(ids)].map(async (id) => {
      try {
        await work(id);
        outcome.done.push({ id, path: pathOf(services, id) });
      } catch (error) {
        if (!(error instanceof AppError)) services.log.error({ err: error }, 'A lock couldn’t be changed.');
        outcome.failed.push(failure(id, pathOf(services, id), error, by));
      }
    }),
  );
  return outcome;
}

/** Also if the document isn't locked; empty if its id is unknown. */
function pathOf({ filesTable }: Services, fileId: string): string {
  return filesTable.shownPath(fileId) ?? '';
}

/** Also finds the lock of a document that no longer exists. @throws AppError file-not-locked, file-missing */
async function findLock(services: Services, argument: FileArgument): Promise<LockSummary> {
  const locks = services.locks.list();
  const byId = locks.find(({ fileId }) => fileId === argument.file);
  if (byId !== undefined) return byId;
  const folder = services.folder();
  if (folder !== undefined) {
    const paths = await possiblePaths(folder.root, argument);
    const byPath = paths.flatMap((path) => locks.filter((lock) => lock.path === path));
    if (byPath[0] !== undefined) return byPath[0];
  }
  const { id: fileId } = await findDocument(services, argument);
  const lock = locks.find((held) => held.fileId === fileId);
  if (lock === undefined) throw new AppError('file-not-locked');
  return lock;
}
