// One row for each document that was ever opened or listed: its id, its path, and what its content looked like when DocTray
// last saw it.

import type { Db } from './open-store.ts';
import { assignmentsOf, column, pick, statements, type RowOf } from './sql.ts';

const signatureColumns = {
  device: column<string>(),
  inode: column<string>(),
  /** '0' if the file system doesn't record creation times. */
  birthNs: column<string>(),
  size: column<number>(),
  mtimeNs: column<string>(),
  ctimeNs: column<string>(),
};

/** Identifies a file, and shows when its content has changed. The strings are decimal numbers that don't fit a double. */
export type FileSignature = RowOf<typeof signatureColumns>;

export const originColumns = {
  savedAtMs: column<number | null>(),
  /** X-WOPI-Editors, or the login of the token's user. */
  savedBy: column<string | null>(),
  /** 'autosave', 'exit', 'explicit', 'unmodified', comma-separated. */
  savedHow: column<string | null>(),
};

/** Who wrote the current content, as its save reported it. */
export type SaveOrigin = RowOf<typeof originColumns>;

const contentColumns = {
  ...signatureColumns,
  sha256: column<Buffer | null>(),
  version: column<number>(),
  ...originColumns,
};

const columns = {
  id: column<string>(),
  tenantId: column<number>(),
  /** Real path inside the root, '/'-separated. */
  path: column<string>(),
  /** The old path during a rename. */
  renamingFrom: column<string | null>(),
  ...contentColumns,
  createdAtMs: column<number>(),
  deletedAtMs: column<number | null>(),
};

export type FileRow = RowOf<typeof columns>;

