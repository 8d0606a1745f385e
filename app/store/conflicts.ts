// The conflict copies that the user has not dealt with yet, one row a copy.

import type { Db } from './open-store.ts';

export interface ConflictRow {
  /** Path of the copy, inside its folder. */
  copy: string;
  fileId: string;
  /** Where the document itself is by now. */
  path: string;
  madeAtMs: number;
}

export interface ConflictsTable {
  /** Newest first. */
  list(tenantId: number): ConflictRow[];
  /** Of one document, newest first. */
  ofFile(fileId: string): ConflictRow[];
  /** In the folder that the document belongs to; does nothing when there is no such document. */
  insert(row: { copy: string; fileId: string; madeAtMs: number }): void;
  /** Answers whether it was there. */
  remove(tenantId: number, copy: string): boolean;
}

export function createConflictsTable(db: Db): ConflictsTable {
  const select = (where: string): string =>
    `SELECT c.copy, c.file_id AS fileId, f.path, c.made_at_ms AS madeAtMs
     FROM conflicts c JOIN files f ON f.id = c.file_id
     WHERE ${where} ORDER BY c.made_at_ms DESC, c.copy`;
  const list = db.prepare<[number], ConflictRow>(select('c.tenant_id = ?'));
  const ofFile = db.prepare<[string], ConflictRow>(select('c.file_id = ?'));
  const insert = db.prepare(
    `INSERT OR REPLACE INTO conflicts (tenant_id, copy, file_id, made_at_ms)
     SELECT tenant_id, @copy, id, @madeAtMs FROM files WHERE id = @fileId`,
  );
  const remove = db.prepare('DELETE FROM conflicts WHERE tenant_id = ? AND copy = ?');
  return {
    list: (tenantId) => list.all(tenantId),
    ofFile: (fileId) => ofFile.all(fileId),
    insert({ copy, fileId, madeAtMs }) {
      insert.run({ copy, fileId, madeAtMs });
    },
    remove: (tenantId, copy) => remove.run(tenantId, copy).changes > 0,
  };
}
