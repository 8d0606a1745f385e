// Brings the record of a document in line with what is on disk: a save that a crash interrupted before it was recorded is
// recognized as the host's own, everything else counts as another program's work.

import { closeSync, fstatSync } from 'node:fs';
import type { Clock } from '../contract/clock.ts';
import type { FileRow, FilesTable, SaveOrigin } from '../store/files.ts';
import type { LocksTable } from '../store/locks.ts';
import type { VersionsTable } from '../store/versions.ts';
import { hashFd } from './content-hash.ts';
import { hasLastingInodes, isSameContent, isSameContentMoved, signatureOf } from './file-signature.ts';
import type { Jail, Place } from './jail.ts';
import type { VersionFiles, OrphanedVersion } from './version-files.ts';

export interface ReconcileDeps {
  files: FilesTable;
  locks: LocksTable;
  versions: VersionsTable;
  versionFiles: VersionFiles;
  clock: Clock;
  transaction: <T>(work: () => T) => T;
  /** Receives an error when a record can't be written. */
  onError: (error: unknown, text: string) => void;
}

export interface Reconciled {
  row: FileRow;
  place: Place;
  /** False if the database couldn't be written. The row is correct, and the next call continues from it. */
  isRecorded: boolean;
}

/** Recorded for content just before it gets its name, which sets its ctime. */
export const pendingCtime = '0';

interface Unwritten {
  row: FileRow;
  /** The versions these changes refer to. */
  orphanIds: string[];
  work: () => void;
}

const unknownOrigin: SaveOrigin = { savedAtMs: null, savedBy: null, savedHow: null };

/**
 * Makes the row match the file at that place; returns both as they are then. Doesn't fail if the database can't be written, so
 * that reading still works. The document's mutex is held.
 */
export type Reconcile = (jail: Jail, row: FileRow, place: Place) => Promise<Reconciled>;

