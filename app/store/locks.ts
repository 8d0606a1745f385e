// The locks table. At most one row per document: its lock, or the last one that lapsed, which its holder can still resume.

import type { Db } from './open-store.ts';
import { column, pick, statements, type RowOf } from './sql.ts';

const columns = {
  fileId: column<string>(),
  lockId: column<string>(),
  accessTokenId: column<string | null>(),
  userId: column<string | null>(),
  takenAtMs: column<number>(),
  refreshedAtMs: column<number>(),
  /** The lock lapses at this time; checked when it is read. */
  expiresAtMs: column<number>(),
  /** The content version that the holder last read or wrote; `neverRead` before that. */
  baseVersion: column<number>(),
  /** Its hash if it is known, kept when the disk moves on. */
  baseSha256: column<Buffer | null>(),
  /** The content version when the lock was last taken, refreshed or saved under. */
  seenVersion: column<number>(),
  /** The content version at the moment the lapse was noticed; null until then. */
  lapsedVersion: column<number | null>(),
};

export type LockRow = RowOf<typeof columns>;

/** Versions start at 1. */
export const neverRead = 0;

/** Content of a document that an editor has read or written. */
export interface KnownContent {
  version: number;
  /** Null if it was never computed. */
  sha256: Buffer | null;
}

export type TokensEnded = 'revoked' | 'expired';

const shownColumns = {
  fileId: columns.fileId,
  accessTokenId: columns.accessTokenId,
  takenAtMs: columns.takenAtMs,
  refreshedAtMs: columns.refreshedAtMs,
  expiresAtMs: columns.expiresAtMs,
  path: column<string>('f.path'),
  userLogin: column<string | null>('u.login'),
  userName: column<string | null>('u.display_name'),
  /** The connected editor that took it. */
  editorName: column<string | null>(`
    (SELECT e.name FROM access_tokens t JOIN editors e ON e.id = t.editor_id WHERE t.id = l.access_token_id)`),
  /** The User-Agent of the token that took it, revoked or not. */
  client: column<string | null>('(SELECT client FROM access_tokens WHERE id = l.access_token_id)'),
  /** The latest call of the token that took it, if one was written. */
  lastCallAtMs: column<number | null>(`
    (SELECT last_call_at_ms FROM access_tokens WHERE id = l.access_token_id)`),
  /** How the tokens that work under the lock ended; null while one is live. */
  tokensEnded: column<TokensEnded | null>(`
    nullif(coalesce((SELECT CASE WHEN revoked_at_ms IS NOT NULL THEN 'revoked'
        WHEN expires_at_ms > @tokensAfterMs THEN 'live' ELSE 'expired' END
      FROM access_tokens t WHERE file_id = l.file_id AND mode = 'edit' AND EXISTS (SELECT 1 FROM access_tokens s
        WHERE s.file_id = l.file_id AND (s.id = l.access_token_id OR s.lock_taken_at_ms = l.taken_at_ms)
          AND (s.id = t.id OR s.page_session_id = t.page_session_id))
      ORDER BY revoked_at_ms IS NULL AND expires_at_ms > @tokensAfterMs DESC,
        coalesce(revoked_at_ms, expires_at_ms) DESC LIMIT 1), 'expired'), 'live')`),
};

export type ShownLock = RowOf<typeof shownColumns>;

/** Locks that are held now. A token that expires after `tokensAfterMs` is a live one. */
interface ShownAt {
  nowMs: number;
  tokensAfterMs: number;
}

export type LocksTable = ReturnType<typeof createLocksTable>;

