// The lock of this page, and the lock on the file, which another window of the same user or another user may hold.

import { createLockIds } from './lock-id.ts';
import type { LockHolder } from './notices.ts';
import type { Answer, WopiClient } from './wopi-client.ts';

/** A lock lives 30 minutes. */
const refreshAfterMs = 10 * 60_000;

export type PageLock = ReturnType<typeof createPageLock>;

/** `onWanted`: another window of this browser wants the lock of this page. The host knows of it a moment later. */
export function createPageLock(deps: {
  wopi: WopiClient;
  userId: string;
  fileId: string;
  now: () => number;
  onWanted: () => void;
}) {
  const { wopi, now } = deps;
  const ids = createLockIds(deps);
  /** Tells the other windows of this browser which lock is wanted: a hidden one asks the host only now and then. */
  const windows = new BroadcastChannel('doctray-text-locks');
  let lockId = '';
  let heldLock = '';
  let refreshedAtMs = 0;

  windows.addEventListener('message', ({ data }) => {
    if (data === lockId) deps.onWanted();
  });

  return {
    /** This page's lock, also after it was lost; '' before there was one. */
    id: () => lockId,
    /** The lock on the file as of the latest poll or refusal, '' for none. */
    held: () => heldLock,
    /** A poll or a refusal found this lock on the file. */
    see(lock: string) {
      heldLock = lock;
    },
    /** By this page, or by nobody if it never had a lock. */
    isHeldHere: () => heldLock === lockId,
    /** By this page or another window of its user. */
    isHeldByUser: () => ids.isOwn(heldLock),
    holder(): LockHolder {
      if (heldLock === '') return 'nobody';
      if (heldLock === lockId) return 'this-page';
      return ids.isOwn(heldLock) ? 'other-window' : 'other-user';
    },

    /** Locks the file. @param from the lock of another window of this user, which then loses it; '' for none */
    async take(from: string): Promise<Answer> {
      const id = await ids.claim();
      const isTakingOver = from !== '';
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of this origin, not a window
      if (isTakingOver) windows.postMessage(from);
      let answer = await (isTakingOver ? wopi.relock(id, from) : wopi.lock(id));
      // The other window gave it back at the last moment.
      if (isTakingOver && answer.status === 409 && answer.lock === '') answer = await wopi.lock(id);
      if (answer.status === 200) {
        lockId = id;
        heldLock = id;
        refreshedAtMs = now();
        ids.remember(id);
      } else heldLock = answer.lock ?? '';
      return answer;
    },

    /** 200: it lives another 30 minutes. Otherwise the answer says who has the file. */
    async refresh(): Promise<Answer> {
      const answer = await wopi.refreshLock(lockId);
      if (answer.status === 200) refreshedAtMs = now();
      return answer;
    },
    /** A save was written, which also refreshes the lock. */
    markRefreshed() {
      refreshedAtMs = now();
    },
    isRefreshDue: () => now() - refreshedAtMs >= refreshAfterMs,
    /** Who has the lock, for a page without one: REFRESH_LOCK with an id that isn't locked changes nothing. 200: it's this page's own. */
    askHolder: async (): Promise<Answer> => wopi.refreshLock(await ids.claim()),

    /** It was lost to `held`, '' for nobody. */
    lose(held: string) {
      heldLock = held;
      ids.forget();
    },
    /** Unlocks, for a page that no longer needs the lock. */
    async release() {
      if (lockId === '') return;
      const id = lockId;
      lockId = '';
      // If UNLOCK fails, the next poll finds the lock and takes it over again.
      heldLock = '';
      ids.forget();
      await wopi.unlock(id);
    },
    /** Unlocks, and keeps the id to take the lock again. */
    async giveBack() {
      heldLock = '';
      await wopi.unlock(lockId);
    },
    /** The page is closing, and will unlock the file itself. */
    forget: ids.forget,
  };
}
