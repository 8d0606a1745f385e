// The first schema. Times are milliseconds since 1970; device, inode and nanosecond times are decimal texts because
// they do not fit a double (Windows file ids, st_mtimensec).

export const initial = `
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tenants (
  id INTEGER PRIMARY KEY,
  root TEXT NOT NULL UNIQUE,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  login TEXT NOT NULL UNIQUE COLLATE NOCASE,
  display_name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  password_hash TEXT NOT NULL,
  user_info TEXT,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE api_tokens (
  id TEXT PRIMARY KEY,
  hmac BLOB NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  last_used_at_ms INTEGER,
  revoked_at_ms INTEGER
) STRICT;
CREATE INDEX api_tokens_user ON api_tokens (user_id);

CREATE TABLE files (
  id TEXT PRIMARY KEY,
  tenant_id INTEGER NOT NULL REFERENCES tenants (id),
  path TEXT NOT NULL,
  renaming_from TEXT,
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  birth_ns TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  ctime_ns TEXT NOT NULL,
  sha256 BLOB,
  version INTEGER NOT NULL,
  saved_at_ms INTEGER,
  saved_by TEXT,
  saved_how TEXT,
  created_at_ms INTEGER NOT NULL,
  deleted_at_ms INTEGER
) STRICT;
CREATE UNIQUE INDEX files_path ON files (tenant_id, path) WHERE deleted_at_ms IS NULL;
CREATE INDEX files_identity ON files (inode, device);

CREATE TABLE access_tokens (
  id TEXT PRIMARY KEY,
  hmac BLOB NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  mode TEXT NOT NULL CHECK (mode IN ('edit', 'view')),
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  revoked_at_ms INTEGER,
  first_call_at_ms INTEGER,
  last_call_at_ms INTEGER,
  calls INTEGER NOT NULL DEFAULT 0,
  bytes_read INTEGER NOT NULL DEFAULT 0,
  bytes_written INTEGER NOT NULL DEFAULT 0,
  saves INTEGER NOT NULL DEFAULT 0,
  client TEXT,
  address TEXT
) STRICT;
CREATE INDEX access_tokens_user ON access_tokens (user_id);
CREATE INDEX access_tokens_file ON access_tokens (file_id);

CREATE TABLE locks (
  file_id TEXT PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  lock_id TEXT NOT NULL,
  access_token_id TEXT,
  user_id TEXT,
  taken_at_ms INTEGER NOT NULL,
  refreshed_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  base_version INTEGER NOT NULL,
  base_sha256 BLOB,
  seen_version INTEGER NOT NULL,
  lapsed_version INTEGER
) STRICT;

CREATE TABLE versions (
  id TEXT NOT NULL,
  file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  size INTEGER NOT NULL,
  sha256 BLOB,
  kind TEXT NOT NULL CHECK (kind IN ('reflink', 'link', 'copy')),
  mtime_ms INTEGER NOT NULL,
  kept_at_ms INTEGER NOT NULL,
  saved_at_ms INTEGER,
  saved_by TEXT,
  saved_how TEXT,
  PRIMARY KEY (file_id, id)
) STRICT;

CREATE TABLE rescued_saves (
  id TEXT PRIMARY KEY,
  file_id TEXT NOT NULL,
  path TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  user_id TEXT,
  saved_by TEXT,
  reason TEXT NOT NULL,
  received_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX rescued_saves_file ON rescued_saves (file_id);
`;
