// What the window remembers: recently opened documents, conflict copies the user hasn't dealt with, and folders that an import
// was writing into, so that leftovers of a killed one are removed.

export const window = `
CREATE TABLE recent_documents (
  file_id TEXT PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  opened_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE conflicts (
  tenant_id INTEGER NOT NULL REFERENCES tenants (id),
  copy TEXT NOT NULL,
  file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  made_at_ms INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, copy)
) STRICT;
CREATE INDEX conflicts_file ON conflicts (file_id);

CREATE TABLE import_folders (
  tenant_id INTEGER NOT NULL REFERENCES tenants (id),
  path TEXT NOT NULL,
  PRIMARY KEY (tenant_id, path)
) STRICT;
`;
