// A lock's state as a sentence: who is editing, or why it is stale.

import { formatDuration } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { LockItem } from '../../../app/contract/state.ts';

/** The name others see; a lock may come without one. */
export function holderOf(lock: LockItem): string {
  return lock.userName ?? lock.user ?? t('window.another-user');
}

/** `Editing: Ana`, `Editing: Ana, not saved`, `Stale: Ana, gone 22 min`, `Stale: Ana, token revoked`. */
export function lockWords(lock: LockItem, nowMs: number): string {
  return lock.stale?.kind === 'silent'
    ? t('window.stale-user-gone-duration', {
        user: holderOf(lock),
        duration: formatDuration(nowMs - lock.stale.quietSinceMs),
      })
    : lockStateText(lock);
}

/** For filtering and export: without a duration, which would change every minute. */
export function lockStateText(lock: LockItem): string {
  const user = holderOf(lock);
  switch (lock.stale?.kind) {
    case undefined:
      return lock.isSaved ? t('window.editing-user', { user }) : t('window.editing-user-not-saved', { user });
    case 'silent':
      return t('window.stale-user-editor-gone', { user });
    case 'expired':
      return t('window.stale-user-token-expired', { user });
    case 'revoked':
      return t('window.stale-user-token-revoked', { user });
  }
}
