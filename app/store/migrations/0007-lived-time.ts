// Stores the host's total running time with kept items, so that a wrong clock can't make them expire early. What was kept before
// this migration counts as kept at the host's first start.

export const livedTime = `
ALTER TABLE versions ADD COLUMN lived_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rescued_saves ADD COLUMN lived_ms INTEGER NOT NULL DEFAULT 0;
`;
