// The bare host's database: the rows that DocTray reads and writes for a file, its lock and its versions, with the same columns,
// indexes and durability (WAL, synchronous=FULL, one process), and one commit per call.

import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';

export interface FileRow {
  id: string;
  path: string;
  version: number;
}

const schema = `
CREATE TABLE IF NOT EXISTS files (
  id TEXT PRIMARY KEY, path TEXT NOT NULL, device TEXT, inode TEXT, birth_ns TEXT, size INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL, ctime_ns TEXT, sha256 BLOB, version INTEGER NOT NULL, saved_at_ms INTEGER
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS files_path ON files (path);
CREATE INDEX IF NOT EXISTS files_identity ON files (inode, device);
CREATE TABLE IF NOT EXISTS locks (
  file_id TEXT PRIMARY KEY, lock_id TEXT NOT NULL, taken_at_ms INTEGER NOT NULL, refreshed_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL, base_version INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS versions (
  id TEXT PRIMARY KEY, file_id TEXT NOT NULL, version INTEGER NOT NULL, size INTEGER NOT NULL, sha256 BLOB,
  kind TEXT NOT NULL, mtime_ms INTEGER NOT NULL, kept_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS versions_file ON versions (file_id, kept_at_ms);
`;

const lockMs = 30 * 60_000;

export function openBareStore(path: string) {
  const db = new Database(path);
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(schema);
  const selectFile = db.prepare<[string], FileRow>('SELECT * FROM files WHERE id = ?');
  const selectPath = db.prepare<[string], FileRow>('SELECT * FROM files WHERE path = ?');
  const insertFile = db.prepare(
    'INSERT INTO files (id, path, device, inode, birth_ns, size, mtime_ns, ctime_ns, version) VALUES (?,?,?,?,?,?,?,?,1)',
  );
  const selectLock = db.prepare<[string], { lock_id: string }>('SELECT * FROM locks WHERE file_id = ?');
  const upsertLock = db.prepare('INSERT OR REPLACE INTO locks VALUES (?, ?, ?, ?, ?, ?)');
  const refreshLock = db.prepare('UPDATE locks SET refreshed_at_ms = ?, expires_at_ms = ? WHERE file_id = ?');
  const deleteLock = db.prepare('DELETE FROM locks WHERE file_id = ?');
  const insertVersion = db.prepare('INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const updateFile = db.prepare(
    `UPDATE files SET version = ?, inode = ?, birth_ns = ?, size = ?, mtime_ns = ?, ctime_ns = ?, sha256 = ?,
     saved_at_ms = ? WHERE id = ?`,
  );
  const times = ({ ino, birthtimeMs, size, mtimeMs, ctimeMs }: Stats): (string | number)[] => [
    String(ino),
    String(birthtimeMs),
    size,
    String(mtimeMs),
    String(ctimeMs),
  ];
  const commitSave = db.transaction(
    (file: FileRow, versionId: string, old: Stats, now: Stats, sha256: Buffer | null) => {
      const atMs = Date.now();
      const mtimeMs = Math.trunc(old.mtimeMs);
      insertVersion.run(versionId, file.id, file.version, old.size, null, 'link', mtimeMs, atMs);
      updateFile.run(file.version + 1, ...times(now), sha256, atMs, file.id);
      refreshLock.run(atMs, atMs + lockMs, file.id);
    },
  );
  return {
    file: (id: string) => selectFile.get(id),
    open(path: string, stats: Stats): FileRow {
      const found = selectPath.get(path);
      if (found) return found;
      const id = randomBytes(16).toString('base64url');
      insertFile.run(id, path, String(stats.dev), ...times(stats));
      return { id, path, version: 1 };
    },
    lockOf: (fileId: string) => selectLock.get(fileId),
    lock(file: FileRow, lockId: string): void {
      const now = Date.now();
      upsertLock.run(file.id, lockId, now, now, now + lockMs, file.version);
    },
    refresh(fileId: string): void {
      const now = Date.now();
      refreshLock.run(now, now + lockMs, fileId);
    },
    unlock: (fileId: string): void => void deleteLock.run(fileId),
    saved(file: FileRow, versionId: string, old: Stats, now: Stats, size: number, sha256?: Buffer): number {
      if (size !== now.size) throw new Error('The save on the disk is not as long as its body');
      commitSave(file, versionId, old, now, sha256 ?? null);
      return file.version + 1;
    },
    close: (): void => void db.close(),
  };
}
