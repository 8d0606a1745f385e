// The hosted folders. One is active at a time; files, locks and sessions belong to one.

import type { Db } from './open-store.ts';
import { statements } from './sql.ts';

export type TenantsTable = ReturnType<typeof createTenantsTable>;

export function createTenantsTable(db: Db) {
  const { all, value, runReturning } = statements(db);
  const find = value<[root: string], number>('SELECT id FROM tenants WHERE root = ?');
  const insert = runReturning<[root: string, createdAtMs: number], number>(
    'INSERT INTO tenants (root, created_at_ms) VALUES (?, ?) RETURNING id',
    'nothing',
  );
  return {
    /** The tenant of this real root path, created when the folder is first hosted. */
    idOfRoot: (root: string, nowMs: number): number => find(root) ?? Number(insert(root, nowMs)[0]),
    /** Folders with a document that is locked, or was recently. */
    withLocks: all<[], { id: number; root: string }>(`
      SELECT id, root FROM tenants WHERE id IN (SELECT f.tenant_id FROM locks l JOIN files f ON f.id = l.file_id)`),
  };
}
