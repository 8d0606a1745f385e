// The kept versions and the recovered saves: what is in the data folder's `versions` and `rescued` folders, row by row.

import type { Clock } from '../contract/clock.ts';
import type { SaveOrigin } from './files.ts';
import type { Db } from './open-store.ts';

export type VersionKind = 'reflink' | 'link' | 'copy';

export interface VersionRow extends SaveOrigin {
  /** Unique within its document; also the name of its file. */
  id: string;
  fileId: string;
  /** Counter of the content that is kept here. */
  version: number;
  size: number;
  /** Null until it was hashed; a link may be changed by a program that still holds the old file open. */
  sha256: Buffer | null;
  kind: VersionKind;
  mtimeMs: number;
  keptAtMs: number;
}

export interface VersionsTable {
  get(fileId: string, id: string): VersionRow | undefined;
  /** Newest first. */
  list(fileId: string): VersionRow[];
  insert(row: VersionRow): void;
  setHash(fileId: string, id: string, sha256: Buffer): void;
  remove(fileId: string, id: string): void;
  count(fileId: string): number;
  /** Removes those beyond the newest `count` of that document; answers their ids. */
  trim(fileId: string, count: number): string[];
  /**
   * What was kept before this moment has been kept for more than `keepMs`. The age counts from the newest version or recovered
   * save that isn't young, not from the clock, so a clock that is wrong by weeks makes nothing old. -Infinity: nothing is too old.
   */
  prunedBefore(keepMs: number, nowMs: number): number;
  /**
   * Kept before that moment and not young, or beyond the newest `count` of their document. The newest of a document stays, unless
   * that was trashed.
   */
  prunable(beforeMs: number, count: number): VersionRow[];
}

export interface RescuedRow {
  id: string;
  fileId: string;
  path: string;
  size: number;
  sha256: Buffer;
  /** Whose it is; null where that is unknown, or two users sent the same. */
  userId: string | null;
  /** Id of the access token it came with. */
  tokenId: string | null;
  savedBy: string | null;
  reason: string;
  receivedAtMs: number;
}

export interface RescuedTable {
  get(id: string): RescuedRow | undefined;
  /** Newest first. */
  list(): RescuedRow[];
  /** The same bytes for the same document, kept already. */
  same(fileId: string, sha256: Buffer): RescuedRow | undefined;
  insert(row: RescuedRow): void;
  /** The same bytes arrived again. */
  renew(row: Pick<RescuedRow, 'id' | 'userId' | 'tokenId' | 'receivedAtMs'>): void;
  /** Received before that moment and not young. */
  receivedBefore(ms: number): RescuedRow[];
  remove(id: string): void;
}

const versionColumns = `id, file_id AS fileId, version, size, sha256, kind, mtime_ms AS mtimeMs, kept_at_ms AS keptAtMs,
  saved_at_ms AS savedAtMs, saved_by AS savedBy, saved_how AS savedHow`;
const rescuedColumns = `id, file_id AS fileId, path, size, sha256, user_id AS userId, access_token_id AS tokenId, saved_by AS savedBy, reason,
  received_at_ms AS receivedAtMs`;

/**
 * What was kept in the last day that the host lived is young: its time may come from a clock that is wrong for some hours, so it
 * is not pruned by age, and the age of nothing else counts from it.
 */
const youngMs = 24 * 60 * 60 * 1000;

