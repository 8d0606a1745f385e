// Documents whose newest save isn't in their file, and recovered saves that no program could read.

export const missedSaves = `
ALTER TABLE rescued_saves ADD COLUMN is_unreadable INTEGER NOT NULL DEFAULT 0;

CREATE TABLE missed_saves (
  file_id TEXT PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  kept_id TEXT,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
