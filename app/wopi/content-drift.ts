// Whether another program changed a document behind an editor's back. Versions count every change that a stat shows; the
// bytes decide where the hash of what the editor knows was kept, so that touching a file is no conflict.

import type { SeenFile } from '../files/document-index.ts';
import type { ContentReplacer } from '../files/replace-content.ts';
import type { KnownContent, LockRow } from '../store/locks.ts';
import { isUnchangedSinceLapse } from './lock-rules.ts';

export interface ContentDrift {
  /** The disk holds none of the contents that the editor last read or wrote. */
  hasDrifted(known: readonly KnownContent[], seen: SeenFile): Promise<boolean>;
  /** A lapsed lock may be taken up again: the content is what it was when it lapsed. */
  isGraced(lock: LockRow, seen: SeenFile): Promise<boolean>;
}

export function createContentDrift(deps: { content: ContentReplacer }): ContentDrift {
  const hasBytesOf = async (hashes: readonly (Buffer | null)[], seen: SeenFile): Promise<boolean> => {
    const known = hashes.filter((hash) => hash !== null);
    if (known.length === 0) return false;
    const present = await deps.content.hashOf(seen);
    return known.some((hash) => hash.equals(present));
  };
  return {
    hasDrifted: async (known, seen) =>
      !known.some(({ version }) => version === seen.row.version) &&
      !(await hasBytesOf(
        known.map(({ sha256 }) => sha256),
        seen,
      )),
    isGraced: async (lock, seen) =>
      isUnchangedSinceLapse(lock, seen.row.version) || (await hasBytesOf([lock.baseSha256], seen)),
  };
}
