// The access_tokens table: HMACs of tokens, never tokens, and what was done with each.

import type { Database } from 'better-sqlite3';
import type { AccessMode } from '../accounts/access-mode.ts';
import type { Role } from '../accounts/user.ts';

export interface AccessTokenRecord {
  id: string;
  hmac: Buffer;
  fileId: string;
  userId: string;
  userLogin: string;
  userName: string;
  /** The user's role now. */
  role: Role;
  /** The mode granted when the token was made. */
  mode: AccessMode;
  createdAtMs: number;
  expiresAtMs: number;
  /** The editor it was made for; null where it was for none in particular. */
  editorId: string | null;
  /** Base address of the host page the document is shown in. */
  pageUrl: string | null;
  /** The browser that holds that page. */
  pageSessionId: string | null;
}

export interface UsedTokenRecord extends AccessTokenRecord {
  path: string;
  /** Of the editor it was issued for; null where that is none, or disconnected. */
  editorName: string | null;
  firstCallAtMs: number | null;
  lastCallAtMs: number | null;
  calls: number;
  bytesRead: number;
  bytesWritten: number;
  saves: number;
  client: string | null;
  address: string | null;
}

/** What happened since the last flush: counts are added, the latest texts replace the row's unless null. */
export interface CallCounts {
  tokenId: string;
  firstCallAtMs: number;
  lastCallAtMs: number;
  calls: number;
  bytesRead: number;
  bytesWritten: number;
  saves: number;
  client: string | null;
  address: string | null;
}

interface NewAccessToken {
  id: string;
  hmac: Buffer;
  userId: string;
  fileId: string;
  mode: AccessMode;
  createdAtMs: number;
  expiresAtMs: number;
  editorId: string | null;
  pageUrl: string | null;
  pageSessionId: string | null;
}

export interface AccessTokenRepository {
  insert(token: NewAccessToken): void;
  /** Unrevoked ones only, expired ones included. */
  byHmac(hmac: Buffer): AccessTokenRecord | undefined;
  revoke(id: string, atMs: number): boolean;
  /** The ids of those that were not revoked yet. */
  revokeOfUser(userId: string, atMs: number): string[];
  /** As `revokeOfUser`. */
  revokeOfPageSession(pageSessionId: string, atMs: number): string[];
  /** Unrevoked ones whose expiry is later than the given time; newest first. */
  unrevoked(expiresAfterMs: number): AccessTokenRecord[];
  /** Revoked ones too, once they have expired by then. */
  removeExpired(untilMs: number): void;
  /** As `unrevoked`, with their counts, in no order; never used ones included. */
  used(expiresAfterMs: number): UsedTokenRecord[];
  /** The one of this token, as `used` has it. */
  usedOne(id: string, expiresAfterMs: number): UsedTokenRecord | undefined;
  /** As `used`, of one document. */
  usedOf(fileId: string, expiresAfterMs: number): UsedTokenRecord[];
  /** What a token was issued for, revoked and expired ones included. */
  placeOf(id: string): { editorId: string | null; pageSessionId: string | null } | undefined;
  /** Whether a call of this token was written. */
  hasCalled(id: string): boolean;
  /** Whether there is an unrevoked token by which that user has the document open in that editor. */
  isOpenIn(place: { userId: string; fileId: string; editorId: string }): boolean;
  /** Ids of all tokens that were made for this document on this host page. */
  ofPage(pageSessionId: string, fileId: string): string[];
  /** The one of this id, as `unrevoked` has it. */
  unrevokedOne(id: string, expiresAfterMs: number): AccessTokenRecord | undefined;
  /** The token created this document as a copy. Does nothing where the token is gone. */
  noteCopy(id: string, fileId: string): void;
  hasCreated(id: string, fileId: string): boolean;
  /** All of them or none. Tokens that are gone are passed over. */
  addCalls(counts: CallCounts[]): void;
}

const columns = `t.id, t.hmac, t.file_id AS fileId, t.user_id AS userId, u.login AS userLogin,
  u.display_name AS userName, u.role, t.mode, t.created_at_ms AS createdAtMs, t.expires_at_ms AS expiresAtMs,
  t.editor_id AS editorId, t.page_url AS pageUrl, t.page_session_id AS pageSessionId`;
const tables = 'access_tokens t JOIN users u ON u.id = t.user_id';

