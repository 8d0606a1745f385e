// Recently opened documents, by id: a rename changes nothing here, and a removed one isn't listed.

import type { Db } from './open-store.ts';
import { statements } from './sql.ts';

export function createRecentTable(db: Db) {
  const { all, run } = statements(db);
  const put = run<[fileId: string, openedAtMs: number]>(`
    INSERT OR REPLACE INTO recent_documents (file_id, opened_at_ms) VALUES (?, ?)`);
  const trim = run<[fileId: string, count: number]>(`
    DELETE FROM recent_documents WHERE file_id IN (
      SELECT r.file_id FROM recent_documents r JOIN files f ON f.id = r.file_id
      WHERE f.tenant_id = (SELECT tenant_id FROM files WHERE id = ?)
      ORDER BY r.opened_at_ms DESC, r.rowid DESC LIMIT -1 OFFSET ?)`);
  const note = db.transaction((fileId: string, openedAtMs: number, count: number) => {
    put(fileId, openedAtMs);
    trim(fileId, count);
  });
  return {
    /** With the documents' current paths; newest first. */
    list: all<[tenantId: number], { path: string; openedAtMs: number }>(`
      SELECT f.path, r.opened_at_ms AS openedAtMs FROM recent_documents r JOIN files f ON f.id = r.file_id
      WHERE f.tenant_id = ? AND f.deleted_at_ms IS NULL ORDER BY r.opened_at_ms DESC, r.rowid DESC`),
    /** Keeps the newest `count` of its folder. */
    note: note.immediate,
  };
}
