// The conflict copies that the user hasn't dealt with yet, one row for each.

import type { Db } from './open-store.ts';
import { column, statements } from './sql.ts';

const columns = {
  /** Path of the copy, inside its folder. */
  copy: column<string>(),
  fileId: column<string>(),
  /** The document's path now. */
  path: column<string>('f.path'),
  madeAtMs: column<number>(),
};

export type ConflictsTable = ReturnType<typeof createConflictsTable>;

export function createConflictsTable(db: Db) {
  const { run, select } = statements(db);
  const rows = select(columns, 'conflicts c JOIN files f ON f.id = c.file_id', 'c');
  const newestFirst = 'ORDER BY c.made_at_ms DESC, c.copy';
  return {
    list: rows.all<[tenantId: number]>(`WHERE c.tenant_id = ? ${newestFirst}`),
    byFile: rows.all<[fileId: string]>(`WHERE c.file_id = ? ${newestFirst}`),
    /** In the folder that the document belongs to; does nothing if there is no such document. */
    insert: run<[{ copy: string; fileId: string; madeAtMs: number }]>(`
      INSERT OR REPLACE INTO conflicts (tenant_id, copy, file_id, made_at_ms)
      SELECT tenant_id, @copy, id, @madeAtMs FROM files WHERE id = @fileId`),
    remove: run<[tenantId: number, copy: string]>('DELETE FROM conflicts WHERE tenant_id = ? AND copy = ?'),
  };
}
