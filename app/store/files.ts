// One row for each document that was ever opened or listed: its id, where it is, and what its content looked like when it
// was last seen.

import type { Db } from './open-store.ts';

/** What tells a file apart and its content as changed. Texts are decimal: they do not fit a double. */
export interface FileSignature {
  device: string;
  inode: string;
  /** '0' where the file system does not know when a file was made. */
  birthNs: string;
  size: number;
  mtimeNs: string;
  ctimeNs: string;
}

/** Who made the present content, as the save told it. */
export interface SaveOrigin {
  savedAtMs: number | null;
  /** X-WOPI-Editors, or the login of the token's user. */
  savedBy: string | null;
  /** 'autosave', 'exit', 'explicit', 'unmodified', comma-separated. */
  savedHow: string | null;
}

export interface FileRow extends FileSignature, SaveOrigin {
  id: string;
  tenantId: number;
  /** Real path inside the root, '/'-separated. */
  path: string;
  /** The old path while a rename is under way. */
  renamingFrom: string | null;
  sha256: Buffer | null;
  version: number;
  createdAtMs: number;
  deletedAtMs: number | null;
}

export interface FilesTable {
  byId(id: string): FileRow | undefined;
  byPath(tenantId: number, path: string): FileRow | undefined;
  /** Live rows that were last seen on this device and inode. */
  byInode(tenantId: number, signature: FileSignature): FileRow[];
  /** Live rows, wherever in the folder. */
  paths(tenantId: number): { id: string; path: string }[];
  insert(row: FileRow): void;
  /** Records a content: signature, hash, version and origin together. */
  setContent(
    id: string,
    content: FileSignature & SaveOrigin & { sha256: Buffer | null; version: number },
  ): void;
  /** Fills in the hash of the content of that version; does nothing when the content moved on. */
  setHash(id: string, version: number, sha256: Buffer): void;
  setPath(id: string, path: string, renamingFrom: string | null): void;
  /**
   * Takes a path from the document that was last seen there, since another is about to have it. Wherever that one's file is
   * now, it is found again by its identity.
   */
  vacate(tenantId: number, path: string): void;
  setDeleted(id: string, nowMs: number): void;
  /** Documents with a lock, with a token that expires after that moment, or in the middle of a rename. */
  inUse(tenantId: number, tokensAfterMs: number): FileRow[];
}

const columns = `id, tenant_id AS tenantId, path, renaming_from AS renamingFrom, device, inode, birth_ns AS birthNs, size,
  mtime_ns AS mtimeNs, ctime_ns AS ctimeNs, sha256, version, saved_at_ms AS savedAtMs, saved_by AS savedBy,
  saved_how AS savedHow, created_at_ms AS createdAtMs, deleted_at_ms AS deletedAtMs`;

export function createFilesTable(db: Db): FilesTable {
  const byId = db.prepare<[string], FileRow>(`SELECT ${columns} FROM files WHERE id = ?`);
  const byPath = db.prepare<[number, string], FileRow>(
    `SELECT ${columns} FROM files WHERE tenant_id = ? AND path = ? AND deleted_at_ms IS NULL`,
  );
  const byInode = db.prepare<[number, string, string], FileRow>(
    `SELECT ${columns} FROM files WHERE tenant_id = ? AND inode = ? AND device = ? AND deleted_at_ms IS NULL`,
  );
  const paths = db.prepare<[number], { id: string; path: string }>(
    'SELECT id, path FROM files WHERE tenant_id = ? AND deleted_at_ms IS NULL',
  );
  const insert = db.prepare<FileRow>(
    `INSERT INTO files (id, tenant_id, path, renaming_from, device, inode, birth_ns, size, mtime_ns, ctime_ns, sha256,
       version, saved_at_ms, saved_by, saved_how, created_at_ms, deleted_at_ms)
     VALUES (@id, @tenantId, @path, @renamingFrom, @device, @inode, @birthNs, @size, @mtimeNs, @ctimeNs, @sha256,
       @version, @savedAtMs, @savedBy, @savedHow, @createdAtMs, @deletedAtMs)`,
  );
  const setContent = db.prepare(
    `UPDATE files SET device = @device, inode = @inode, birth_ns = @birthNs, size = @size, mtime_ns = @mtimeNs,
       ctime_ns = @ctimeNs, sha256 = @sha256, version = @version, saved_at_ms = @savedAtMs, saved_by = @savedBy,
       saved_how = @savedHow WHERE id = @id`,
  );
  const setHash = db.prepare('UPDATE files SET sha256 = ? WHERE id = ? AND version = ?');
  const setPath = db.prepare('UPDATE files SET path = ?, renaming_from = ? WHERE id = ?');
  const setDeleted = db.prepare('UPDATE files SET deleted_at_ms = ? WHERE id = ?');
  const inUse = db.prepare<[number, number], FileRow>(
    `SELECT ${columns} FROM files WHERE tenant_id = ? AND deleted_at_ms IS NULL AND (renaming_from IS NOT NULL OR
       id IN (SELECT file_id FROM locks) OR id IN (SELECT file_id FROM access_tokens WHERE expires_at_ms > ?))`,
  );
  return {
    byId: (id) => byId.get(id),
    byPath: (tenantId, path) => byPath.get(tenantId, path),
    byInode: (tenantId, signature) => byInode.all(tenantId, signature.inode, signature.device),
    paths: (tenantId) => paths.all(tenantId),
    insert(row) {
      insert.run(row);
    },
    setContent(id, content) {
      setContent.run({ id, ...content });
    },
    setHash(id, version, sha256) {
      setHash.run(sha256, id, version);
    },
    setPath(id, path, renamingFrom) {
      setPath.run(path, renamingFrom, id);
    },
    vacate(tenantId, path) {
      const row = byPath.get(tenantId, path);
      if (row === undefined) return;
      // No such folder is ever made; the name stays for the day a late save of it is to be shown.
      const name = path.slice(path.lastIndexOf('/') + 1);
      setPath.run(`.~doctray-gone/${row.id}/${name}`, null, row.id);
    },
    setDeleted(id, nowMs) {
      setDeleted.run(nowMs, id);
    },
    inUse: (tenantId, tokensAfterMs) => inUse.all(tenantId, tokensAfterMs),
  };
}
