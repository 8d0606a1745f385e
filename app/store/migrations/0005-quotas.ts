// Which access token a recovered save came with, for its quota; and which token created a document as a copy, because only that
// token may replace it.

export const quotas = `
ALTER TABLE rescued_saves ADD COLUMN access_token_id TEXT;

CREATE TABLE session_copies (
  file_id TEXT PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  access_token_id TEXT NOT NULL REFERENCES access_tokens (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX session_copies_token ON session_copies (access_token_id);
`;
