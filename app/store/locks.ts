// At most one row a document: the lock that holds it, or the last one that lapsed (kept for the grace of section 5).

import type { Db } from './open-store.ts';

export interface LockRow {
  fileId: string;
  lockId: string;
  accessTokenId: string | null;
  userId: string | null;
  takenAtMs: number;
  refreshedAtMs: number;
  /** From here on the lock has lapsed; judged when it is read. */
  expiresAtMs: number;
  /** The content version that the holder last read or wrote; `neverRead` before that. */
  baseVersion: number;
  /** Its hash where it is known, kept when the disk moves on. */
  baseSha256: Buffer | null;
  /** The content version when the lock was last taken, refreshed or saved under. */
  seenVersion: number;
  /** The content version at the moment the lapse was noticed; null until then. */
  lapsedVersion: number | null;
}

/** Versions start at 1. */
export const neverRead = 0;

/** A content of a document that an editor has read or written. */
export interface KnownContent {
  version: number;
  /** Null where it was never computed. */
  sha256: Buffer | null;
}

export type TokensEnded = 'revoked' | 'expired';

export interface ShownLock extends Pick<LockRow, 'fileId' | 'takenAtMs' | 'refreshedAtMs' | 'expiresAtMs'> {
  path: string;
  userLogin: string | null;
  userName: string | null;
  /** The connected editor that took it. */
  editorName: string | null;
  /** The latest call on the document that was written down. */
  lastCallAtMs: number | null;
  /** How the tokens that work under the lock ended; null while one is live. */
  tokensEnded: TokensEnded | null;
}

export interface LocksTable {
  get(fileId: string): LockRow | undefined;
  put(row: LockRow): void;
  remove(fileId: string): void;
  refresh(fileId: string, change: Pick<LockRow, 'refreshedAtMs' | 'expiresAtMs' | 'seenVersion'>): void;
  setBase(fileId: string, version: number, sha256: Buffer | null): void;
  /** What the session of that token last read or saved. */
  known(tokenId: string): KnownContent | undefined;
  setKnown(tokenId: string, content: KnownContent): void;
  /** That token has shown that it knows the lock's id. Writes nothing for the one that took the lock. */
  join(tokenId: string, lock: Pick<LockRow, 'accessTokenId' | 'takenAtMs'>): void;
  /** Only its taker knows the id of a new lock, even one taken in the same millisecond as the one before it. */
  disjoin(lock: Pick<LockRow, 'fileId' | 'takenAtMs'>): void;
  /** Whether that token, or one of the same host page, has shown that it knows the lock's id. */
  hasJoined(token: { id: string; pageSessionId: string | null }, lock: LockRow): boolean;
  /** Keeps the hash of the content that locks and tokens know when the disk's content is about to move on from it. */
  keepBaseHash(fileId: string, version: number, sha256: Buffer): void;
  /**
   * The content moved on from one version to the next: known to a lock that is held, past a lock that has lapsed. An own
   * save that a crash kept from being recorded is known to its lock, whatever the time.
   */
  noteContent(fileId: string, change: { from: number; to: number; nowMs: number; isOwnSave: boolean }): void;
  /** Does nothing when the lapse was noted before. */
  setLapsed(fileId: string, version: number): void;
  /** Held by now, with what a person wants to know; oldest first. A token that expires after `tokensAfterMs` is a live one. */
  shown(nowMs: number, tokensAfterMs: number): ShownLock[];
  /** The one of this document. */
  shownOne(fileId: string, nowMs: number, tokensAfterMs: number): ShownLock | undefined;
  /** Lapsed by now, and not noticed before. */
  newlyLapsed(nowMs: number): LockRow[];
  /** Forgets locks that lapsed before that moment. */
  sweep(beforeMs: number): void;
}

