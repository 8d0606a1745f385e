// What a lock row means at a given moment, without clock, disk or HTTP.
// @see behaviour page sections 3 and 5; seed section 3

import type { LockRow, TokensEnded } from '../store/locks.ts';

/** A lock lives this long after the last Lock, RefreshLock, UnlockAndRelock or matching PutFile. */
export const lockLifeMs = 30 * 60 * 1000;
/** For this long a lock that was cleared by hand can be put back. */
export const undoLimitMs = 10_000;
/** Every editor keeps its lock alive within 15 minutes, so after 16 without a call nobody can be behind it. */
export const silentAfterMs = 16 * 60 * 1000;

export type LockState =
  | { kind: 'unlocked' }
  | { kind: 'locked'; lock: LockRow }
  /** Over by time; its holder may still come back, see `canResume`. */
  | { kind: 'lapsed'; lock: LockRow };

export function lockStateAt(lock: LockRow | undefined, nowMs: number): LockState {
  if (lock === undefined) return { kind: 'unlocked' };
  return nowMs < lock.expiresAtMs ? { kind: 'locked', lock } : { kind: 'lapsed', lock };
}

/** Whether this is the lock that a request names. Lock ids are opaque and compared as they are. */
export function hasLockId(lock: Pick<LockRow, 'lockId'>, given: string): boolean {
  return lock.lockId === given;
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
  /** The latest call that carried the lock or was made by the token that took it. Another session's calls say nothing of its editor. */
  lastCallAtMs: number;
  /** Start of the host or resume of the machine, whichever came last: before it no call could arrive. */
  awakeSinceMs: number;
  /** How the last token that could refresh the lock ended; undefined while there is one. */
  tokensEnded: TokensEnded | undefined;
}

const endSentences: Record<TokensEnded, string> = {
  revoked: 'Its token was revoked.',
  expired: 'Its token has expired.',
};

export interface Staleness {
  /** `silent`: every editor would have called meanwhile. `token-ended`: nobody is left who could refresh it. */
  kind: 'silent' | 'token-ended';
  /** In words. */
  reason: string;
}

/** Since when nothing was heard of the lock's holder, leaving out the time in which nothing could be heard. */
export function quietSince(facts: Pick<StalenessFacts, 'lastCallAtMs' | 'awakeSinceMs'>): number {
  return Math.max(facts.lastCallAtMs, facts.awakeSinceMs);
}

/** Why the lock is stale; undefined if it isn't. */
export function staleness(facts: StalenessFacts): Staleness | undefined {
  if (facts.tokensEnded !== undefined)
    return { kind: 'token-ended', reason: endSentences[facts.tokensEnded] };
  const quietMs = facts.nowMs - quietSince(facts);
  if (quietMs < silentAfterMs) return undefined;
  return { kind: 'silent', reason: `No call for ${Math.floor(quietMs / 60_000)} min.` };
}
