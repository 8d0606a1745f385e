// Connected document servers, their file types, and browsers with an open host page. An access token records the editor and the
// page it was issued for: whose signature counts, and where its addresses lead.

export const editors = `
CREATE TABLE editors (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  url TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  product TEXT,
  version TEXT,
  public_url TEXT,
  proof_mode TEXT NOT NULL CHECK (proof_mode IN ('off', 'if-present', 'required')),
  allowed_addresses TEXT NOT NULL,
  accepts_other_hosts INTEGER NOT NULL CHECK (accepts_other_hosts IN (0, 1)),
  discovery TEXT NOT NULL,
  added_at_ms INTEGER NOT NULL,
  discovered_at_ms INTEGER NOT NULL,
  problem_code TEXT,
  problem TEXT,
  problem_since_ms INTEGER
) STRICT;

CREATE TABLE editor_defaults (
  extension TEXT PRIMARY KEY,
  editor_id TEXT NOT NULL REFERENCES editors (id) ON DELETE CASCADE
) STRICT;

CREATE TABLE page_sessions (
  id TEXT PRIMARY KEY,
  hmac BLOB NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  mode TEXT NOT NULL CHECK (mode IN ('edit', 'view')),
  editor_id TEXT,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX page_sessions_user ON page_sessions (user_id);
CREATE INDEX page_sessions_file ON page_sessions (file_id);

ALTER TABLE access_tokens ADD COLUMN editor_id TEXT;
ALTER TABLE access_tokens ADD COLUMN page_url TEXT;
ALTER TABLE access_tokens ADD COLUMN page_session_id TEXT;
CREATE INDEX access_tokens_page_session ON access_tokens (page_session_id);
`;
