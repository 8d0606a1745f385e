// The hosted folders. One is active at a time; files, locks and sessions belong to one.

import type { Db } from './open-store.ts';

export interface TenantsTable {
  /** The tenant of this real root path, made when it is first hosted. */
  ofRoot(root: string, nowMs: number): number;
  /** Those where a document is locked, or was a moment ago. */
  withLocks(): { id: number; root: string }[];
}

export function createTenantsTable(db: Db): TenantsTable {
  const find = db.prepare<[string], { id: number }>('SELECT id FROM tenants WHERE root = ?');
  const insert = db.prepare('INSERT INTO tenants (root, created_at_ms) VALUES (?, ?)');
  const withLocks = db.prepare<[], { id: number; root: string }>(
    `SELECT id, root FROM tenants WHERE id IN (SELECT f.tenant_id FROM locks l JOIN files f ON f.id = l.file_id)`,
  );
  return {
    withLocks: () => withLocks.all(),
    ofRoot: (root, nowMs) => find.get(root)?.id ?? Number(insert.run(root, nowMs).lastInsertRowid),
  };
}
