// Folders that an import writes into, so that the next start can clean up after a killed one.

import type { Db } from './open-store.ts';
import { statements } from './sql.ts';

export function createImportFoldersTable(db: Db) {
  const { values, run } = statements(db);
  const remove = run<[tenantId: number, path: string]>(`
    DELETE FROM import_folders WHERE tenant_id = ? AND path = ?`);
  const removeAll = db.transaction((tenantId: number, paths: readonly string[]) => {
    for (const path of paths) remove(tenantId, path);
  });
  return {
    list: values<[tenantId: number], string>('SELECT path FROM import_folders WHERE tenant_id = ?'),
    add: run<[tenantId: number, path: string]>(`
      INSERT OR IGNORE INTO import_folders (tenant_id, path) VALUES (?, ?)`),
    removeAll: (tenantId: number, paths: readonly string[]): void => removeAll.immediate(tenantId, paths),
  };
}
