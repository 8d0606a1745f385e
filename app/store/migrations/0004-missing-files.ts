// Since when a document's file has been missing, so that its row can be removed once nothing needs it.

export const missingFiles = `
ALTER TABLE files ADD COLUMN missing_since_ms INTEGER;
`;