export function createLocksTable(db: Db) {
  const { one, has, cached, run, insert, select } = statements(db);
  const rows = select(columns, 'locks');
  const dropsRow = { cache: 'locks', key: (fileId: string) => fileId };
  // One statement for all of them: thousands may be shown, and each would need four.
  const shownFrom = 'locks l JOIN files f ON f.id = l.file_id LEFT JOIN users u ON u.id = l.user_id';
  const shownRows = select(shownColumns, `${shownFrom} WHERE l.expires_at_ms > @nowMs`, 'l');
  type Hashed = { version: number; sha256: Buffer };
  const keepHash = run<[fileId: string, Hashed]>(
    `UPDATE locks SET base_sha256 = @sha256 WHERE file_id = ? AND base_version = @version AND base_sha256 IS NULL`,
    dropsRow,
  );
  const keepKnownHash = run<[fileId: string, Hashed]>(`
    UPDATE access_tokens SET known_sha256 = @sha256
    WHERE file_id = ? AND known_version = @version AND known_sha256 IS NULL`);
  return {
    get: cached('locks', rows.one<[fileId: string]>('WHERE file_id = ?')),
    put: insert('locks', columns, {
      verb: 'INSERT OR REPLACE',
      drops: { cache: 'locks', key: ({ fileId }) => fileId, row: (_before, lock) => pick(columns, lock) },
    }),
    remove: run<[fileId: string]>('DELETE FROM locks WHERE file_id = ?', {
      ...dropsRow,
      row: () => undefined,
    }),
    refresh: run<[fileId: string, Pick<LockRow, 'refreshedAtMs' | 'expiresAtMs' | 'seenVersion'>]>(
      `UPDATE locks SET refreshed_at_ms = @refreshedAtMs, expires_at_ms = @expiresAtMs, seen_version = @seenVersion,
        lapsed_version = NULL WHERE file_id = ?`,
      { ...dropsRow, row: (before, _id, seen) => ({ ...before, ...seen, lapsedVersion: null }) },
    ),
    setBase: run<[fileId: string, KnownContent]>(
      `UPDATE locks SET base_version = @version, base_sha256 = @sha256 WHERE file_id = ?`,
      {
        ...dropsRow,
        row: (lock, _id, base) => ({ ...lock, baseVersion: base.version, baseSha256: base.sha256 }),
      },
    ),
    /** What the session of that token last read or saved. */
    known: cached(
      'known contents',
      one<[tokenId: string], KnownContent>(`
      SELECT known_version AS version, known_sha256 AS sha256 FROM access_tokens
      WHERE id = ? AND known_version IS NOT NULL`),
    ),
    /** The newest content that a session of that editor last read or saved: its server may keep it for the next session. */
    knownToEditor: one<[fileId: string, editorId: string], KnownContent>(`
      SELECT known_version AS version, known_sha256 AS sha256 FROM access_tokens
      WHERE file_id = ? AND editor_id = ? AND known_version IS NOT NULL ORDER BY known_version DESC LIMIT 1`),
    setKnown: run<[tokenId: string, KnownContent]>(
      `UPDATE access_tokens SET known_version = @version, known_sha256 = @sha256 WHERE id = ?`,
      {
        cache: 'known contents',
        key: (tokenId) => tokenId,
        row: (_before, _id, { version, sha256 }) => ({ version, sha256 }),
      },
    ),
    /** That token has shown that it knows the lock's id. Writes nothing for the token that took the lock. */
    join: run<[tokenId: string, lock: Pick<LockRow, 'accessTokenId' | 'takenAtMs'>]>(
      `UPDATE access_tokens SET lock_taken_at_ms = @takenAtMs WHERE id = ? AND id IS NOT @accessTokenId`,
      'nothing',
    ),
    /** Only its taker knows the id of a new lock, even one taken in the same millisecond as the previous one. */
    disjoin: run<[lock: Pick<LockRow, 'fileId' | 'takenAtMs'>]>(
      `UPDATE access_tokens SET lock_taken_at_ms = NULL WHERE file_id = @fileId AND lock_taken_at_ms = @takenAtMs`,
      'nothing',
    ),
    /** Whether that token, or one of the same host page, has shown that it knows the lock's id. */
    hasJoined: has<[LockRow & { tokenId: string | null; pageSessionId: string | null }]>(`
      SELECT 1 FROM access_tokens WHERE file_id = @fileId AND (id = @accessTokenId OR lock_taken_at_ms = @takenAtMs)
        AND (id = @tokenId OR page_session_id = @pageSessionId) LIMIT 1`),
    /** Keeps the hash of the content that locks and tokens know when the disk's content is about to move on from it. */
    keepBaseHash(fileId: string, content: Hashed): void {
      keepHash(fileId, content);
      keepKnownHash(fileId, content);
    },
    /**
     * The content changed from one version to the next: known to a held lock, unknown to a lapsed one. Our own save, if a crash
     * kept it from being recorded, is always known to its lock.
     */
    noteContent: run<[fileId: string, { from: number; to: number; nowMs: number; isOwnSave: 0 | 1 }]>(
      `UPDATE locks SET
        seen_version = CASE WHEN expires_at_ms > @nowMs OR @isOwnSave THEN @to ELSE seen_version END,
        lapsed_version = CASE WHEN expires_at_ms > @nowMs OR @isOwnSave THEN lapsed_version
          ELSE coalesce(lapsed_version, @from) END
      WHERE file_id = ?`,
      dropsRow,
    ),
    /** Does nothing if the lapse was already recorded. */
    setLapsed: run<[fileId: string, { version: number }]>(
      `UPDATE locks SET lapsed_version = @version WHERE file_id = ? AND lapsed_version IS NULL`,
      dropsRow,
    ),
    /** Oldest first. */
    shown: shownRows.all<[ShownAt]>('ORDER BY l.taken_at_ms'),
    /** The one for this document. */
    shownOne: shownRows.one<[fileId: string, ShownAt]>('AND l.file_id = ?'),
    /** Lapsed, and not recorded yet. */
    newlyLapsed: rows.all<[nowMs: number]>('WHERE expires_at_ms <= ? AND lapsed_version IS NULL'),
    /** Forgets locks that lapsed before that moment. */
    sweep: run<[beforeMs: number]>('DELETE FROM locks WHERE expires_at_ms < ?'),
  };
}
