// The rows of everything below one folder, for when the folder itself is renamed or removed.

import type { Db } from './open-store.ts';

export interface FolderRows {
  /** Documents below it, by id and path. */
  below(tenantId: number, folderPath: string): { id: string; path: string }[];
  /** The folder got another path: so did what is below it. For a transaction. */
  move(tenantId: number, from: string, to: string): void;
  /** The folder is gone, with all that was below it. */
  setDeleted(tenantId: number, folderPath: string, nowMs: number): void;
  /** Folders into which an import was writing when the host ended. */
  importFolders(tenantId: number): string[];
  noteImport(tenantId: number, folderPath: string): void;
  endImports(tenantId: number, folderPaths: readonly string[]): void;
}

export function createFolderRows(db: Db): FolderRows {
  // '0' follows '/': the range is all that starts with the folder's path and a slash, and the index finds it.
  const isBelow = (column: string): string => `${column} >= @from || '/' AND ${column} < @from || '0'`;
  const below = db.prepare<{ tenantId: number; from: string }, { id: string; path: string }>(
    `SELECT id, path FROM files WHERE tenant_id = @tenantId AND deleted_at_ms IS NULL AND ${isBelow('path')}`,
  );
  const moved = (column: string): string => `${column} = @to || substr(${column}, length(@from) + 1)`;
  const moveFiles = db.prepare(
    `UPDATE files SET ${moved('path')}
     WHERE tenant_id = @tenantId AND deleted_at_ms IS NULL AND ${isBelow('path')}`,
  );
  const moveCopies = db.prepare(
    `UPDATE OR REPLACE conflicts SET ${moved('copy')} WHERE tenant_id = @tenantId AND ${isBelow('copy')}`,
  );
  const setDeleted = db.prepare(
    `UPDATE files SET deleted_at_ms = @nowMs
     WHERE tenant_id = @tenantId AND deleted_at_ms IS NULL AND ${isBelow('path')}`,
  );
  const importFolders = db
    .prepare<[number], string>('SELECT path FROM import_folders WHERE tenant_id = ?')
    .pluck();
  const noteImport = db.prepare('INSERT OR IGNORE INTO import_folders (tenant_id, path) VALUES (?, ?)');
  const endImport = db.prepare('DELETE FROM import_folders WHERE tenant_id = ? AND path = ?');
  const endImports = db.transaction((tenantId: number, paths: readonly string[]) => {
    for (const path of paths) endImport.run(tenantId, path);
  });
  return {
    below: (tenantId, from) => below.all({ tenantId, from }),
    move(tenantId, from, to) {
      moveFiles.run({ tenantId, from, to });
      moveCopies.run({ tenantId, from, to });
    },
    setDeleted(tenantId, from, nowMs) {
      setDeleted.run({ tenantId, from, nowMs });
    },
    importFolders: (tenantId) => importFolders.all(tenantId),
    noteImport(tenantId, path) {
      noteImport.run(tenantId, path);
    },
    endImports: (tenantId, paths) => endImports.immediate(tenantId, paths),
  };
}
