// The lock of this page, and the lock on the file, which another window of the same user or another user may hold.

import { createLockIds } from './lock-id.ts';
import type { LockHolder } from './notices.ts';
import type { Answer, WopiClient } from './wopi-client.ts';

/** A lock lives 30 minutes. */
const refreshAfterMs = 10 * 60_000;

export interface PageLock {
  /** This page's lock, also after it was lost; '' before there was one. */
  id(): string;
  /** The lock on the file as of the latest poll or refusal, '' for none. */
  held(): string;
  /** A poll or a refusal found this lock on the file. */
  see(lock: string): void;
  /** By this page, or by nobody if it never had a lock. */
  isHeldHere(): boolean;
  /** By this page or another window of its user. */
  isHeldByUser(): boolean;
  holder(): LockHolder;
  /** Locks the file. @param from the lock of another window of this user, which then loses it; '' for none */
  take(from: string): Promise<Answer>;
  /** 200: it lives another 30 minutes. Otherwise the answer says who has the file. */
  refresh(): Promise<Answer>;
  /** A save was written, which also refreshes the lock. */
  markRefreshed(): void;
  isRefreshDue(): boolean;
  /** Who has the lock, for a page without one: REFRESH_LOCK with an id that isn't locked changes nothing. 200: it's this page's own. */
  askHolder(): Promise<Answer>;
  /** It was lost to `held`, '' for nobody. */
  lose(held: string): void;
  /** Unlocks, for a page that no longer needs the lock. */
  release(): Promise<void>;
  /** Unlocks, and keeps the id to take the lock again. */
  giveBack(): Promise<void>;
  /** The page is closing, and will unlock the file itself. */
  forget(): void;
}

export interface PageLockDeps {
  wopi: WopiClient;
  userId: string;
  fileId: string;
  now: () => number;
  /** Another window of this browser wants the lock of this page. The host knows of it a moment later. */
  onWanted: () => void;
}

export function createPageLock({ wopi, userId, fileId, now, onWanted }: PageLockDeps): PageLock {
  const ids = createLockIds({ userId, fileId });
  /** Tells the other windows of this browser which lock is wanted: a hidden one asks the host only now and then. */
  const windows = new BroadcastChannel('doctray-text-locks');
  let lockId = '';
  let heldLock = '';
  let refreshedAtMs = 0;

  windows.addEventListener('message', ({ data }) => {
    if (data === lockId) onWanted();
  });

  return {
    id: () => lockId,
    held: () => heldLock,
    see(lock) {
      heldLock = lock;
    },
    isHeldHere: () => heldLock === lockId,
    isHeldByUser: () => ids.isOwn(heldLock),
    holder() {
      if (heldLock === '') return 'nobody';
      if (heldLock === lockId) return 'this-page';
      return ids.isOwn(heldLock) ? 'other-window' : 'other-user';
    },

    async take(from) {
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

    async refresh() {
      const answer = await wopi.refreshLock(lockId);
      if (answer.status === 200) refreshedAtMs = now();
      return answer;
    },
    markRefreshed() {
      refreshedAtMs = now();
    },
    isRefreshDue: () => now() - refreshedAtMs >= refreshAfterMs,
    askHolder: async () => wopi.refreshLock(await ids.claim()),

    lose(held) {
      heldLock = held;
      ids.forget();
    },
    async release() {
      if (lockId === '') return;
      const id = lockId;
      lockId = '';
      // If UNLOCK fails, the next poll finds the lock and takes it over again.
      heldLock = '';
      ids.forget();
      await wopi.unlock(id);
    },
    async giveBack() {
      heldLock = '';
      await wopi.unlock(lockId);
    },
    forget: ids.forget,
  };
}
