// A lock's state as a sentence: who is editing, or why it is stale.

import { staleSentence } from '../../../app/contract/attention.ts';
import { formatDuration, formatRelative } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { LockItem } from '../../../app/contract/state.ts';

/** The name others see; a lock may come without one. */
export function holderOf(lock: LockItem): string {
  return lock.userName ?? lock.user ?? t('window.another-user');
}

/** Why a lock is stale, after `Stale: `. */
export const staleReasons = {
  silent: t('window.editor-gone'),
  expired: t('window.token-expired'),
  revoked: t('window.token-revoked'),
};

/**
 * `Editing: Ana`, `Editing: Ana, not saved`, `Stale: Ana, gone for 22 min`, `Stale: Ana, token revoked`.
 * @param nowMs left out: without a duration, which would change every minute
 */
export function lockWords(lock: LockItem, nowMs?: number): string {
  const user = holderOf(lock);
  const { stale } = lock;
  if (stale === null)
    return lock.isSaved ? t('window.editing-user', { user }) : t('window.editing-user-not-saved', { user });
  const reason =
    stale.kind === 'silent' && nowMs !== undefined
      ? t('window.editor-gone-duration', { duration: formatDuration(nowMs - stale.quietSinceMs) })
      : staleReasons[stale.kind];
  return t('window.stale-lock-of-user', { user, reason });
}

/** `Its editor has been gone for 22 min. The lock expires in 8 min.`; nothing if it isn't stale. */
export function staleWords({ stale, expiresAtMs }: LockItem, nowMs: number): string {
  if (stale === null) return '';
  const when = formatRelative(expiresAtMs, nowMs);
  return `${staleSentence(stale, nowMs)} ${t('window.the-lock-expires-when', { when })}`;
}
