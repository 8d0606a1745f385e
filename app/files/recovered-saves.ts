// Recovered saves: complete bodies with a valid token that couldn't be written to the document. They are in the data folder's
// `rescued` folder until the user restores them under a new name or discards them, a newer one needs the room (see
// recovered-saves-quota.ts), or they expire.

import { createReadStream } from 'node:fs';
import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import { AppError, type ErrorCode } from '../contract/errors.ts';
import type { DomainEvent, EmitEvent } from '../contract/events.ts';
import { inEnglish, t } from '../contract/messages.ts';
import { parentOf, nameOf } from '../contract/names.ts';
import type { RecoveredReason } from '../contract/recovered-reasons.ts';
import type { Logger } from '../log/logger.ts';
import { lastSeenPath } from '../store/files.ts';
import type { RecoveredRow, RecoveredTable, VersionsTable } from '../store/versions.ts';
import { hashFd } from './content-hash.ts';
import type { DiskReason } from './disk-error.ts';
import { syncFolder } from './folder-sync.ts';
import { receiveBody, type ReceivedBody } from './received-body.ts';
import { type OpenFolder } from './jail.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import { pathOf } from './move-file.ts';
import { roomFor, type RecoveredSavesQuota } from './recovered-saves-quota.ts';

export interface RecoveredSave {
  id: string;
  fileId: string;
  path: string;
  /** Bytes. */
  size: number;
  /** Why it couldn't be saved; `recoveredReason` words it. */
  reason: string;
  receivedAtMs: number;
  /** It isn't a readable document of its type. */
  isUnreadable: boolean;
}

export interface RecoveredSaves {
  /** Newest first. */
  list(): RecoveredSave[];
  /**
   * Takes ownership of the bytes. The same bytes for the same document are kept once. Returns its id, or undefined if the quota
   * has no room; the body then still belongs to the caller. @throws AppError disk-refused
   */
  keep(incoming: ReceivedBody, about: RecoveredSaveOrigin): Promise<string | undefined>;
  /** The document has these bytes after all, so there is nothing left to recover. */
  noteSaved(fileId: string, sha256: Buffer): Promise<void>;
  /**
   * Creates a new document from it beside the original one; returns its path. One that isn't a readable document stays a recovered
   * save, until the user has decided. @throws AppError file-missing, disk-refused */
  restore(id: string): Promise<string>;
  /**
   * Makes it the content of its document after all; the content that it replaces is kept as a version. Returns the document's path.
   * Only for one that isn't a readable document.
   * @throws AppError recovered-save-unknown, invalid-argument, and what `replaceDocument` throws
   */
  saveAnyway(id: string): Promise<string>;
  /** @throws AppError recovered-save-unknown */
  discard(id: string): Promise<void>;
  /** Removes those older than `keepMs`. @see VersionsTable.prunedBefore */
  expire(keepMs: number): Promise<void>;
  /**
   * Creates rows for bodies that were kept by a process that died before recording them, and returns them. Run once, at startup.
   */
  adoptOrphans(pathOf: (fileId: string) => string | undefined): Promise<RecoveredSave[]>;
}

export interface RecoveredSaveOrigin {
  fileId: string;
  path: string;
  /** Null if unknown. */
  userId: string | null;
  tokenId: string | null;
  /** It was meant to be a new document, not the next content of this one. */
  isCopy: boolean;
  savedBy: string | null;
  reason: RecoveredReason | DiskReason | `error.${ErrorCode}`;
  isUnreadable: boolean;
}

export const unknownSender = { userId: null, tokenId: null, savedBy: null };

export interface RecoveredSavesDeps {
  table: RecoveredTable;
  /** The `rescued` folder inside the data folder. */
  directory: string;
  clock: Clock;
  emit: EmitEvent;
  log: Pick<Logger, 'info' | 'warn'>;
  quota: () => RecoveredSavesQuota;
  prunedBefore: VersionsTable['prunedBefore'];
  newId: () => string;
  tempName: () => string;
  /** Creates a document from a received body in that folder, under a free variant of the name; returns its path. */
  createDocument: (
    fileId: string,
    input: { folderPath: string; name: string; incoming: ReceivedBody },
  ) => Promise<string>;
  /**
   * Replaces a document's content with its newest save; `tokenId` is the session that sent it. Returns its path.
   * @throws AppError file-missing, save-outdated, file-locked by another session, file-changed, disk-refused
   */
  replaceDocument: (
    fileId: string,
    input: { recoveredId: string; incoming: ReceivedBody; savedBy: string | null; tokenId: string | null },
  ) => Promise<string>;
  /** The document's folder in the hosted folder; undefined if it is gone. */
  openFolder: (fileId: string, path: string) => Promise<OpenFolder | undefined>;
  recoveredName: (name: string, atMs: number) => string;
}

