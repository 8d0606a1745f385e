// What a lock row means at a given moment, without clock, disk or HTTP.
// @see behaviour page sections 3 and 5; seed section 3

import type { LockRow } from '../store/locks.ts';

/** A lock lives this long after the last Lock, RefreshLock, UnlockAndRelock or matching PutFile. */
export const lockLifeMs = 30 * 60 * 1000;
/** Every editor keeps its lock alive within 15 minutes, so after 16 without a call nobody can be behind it. */
export const silentAfterMs = 16 * 60 * 1000;

export type LockState =
  | { kind: 'unlocked' }
  | { kind: 'locked'; lock: LockRow }
  /** Over by time; its holder may still come back, see `isGraced`. */
  | { kind: 'lapsed'; lock: LockRow };

export function judgeLock(lock: LockRow | undefined, nowMs: number): LockState {
  if (lock === undefined) return { kind: 'unlocked' };
  return nowMs < lock.expiresAtMs ? { kind: 'locked', lock } : { kind: 'lapsed', lock };
}

/** The id a 409 and GetLock tell: the holder's, or empty. */
export function heldLockId(state: LockState): string {
  return state.kind === 'locked' ? state.lock.lockId : '';
}

/** Nothing has changed the document since the lock lapsed (or since it was last seen alive, when nobody noticed the lapse). */
export function isUnchangedSinceLapse(lock: LockRow, version: number): boolean {
  return version === (lock.lapsedVersion ?? lock.seenVersion);
}

export interface StalenessFacts {
  nowMs: number;
  /** The latest call on the document by any token, if there was one. */
  lastCallAtMs: number | undefined;
  /** Start of the host or resume of the machine, whichever came last: before it no call could arrive. */
  awakeSinceMs: number;
  /** Whether a token is left that could refresh the lock. */
  hasLiveToken: boolean;
  /** Why the last token ended, in words, when none is left. */
  tokenEnd?: string;
}

/** Why nobody can be behind the lock any more, in words; undefined while somebody can. */
export function staleReason(lock: LockRow, facts: StalenessFacts): string | undefined {
  if (!facts.hasLiveToken) return facts.tokenEnd ?? 'Every token that could refresh it has ended.';
  const quietSinceMs = Math.max(lock.refreshedAtMs, facts.lastCallAtMs ?? 0, facts.awakeSinceMs);
  const quietMs = facts.nowMs - quietSinceMs;
  return quietMs >= silentAfterMs ? `No call for ${Math.floor(quietMs / 60_000)} min.` : undefined;
}
