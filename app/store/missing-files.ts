// The rows of documents that nothing refers to: no lock, token, page, version, recovered save, conflict copy or recent entry.
// Every listed document has a row, so those whose files are gone must not stay for ever.

import type { Db } from './open-store.ts';

export interface UnreferencedRow {
  id: string;
  path: string;
  missingSinceMs: number | null;
  deletedAtMs: number | null;
}

export interface MissingFiles {
  /** In order of their ids, from behind that one. */
  unreferenced(tenantId: number, afterId: string, count: number): UnreferencedRow[];
  /** Null: its file is there. */
  setMissingSince(id: string, sinceMs: number | null): void;
  /** Does nothing where something refers to it by now. */
  remove(id: string): void;
}

const isUnreferenced = [
  'locks',
  'access_tokens',
  'page_sessions',
  'versions',
  'rescued_saves',
  'conflicts',
  'recent_documents',
]
  .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE file_id = files.id)`)
  .join(' AND ');

export function createMissingFiles(db: Db): MissingFiles {
  const unreferenced = db.prepare<[number, string, number], UnreferencedRow>(
    `SELECT id, path, missing_since_ms AS missingSinceMs, deleted_at_ms AS deletedAtMs FROM files
     WHERE tenant_id = ? AND id > ? AND renaming_from IS NULL AND ${isUnreferenced} ORDER BY id LIMIT ?`,
  );
  const setMissingSince = db.prepare('UPDATE files SET missing_since_ms = ? WHERE id = ?');
  const remove = db.prepare(`DELETE FROM files WHERE id = ? AND renaming_from IS NULL AND ${isUnreferenced}`);
  return {
    unreferenced: (tenantId, afterId, count) => unreferenced.all(tenantId, afterId, count),
    setMissingSince(id, sinceMs) {
      setMissingSince.run(sinceMs, id);
    },
    remove(id) {
      remove.run(id);
    },
  };
}
