// The copies created from a host page (Save Copy As), so that the page can offer them. In memory and limited: after a restart a
// copy is a document like any other.

import type { Clock } from '../contract/clock.ts';

export interface PageCopy {
  fileId: string;
  madeAtMs: number;
  /** The token of the editor that created it; null if the page did, which has shown it already. */
  tokenId: string | null;
}

export interface PageCopies {
  note(pageSessionId: string, fileId: string, tokenId?: string | null): void;
  /** Oldest first. */
  forPage(pageSessionId: string): readonly PageCopy[];
}

const maxSessions = 1000;
const maxCopies = 50;

export function createPageCopies(deps: { clock: Clock }): PageCopies {
  /** By page session; the one with the latest copy is last. */
  const copiesByPage = new Map<string, PageCopy[]>();
  return {
    note(pageSessionId, fileId, tokenId = null) {
      // A copy that overwrote an earlier one is still one document.
      const before = (copiesByPage.get(pageSessionId) ?? []).filter((copy) => copy.fileId !== fileId);
      copiesByPage.delete(pageSessionId);
      copiesByPage.set(
        pageSessionId,
        [...before, { fileId, madeAtMs: deps.clock(), tokenId }].slice(-maxCopies),
      );
      const [oldest] = copiesByPage.keys();
      if (copiesByPage.size > maxSessions && oldest !== undefined) copiesByPage.delete(oldest);
    },
    forPage: (pageSessionId) => copiesByPage.get(pageSessionId) ?? [],
  };
}
