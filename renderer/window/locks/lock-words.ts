// A lock's state as a sentence: is somebody at it, or is it stale and why.

import type { LockItem } from '../../../app/contract/state.ts';
import { formatDuration } from '../../../app/contract/format.ts';

/** The name others see; a lock may come without one. */
export function holderOf(lock: LockItem): string {
  return lock.userName ?? lock.user ?? 'somebody';
}

/** `Being edited by Ana`, `Stale: no call for 22 min`, `Stale: its token was revoked`. */
export function lockWords(lock: LockItem, nowMs: number): string {
  if (lock.stale === null) return `Being edited by ${holderOf(lock)}`;
  if (lock.stale.kind === 'silent')
    return `Stale: no call for ${formatDuration(nowMs - lock.stale.quietSinceMs)}`;
  return `Stale: ${asClause(lock.stale.sentence)}`;
}

/** For sorting, filtering and export: without the time, which would never stand still. Stale ones first. */
export function lockStanding(lock: LockItem): string {
  if (lock.stale === null) return `Being edited by ${holderOf(lock)}`;
  return lock.stale.kind === 'silent' ? 'Stale: no call' : `Stale: ${asClause(lock.stale.sentence)}`;
}

/** Why it is stale, as a whole sentence. */
export function staleSentence(lock: LockItem, nowMs: number): string {
  if (lock.stale === null) return '';
  return lock.stale.kind === 'silent'
    ? `No call for ${formatDuration(nowMs - lock.stale.quietSinceMs)}.`
    : lock.stale.sentence;
}

function asClause(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, '');
}
