// What the session of an access token knows of its document, and under which lock it works: a save by a session that never read
// the current content must not replace it without a trace, and a lock is in use for as long as one of its tokens is.

export const knownContent = `
ALTER TABLE access_tokens ADD COLUMN known_version INTEGER;
ALTER TABLE access_tokens ADD COLUMN known_sha256 BLOB;
ALTER TABLE access_tokens ADD COLUMN lock_taken_at_ms INTEGER;

UPDATE access_tokens SET
  known_version = l.base_version,
  known_sha256 = l.base_sha256,
  lock_taken_at_ms = l.taken_at_ms
FROM locks l WHERE l.access_token_id = access_tokens.id;
`;