type EndedHow = Extract<DomainEvent, { event: 'recovered-save-ended' }>['how'];

const endings = {
  superseded: 'A newer recovered save of the same document replaced an older one.',
  expired: 'A recovered save expired and was removed.',
};
const cannotRemove = 'An older recovered save couldn’t be removed.';
const noRoom =
  'There is no room to keep it as a recovered save. Restore or discard recovered saves, or raise the limits in the settings (recoveredMB, recoveredTokenMB).';

export function createRecoveredSaves(deps: RecoveredSavesDeps): RecoveredSaves {
  const { table, directory } = deps;
  const keeping = createKeyedMutex();

  const require = (id: string): RecoveredRow => {
    const row = table.get(id);
    if (row === undefined) throw new AppError('recovered-save-unknown');
    return row;
  };
  // The file name contains the document's id, so that a body whose row was never written can still be assigned.
  const fileName = (id: string, fileId: string): string => `${id}.${fileId}`;

  const end = async (row: RecoveredRow, how: EndedHow): Promise<void> => {
    const { id, fileId, path, size } = row;
    table.remove(id);
    deps.emit({ event: 'recovered-save-ended', recoveredId: id, how });
    if (how === 'superseded' || how === 'expired') {
      deps.log.info({ recoveredId: id, fileId, path, bytes: size }, endings[how]);
    }
    await rm(join(directory, fileName(id, fileId)), { force: true });
  };

  const isWhole = async (row: RecoveredRow): Promise<boolean> => {
    const there = await stat(join(directory, fileName(row.id, row.fileId))).catch(() => undefined);
    return there?.size === row.size;
  };

  const keep = async (incoming: ReceivedBody, about: RecoveredSaveOrigin): Promise<string | undefined> => {
    const { fileId, userId, tokenId, savedBy, reason, isCopy } = about;
    const isUnreadable = about.isUnreadable ? 1 : 0;
    const path = lastSeenPath(about.path);
    const { size, sha256 } = incoming;
    const receivedAtMs = deps.clock();
    const known = table.same(fileId, sha256);
    if (known !== undefined && (await isWhole(known))) {
      const owner = known.userId === userId ? { userId, tokenId } : { userId: null, tokenId: null };
      table.renew({ id: known.id, ...owner, reason, isUnreadable, receivedAtMs });
      await incoming.discard();
      return known.id;
    }
    const rows = table.list().filter(({ id }) => id !== known?.id);
    const superseded = roomFor({ fileId, userId, tokenId, isCopy, size }, rows, deps.quota());
    if (superseded === undefined) {
      deps.emit({ event: 'recovered-save-refused', fileId, path, reason: noRoom, bytes: size });
      deps.log.warn({ fileId, path, bytes: size }, `${inEnglish.t(reason)} ${noRoom}`);
      return undefined;
    }
    const id = deps.newId();
    const target = join(directory, fileName(id, fileId));
    try {
      await rename(pathOf(incoming.location), target);
      // Another program may have put another file under the temporary name.
      if ((await lstat(target, { bigint: true })).ino !== incoming.inode)
        throw new Error('Another file has taken the temporary name.');
      await incoming.release();
    } catch {
      // On another disk, or its folder was moved: the open file still has the bytes.
      const copy = join(directory, deps.tempName());
      await incoming.copyTo(copy);
      await rename(copy, target);
      await incoming.discard();
    }
    await syncFolder(directory);
    if (known !== undefined) table.remove(known.id);
    table.insert({
      id,
      fileId,
      path,
      size,
      sha256,
      userId,
      tokenId,
      savedBy,
      reason,
      receivedAtMs,
      isUnreadable,
    });
    deps.emit({ event: 'save-recovered', fileId, path, recoveredId: id, reason, bytes: size });
    for (const row of superseded) {
      // A body that can't be removed is adopted at the next start; the new one is kept all the same.
      await end(row, 'superseded').catch((error: unknown) => deps.log.warn({ err: error }, cannotRemove));
    }
    return id;
  };

  /** Runs `use` with its bytes in a temporary file in that folder. Serialized per id, so a second click fails. */
  const withBody = (
    id: string,
    how: 'restored' | 'saved',
    use: (row: RecoveredRow, incoming: ReceivedBody, folderPath: string) => Promise<string>,
  ): Promise<string> =>
    keeping.run(`use ${id}`, async () => {
      const row = require(id);
      const folder =
        (await deps.openFolder(row.fileId, parentOf(row.path))) ?? (await deps.openFolder(row.fileId, ''));
      if (folder === undefined) throw new AppError('folder-missing');
      const incoming = await receiveBody({
        source: createReadStream(join(directory, fileName(id, row.fileId)), { highWaterMark: 1024 * 1024 }),
        folder,
        fallbackDirectory: directory,
        name: deps.tempName(),
        maxBytes: Number.MAX_SAFE_INTEGER,
      });
      try {
        if (incoming.refusal !== undefined) throw incoming.refusal;
        if (!incoming.sha256.equals(row.sha256)) throw new AppError('version-damaged');
        const path = await use(row, incoming, folder.path);
        // Opening what was saved decides nothing yet.
        if (how === 'saved' || row.isUnreadable === 0) await end(row, how);
        return path;
      } finally {
        await incoming.discard();
      }
    });

  const list = (): RecoveredSave[] =>
    table.list().map(({ id, fileId, path, size, reason, receivedAtMs, isUnreadable }) => ({
      id,
      fileId,
      path,
      size,
      reason,
      receivedAtMs,
      isUnreadable: isUnreadable === 1,
    }));

  return {
    list,

    // One after the other: two at once would both use the same room.
    keep: (incoming, about) => keeping.run('', () => keep(incoming, about)),

    async noteSaved(fileId, sha256) {
      const row = table.same(fileId, sha256);
      if (row !== undefined) await end(row, 'saved');
    },

    async expire(keepMs) {
      const beforeMs = deps.prunedBefore(keepMs, deps.clock());
      for (const row of table.receivedBefore(beforeMs)) await end(row, 'expired');
    },

    restore: (id) =>
      withBody(id, 'restored', (row, incoming, folderPath) =>
        deps.createDocument(row.fileId, {
          folderPath,
          name: deps.recoveredName(nameOf(row.path), row.receivedAtMs),
          incoming,
        }),
      ),

    saveAnyway: (id) =>
      withBody(id, 'saved', ({ fileId, savedBy, tokenId, isUnreadable }, incoming) => {
        // It may be meant as a copy.
        if (isUnreadable === 0)
          throw new AppError('invalid-argument', {
            detail: () => t('host.recovered-save-only-as-copy'),
          });
        return deps.replaceDocument(fileId, { recoveredId: id, incoming, savedBy, tokenId });
      }),

    async discard(id) {
      await end(require(id), 'discarded');
    },

    async adoptOrphans(pathOf) {
      const adopted: string[] = [];
      const recorded = new Set(table.list().map(({ id, fileId }) => fileName(id, fileId)));
      for (const name of await readdir(directory)) {
        const [id, fileId] = name.split('.');
        if (name.startsWith('.') || recorded.has(name) || id === undefined || fileId === undefined) continue;
        const absolute = join(directory, name);
        const stats = await stat(absolute);
        if (!stats.isFile()) continue;
        table.insert({
          id,
          fileId,
          path: pathOf(fileId) ?? 'document',
          size: stats.size,
          sha256: await hashAt(absolute),
          ...unknownSender,
          reason: 'recovered.not-recorded',
          receivedAtMs: deps.clock(),
          isUnreadable: 0,
        });
        adopted.push(id);
      }
      return list().filter(({ id }) => adopted.includes(id));
    },
  };
}

async function hashAt(absolute: string): Promise<Buffer> {
  const file = await open(absolute, 'r');
  return hashFd(file.fd).finally(() => file.close());
}
