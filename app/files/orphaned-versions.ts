// Stored versions without a row: from a process that was killed, a file that couldn't be removed, or a lost database. They are
// kept as long as other versions, so that users can still find them, and then removed along with empty folders.

import { readdir, rmdir } from 'node:fs/promises';
import type { Clock } from '../contract/clock.ts';
import type { Logger } from '../log/logger.ts';
import type { VersionsTable } from '../store/versions.ts';
import { isMissing } from './disk-error.ts';
import type { VersionFiles } from './version-files.ts';
import type { KeyedMutex } from './keyed-mutex.ts';

export interface OrphanedVersionsDeps {
  /** The `versions` folder inside the data folder. */
  directory: string;
  table: VersionsTable;
  versionFiles: VersionFiles;
  mutex: KeyedMutex;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** @see VersionsTable.prunedBefore */
export async function pruneOrphanedVersions(
  deps: OrphanedVersionsDeps,
  maxAgeMs: number,
  signal?: AbortSignal,
): Promise<number> {
  const orphans: { fileId: string; id: string; ctimeMs: number }[] = [];
  for (const fileId of await foldersIn(deps.directory)) {
    if (signal?.aborted === true) return 0;
    const found = await deps.mutex.run(fileId, async () => {
      // Only removes an empty folder. The document's next version creates it again.
      await rmdir(deps.versionFiles.folderOf(fileId)).catch(() => undefined);
      const recorded = new Set(deps.table.list(fileId).map(({ id }) => id));
      return deps.versionFiles.orphans(fileId, recorded);
    });
    for (const { id, stats } of found) {
      orphans.push({ fileId, id, ctimeMs: Number(stats.ctimeNs / 1_000_000n) });
    }
  }
  const beforeMs = deps.table.prunedBefore(maxAgeMs, deps.clock());
  const old = orphans.filter(({ ctimeMs }) => ctimeMs < beforeMs);
  for (const { fileId, id } of old) {
    if (signal?.aborted === true) break;
    await deps.mutex.run(fileId, async () => {
      if (deps.table.get(fileId, id) === undefined) await deps.versionFiles.discard(fileId, id);
    });
  }
  if (old.length > 0) deps.log.info({ files: old.length }, 'Old versions without a record were removed.');
  return old.length;
}

async function foldersIn(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
