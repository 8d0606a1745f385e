// The kept versions and the recovered saves: what is in the data folder's `versions` and `rescued` folders, row by row.

import type { Clock } from '../contract/clock.ts';
import { originColumns } from './files.ts';
import type { Db } from './open-store.ts';
import { column, statements, type RowOf } from './sql.ts';

export type VersionKind = 'reflink' | 'link' | 'copy';

const columns = {
  /** Unique within its document; also the name of its file. */
  id: column<string>(),
  fileId: column<string>(),
  /** Counter of the kept content. */
  version: column<number>(),
  size: column<number>(),
  /** Null until hashed; a program that still has the old file open may change a link. */
  sha256: column<Buffer | null>(),
  kind: column<VersionKind>(),
  mtimeMs: column<number>(),
  keptAtMs: column<number>(),
  ...originColumns,
};

export type VersionRow = RowOf<typeof columns>;

/** `savedHow` of a save that reported no changes and wasn't written, because another program had changed the document. */
export const unwritten = 'unwritten';

/** When the content was saved here, or written by another program. */
export function writtenAtMs({ savedAtMs, mtimeMs }: Pick<VersionRow, 'savedAtMs' | 'mtimeMs'>): number {
  return savedAtMs ?? mtimeMs;
}

const recoveredColumns = {
  id: column<string>(),
  fileId: column<string>(),
  path: column<string>(),
  size: column<number>(),
  sha256: column<Buffer>(),
  /** The user; null if unknown, or if two users sent the same bytes. */
  userId: column<string | null>(),
  /** Id of the access token it came with. */
  tokenId: column<string | null>('access_token_id'),
  savedBy: column<string | null>(),
  reason: column<string>(),
  receivedAtMs: column<number>(),
  /** 1: no program could open it, so it didn't replace the document. */
  isUnreadable: column<0 | 1>(),
};

export type RecoveredRow = RowOf<typeof recoveredColumns>;

const livedMsColumn = { livedMs: column<number>() };

/**
 * What was kept in the last day of the host's running time is young: its timestamp may come from a clock that was temporarily
 * wrong, so it isn't pruned by age, and no other age is measured from it.
 */
const youngMs = 24 * 60 * 60 * 1000;

export type VersionsTable = ReturnType<typeof createVersionsTable>;

/** @param livedMs the host's total running time; setting the clock doesn't change it */
export function createVersionsTable(db: Db, livedMs: Clock) {
  const { value, run, runReturning, insert, select } = statements(db);
  const rows = select(columns, 'versions');
  const newestFirst = 'ORDER BY version DESC, kept_at_ms DESC';
  const insertRow = insert('versions', { ...columns, ...livedMsColumn }, { drops: 'nothing' });
  const count = value<[fileId: string], number>('SELECT count(*) FROM versions WHERE file_id = ?');
  // One in the future was kept under a clock that was ahead.
  const newest = value<[{ nowMs: number; livedByMs: number }], number | null>(`
    SELECT max(kept_at_ms) FROM (
      SELECT kept_at_ms, lived_ms FROM versions UNION ALL SELECT received_at_ms, lived_ms FROM rescued_saves
    ) WHERE kept_at_ms <= @nowMs AND lived_ms <= @livedByMs`);
  const ranked = `(SELECT *, row_number() OVER (PARTITION BY file_id ${newestFirst}) AS place,
    (SELECT deleted_at_ms FROM files WHERE id = file_id) AS trashed_at_ms FROM versions)`;
  const prunable = select(columns, ranked).all<[{ beforeMs: number; livedByMs: number; count: number }]>(`
    WHERE (kept_at_ms < @beforeMs AND lived_ms <= @livedByMs AND (place > 1 OR trashed_at_ms IS NOT NULL))
      OR place > max(@count, 1)`);
  return {
    get: rows.one<[fileId: string, id: string]>('WHERE file_id = ? AND id = ?'),
    /** Newest first. */
    list: rows.all<[fileId: string]>(`WHERE file_id = ? ${newestFirst}`),
    insert: (row: VersionRow) => insertRow({ ...row, livedMs: livedMs() }),
    setHash: run<[{ fileId: string; id: string; sha256: Buffer }]>(
      `UPDATE versions SET sha256 = @sha256 WHERE file_id = @fileId AND id = @id`,
      'nothing',
    ),
    remove: run<[fileId: string, id: string]>('DELETE FROM versions WHERE file_id = ? AND id = ?', 'nothing'),
    count: (fileId: string): number => count(fileId) ?? 0,
    /** Removes those beyond the newest `count` of that document; returns their ids. */
    trim: runReturning<[{ fileId: string; count: number }], string>(
      `DELETE FROM versions WHERE file_id = @fileId AND id IN (
        SELECT id FROM versions WHERE file_id = @fileId ${newestFirst} LIMIT -1 OFFSET @count) RETURNING id`,
      'nothing',
    ),
    /**
     * What was kept before this time is older than `keepMs`. Age is measured from the newest version or recovered save that isn't
     * young, not from the clock, so a clock that is wrong by weeks makes nothing old. -Infinity: nothing is too old.
     */
    prunedBefore: (keepMs: number, nowMs: number): number =>
      (newest({ nowMs, livedByMs: livedMs() - youngMs }) ?? Number.NEGATIVE_INFINITY) - keepMs,
    /**
     * Kept before that time and not young, or beyond the newest `count` of their document. The newest of a document stays, unless
     * the document was trashed.
     */
    prunable: (beforeMs: number, count: number): VersionRow[] =>
      prunable({ beforeMs, livedByMs: livedMs() - youngMs, count }),
  };
}

export type RecoveredTable = ReturnType<typeof createRecoveredTable>;

/** @param livedMs as in `createVersionsTable` */
export function createRecoveredTable(db: Db, livedMs: Clock) {
  const { run, insert, select } = statements(db);
  const rows = select(recoveredColumns, 'rescued_saves');
  const insertRow = insert('rescued_saves', { ...recoveredColumns, ...livedMsColumn }, { drops: 'nothing' });
  type Renewal = Pick<RecoveredRow, 'id' | 'userId' | 'tokenId' | 'reason' | 'isUnreadable' | 'receivedAtMs'>;
  const renew = run<[Renewal & { livedMs: number }]>(`
    UPDATE rescued_saves SET user_id = @userId, access_token_id = @tokenId, reason = @reason,
      is_unreadable = @isUnreadable, received_at_ms = @receivedAtMs, lived_ms = @livedMs WHERE id = @id`);
  const receivedBefore = rows.all<[beforeMs: number, livedByMs: number]>(`
    WHERE received_at_ms < ? AND lived_ms <= ?`);
  return {
    get: rows.one<[id: string]>('WHERE id = ?'),
    /** Newest first. */
    list: rows.all<[]>('ORDER BY received_at_ms DESC, rowid DESC'),
    /** The same bytes for the same document, already kept. */
    same: rows.one<[fileId: string, sha256: Buffer]>('WHERE file_id = ? AND sha256 = ?'),
    insert: (row: RecoveredRow) => insertRow({ ...row, livedMs: livedMs() }),
    /** The same bytes arrived again. */
    renew: (row: Renewal) => renew({ ...row, livedMs: livedMs() }),
    /** Received before that moment and not young. */
    receivedBefore: (beforeMs: number): RecoveredRow[] => receivedBefore(beforeMs, livedMs() - youngMs),
    remove: run<[id: string]>('DELETE FROM rescued_saves WHERE id = ?'),
  };
}
