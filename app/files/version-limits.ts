// What a save does to the older versions of its own document: those beyond the count go with it, and while the disk is low a
// save pays for its own bytes with the oldest versions. Age is the hourly prune's (versions.ts).
//
// The content that a save replaces is always kept. Where keeping it takes a copy that does not fit any more, the save is
// refused: its bytes are still with the editor, and offered to the recovered saves, while the old ones would be nowhere.

import type { VersionsTable } from '../store/versions.ts';
import type { Logger } from '../log/logger.ts';
import type { DiskSpace } from './disk-space.ts';
import type { VersionFiles } from './version-files.ts';

export interface VersionLimits {
  /**
   * Below the free-space floor the oldest versions go, as many as hold the bytes that come or those that are kept, whichever are
   * more. None goes where a copy of those that are kept would not fit even then. Before a content is copied, or after a save
   * whose content took no copy; then the version it kept stays.
   */
  makeRoom(fileId: string, bytes: { coming: number; kept: number }, keptId?: string): Promise<void>;
  /**
   * In the transaction that records a save: removes the rows beyond the count and returns their ids, for `discard`. Only once a
   * tenth more than the count are there, since sorting them at every save costs more than the save's own rows.
   */
  trim(fileId: string): string[];
  /** After that transaction. Never rejects: the save is done, and what is left is found again by a later one. */
  discard(fileId: string, ids: readonly string[]): Promise<void>;
}

export interface VersionLimitsDeps {
  table: VersionsTable;
  versionFiles: VersionFiles;
  diskSpace: Pick<DiskSpace, 'lowFree'>;
  versionCount: () => number;
  log: Pick<Logger, 'warn'>;
}

export function createVersionLimits({
  table,
  versionFiles,
  diskSpace,
  versionCount,
  log,
}: VersionLimitsDeps): VersionLimits {
  const discard = async (fileId: string, ids: readonly string[]): Promise<void> => {
    try {
      for (const id of ids) await versionFiles.discard(fileId, id);
    } catch (error) {
      log.warn({ err: error, fileId }, 'An old version could not be removed.');
    }
  };

  return {
    async makeRoom(fileId, bytes, keptId) {
      const wanted = Math.max(bytes.coming, bytes.kept);
      const free = await diskSpace.lowFree();
      if (free === undefined) return;
      const oldestFirst = table
        .list(fileId)
        .filter(({ id }) => id !== keptId)
        .toReversed();
      if (oldestFirst.reduce((sum, { size }) => sum + size, free) < bytes.kept) return;
      const ids: string[] = [];
      let freed = 0;
      for (const version of oldestFirst) {
        if (freed >= wanted) break;
        table.remove(fileId, version.id);
        ids.push(version.id);
        freed += version.size;
      }
      if (ids.length === 0) return;
      await discard(fileId, ids);
      log.warn(
        { fileId, versions: ids.length, bytes: freed },
        'The disk is almost full, so the oldest versions of a document were removed for a save. Free some space.',
      );
    },

    trim(fileId) {
      const count = versionCount();
      return table.count(fileId) > count + Math.floor(count / 10) ? table.trim({ fileId, count }) : [];
    },
    discard,
  };
}