/** @param livedMs real time that the host has lived; a clock that is set doesn't change it */
export function createVersionsTable(db: Db, livedMs: Clock): VersionsTable {
  const get = db.prepare<[string, string], VersionRow>(
    `SELECT ${versionColumns} FROM versions WHERE file_id = ? AND id = ?`,
  );
  const list = db.prepare<[string], VersionRow>(
    `SELECT ${versionColumns} FROM versions WHERE file_id = ? ORDER BY version DESC, kept_at_ms DESC`,
  );
  const insert = db.prepare<VersionRow & { livedMs: number }>(
    `INSERT INTO versions (id, file_id, version, size, sha256, kind, mtime_ms, kept_at_ms, saved_at_ms, saved_by, saved_how, lived_ms)
     VALUES (@id, @fileId, @version, @size, @sha256, @kind, @mtimeMs, @keptAtMs, @savedAtMs, @savedBy, @savedHow, @livedMs)`,
  );
  const setHash = db.prepare('UPDATE versions SET sha256 = ? WHERE file_id = ? AND id = ?');
  const remove = db.prepare('DELETE FROM versions WHERE file_id = ? AND id = ?');
  const count = db.prepare<[string], number>('SELECT count(*) FROM versions WHERE file_id = ?').pluck();
  const trim = db
    .prepare<[string, string, number], string>(
      `DELETE FROM versions WHERE file_id = ? AND id IN (
         SELECT id FROM versions WHERE file_id = ? ORDER BY version DESC, kept_at_ms DESC LIMIT -1 OFFSET ?
       ) RETURNING id`,
    )
    .pluck();
  // One in the future was kept under a clock that was ahead.
  const newest = db
    .prepare<{ nowMs: number; livedByMs: number }, number | null>(
      `SELECT max(kept_at_ms) FROM (
         SELECT kept_at_ms, lived_ms FROM versions UNION ALL SELECT received_at_ms, lived_ms FROM rescued_saves
       ) WHERE kept_at_ms <= @nowMs AND lived_ms <= @livedByMs`,
    )
    .pluck();
  const prunable = db.prepare<{ beforeMs: number; livedByMs: number; count: number }, VersionRow>(
    `SELECT ${versionColumns} FROM (
       SELECT *, row_number() OVER (PARTITION BY file_id ORDER BY version DESC, kept_at_ms DESC) AS place,
         (SELECT deleted_at_ms FROM files WHERE id = file_id) AS trashed_at_ms FROM versions
     ) WHERE (kept_at_ms < @beforeMs AND lived_ms <= @livedByMs AND (place > 1 OR trashed_at_ms IS NOT NULL))
       OR place > max(@count, 1)`,
  );
  return {
    get: (fileId, id) => get.get(fileId, id),
    list: (fileId) => list.all(fileId),
    insert(row) {
      insert.run({ ...row, livedMs: livedMs() });
    },
    setHash(fileId, id, sha256) {
      setHash.run(sha256, fileId, id);
    },
    remove(fileId, id) {
      remove.run(fileId, id);
    },
    count: (fileId) => count.get(fileId) ?? 0,
    trim: (fileId, most) => trim.all(fileId, fileId, most),
    prunedBefore(keepMs, nowMs) {
      const newestMs = newest.get({ nowMs, livedByMs: livedMs() - youngMs }) ?? Number.NEGATIVE_INFINITY;
      return newestMs - keepMs;
    },
    prunable: (beforeMs, count) => prunable.all({ beforeMs, livedByMs: livedMs() - youngMs, count }),
  };
}

/** @param livedMs as that of `createVersionsTable` */
export function createRescuedTable(db: Db, livedMs: Clock): RescuedTable {
  const get = db.prepare<[string], RescuedRow>(`SELECT ${rescuedColumns} FROM rescued_saves WHERE id = ?`);
  const list = db.prepare<[], RescuedRow>(
    `SELECT ${rescuedColumns} FROM rescued_saves ORDER BY received_at_ms DESC, rowid DESC`,
  );
  const same = db.prepare<[string, Buffer], RescuedRow>(
    `SELECT ${rescuedColumns} FROM rescued_saves WHERE file_id = ? AND sha256 = ?`,
  );
  const insert = db.prepare<RescuedRow & { livedMs: number }>(
    `INSERT INTO rescued_saves (id, file_id, path, size, sha256, user_id, access_token_id, saved_by,
       reason, received_at_ms, lived_ms)
     VALUES (@id, @fileId, @path, @size, @sha256, @userId, @tokenId, @savedBy, @reason, @receivedAtMs, @livedMs)`,
  );
  const renew = db.prepare(
    `UPDATE rescued_saves SET user_id = @userId, access_token_id = @tokenId, received_at_ms = @receivedAtMs,
       lived_ms = @livedMs
     WHERE id = @id`,
  );
  const receivedBefore = db.prepare<[number, number], RescuedRow>(
    `SELECT ${rescuedColumns} FROM rescued_saves WHERE received_at_ms < ? AND lived_ms <= ?`,
  );
  const remove = db.prepare('DELETE FROM rescued_saves WHERE id = ?');
  return {
    get: (id) => get.get(id),
    list: () => list.all(),
    same: (fileId, sha256) => same.get(fileId, sha256),
    insert(row) {
      insert.run({ ...row, livedMs: livedMs() });
    },
    renew(row) {
      renew.run({ ...row, livedMs: livedMs() });
    },
    receivedBefore: (ms) => receivedBefore.all(ms, livedMs() - youngMs),
    remove(id) {
      remove.run(id);
    },
  };
}
