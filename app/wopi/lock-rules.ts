// What a lock row means at a given moment, without clock, disk or HTTP.
// @see docs/protocol.md, “WOPI”

import type { StaleCause } from '../contract/state.ts';
import type { LockRow, TokensEnded } from '../store/locks.ts';

/** A lock lives this long after the last Lock, RefreshLock, UnlockAndRelock or matching PutFile. */
export const lockLifeMs = 30 * 60 * 1000;
/** A force-cleared lock can be restored for this long. */
export const undoLimitMs = 10_000;
/** Every editor keeps its lock alive within 15 minutes, so after 16 without a call no editor holds it any more. */
export const silentAfterMs = 16 * 60 * 1000;

export type LockState =
  | { kind: 'unlocked' }
  | { kind: 'locked'; lock: LockRow }
  /** Expired; its holder may still resume it, see `canResume`. */
  | { kind: 'lapsed'; lock: LockRow };

export function lockStateAt(lock: LockRow | undefined, nowMs: number): LockState {
  if (lock === undefined) return { kind: 'unlocked' };
  return nowMs < lock.expiresAtMs ? { kind: 'locked', lock } : { kind: 'lapsed', lock };
}

/** Whether this is the lock that a request names. Lock ids are opaque and compared as they are. */
export function hasLockId(lock: Pick<LockRow, 'lockId'>, given: string): boolean {
  return lock.lockId === given;
}

/** The lock id that 409 and GetLock report: the holder's, or empty. */
export function heldLockId(state: LockState): string {
  return state.kind === 'locked' ? state.lock.lockId : '';
}

/** Nothing has changed the document since the lock lapsed (or since it was last seen alive, if nobody noticed the lapse). */
export function isUnchangedSinceLapse(lock: LockRow, version: number): boolean {
  return version === (lock.lapsedVersion ?? lock.seenVersion);
}

export interface StalenessFacts {
  nowMs: number;
  /**
   * The latest call that carried the lock or came from the token that took it. Calls of other sessions don't show that its editor
   * is alive.
   */
  lastCallAtMs: number;
  /** When the host started or the computer resumed, whichever is later: no call could arrive before. */
  awakeSinceMs: number;
  /** How the last token that could refresh the lock ended; undefined while one is valid. */
  tokensEnded: TokensEnded | undefined;
}

/** Since when the lock's holder has made no call, excluding the time in which no call could arrive. */
export function quietSince(facts: Pick<StalenessFacts, 'lastCallAtMs' | 'awakeSinceMs'>): number {
  return Math.max(facts.lastCallAtMs, facts.awakeSinceMs);
}

/** Why the lock is stale; null if it isn't. */
export function staleCause(facts: StalenessFacts): StaleCause | null {
  if (facts.tokensEnded !== undefined) return { kind: facts.tokensEnded };
  const quietSinceMs = quietSince(facts);
  return facts.nowMs - quietSinceMs < silentAfterMs ? null : { kind: 'silent', quietSinceMs };
}

const shownLockCharacters = 8;

/** `cool-loc…`: enough to tell locks apart, not enough to use one. */
export function shortLockId(lockId: string): string {
  return `${lockId.slice(0, Math.min(shownLockCharacters, Math.ceil(lockId.length / 2)))}…`;
}
