// Replaces content so that a document is wholly old or wholly new whenever the process dies: keep the old content as a version →
// rename the synced temporary file over it → sync the folder → record everything in one transaction. The caller holds the
// document's mutex and has decided that the save may happen.
//
// The rename is the point of no return. What fails before it is undone, and the error says that nothing was changed. What fails
// after it is reported accurately: the document has the new content. See docs/durability.md, "The states of a save".

import { closeSync, fstatSync, type BigIntStats } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Clock } from '../contract/clock.ts';
import { AppError, errorCode } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import { t } from '../contract/messages.ts';
import { joinPath, parentOf, nameOf } from '../contract/names.ts';
import type { FileRow, FilesTable, SaveOrigin } from '../store/files.ts';
import type { Commit } from '../store/group-commit.ts';
import { unwritten, type VersionsTable } from '../store/versions.ts';
import { hashFd } from './content-hash.ts';
import { pendingCtime, type Reconcile } from './reconcile.ts';
import { copyToFile, readPiece } from './copy-bytes.ts';
import { diskRefused, unconfirmed } from './disk-error.ts';
import { isSameContent, isSameContentMoved, signatureOf } from './file-signature.ts';
import { syncFd } from './folder-sync.ts';
import type { FoundFile } from './document-index.ts';
import { wouldDamage } from './readable-content.ts';
import type { ReceivedBody } from './received-body.ts';
import { itemVersionOf } from './item-version.ts';
import { type Jail, type OpenFile, type OpenFolder } from './jail.ts';
import type { VersionFile, VersionFiles } from './version-files.ts';
import { moveWithoutOverwrite, renameOver } from './move-file.ts';
import type { VersionLimits } from './version-limits.ts';

export interface ContentReplacer {
  /** Whether the bytes on disk are the same; hashes the disk's only if the sizes match and its hash is unknown. */
  hasSameBytes(found: FoundFile, incoming: ReceivedBody): Promise<boolean>;
  /** The hash of the current content, recorded once computed. */
  hashOf(found: FoundFile, signal?: AbortSignal): Promise<Buffer>;
  /** Records a hash that was computed while the content was read for another purpose. */
  recordHash(found: FoundFile, sha256: Buffer): void;
  /**
   * A save with identical bytes: a new version of the record, the file untouched. Undefined if another program has changed it
   * since it was read. @throws AppError save-unconfirmed
   */
  confirm(
    found: FoundFile,
    origin: SaveOrigin,
    record: (row: FileRow) => void,
  ): Promise<FoundFile | undefined>;
  /**
   * The incoming bytes become the document. With a conflict name the old content stays in the folder under a free variant of it.
   * Undefined, with nothing changed, if another program has changed the document since it was read: find it again.
   * @throws AppError disk-refused, folder-missing with nothing changed; save-unconfirmed if the document has the new content, but
   * the disk or the database couldn't confirm it
   */
  replace(input: {
    found: FoundFile;
    incoming: ReceivedBody;
    origin: SaveOrigin;
    conflictNames?: Iterable<string>;
    record: (row: FileRow) => void;
  }): Promise<FoundFile | undefined>;
  /** The bytes would replace a readable document with one that isn't. @see wouldDamage; false if the setting is off */
  wouldDamage(found: FoundFile, incoming: ReceivedBody): Promise<boolean>;
  /**
   * Keeps the bytes as a version, without making them the document. Returns the version's id and the document, whose counter has
   * grown, because each of its values belongs to one content. @throws AppError disk-refused, with nothing changed
   */
  keepUnwritten(
    found: FoundFile,
    incoming: ReceivedBody,
    origin: SaveOrigin,
  ): Promise<{ versionId: string; found: FoundFile }>;
  /**
   * Creates a document again at its path after another program deleted it. Undefined, with nothing changed, if another program
   * was faster: find it again. @throws AppError disk-refused, folder-missing, save-unconfirmed
   */
  recreate(input: {
    row: FileRow;
    incoming: ReceivedBody;
    origin: SaveOrigin;
    record: (row: FileRow) => void;
  }): Promise<FoundFile | undefined>;
}

export interface ContentReplacerDeps {
  jail: Jail;
  files: FilesTable;
  versions: VersionsTable;
  versionFiles: VersionFiles;
  reconcile: Reconcile;
  limits: VersionLimits;
  clock: Clock;
  emit: EmitEvent;
  commit: Commit;
  /** The setting `checkSaves`. */
  checksSaves: () => boolean;
  tempName: () => string;
  /** A version was kept before its hash was known. */
  onKeptUnhashed: (fileId: string, versionId: string) => void;
  /** Receives errors that occur after the document has the new content. */
  onError: (error: unknown, text: string) => void;
}