export function createAccessTokenRepository(db: Database): AccessTokenRepository {
  const insert = db.prepare<[NewAccessToken]>(
    `INSERT INTO access_tokens
       (id, hmac, user_id, file_id, mode, created_at_ms, expires_at_ms, editor_id, page_url, page_session_id)
     VALUES (:id, :hmac, :userId, :fileId, :mode, :createdAtMs, :expiresAtMs, :editorId, :pageUrl, :pageSessionId)`,
  );
  const byHmac = db.prepare<[Buffer], AccessTokenRecord>(
    `SELECT ${columns} FROM ${tables} WHERE t.hmac = ? AND t.revoked_at_ms IS NULL`,
  );
  const revoke = db.prepare<[number, string]>(
    'UPDATE access_tokens SET revoked_at_ms = ? WHERE id = ? AND revoked_at_ms IS NULL',
  );
  const revokeOfUser = db
    .prepare<[number, string], string>(
      'UPDATE access_tokens SET revoked_at_ms = ? WHERE user_id = ? AND revoked_at_ms IS NULL RETURNING id',
    )
    .pluck();
  const revokeOfPageSession = db
    .prepare<[number, string], string>(
      'UPDATE access_tokens SET revoked_at_ms = ? WHERE page_session_id = ? AND revoked_at_ms IS NULL RETURNING id',
    )
    .pluck();
  const unrevoked = db.prepare<[number], AccessTokenRecord>(
    `SELECT ${columns} FROM ${tables}
     WHERE t.revoked_at_ms IS NULL AND t.expires_at_ms > ? ORDER BY t.created_at_ms DESC, t.id`,
  );
  const removeExpired = db.prepare<[number]>('DELETE FROM access_tokens WHERE expires_at_ms <= ?');
  const unrevokedOne = db.prepare<[number, string], AccessTokenRecord>(
    `SELECT ${columns} FROM ${tables} WHERE t.revoked_at_ms IS NULL AND t.expires_at_ms > ? AND t.id = ?`,
  );
  const usedRows = `SELECT ${columns}, f.path, e.name AS editorName, t.first_call_at_ms AS firstCallAtMs, t.last_call_at_ms AS lastCallAtMs,
       t.calls, t.bytes_read AS bytesRead, t.bytes_written AS bytesWritten, t.saves, t.client, t.address
     FROM ${tables} JOIN files f ON f.id = t.file_id LEFT JOIN editors e ON e.id = t.editor_id
     WHERE t.revoked_at_ms IS NULL AND t.expires_at_ms > ?`;
  const used = db.prepare<[number], UsedTokenRecord>(usedRows);
  const usedOne = db.prepare<[number, string], UsedTokenRecord>(`${usedRows} AND t.id = ?`);
  const usedOf = db.prepare<[number, string], UsedTokenRecord>(`${usedRows} AND t.file_id = ?`);
  const placeOf = db.prepare<[string], { editorId: string | null; pageSessionId: string | null }>(
    'SELECT editor_id AS editorId, page_session_id AS pageSessionId FROM access_tokens WHERE id = ?',
  );
  const hasCalled = db.prepare<[string]>(
    'SELECT 1 FROM access_tokens WHERE id = ? AND first_call_at_ms IS NOT NULL',
  );
  const isOpenIn = db.prepare<[{ userId: string; fileId: string; editorId: string }]>(
    `SELECT 1 FROM access_tokens WHERE file_id = :fileId AND user_id = :userId AND editor_id = :editorId
       AND revoked_at_ms IS NULL LIMIT 1`,
  );
  const ofPage = db
    .prepare<[string, string], string>(
      'SELECT id FROM access_tokens WHERE page_session_id = ? AND file_id = ?',
    )
    .pluck();
  const noteCopy = db.prepare<[string, string]>(
    'INSERT OR REPLACE INTO session_copies SELECT ?, id FROM access_tokens WHERE id = ?',
  );
  const hasCreated = db.prepare<[string, string]>(
    'SELECT 1 FROM session_copies WHERE file_id = ? AND access_token_id = ?',
  );
  const addCall = db.prepare<[CallCounts]>(
    `UPDATE access_tokens SET first_call_at_ms = coalesce(first_call_at_ms, :firstCallAtMs),
       last_call_at_ms = :lastCallAtMs, calls = calls + :calls, bytes_read = bytes_read + :bytesRead,
       bytes_written = bytes_written + :bytesWritten, saves = saves + :saves,
       client = coalesce(:client, client), address = coalesce(:address, address)
     WHERE id = :tokenId`,
  );
  const addCalls = db.transaction((counts: CallCounts[]) => {
    for (const count of counts) addCall.run(count);
  });

  return {
    insert: (token) => void insert.run(token),
    byHmac: (hmac) => byHmac.get(hmac),
    revoke: (id, atMs) => revoke.run(atMs, id).changes > 0,
    revokeOfUser: (userId, atMs) => revokeOfUser.all(atMs, userId),
    revokeOfPageSession: (id, atMs) => revokeOfPageSession.all(atMs, id),
    unrevoked: (expiresAfterMs) => unrevoked.all(expiresAfterMs),
    removeExpired: (untilMs) => void removeExpired.run(untilMs),
    used: (expiresAfterMs) => used.all(expiresAfterMs),
    usedOne: (id, expiresAfterMs) => usedOne.get(expiresAfterMs, id),
    usedOf: (fileId, expiresAfterMs) => usedOf.all(expiresAfterMs, fileId),
    placeOf: (id) => placeOf.get(id),
    hasCalled: (id) => hasCalled.get(id) !== undefined,
    isOpenIn: (place) => isOpenIn.get(place) !== undefined,
    ofPage: (pageSessionId, fileId) => ofPage.all(pageSessionId, fileId),
    unrevokedOne: (id, expiresAfterMs) => unrevokedOne.get(expiresAfterMs, id),
    noteCopy: (id, fileId) => void noteCopy.run(fileId, id),
    hasCreated: (id, fileId) => hasCreated.get(fileId, id) !== undefined,
    addCalls: (counts) => addCalls(counts),
  };
}
