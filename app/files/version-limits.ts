// What a save does to older versions of its document: it removes those beyond the count, and while the disk is low it removes the
// oldest ones to make room for its own bytes. Age is handled by the hourly prune (`pruneVersions` in version-history.ts).
//
// The content that a save replaces is always kept. If keeping it requires a copy that doesn't fit any more, the save is refused:
// its bytes are still with the editor, and can become a recovered save, while the old ones would be lost.

import type { VersionsTable } from '../store/versions.ts';
import type { Logger } from '../log/logger.ts';
import type { DiskSpace } from './disk-space.ts';
import type { VersionFiles } from './version-files.ts';

export interface VersionLimits {
  /**
   * Below the free-space floor, removes as many of the oldest versions as hold the incoming or the kept bytes, whichever are
   * more. Removes none if a copy of the kept bytes wouldn't fit even then. Called before content is copied, or after a save whose
   * content took no copy; then the version it kept stays.
   */
  makeRoom(fileId: string, bytes: { incoming: number; kept: number }, keptId?: string): Promise<void>;
  /**
   * In the transaction that records a save: removes the rows beyond the count and returns their ids, for `discard`. Waits until
   * there are a tenth more than the count, since sorting them at every save costs more than the save's own rows.
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
      log.warn({ err: error, fileId }, 'An old version couldn’t be removed.');
    }
  };

  return {
    async makeRoom(fileId, bytes, keptId) {
      const wanted = Math.max(bytes.incoming, bytes.kept);
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
