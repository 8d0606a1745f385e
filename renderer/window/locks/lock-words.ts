// A lock's state as a sentence: who is editing, or why it is stale.

import type { LockItem } from '../../../app/contract/state.ts';
import { formatDuration } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';

/** The name others see; a lock may come without one. */
export function holderOf(lock: LockItem): string {
  return lock.userName ?? lock.user ?? t('another user');
}

/** `Editing: Ana`, `Stale: editor gone for 22 min`, `Stale: its token was revoked`. */
export function lockWords(lock: LockItem, nowMs: number): string {
  if (lock.stale === null) return t('Editing: {user}', { user: holderOf(lock) });
  if (lock.stale.kind === 'silent')
    return t('Stale: editor gone for {duration}', {
      duration: formatDuration(nowMs - lock.stale.quietSinceMs),
    });
  return t('Stale: {reason}', { reason: asClause(lock.stale.sentence) });
}

/** For filtering and export: without a duration, which would change every minute. */
export function lockStateText(lock: LockItem): string {
  if (lock.stale === null) return t('Editing: {user}', { user: holderOf(lock) });
  if (lock.stale.kind === 'silent') return t('Stale: editor gone');
  return t('Stale: {reason}', { reason: asClause(lock.stale.sentence) });
}

/** Why it is stale, as a whole sentence. */
export function staleSentence(lock: LockItem, nowMs: number): string {
  if (lock.stale === null) return '';
  return lock.stale.kind === 'silent'
    ? t('Its editor has been gone for {duration}.', {
        duration: formatDuration(nowMs - lock.stale.quietSinceMs),
      })
    : lock.stale.sentence;
}

function asClause(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, '');
}
