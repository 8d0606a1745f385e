// ONLYOFFICE locks a document while it prepares its page, before anybody sees it. If that tab is closed before the editor in it
// has started, no editor is left to unlock. Such a lock lapses as soon as the host knows; if the editor did start, it regains the
// lock, as after any lapse.

import type { AccessTokens } from '../accounts/access-tokens.ts';
import { pageSessionLifeMs } from '../accounts/page-sessions.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { Clock } from '../contract/clock.ts';
import type { Locks } from './locks.ts';

/** The lock may still arrive after the page is gone. */
const waitMs = 10_000;
/** After this time, no lock of a closed page arrives any more. */
const lockMs = 5 * 60_000;

export interface ClosedPageLocks {
  /** The browser has left the page of this document. */
  left(pageSessionId: string, fileId: string): void;
  /** The page is in use: it was only reloaded, or another tab shows it. */
  inUse(pageSessionId: string): void;
  /** The page was left in the last hours and not used since. Unknown after a restart. */
  hasLeft(pageSessionId: string): boolean;
  check(): Promise<void>;
}

export interface ClosedPageLocksDeps {
  locks: Pick<Locks, 'state' | 'lapse'>;
  accessTokens: Pick<AccessTokens, 'placeOf'>;
  sessions: Pick<Sessions, 'usesOf'>;
  clock: Clock;
}

export function createClosedPageLocks(deps: ClosedPageLocksDeps): ClosedPageLocks {
  const { locks, accessTokens, sessions, clock } = deps;
  /** By page session. */
  const pages = new Map<string, { fileId: string; atMs: number }>();

  return {
    left(pageSessionId, fileId) {
      pages.set(pageSessionId, { fileId, atMs: clock() });
    },
    inUse(pageSessionId) {
      pages.delete(pageSessionId);
    },
    hasLeft: (pageSessionId) => pages.has(pageSessionId),
    async check() {
      for (const [pageSessionId, { fileId, atMs }] of pages) {
        const passedMs = clock() - atMs;
        if (passedMs > pageSessionLifeMs) pages.delete(pageSessionId);
        if (passedMs < waitMs || passedMs > lockMs) continue;
        const state = locks.state(fileId);
        if (state.kind !== 'locked' || state.lock.accessTokenId === null) continue;
        if (accessTokens.placeOf(state.lock.accessTokenId)?.pageSessionId !== pageSessionId) continue;
        // A token that has read or written content belongs to an editor that is running.
        const uses = sessions.usesOf(fileId).filter((use) => use.lastCallAtMs >= state.lock.takenAtMs);
        const isUnused = uses.every((use) => use.pageSessionId === pageSessionId && use.bytes === 0);
        if (isUnused) await locks.lapse(state.lock);
      }
    },
  };
}
