// The kept versions of a document: listed, restored (always as a copy, never as a link), pruned.

import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import { parentOf } from '../contract/names.ts';
import type { VersionItem } from '../contract/results.ts';
import type { FileRow } from '../store/files.ts';
import { writtenAtMs, type VersionKind, type VersionRow, type VersionsTable } from '../store/versions.ts';
import { hashFd } from './content-hash.ts';
import { isMissing } from './disk-error.ts';
import { hostedFile, type DocumentIndex, type HostedFile } from './document-index.ts';
import { receiveBody } from './received-body.ts';
import { itemVersionOf } from './item-version.ts';
import type { VersionFiles } from './version-files.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import type { ContentReplacer } from './replace-content.ts';

export interface VersionSummary extends Omit<VersionItem, 'savedBy'> {
  savedBy: string | null;
  kind: VersionKind;
}

export interface VersionHistory {
  /** Newest first. */
  list(fileId: string): VersionSummary[];
  /**
   * Makes the version's content the document's, and keeps the current content as a version first. Takes a version's id, or its
   * item version or counter. @param by the id of the user who restores it
   * @throws AppError version-unknown, version-damaged, file-missing, file-locked, disk-refused
   */
  restore(fileId: string, version: string, by: string): Promise<HostedFile>;
  /**
   * Opens a version's content for reading; the caller closes it. Its size was checked; a caller that reads all of it checks the hash.
   * @throws AppError file-missing, version-unknown, version-damaged
   */
  read(fileId: string, version: string): Promise<{ version: VersionRow; file: FileHandle }>;
  /** Hashes a version that was kept without a hash, so that a later change to it is detected. */
  fingerprint(fileId: string, id: string, signal?: AbortSignal): Promise<void>;
}

export interface VersionHistoryDeps {
  table: VersionsTable;
  versionFiles: VersionFiles;
  folder: DocumentIndex;
  content: ContentReplacer;
  mutex: KeyedMutex;
  clock: Clock;
  emit: EmitEvent;
  tempName: () => string;
  incomingDirectory: string;
  isLocked: (fileId: string) => boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

export function createVersionHistory(deps: VersionHistoryDeps): VersionHistory {
  const { table, versionFiles } = deps;

  const pick = (row: FileRow, version: string): VersionRow => {
    const found = table
      .list(row.id)
      .find(
        (entry) =>
          entry.id === version ||
          String(entry.version) === version ||
          itemVersionOf({ ...row, version: entry.version }) === version,
      );
    if (found === undefined) throw new AppError('version-unknown');
    return found;
  };

  /** The version's bytes in a temporary file beside the document, checked against its recorded hash. */
  const copyOut = async (version: VersionRow, folderPath: string) => {
    const incoming = await receiveBody({
      source: createReadStream(versionFiles.pathOf(version.fileId, version.id), {
        highWaterMark: 1024 * 1024,
      }),
      folder: await deps.folder.jail.openFolder(folderPath),
      fallbackDirectory: deps.incomingDirectory,
      name: deps.tempName(),
      maxBytes: Number.MAX_SAFE_INTEGER,
    });
    const isSound =
      incoming.size === version.size && (version.sha256 === null || version.sha256.equals(incoming.sha256));
    if (isSound && incoming.refusal === undefined) return incoming;
    await incoming.discard();
    throw incoming.refusal ?? new AppError('version-damaged');
  };

  return {
    list(fileId) {
      const row = deps.folder.rowOf(fileId);
      if (row === undefined) return [];
      return table.list(fileId).map((entry) => ({
        id: entry.id,
        itemVersion: itemVersionOf({ ...row, version: entry.version }),
        size: entry.size,
        keptAtMs: entry.keptAtMs,
        writtenAtMs: writtenAtMs(entry),
        savedAtMs: entry.savedAtMs,
        savedBy: entry.savedBy,
        savedHow: entry.savedHow,
        kind: entry.kind,
      }));
    },

    restore(fileId, versionText, by) {
      return deps.mutex.run(fileId, async () => {
        if (deps.isLocked(fileId)) throw new AppError('file-locked');
        const found = await deps.folder.findHeld(fileId);
        if (found === undefined) throw new AppError('file-missing');
        const version = pick(found.row, versionText);
        await stat(versionFiles.pathOf(fileId, version.id)).catch((error: unknown) => {
          throw isMissing(error) ? new AppError('version-unknown', { cause: error }) : error;
        });
        const incoming = await copyOut(version, parentOf(found.row.path));
        try {
          const origin = { savedAtMs: deps.clock(), savedBy: by, savedHow: 'restored' };
          const restored = await deps.content.replace({ found, incoming, origin, record: () => undefined });
          if (restored === undefined) throw new AppError('file-changed');
          const file = hostedFile(restored);
          deps.emit({ event: 'file-restored', fileId, path: file.path, itemVersion: file.itemVersion });
          return file;
        } finally {
          await incoming.discard();
        }
      });
    },

    async read(fileId, versionText) {
      const row = deps.folder.rowOf(fileId);
      if (row === undefined) throw new AppError('file-missing');
      const version = pick(row, versionText);
      const file = await open(versionFiles.pathOf(fileId, version.id), 'r').catch((error: unknown) => {
        throw isMissing(error) ? new AppError('version-unknown', { cause: error }) : error;
      });
      if ((await file.stat()).size === version.size) return { version, file };
      await file.close();
      throw new AppError('version-damaged');
    },

    async fingerprint(fileId, id, signal) {
      const entry = table.get(fileId, id);
      if (entry === undefined || entry.sha256 !== null) return;
      try {
        const file = await open(versionFiles.pathOf(fileId, id), 'r');
        const sha256 = await hashFd(file.fd, signal).finally(() => file.close());
        table.setHash({ fileId, id, sha256 });
      } catch (error) {
        if (!isMissing(error)) throw error; // It was pruned.
      }
    },
  };
}

/**
 * Removes versions older than `days`, or beyond the newest `count` of their document; in all folders ever hosted.
 * @see VersionsTable.prunedBefore
 */
export async function pruneVersions(
  deps: { table: VersionsTable; versionFiles: VersionFiles; mutex: KeyedMutex; clock: Clock },
  limits: { days: number; count: number },
  watch: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void } = {},
): Promise<number> {
  const beforeMs = deps.table.prunedBefore(limits.days * dayMs, deps.clock());
  const entries = deps.table.prunable(beforeMs, limits.count);
  let done = 0;
  for (const entry of entries) {
    if (watch.signal?.aborted === true) break;
    await deps.mutex.run(entry.fileId, async () => {
      await deps.versionFiles.discard(entry.fileId, entry.id);
      deps.table.remove(entry.fileId, entry.id);
    });
    done += 1;
    watch.onProgress?.(done, entries.length);
  }
  return done;
}
