// Force-clearing locks by hand, one or many, and putting back what was cleared by mistake. Each lock is cleared under its own
// document's mutex; one that cannot be does not stop the others.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../contract/clock.ts';
import type { ForceClearResult, Outcome } from '../contract/commands.ts';
import { AppError, describeError } from '../contract/errors.ts';
import type { Logger } from '../log/logger.ts';
import { undoLimitMs } from '../wopi/lock-rules.ts';
import { requireHost, type Handlers } from './handlers.ts';
import type { HostKeeper } from './host-keeper.ts';
import type { LiveState } from './live-state.ts';

export type LockHandlers = Pick<Handlers, 'locks.forceClear' | 'locks.undoForceClear'>;

export interface LockHandlerDeps {
  keeper: HostKeeper;
  live: Pick<LiveState, 'find'>;
  clock: Clock;
  log: Logger;
}

interface Batch {
  untilMs: number;
  items: Outcome['done'];
}

/** Who did it, in events and in the journal. */
const by = 'window';

export function createLockHandlers(deps: LockHandlerDeps): LockHandlers {
  const { keeper, live, clock, log } = deps;
  const batches = new Map<string, Batch>();

  const forgetOld = (): void => {
    for (const [id, { untilMs }] of batches) if (clock() > untilMs) batches.delete(id);
  };

  /** What one item met, in words. */
  const sentence = (error: unknown): string => {
    if (!(error instanceof AppError)) log.error({ err: error }, 'A lock could not be seen to.');
    return describeError(error).message;
  };

  return {
    async 'locks.forceClear'({ ids }): Promise<ForceClearResult> {
      const { locks } = requireHost(keeper).services;
      // Earlier than the clearing, so that what is offered here is not over there.
      const untilMs = clock() + undoLimitMs;
      const outcome: Outcome = { done: [], failed: [] };
      await Promise.all(
        [...new Set(ids)].map(async (id) => {
          const path = live.find('locks', id)?.path ?? '';
          try {
            const cleared = await locks.forceClear(id, by);
            outcome.done.push({ id, path: cleared.path });
          } catch (error) {
            outcome.failed.push({ id, path, message: sentence(error) });
          }
        }),
      );
      forgetOld();
      if (outcome.done.length === 0) return { ...outcome, undoId: null, undoUntilMs: null };
      const undoId = randomUUID();
      batches.set(undoId, { untilMs, items: outcome.done });
      return { ...outcome, undoId, undoUntilMs: untilMs };
    },

    async 'locks.undoForceClear'({ undoId }): Promise<Outcome> {
      const { locks } = requireHost(keeper).services;
      forgetOld();
      const batch = batches.get(undoId);
      if (batch === undefined) throw new AppError('undo-over');
      batches.delete(undoId);
      const outcome: Outcome = { done: [], failed: [] };
      const undo = async (id: string): Promise<string | undefined> => {
        const ended = await locks.undoForceClear(id, by);
        if (ended === 'restored') return undefined;
        if (ended === 'too-late')
          return 'There is nothing to put back: the document is gone, or it is too late.';
        const holder = locks.find(id)?.userName;
        return `${holder ?? 'Somebody else'} has taken the lock meanwhile, and keeps it.`;
      };
      await Promise.all(
        batch.items.map(async ({ id, path }) => {
          const message = await undo(id).catch(sentence);
          if (message === undefined) outcome.done.push({ id, path });
          else outcome.failed.push({ id, path, message });
        }),
      );
      return outcome;
    },
  };
}
