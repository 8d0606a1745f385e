// How long the host had lived when something was kept, so that a clock that was wrong then makes nothing old at once. What was
// kept before this migration counts as kept when the host began to live.

export const livedTime = `
ALTER TABLE versions ADD COLUMN lived_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rescued_saves ADD COLUMN lived_ms INTEGER NOT NULL DEFAULT 0;
`;