/** The last path that users saw. The recorded one differs once another document has taken that path. */
export function lastSeenPath(path: string): string {
  return path.replace(/^\.~doctray-gone\/[^/]+\//u, '');
}

export interface UnreferencedRow extends Pick<FileRow, 'id' | 'path' | 'deletedAtMs'> {
  /** Null: its file exists. */
  missingSinceMs: number | null;
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

// '0' follows '/': the range is every path that starts with the folder's and a slash, and the index finds it.
const isBelow = (column: string): string => `${column} >= @folder || '/' AND ${column} < @folder || '0'`;
const moved = (column: string): string => `${column} = @to || substr(${column}, length(@folder) + 1)`;

export type FilesTable = ReturnType<typeof createFilesTable>;

export function createFilesTable(db: Db) {
  const { all, cached, run, insert, select } = statements(db);
  const rows = select(columns, 'files');
  const dropsRow = { cache: 'files', key: (id: string) => id };
  const isInFolder = `tenant_id = ? AND deleted_at_ms IS NULL AND ${isBelow('path')}`;

  const byPath = rows.one<[tenantId: number, path: string]>(`
    WHERE tenant_id = ? AND path = ? AND deleted_at_ms IS NULL`);
  const setPath = run<[id: string, Pick<FileRow, 'path' | 'renamingFrom'>]>(
    `UPDATE files SET path = @path, renaming_from = @renamingFrom WHERE id = ?`,
    dropsRow,
  );
  const moveFiles = run<[tenantId: number, { folder: string; to: string }]>(`
    UPDATE files SET ${moved('path')} WHERE ${isInFolder}`);
  const moveCopies = run<[tenantId: number, { folder: string; to: string }]>(`
    UPDATE OR REPLACE conflicts SET ${moved('copy')} WHERE tenant_id = ? AND ${isBelow('copy')}`);

  const byId = cached('files', rows.one<[id: string]>('WHERE id = ?'));

  return {
    /** Read by every call of an editor. */
    byId,
    /** The document's path for users; undefined if the id is unknown. */
    shownPath(id: string): string | undefined {
      const row = byId(id);
      return row && lastSeenPath(row.path);
    },
    byPath,
    /** Live rows that were last seen on this device and inode. */
    byInode: rows.all<[tenantId: number, Pick<FileSignature, 'inode' | 'device'>]>(`
      WHERE tenant_id = ? AND inode = @inode AND device = @device AND deleted_at_ms IS NULL`),
    /** Live rows of the whole hosted folder. */
    paths: all<[tenantId: number], { id: string; path: string }>(`
      SELECT id, path FROM files WHERE tenant_id = ? AND deleted_at_ms IS NULL`),
    /** Of every document with an unrevoked token. */
    pathsWithTokens: all<[], { id: string; path: string }>(`
      SELECT id, path FROM files WHERE id IN (SELECT file_id FROM access_tokens WHERE revoked_at_ms IS NULL)`),
    /** Documents with a lock, with a token that expires after that moment, or in the middle of a rename. */
    inUse: rows.all<[tenantId: number, tokensAfterMs: number]>(`
      WHERE tenant_id = ? AND deleted_at_ms IS NULL AND (renaming_from IS NOT NULL OR
        id IN (SELECT file_id FROM locks) OR id IN (SELECT file_id FROM access_tokens WHERE expires_at_ms > ?))`),

    insert: insert('files', columns, { drops: { cache: 'files', key: ({ id }) => id } }),
    /** Records new content: signature, hash, version and origin together. */
    setContent: run<[id: string, RowOf<typeof contentColumns>]>(
      `UPDATE files SET ${assignmentsOf(contentColumns)} WHERE id = ?`,
      { ...dropsRow, row: (before, _id, content) => ({ ...before, ...pick(contentColumns, content) }) },
    ),
    /** Fills in the hash of the content of that version; does nothing if the content has changed. */
    setHash: run<[id: string, { version: number; sha256: Buffer }]>(
      `UPDATE files SET sha256 = @sha256 WHERE id = ? AND version = @version`,
      dropsRow,
    ),
    setPath,
    /**
     * Takes a path from the document that was last seen there, because another document is about to get it. The first one's file
     * is found again by its identity.
     */
    vacate(tenantId: number, path: string): void {
      const row = byPath(tenantId, path);
      if (row === undefined) return;
      // No such folder is ever created.
      setPath(row.id, { path: `.~doctray-gone/${row.id}/${path}`, renamingFrom: null });
    },
    setDeleted: run<[id: string, { nowMs: number }]>('UPDATE files SET deleted_at_ms = @nowMs WHERE id = ?'),
    /** Its file is back. */
    setUndeleted: run<[id: string]>('UPDATE files SET deleted_at_ms = NULL WHERE id = ?', dropsRow),

    /** Documents below a folder. */
    below: all<[tenantId: number, { folder: string }], { id: string; path: string }>(`
      SELECT id, path FROM files WHERE ${isInFolder}`),
    /** Moves a folder's path and everything below it. For a transaction. */
    moveFolder(tenantId: number, change: { folder: string; to: string }): void {
      moveFiles(tenantId, change);
      moveCopies(tenantId, change);
    },
    /** A folder is gone, with everything below it. */
    setFolderDeleted: run<[tenantId: number, { folder: string; nowMs: number }]>(`
      UPDATE files SET deleted_at_ms = @nowMs WHERE ${isInFolder}`),

    /**
     * Documents that no lock, token, page, version, recovered save, conflict copy or recent entry refers to, by id. Every listed
     * document has a row, so those whose files are gone must not stay forever.
     */
    unreferenced: all<[tenantId: number, afterId: string, count: number], UnreferencedRow>(`
      SELECT id, path, deleted_at_ms AS deletedAtMs, missing_since_ms AS missingSinceMs FROM files
      WHERE tenant_id = ? AND id > ? AND renaming_from IS NULL AND ${isUnreferenced} ORDER BY id LIMIT ?`),
    setMissingSince: run<[id: string, Pick<UnreferencedRow, 'missingSinceMs'>]>(`
      UPDATE files SET missing_since_ms = @missingSinceMs WHERE id = ?`),
    /** Does nothing if something refers to it now. */
    removeUnreferenced: run<[id: string]>(`
      DELETE FROM files WHERE id = ? AND renaming_from IS NULL AND ${isUnreferenced}`),
  };
}
