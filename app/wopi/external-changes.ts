// Whether another program changed a document since an editor read it. Versions count every change that stat shows; where the hash
// of the known content was kept, the bytes decide, so that touching a file is no conflict.

import type { FoundFile } from '../files/document-index.ts';
import type { ContentReplacer } from '../files/replace-content.ts';
import type { KnownContent, LockRow } from '../store/locks.ts';
import { isUnchangedSinceLapse } from './lock-rules.ts';

export interface ExternalChanges {
  /** The disk has none of the contents that the editor last read or wrote. */
  hasExternalChange(known: readonly KnownContent[], found: FoundFile): Promise<boolean>;
  /** A lapsed lock can be resumed: the content is the same as when it lapsed. */
  canResume(lock: LockRow, found: FoundFile): Promise<boolean>;
}

export function createExternalChanges(deps: { content: ContentReplacer }): ExternalChanges {
  const hasBytesOf = async (hashes: readonly (Buffer | null)[], found: FoundFile): Promise<boolean> => {
    const known = hashes.filter((hash) => hash !== null);
    if (known.length === 0) return false;
    const present = await deps.content.hashOf(found);
    return known.some((hash) => hash.equals(present));
  };
  return {
    hasExternalChange: async (known, found) =>
      !known.some(({ version }) => version === found.row.version) &&
      !(await hasBytesOf(
        known.map(({ sha256 }) => sha256),
        found,
      )),
    canResume: async (lock, found) =>
      isUnchangedSinceLapse(lock, found.row.version) || (await hasBytesOf([lock.baseSha256], found)),
  };
}