export function createReconcile(deps: ReconcileDeps): Reconcile {
  const { files, locks, versions, versionFiles } = deps;

  const insertOrphan = (row: FileRow, orphan: OrphanedVersion): void => {
    versions.insert({
      id: orphan.id,
      fileId: row.id,
      version: orphan.version,
      size: Number(orphan.stats.size),
      sha256: orphan.version === row.version && orphan.stats.size === BigInt(row.size) ? row.sha256 : null,
      kind: orphan.kind,
      mtimeMs: Number(orphan.stats.mtimeNs / 1_000_000n),
      keptAtMs: deps.clock(),
      savedAtMs: row.savedAtMs,
      savedBy: row.savedBy,
      savedHow: row.savedHow,
    });
  };

  /** What couldn't be written, for the next attempt: until then no item version may be used for two contents. */
  const unwritten = new Map<string, Unwritten>();

  const write = (row: FileRow, orphans: OrphanedVersion[], work: () => void): boolean => {
    const before = unwritten.get(row.id);
    const all = (): void => {
      before?.work();
      work();
    };
    try {
      deps.transaction(all);
      unwritten.delete(row.id);
      return true;
    } catch (error) {
      const orphanIds = [...(before?.orphanIds ?? []), ...orphans.map(({ id }) => id)];
      unwritten.set(row.id, { row, orphanIds, work: all });
      deps.onError(error, "A change on the disk couldn't be recorded.");
      return false;
    }
  };

  const recordNext = (
    row: FileRow,
    place: Place,
    how: { isOwnSave: boolean; orphans: OrphanedVersion[] },
  ): { row: FileRow; isRecorded: boolean } => {
    const next: FileRow = {
      ...row,
      ...unknownOrigin,
      ...signatureOf(place.stats),
      sha256: null,
      version: row.version + 1,
    };
    const isRecorded = write(next, how.orphans, () => {
      for (const orphan of how.orphans) insertOrphan(row, orphan);
      const lock = locks.get(row.id);
      // A save succeeds only under its lock, so the holder knows the content it wrote.
      if (how.isOwnSave && lock !== undefined) locks.setBase(row.id, next);
      else if (row.sha256 !== null) locks.keepBaseHash(row.id, { version: row.version, sha256: row.sha256 });
      locks.noteContent(row.id, {
        from: row.version,
        to: next.version,
        nowMs: deps.clock(),
        isOwnSave: how.isOwnSave ? 1 : 0,
      });
      files.setContent(row.id, next);
    });
    return { row: next, isRecorded };
  };

  return async (jail, known, place) => {
    const failed = unwritten.get(known.id);
    // A later save has been recorded: what wasn't written will be found again, or is history.
    if (failed !== undefined && known.version >= failed.row.version) unwritten.delete(known.id);
    const before = unwritten.get(known.id);
    const row = before?.row ?? known;
    const recorded = new Set([...versions.list(row.id).map(({ id }) => id), ...(before?.orphanIds ?? [])]);
    const orphans = await versionFiles.orphans(row.id, recorded);
    const inode = String(place.stats.ino);
    // Versions may be on another disk, where the number belongs to another file.
    const isLinkToPresent = (orphan: OrphanedVersion): boolean =>
      orphan.stats.ino === place.stats.ino && orphan.stats.dev === place.stats.dev;
    const isOwnSave = orphans.some((orphan) => orphan.successorInode === inode && !isLinkToPresent(orphan));

    // If the host linked or renamed the file and died before recording it, only the ctime differs.
    const isUntouched =
      isSameContent(row, place.stats) ||
      (isSameContentMoved(row, place.stats) &&
        (orphans.some(isLinkToPresent) || row.ctimeNs === pendingCtime || row.renamingFrom !== null)) ||
      (await hasRecordedBytes(jail, row, place));
    // A copy that is shorter than its source was interrupted.
    const isTorn = (orphan: OrphanedVersion): boolean =>
      !isOwnSave && orphan.kind !== 'link' && orphan.stats.size !== BigInt(row.size);
    const redundant = orphans.filter(
      (orphan) =>
        isLinkToPresent(orphan) || (orphan.version === row.version && (isUntouched || isTorn(orphan))),
    );
    for (const orphan of redundant) await versionFiles.discard(row.id, orphan.id);
    const stats =
      redundant.length === 0 ? place.stats : ((await jail.stat(place.path))?.stats ?? place.stats);

    const current = { ...place, stats };
    if (isUntouched) {
      const same = { ...row, ...signatureOf(stats) };
      const isRecorded =
        (isSameContent(row, stats) && before === undefined) ||
        write(same, [], () => {
          files.setContent(row.id, same);
          // The save succeeded after all, so its editor knows this content.
          if (row.ctimeNs === pendingCtime && locks.get(row.id) !== undefined) {
            locks.setBase(row.id, row);
          }
        });
      return { row: same, place: current, isRecorded };
    }
    const others = orphans.filter((orphan) => !redundant.includes(orphan));
    return { ...recordNext(row, current, { isOwnSave, orphans: others }), place: current };
  };
}

/**
 * Whether the file still has the recorded content, though its inode or times differ: FAT gives a file another inode once the
 * cache is dropped, and a backup, a copy tool or a mode change sets only times.
 */
async function hasRecordedBytes(jail: Jail, row: FileRow, { path, stats }: Place): Promise<boolean> {
  if (stats.size !== BigInt(row.size)) return false;
  if (row.sha256 === null) {
    return row.mtimeNs === String(stats.mtimeNs) && !(await hasLastingInodes(jail.absolute(path)));
  }
  const file = await jail.openFile(path);
  if (file === undefined) return false;
  try {
    const sha256 = await hashFd(file.fd);
    // Bytes that changed while being read prove nothing.
    return (
      row.sha256.equals(sha256) && isSameContent(signatureOf(stats), fstatSync(file.fd, { bigint: true }))
    );
  } finally {
    closeSync(file.fd);
  }
}
