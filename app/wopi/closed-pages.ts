// What a document's page leaves behind when its browser leaves it.
//
// ONLYOFFICE locks a document while it prepares its page, before anybody sees it. If that tab is closed before the editor in it
// has started, no editor is left to unlock. Such a lock lapses as soon as the host knows; if the editor did start, it regains the
// lock, as after any lapse.
//
// The text editor runs in its page. Once the page is gone, its tokens are unused and get revoked. Servers of other editors save with
// theirs after the page is closed.

import type { AccessGrant, AccessTokens } from '../accounts/access-tokens.ts';
import { pageSessionLifeMs } from '../accounts/page-sessions.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { Clock } from '../contract/clock.ts';
import type { Locks } from './locks.ts';

/** A lock, or a page's last save, may still arrive after the page is gone. */
const waitMs = 10_000;
/** After this time, no lock of a closed page arrives any more. */
const lockMs = 5 * 60_000;

export interface ClosedPages {
  /** The browser has left the page of this document. */
  left(pageSessionId: string, fileId: string): void;
  /** A page that was left is the only one that used these tokens. */
  leftTokens(tokens: readonly Pick<AccessGrant, 'id' | 'fileId'>[]): void;
  /** The page is in use: it was only reloaded, or another tab shows it. */
  inUse(pageSessionId: string): void;
  /** The page was left in the last hours and not used since. Unknown after a restart. */
  hasLeft(pageSessionId: string): boolean;
  /** Lets the locks lapse that no editor uses. */
  lapseLocks(): Promise<void>;
  /** Revokes the tokens whose last save was written. One that still holds the lock keeps it until it's released or has expired. */
  revokeTokens(): void;
}

export interface ClosedPagesDeps {
  locks: Pick<Locks, 'state' | 'lapse' | 'isOwn'>;
  accessTokens: Pick<AccessTokens, 'placeOf' | 'revokeUnused'>;
  sessions: Pick<Sessions, 'usesOf' | 'noteRelease'>;
  clock: Clock;
}

export function createClosedPages(deps: ClosedPagesDeps): ClosedPages {
  const { locks, accessTokens, sessions, clock } = deps;
  /** By page session. */
  const pages = new Map<string, { fileId: string; atMs: number }>();
  /** By id. */
  const tokens = new Map<string, { fileId: string; atMs: number }>();

  return {
    left(pageSessionId, fileId) {
      pages.set(pageSessionId, { fileId, atMs: clock() });
    },
    leftTokens(left) {
      for (const { id, fileId } of left) tokens.set(id, { fileId, atMs: clock() });
    },
    inUse(pageSessionId) {
      pages.delete(pageSessionId);
    },
    hasLeft: (pageSessionId) => pages.has(pageSessionId),
    async lapseLocks() {
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
        if (!isUnused) continue;
        await locks.lapse(state.lock);
        sessions.noteRelease(fileId);
      }
    },
    revokeTokens() {
      for (const [id, { fileId, atMs }] of tokens) {
        if (clock() - atMs < waitMs) continue;
        const state = locks.state(fileId);
        if (state.kind === 'locked' && locks.isOwn(state.lock, { id, pageSessionId: null })) continue;
        accessTokens.revokeUnused(id);
        tokens.delete(id);
      }
    },
  };
}