export function createContentReplacer(deps: ContentReplacerDeps): ContentReplacer {
  const { jail, files, versions, versionFiles } = deps;
  /** Documents whose folder couldn't be synced after the last save: until it can, none of their saves is confirmed. */
  const unsynced = new Set<string>();

  const recordHash = (found: FoundFile, sha256: Buffer): void => {
    files.setHash(found.row.id, { version: found.row.version, sha256 });
    found.row = { ...found.row, sha256 };
  };

  const hashOf = async (found: FoundFile, signal?: AbortSignal): Promise<Buffer> => {
    const { row } = found;
    if (row.sha256 !== null) return row.sha256;
    const file = await jail.openFile(row.path);
    if (file === undefined) throw new AppError('file-changed');
    try {
      const sha256 = await hashFd(file.fd, signal);
      // A hash of content that changed while being read belongs to no version.
      if (isSameContent(row, fstatSync(file.fd, { bigint: true }))) recordHash(found, sha256);
      return sha256;
    } finally {
      closeSync(file.fd);
    }
  };

  const announce = (row: FileRow): void => {
    const { id, path, size } = row;
    deps.emit({ event: 'file-saved', fileId: id, path, itemVersion: itemVersionOf(row), bytes: size });
  };

  /** Copies the current content to a new document beside it, under the first free name. Returns its path. */
  const copyBeside = async (
    folder: OpenFolder,
    found: FoundFile,
    names: Iterable<string>,
  ): Promise<string> => {
    const temporary = { folder, name: deps.tempName() };
    const file = await folder.openFile(nameOf(found.row.path));
    if (file === undefined) throw new AppError('file-changed');
    try {
      // A copy, never a link: the kept version has the same content and must not change with it.
      await copyToFile(file, folder.at(temporary.name), Number(found.stats.mode & 0o777n));
    } finally {
      closeSync(file.fd);
    }
    try {
      for (const name of names) {
        try {
          await moveWithoutOverwrite(temporary, { folder, name });
          return joinPath(folder.path, name);
        } catch (error) {
          if (errorCode(error) !== 'EEXIST') throw error;
        }
      }
      throw new Error(`No free name next to ${nameOf(found.row.path)}.`);
    } catch (error) {
      await rm(folder.at(temporary.name), { force: true });
      throw error;
    }
  };

  /** Reverts what was done before a rename that didn't happen. A failure here never hides why the save failed. */
  const undo = async (
    folder: OpenFolder,
    row: FileRow,
    keptFile: VersionFile | undefined,
    copy: string | undefined,
  ): Promise<void> => {
    try {
      if (keptFile !== undefined) await versionFiles.discard(row.id, keptFile.id);
      if (copy !== undefined) await rm(folder.at(nameOf(copy)), { force: true });
      const now = await folder.stat(nameOf(row.path));
      // Creating and removing links changed the ctime.
      if (now !== undefined && isSameContentMoved(row, now)) {
        files.setContent(row.id, { ...row, ...signatureOf(now) });
      }
    } catch (error) {
      deps.onError(error, 'A failed save couldn’t be cleaned up.');
    }
  };

  /**
   * Everything after the point of no return: makes the name durable and writes the record. A failure here never undoes the save:
   * the record is reconciled with the disk, and the problem is returned along with what was saved.
   */
  const finish = async (
    folder: OpenFolder,
    incoming: ReceivedBody,
    { row, stats }: FoundFile,
    write: (now: BigIntStats | undefined) => { next: FileRow; commit: () => void },
  ): Promise<{ saved: FoundFile | undefined; problem: AppError | undefined; isCommitted: boolean }> => {
    const syncing = folder.sync().then(
      () => {
        unsynced.delete(row.id);
        return undefined;
      },
      (error: unknown) => {
        unsynced.add(row.id);
        deps.onError(error, 'The save was written, but its folder couldn’t be synced.');
        return unconfirmed(error, 'save-unconfirmed');
      },
    );
    await incoming.release().catch(() => undefined);
    let problem = await syncing;
    let saved: FoundFile | undefined;
    let isCommitted = false;
    try {
      const now = await folder.stat(nameOf(row.path));
      const { next, commit } = write(now);
      await deps.commit(commit);
      isCommitted = true;
      saved = { row: next, stats: now ?? stats };
    } catch (error) {
      deps.onError(error, 'A save is on the disk, but its record couldn’t be written.');
      saved = await reconcileRow(folder, row).catch(() => undefined);
      if (saved === undefined) problem ??= unconfirmed(error, 'save-unconfirmed');
    }
    return { saved, problem, isCommitted };
  };

  /** The record from what is on disk; undefined if it can't be written either. */
  const reconcileRow = async (folder: OpenFolder, row: FileRow): Promise<FoundFile | undefined> => {
    const stats = await folder.stat(nameOf(row.path));
    if (stats === undefined) return undefined;
    const reconciled = await deps.reconcile(jail, row, { path: row.path, stats });
    return reconciled.isRecorded ? { row: reconciled.row, stats: reconciled.place.stats } : undefined;
  };

  const syncDocument = (row: FileRow): Promise<void> =>
    jail.inFolder(parentOf(row.path), async (folder) => {
      const file = await folder.openFile(nameOf(row.path));
      if (file === undefined) throw new AppError('file-changed');
      await syncFd(file.fd).finally(() => closeSync(file.fd));
      await folder.sync();
      unsynced.delete(row.id);
    });

  return {
    hashOf,
    recordHash,

    async hasSameBytes(found, incoming) {
      if (Number(found.stats.size) !== incoming.size) return false;
      return incoming.sha256.equals(await hashOf(found));
    },

    async confirm(found, origin, record) {
      const { row } = found;
      const place = await jail.stat(row.path);
      if (place === undefined || !isSameContent(row, place.stats)) return undefined;
      const next: FileRow = { ...row, ...origin, version: row.version + 1 };
      try {
        // Bytes that another program wrote, or whose name couldn't be synced, may not be on disk yet.
        if (row.savedAtMs === null || unsynced.has(row.id)) await syncDocument(row);
        await deps.commit(() => {
          files.setContent(row.id, next);
          record(next);
        });
      } catch (error) {
        if (error instanceof AppError && error.code === 'file-changed') return undefined;
        throw unconfirmed(error, 'save-unconfirmed');
      }
      announce(next);
      return { ...found, row: next };
    },

    replace: ({ found, incoming, origin, conflictNames, record }) =>
      jail.inFolder(parentOf(found.row.path), async (folder) => {
        const { row, stats } = found;
        const name = nameOf(row.path);
        let keptFile: VersionFile | undefined;
        let copy: string | undefined;
        let surplus: string[] = [];
        try {
          await matchAccess(incoming, stats);
          if (conflictNames !== undefined) copy = await copyBeside(folder, found, conflictNames);
          keptFile = await versionFiles.keep({
            folder,
            name,
            stats,
            fileId: row.id,
            version: row.version,
            successorInode: incoming.inode,
            beforeCopy: () => deps.limits.makeRoom(row.id, { incoming: incoming.size, kept: row.size }),
          });
          // What another program wrote in between isn't in the record, and may not be in the version either.
          const present = await folder.stat(name);
          if (present === undefined || !isSameContentMoved(row, present)) throw new AppError('file-changed');
          await renameOver(incoming.location, { folder, name });
        } catch (error) {
          // A network drive may report a failure for a rename that succeeded.
          const now = keptFile && (await folder.stat(name));
          if (keptFile === undefined || now?.ino !== incoming.inode) {
            await undo(folder, row, keptFile, copy);
            if (error instanceof AppError && error.code === 'file-changed') return undefined;
            throw error instanceof AppError ? error : diskRefused(error);
          }
          deps.onError(error, 'A rename reported an error but succeeded.');
        }
        const { id, kind } = keptFile;
        const { saved, problem, isCommitted } = await finish(folder, incoming, found, (now) => {
          const next: FileRow = {
            ...row,
            // If yet another program was faster, the recorded times match nothing and the next find sees its content.
            ...(now?.ino === incoming.inode ? signatureOf(now) : { mtimeNs: '0' }),
            ...origin,
            sha256: incoming.sha256,
            version: row.version + 1,
          };
          const commit = (): void => {
            versions.insert({
              id,
              fileId: row.id,
              version: row.version,
              size: row.size,
              sha256: row.sha256,
              kind,
              mtimeMs: Number(stats.mtimeNs / 1_000_000n),
              keptAtMs: deps.clock(),
              savedAtMs: row.savedAtMs,
              savedBy: row.savedBy,
              savedHow: row.savedHow,
            });
            surplus = deps.limits.trim(row.id);
            files.setContent(row.id, next);
            record(next);
          };
          return { next, commit };
        });
        if (isCommitted) {
          await deps.limits.discard(row.id, surplus);
          if (kind !== 'copy') {
            await deps.limits
              .makeRoom(row.id, { incoming: incoming.size, kept: 0 }, id)
              .catch((error: unknown) => deps.onError(error, 'Old versions couldn’t be removed.'));
          }
        }
        if (row.sha256 === null) deps.onKeptUnhashed(row.id, id);
        if (copy !== undefined) {
          deps.emit({ event: 'conflict-copy-made', fileId: row.id, path: row.path, copy });
        }
        if (saved !== undefined) announce(saved.row);
        if (problem !== undefined) throw problem;
        return saved;
      }),

    async wouldDamage({ row, stats }, incoming) {
      if (!deps.checksSaves()) return false;
      let opening: Promise<OpenFile | undefined> | undefined;
      const present = {
        size: Number(stats.size),
        // Opened only for a save that isn't readable.
        async read(position: number, length: number): Promise<Buffer> {
          const file = await (opening ??= jail.openFile(row.path));
          if (file === undefined) throw new AppError('file-changed');
          return readPiece(file.fd, position, length);
        },
      };
      try {
        return await wouldDamage(nameOf(row.path), incoming, present);
      } finally {
        const file = await opening;
        if (file !== undefined) closeSync(file.fd);
      }
    },

    async keepUnwritten({ row, stats }, incoming, origin) {
      for (const { id, savedHow, sha256 } of versions.list(row.id)) {
        const isSame = savedHow === unwritten && sha256?.equals(incoming.sha256) === true;
        if (isSame && (await versionFiles.sizeOf(row.id, id)) === incoming.size)
          return { versionId: id, found: { row, stats } };
      }
      const { id, kind } = await versionFiles
        .keepBody(incoming, { fileId: row.id, version: row.version })
        .catch((error: unknown) => {
          throw error instanceof AppError ? error : diskRefused(error);
        });
      const next: FileRow = { ...row, version: row.version + 2 };
      let surplus: string[] = [];
      try {
        await deps.commit(() => {
          versions.insert({
            id,
            fileId: row.id,
            version: row.version + 1,
            size: incoming.size,
            sha256: incoming.sha256,
            kind,
            mtimeMs: deps.clock(),
            keptAtMs: deps.clock(),
            ...origin,
            savedHow: unwritten,
          });
          surplus = deps.limits.trim(row.id);
          files.setContent(row.id, next);
        });
      } catch (error) {
        await versionFiles.discard(row.id, id);
        throw error;
      }
      await deps.limits.discard(row.id, surplus);
      return { versionId: id, found: { row: next, stats } };
    },

    recreate: ({ row, incoming, origin, record }) =>
      jail.inFolder(parentOf(row.path), async (folder) => {
        const name = nameOf(row.path);
        let incomingStats: BigIntStats;
        let next: FileRow;
        try {
          await incoming.setAccess({ mode: 0o666 & ~process.umask() });
          incomingStats = incoming.stat();
          next = {
            ...row,
            ...signatureOf(incomingStats),
            ...origin,
            ctimeNs: pendingCtime,
            sha256: incoming.sha256,
            version: row.version + 1,
          };
          // Recorded before it has its name: after a crash, nothing else would show that it is the host's own.
          files.setContent(row.id, next);
          await moveWithoutOverwrite(incoming.location, { folder, name });
        } catch (error) {
          files.setContent(row.id, row);
          if (errorCode(error) === 'EEXIST') {
            if ((await folder.stat(name))?.isFile() !== false) return undefined;
            throw new AppError('disk-refused', {
              cause: error,
              detail: () => t('host.name-taken-by-a-folder'),
            });
          }
          throw error instanceof AppError ? error : diskRefused(error);
        }
        const { saved, problem } = await finish(
          folder,
          incoming,
          { row: next, stats: incomingStats },
          (now) => {
            const named = now === undefined ? next : { ...next, ctimeNs: String(now.ctimeNs) };
            const commit = (): void => {
              files.setContent(row.id, named);
              record(named);
            };
            return { next: named, commit };
          },
        );
        if (saved !== undefined) announce(saved.row);
        if (problem !== undefined) throw problem;
        return saved;
      }),
  };
}

/** The new content gets the old one's permission bits and, if the process may set it, its owner. */
async function matchAccess(incoming: ReceivedBody, stats: BigIntStats): Promise<void> {
  const uid = Number(stats.uid);
  const gid = Number(stats.gid);
  const isOurs = uid === process.getuid?.() && gid === process.getgid?.();
  // Without setuid and setgid: they were meant for the old content, not for what an editor sends.
  const mode = Number(stats.mode & 0o777n);
  if (isOurs && mode === incoming.mode) return;
  await incoming.setAccess({ mode, ...(!isOurs && { owner: { uid, gid } }) });
}
