// Whether another program changed a document behind an editor's back. Versions count every change that a stat shows; the
// bytes decide where the hash of what the editor knows was kept, so that touching a file is no conflict.

import type { SeenFile } from '../files/folder.ts';
import type { Saves } from '../files/saves.ts';
import type { LockRow } from '../store/locks.ts';
import { isUnchangedSinceLapse } from './lock-rules.ts';

export interface ContentDrift {
  /** The disk holds other bytes than the holder of the lock last read or wrote. */
  hasDrifted(lock: LockRow, seen: SeenFile): Promise<boolean>;
  /** A lapsed lock may be taken up again: the content is what it was when it lapsed. */
  isGraced(lock: LockRow, seen: SeenFile): Promise<boolean>;
}

export function createContentDrift(deps: { saves: Saves }): ContentDrift {
  const hasBaseBytes = async (lock: LockRow, seen: SeenFile): Promise<boolean> =>
    lock.baseSha256 !== null && lock.baseSha256.equals(await deps.saves.hashOf(seen));
  return {
    hasDrifted: async (lock, seen) =>
      lock.baseVersion !== seen.row.version && !(await hasBaseBytes(lock, seen)),
    isGraced: async (lock, seen) =>
      isUnchangedSinceLapse(lock, seen.row.version) || (await hasBaseBytes(lock, seen)),
  };
}
