// The id of this editor's lock. It is random, and remembered in this browser while the lock is held: after a crash of the tab the
// next one takes up the same lock instead of being refused by it. A Web Lock of that name shows whether its tab is still alive.
// Browsers that block the storage of frames of another site tell neither; then the user says that the lock may be taken over, which
// begins with the user's id for that.

import { textLockPrefix } from '../../app/contract/text-documents.ts';
import { recall, remember } from './storage.ts';

/** @param userId alphanumeric: nobody takes up another user's lock */
export function createLockIds({ userId, fileId }: { userId: string; fileId: string }) {
  const name = `doctray-lock:${userId}:${fileId}`;
  const prefix = textLockPrefix(userId);
  const isOwn = (lockId: string): boolean =>
    lockId.startsWith(prefix) && /^[0-9a-f]{32}$/.test(lockId.slice(prefix.length));
  let held = '';

  /** Holds the name for as long as this page lives. False: another page does. Undefined: the browser can't tell. */
  async function hold(lockId: string): Promise<boolean | undefined> {
    // only where the page is a secure context
    if (!('locks' in navigator)) return undefined;
    return new Promise((resolve) => {
      navigator.locks
        .request(`doctray-tab:${lockId}`, { ifAvailable: true }, async (lock) => {
          resolve(lock !== null);
          // a promise that stays open holds it
          if (lock !== null) await new Promise(() => undefined);
        })
        .catch(() => {
          resolve(undefined);
        });
    });
  }

  return {
    /** The lock of another tab of this user, in whatever browser. */
    isOwn,
    /** An id to lock with: the one of a tab that crashed, or a new one. */
    async claim(): Promise<string> {
      if (held !== '') return held;
      const remembered = recall(name);
      if (remembered !== null && isOwn(remembered) && (await hold(remembered)) === true) held = remembered;
      else {
        const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
        held = `${prefix}${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
        await hold(held);
      }
      return held;
    },
    /** The document is locked with it. */
    remember: (lockId: string) => remember(name, lockId),
    /** The lock was given back, or is another's. */
    forget() {
      if (recall(name) === held) remember(name, null);
    },
  };
}
