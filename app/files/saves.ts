// Puts new content in the place of old, so that a document is wholly old or wholly new whenever the process dies:
// keep the old content as a version → rename the synced temporary file over it → sync the folder → record it all in one
// transaction. The caller holds the document's mutex and has decided that the save may happen.

import { chmod, chown, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import type { EmitEvent } from '../contract/events.ts';
import type { FileRow, FilesTable, SaveOrigin } from '../store/files.ts';
import type { Commit } from '../store/group-commit.ts';
import type { VersionsTable } from '../store/versions.ts';
import { hashFile } from './content-hash.ts';
import { ctimeToCome } from './content-record.ts';
import { diskErrorCode, diskRefused } from './disk-error.ts';
import { isSameContent, isSameContentMoved, lookAt, signatureOf } from './file-signature.ts';
import type { SeenFile } from './folder.ts';
import { renameOver, syncFolder } from './folder-sync.ts';
import type { Incoming } from './incoming.ts';
import { itemVersionOf } from './item-version.ts';
import { joinPath, nameOf, parentOf, type Jail } from './jail.ts';
import type { KeptVersions } from './kept-versions.ts';
import { copyToNew, moveToNew } from './new-name.ts';
import type { VersionLimits } from './version-limits.ts';

export interface Saves {
  /** Whether the bytes on the disk are the same; hashes the disk's only when the sizes agree and its hash is not known. */
  hasSameBytes(seen: SeenFile, incoming: Incoming): Promise<boolean>;
  /** The hash of the present content, recorded once it was computed. */
  hashOf(seen: SeenFile, signal?: AbortSignal): Promise<Buffer>;
  /** Records a hash that was made while the content was read for something else. */
  recordHash(seen: SeenFile, sha256: Buffer): void;
  /**
   * A save that brought the very same bytes: a new version of the record, the file untouched. Undefined when another
   * program was at it since it was seen.
   */
  confirm(seen: SeenFile, origin: SaveOrigin, record: (row: FileRow) => void): Promise<SeenFile | undefined>;
  /**
   * The incoming bytes become the document. With a conflict name the old content stays in the folder under a free variant
   * of it. Undefined, with nothing changed, when another program was at the document since it was seen: look again.
   * @throws AppError disk-refused with nothing changed
   */
  replace(input: {
    seen: SeenFile;
    incoming: Incoming;
    origin: SaveOrigin;
    conflictNames?: Iterable<string>;
    record: (row: FileRow) => void;
  }): Promise<SeenFile | undefined>;
  /** A document that another program deleted is made again at its path. @throws AppError disk-refused, file-missing */
  remake(input: {
    row: FileRow;
    incoming: Incoming;
    origin: SaveOrigin;
    record: (row: FileRow) => void;
  }): Promise<SeenFile>;
}

export interface SavesDeps {
  jail: () => Jail;
  files: FilesTable;
  versions: VersionsTable;
  kept: KeptVersions;
  limits: VersionLimits;
  clock: Clock;
  emit: EmitEvent;
  commit: Commit;
  tempName: () => string;
  /** A version was kept whose hash is not known yet. */
  onKeptUnhashed: (fileId: string, versionId: string) => void;
}

export function createSaves(deps: SavesDeps): Saves {
  const { files, versions, kept } = deps;

  const hashOf = async ({ row, absolute }: SeenFile, signal?: AbortSignal): Promise<Buffer> => {
    if (row.sha256 !== null) return row.sha256;
    const sha256 = await hashFile(absolute, signal);
    const now = await deps.jail().stat(absolute);
    // A hash of a content that changed while it was read belongs to no version.
    if (now !== undefined && isSameContent(row, now)) {
      files.setHash(row.id, row.version, sha256);
      row.sha256 = sha256;
    }
    return sha256;
  };

  const announce = (row: FileRow): void => {
    const { id, path, size } = row;
    deps.emit({ event: 'file-saved', fileId: id, path, itemVersion: itemVersionOf(row), bytes: size });
  };

  /** Gives the content a second name in its folder, one that nothing has yet. Answers the path inside the root. */
  const copyAs = async (path: string, absolute: string, names: Iterable<string>): Promise<string> => {
    for (const name of names) {
      const copyPath = joinPath(parentOf(path), name);
      try {
        await copyToNew(absolute, deps.jail().absolute(copyPath), join(dirname(absolute), deps.tempName()));
        return copyPath;
      } catch (error) {
        if (diskErrorCode(error) !== 'EEXIST') throw error;
      }
    }
    throw new Error(`No free name beside ${nameOf(path)}.`);
  };

  /** Takes back what was done before the rename that did not happen. */
  const undo = async (
    row: FileRow,
    absolute: string,
    keptId: string | undefined,
    copy: string | undefined,
  ): Promise<void> => {
    if (keptId !== undefined) await kept.discard(row.id, keptId);
    if (copy !== undefined) await rm(deps.jail().absolute(copy), { force: true });
    const now = await lookAt(absolute).catch(() => undefined);
    // The links that were made and taken back changed the ctime.
    if (now !== undefined && isSameContentMoved(row, now)) {
      files.setContent(row.id, { ...row, ...signatureOf(now) });
    }
  };

  return {
    hashOf,

    recordHash({ row }, sha256) {
      files.setHash(row.id, row.version, sha256);
      row.sha256 = sha256;
    },

    async hasSameBytes(seen, incoming) {
      if (Number(seen.stats.size) !== incoming.size) return false;
      return incoming.sha256.equals(await hashOf(seen));
    },

    async confirm(seen, origin, record) {
      const now = await deps.jail().stat(seen.absolute);
      if (now === undefined || !isSameContent(seen.row, now)) return undefined;
      const row: FileRow = { ...seen.row, ...origin, version: seen.row.version + 1 };
      await deps.commit(() => {
        files.setContent(row.id, row);
        record(row);
      });
      announce(row);
      return { ...seen, row };
    },

    async replace({ seen, incoming, origin, conflictNames, record }) {
      const { row, absolute, stats } = seen;
      let keptFile;
      let surplus: string[] = [];
      let copy: string | undefined;
      try {
        await matchOwner(incoming, stats);
        if (conflictNames !== undefined) copy = await copyAs(row.path, absolute, conflictNames);
        await deps.limits.makeRoom(row.id, { coming: incoming.size, kept: row.size });
        keptFile = await kept.keep({
          absolute,
          fileId: row.id,
          version: row.version,
          successorInode: incoming.inode,
        });
        // What another program wrote meanwhile is neither in the record nor for certain in the version.
        const present = await deps.jail().stat(absolute);
        if (present === undefined || !isSameContentMoved(row, present)) {
          await undo(row, absolute, keptFile.id, copy);
          return undefined;
        }
        await renameOver(incoming.path, absolute);
      } catch (error) {
        await undo(row, absolute, keptFile?.id, copy);
        throw diskRefused(error);
      }
      await Promise.all([incoming.release(), syncFolder(dirname(absolute))]);
      const now = await deps.jail().stat(absolute);
      const next: FileRow = {
        ...row,
        // When yet another program was quicker, the recorded times fit nothing and the next look finds its content.
        ...(now?.ino === incoming.inode ? signatureOf(now) : { mtimeNs: '0' }),
        ...origin,
        sha256: incoming.sha256,
        version: row.version + 1,
      };
      await deps.commit(() => {
        versions.insert({
          id: keptFile.id,
          fileId: row.id,
          version: row.version,
          size: row.size,
          sha256: row.sha256,
          kind: keptFile.kind,
          mtimeMs: Number(stats.mtimeNs / 1_000_000n),
          keptAtMs: deps.clock(),
          savedAtMs: row.savedAtMs,
          savedBy: row.savedBy,
          savedHow: row.savedHow,
        });
        surplus = deps.limits.trim(row.id);
        files.setContent(row.id, next);
        record(next);
      });
      await deps.limits.discard(row.id, surplus);
      if (row.sha256 === null) deps.onKeptUnhashed(row.id, keptFile.id);
      if (copy !== undefined) {
        deps.emit({ event: 'conflict-copy-made', fileId: row.id, path: row.path, copy });
      }
      announce(next);
      return { row: next, absolute, stats: now ?? stats };
    },

    async remake({ row, incoming, origin, record }) {
      const jail = deps.jail();
      await jail.requireRoot();
      await jail.requireFolder(parentOf(row.path));
      const absolute = jail.absolute(row.path);
      let next: FileRow;
      try {
        await chmod(incoming.path, 0o666 & ~process.umask());
        const coming = await deps.jail().stat(incoming.path);
        if (coming === undefined) throw new Error('The temporary file is gone.');
        next = {
          ...row,
          ...signatureOf(coming),
          ...origin,
          ctimeNs: ctimeToCome,
          sha256: incoming.sha256,
          version: row.version + 1,
        };
        // On record before it has its name: nothing else would tell after a crash that it is the host's own.
        files.setContent(row.id, next);
        await moveToNew(incoming.path, absolute);
      } catch (error) {
        files.setContent(row.id, row);
        throw diskRefused(error);
      }
      await incoming.release();
      await syncFolder(dirname(absolute)).catch((error: unknown) => {
        throw diskRefused(error);
      });
      const now = await deps.jail().stat(absolute);
      if (now === undefined) throw diskRefused(undefined);
      const made = { ...next, ctimeNs: String(now.ctimeNs) };
      await deps.commit(() => {
        files.setContent(row.id, made);
        record(made);
      });
      next = made;
      announce(next);
      return { row: next, absolute, stats: now };
    },
  };
}

/** The new content keeps the old one's mode and, where the process may set it, its owner. */
async function matchOwner(incoming: Incoming, stats: SeenFile['stats']): Promise<void> {
  if (process.platform === 'win32') return;
  const uid = Number(stats.uid);
  const gid = Number(stats.gid);
  if (uid !== process.getuid?.() || gid !== process.getgid?.()) {
    await chown(incoming.path, uid, gid).catch((error: unknown) => {
      if (diskErrorCode(error) !== 'EPERM') throw error;
    });
  }
  const mode = Number(stats.mode & 0o7777n);
  if (mode !== incoming.mode) await chmod(incoming.path, mode);
}