const columns = `file_id AS fileId, lock_id AS lockId, access_token_id AS accessTokenId, user_id AS userId,
  taken_at_ms AS takenAtMs, refreshed_at_ms AS refreshedAtMs, expires_at_ms AS expiresAtMs, base_version AS baseVersion,
  base_sha256 AS baseSha256, seen_version AS seenVersion, lapsed_version AS lapsedVersion`;

export function createLocksTable(db: Db): LocksTable {
  const get = db.prepare<[string], LockRow>(`SELECT ${columns} FROM locks WHERE file_id = ?`);
  const put = db.prepare<LockRow>(
    `INSERT OR REPLACE INTO locks (file_id, lock_id, access_token_id, user_id, taken_at_ms, refreshed_at_ms, expires_at_ms,
       base_version, base_sha256, seen_version, lapsed_version)
     VALUES (@fileId, @lockId, @accessTokenId, @userId, @takenAtMs, @refreshedAtMs, @expiresAtMs,
       @baseVersion, @baseSha256, @seenVersion, @lapsedVersion)`,
  );
  const remove = db.prepare('DELETE FROM locks WHERE file_id = ?');
  const refresh = db.prepare(
    `UPDATE locks SET refreshed_at_ms = ?, expires_at_ms = ?, seen_version = ?, lapsed_version = NULL WHERE file_id = ?`,
  );
  const setBase = db.prepare('UPDATE locks SET base_version = ?, base_sha256 = ? WHERE file_id = ?');
  const keepBaseHash = db.prepare(
    'UPDATE locks SET base_sha256 = ? WHERE file_id = ? AND base_version = ? AND base_sha256 IS NULL',
  );
  const keepKnownHash = db.prepare(
    'UPDATE access_tokens SET known_sha256 = ? WHERE file_id = ? AND known_version = ? AND known_sha256 IS NULL',
  );
  const known = db.prepare<[string], KnownContent>(
    `SELECT known_version AS version, known_sha256 AS sha256 FROM access_tokens
     WHERE id = ? AND known_version IS NOT NULL`,
  );
  const setKnown = db.prepare('UPDATE access_tokens SET known_version = ?, known_sha256 = ? WHERE id = ?');
  const join = db.prepare('UPDATE access_tokens SET lock_taken_at_ms = ? WHERE id = ?');
  const disjoin = db.prepare(
    'UPDATE access_tokens SET lock_taken_at_ms = NULL WHERE file_id = ? AND lock_taken_at_ms = ?',
  );
  const hasJoined = db.prepare(
    `SELECT 1 FROM access_tokens WHERE file_id = @fileId AND (id = @accessTokenId OR lock_taken_at_ms = @takenAtMs)
       AND (id = @id OR page_session_id = @pageSessionId) LIMIT 1`,
  );
  const noteContent = db.prepare(
    `UPDATE locks SET
       seen_version = CASE WHEN expires_at_ms > @nowMs OR @isOwnSave THEN @to ELSE seen_version END,
       lapsed_version = CASE WHEN expires_at_ms > @nowMs OR @isOwnSave THEN lapsed_version
         ELSE coalesce(lapsed_version, @from) END
     WHERE file_id = @fileId`,
  );
  const setLapsed = db.prepare(
    'UPDATE locks SET lapsed_version = ? WHERE file_id = ? AND lapsed_version IS NULL',
  );
  // One statement for all of them: thousands may be shown, and each would need four.
  const shownRows = `SELECT l.file_id AS fileId, l.taken_at_ms AS takenAtMs, l.refreshed_at_ms AS refreshedAtMs,
      l.expires_at_ms AS expiresAtMs, f.path, u.login AS userLogin, u.display_name AS userName,
      (SELECT e.name FROM access_tokens t JOIN editors e ON e.id = t.editor_id WHERE t.id = l.access_token_id)
        AS editorName,
      (SELECT max(last_call_at_ms) FROM access_tokens WHERE file_id = l.file_id) AS lastCallAtMs,
      (SELECT CASE WHEN revoked_at_ms IS NOT NULL THEN 'revoked' WHEN expires_at_ms > @tokensAfterMs THEN 'live'
          ELSE 'expired' END
        FROM access_tokens t WHERE file_id = l.file_id AND mode = 'edit' AND EXISTS (SELECT 1 FROM access_tokens s
          WHERE s.file_id = l.file_id AND (s.id = l.access_token_id OR s.lock_taken_at_ms = l.taken_at_ms)
            AND (s.id = t.id OR s.page_session_id = t.page_session_id))
        ORDER BY revoked_at_ms IS NULL AND expires_at_ms > @tokensAfterMs DESC,
          coalesce(revoked_at_ms, expires_at_ms) DESC LIMIT 1) AS tokens
    FROM locks l JOIN files f ON f.id = l.file_id LEFT JOIN users u ON u.id = l.user_id
    WHERE l.expires_at_ms > @nowMs`;
  type ShownRow = Omit<ShownLock, 'tokensEnded'> & { tokens: TokensEnded | 'live' | null };
  const shownLock = ({ tokens, ...row }: ShownRow): ShownLock => ({
    ...row,
    tokensEnded: tokens === 'live' ? null : (tokens ?? 'expired'),
  });
  const shown = db.prepare<{ nowMs: number; tokensAfterMs: number }, ShownRow>(
    `${shownRows} ORDER BY l.taken_at_ms`,
  );
  const shownOne = db.prepare<{ fileId: string; nowMs: number; tokensAfterMs: number }, ShownRow>(
    `${shownRows} AND l.file_id = @fileId`,
  );
  const newlyLapsed = db.prepare<[number], LockRow>(
    `SELECT ${columns} FROM locks WHERE expires_at_ms <= ? AND lapsed_version IS NULL`,
  );
  const sweep = db.prepare('DELETE FROM locks WHERE expires_at_ms < ?');
  return {
    get: (fileId) => get.get(fileId),
    put(row) {
      put.run(row);
    },
    remove(fileId) {
      remove.run(fileId);
    },
    refresh(fileId, change) {
      refresh.run(change.refreshedAtMs, change.expiresAtMs, change.seenVersion, fileId);
    },
    setBase(fileId, version, sha256) {
      setBase.run(version, sha256, fileId);
    },
    keepBaseHash(fileId, version, sha256) {
      keepBaseHash.run(sha256, fileId, version);
      keepKnownHash.run(sha256, fileId, version);
    },
    known: (tokenId) => known.get(tokenId),
    setKnown(tokenId, { version, sha256 }) {
      setKnown.run(version, sha256, tokenId);
    },
    join(tokenId, { accessTokenId, takenAtMs }) {
      if (tokenId !== accessTokenId) join.run(takenAtMs, tokenId);
    },
    disjoin({ fileId, takenAtMs }) {
      disjoin.run(fileId, takenAtMs);
    },
    hasJoined: ({ id, pageSessionId }, { fileId, accessTokenId, takenAtMs }) =>
      hasJoined.get({ id, pageSessionId, fileId, accessTokenId, takenAtMs }) !== undefined,
    noteContent(fileId, { isOwnSave, ...change }) {
      noteContent.run({ fileId, ...change, isOwnSave: isOwnSave ? 1 : 0 });
    },
    setLapsed(fileId, version) {
      setLapsed.run(version, fileId);
    },
    shown: (nowMs, tokensAfterMs) => shown.all({ nowMs, tokensAfterMs }).map(shownLock),
    shownOne(fileId, nowMs, tokensAfterMs) {
      const row = shownOne.get({ fileId, nowMs, tokensAfterMs });
      return row === undefined ? undefined : shownLock(row);
    },
    newlyLapsed: (nowMs) => newlyLapsed.all(nowMs),
    sweep(beforeMs) {
      sweep.run(beforeMs);
    },
  };
}
