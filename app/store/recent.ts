// The documents that were opened lately, by their ids: a rename changes nothing here, and one that was removed is not listed.

import type { Db } from './open-store.ts';

export interface RecentRow {
  fileId: string;
  /** Where it is by now. */
  path: string;
  openedAtMs: number;
}

export interface RecentTable {
  /** Newest first. */
  list(tenantId: number): RecentRow[];
  /** Keeps the newest `count` of its folder. */
  note(fileId: string, openedAtMs: number, count: number): void;
}

export function createRecentTable(db: Db): RecentTable {
  const list = db.prepare<[number], RecentRow>(
    `SELECT r.file_id AS fileId, f.path, r.opened_at_ms AS openedAtMs
     FROM recent_documents r JOIN files f ON f.id = r.file_id
     WHERE f.tenant_id = ? AND f.deleted_at_ms IS NULL ORDER BY r.opened_at_ms DESC, r.rowid DESC`,
  );
  const put = db.prepare('INSERT OR REPLACE INTO recent_documents (file_id, opened_at_ms) VALUES (?, ?)');
  const trim = db.prepare(
    `DELETE FROM recent_documents WHERE file_id IN (
       SELECT r.file_id FROM recent_documents r JOIN files f ON f.id = r.file_id
       WHERE f.tenant_id = (SELECT tenant_id FROM files WHERE id = ?)
       ORDER BY r.opened_at_ms DESC, r.rowid DESC LIMIT -1 OFFSET ?)`,
  );
  const note = db.transaction((fileId: string, openedAtMs: number, count: number) => {
    put.run(fileId, openedAtMs);
    trim.run(fileId, count);
  });
  return {
    list: (tenantId) => list.all(tenantId),
    note: (fileId, openedAtMs, count) => note.immediate(fileId, openedAtMs, count),
  };
}
