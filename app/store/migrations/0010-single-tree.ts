// Stores the rows of these tables in their primary key instead of beside it, so every Lock, Unlock and save writes one page fewer to the
// write-ahead log. A row without its document, which only a damaged database can have, would refuse the whole upgrade, so it is left out.

export const singleTree = `
CREATE TABLE new_locks (
  file_id TEXT PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  lock_id TEXT NOT NULL, access_token_id TEXT, user_id TEXT,
  taken_at_ms INTEGER NOT NULL, refreshed_at_ms INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL,
  base_version INTEGER NOT NULL, base_sha256 BLOB, seen_version INTEGER NOT NULL, lapsed_version INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO new_locks SELECT * FROM locks WHERE file_id IN (SELECT id FROM files);
DROP TABLE locks;
ALTER TABLE new_locks RENAME TO locks;

CREATE TABLE new_versions (
  id TEXT NOT NULL, file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  version INTEGER NOT NULL, size INTEGER NOT NULL, sha256 BLOB,
  kind TEXT NOT NULL CHECK (kind IN ('reflink', 'link', 'copy')), mtime_ms INTEGER NOT NULL,
  kept_at_ms INTEGER NOT NULL, saved_at_ms INTEGER, saved_by TEXT, saved_how TEXT, lived_ms INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (file_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO new_versions SELECT * FROM versions WHERE file_id IN (SELECT id FROM files);
DROP TABLE versions;
ALTER TABLE new_versions RENAME TO versions;
`;
