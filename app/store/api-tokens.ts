// The api_tokens table: HMACs of tokens, never tokens.

import type { Database } from 'better-sqlite3';

export interface ApiTokenRecord {
  id: string;
  hmac: Buffer;
  userId: string;
  expiresAtMs: number;
  lastUsedAtMs: number | null;
}

export interface ApiTokenSummary {
  id: string;
  userId: string;
  userLogin: string;
  userName: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** To ten minutes. */
  lastUsedAtMs: number | null;
}

interface NewApiToken {
  id: string;
  hmac: Buffer;
  userId: string;
  createdAtMs: number;
  expiresAtMs: number;
}

export interface ApiTokenRepository {
  insert(token: NewApiToken): void;
  /** Unrevoked ones only. */
  byHmac(hmac: Buffer): ApiTokenRecord | undefined;
  setLastUsed(id: string, atMs: number): void;
  revoke(id: string, atMs: number): boolean;
  /** Unexpired ones; the ids of those that were live. */
  revokeOfUser(userId: string, atMs: number): string[];
  live(nowMs: number): ApiTokenSummary[];
  /** The one of this id, as `live` has it. */
  liveOne(id: string, nowMs: number): ApiTokenSummary | undefined;
  removeEnded(nowMs: number): void;
}

export function createApiTokenRepository(db: Database): ApiTokenRepository {
  const insert = db.prepare<[NewApiToken]>(
    `INSERT INTO api_tokens (id, hmac, user_id, created_at_ms, expires_at_ms)
     VALUES (:id, :hmac, :userId, :createdAtMs, :expiresAtMs)`,
  );
  const byHmac = db.prepare<[Buffer], ApiTokenRecord>(
    `SELECT id, hmac, user_id AS userId, expires_at_ms AS expiresAtMs, last_used_at_ms AS lastUsedAtMs
     FROM api_tokens WHERE hmac = ? AND revoked_at_ms IS NULL`,
  );
  const setLastUsed = db.prepare<[number, string]>('UPDATE api_tokens SET last_used_at_ms = ? WHERE id = ?');
  const revoke = db.prepare<[number, string, number]>(
    'UPDATE api_tokens SET revoked_at_ms = ? WHERE id = ? AND revoked_at_ms IS NULL AND expires_at_ms > ?',
  );
  const revokeOfUser = db
    .prepare<[number, string, number], string>(
      `UPDATE api_tokens SET revoked_at_ms = ?
       WHERE user_id = ? AND revoked_at_ms IS NULL AND expires_at_ms > ? RETURNING id`,
    )
    .pluck();
  const liveRows = `SELECT t.id, t.user_id AS userId, u.login AS userLogin, u.display_name AS userName,
       t.created_at_ms AS createdAtMs, t.expires_at_ms AS expiresAtMs, t.last_used_at_ms AS lastUsedAtMs
     FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.revoked_at_ms IS NULL AND t.expires_at_ms > ?`;
  const live = db.prepare<[number], ApiTokenSummary>(`${liveRows} ORDER BY t.created_at_ms DESC, t.id`);
  const liveOne = db.prepare<[number, string], ApiTokenSummary>(`${liveRows} AND t.id = ?`);
  const removeEnded = db.prepare<[number]>(
    'DELETE FROM api_tokens WHERE revoked_at_ms IS NOT NULL OR expires_at_ms <= ?',
  );

  return {
    insert: (token) => void insert.run(token),
    byHmac: (hmac) => byHmac.get(hmac),
    setLastUsed: (id, atMs) => void setLastUsed.run(atMs, id),
    revoke: (id, atMs) => revoke.run(atMs, id, atMs).changes > 0,
    revokeOfUser: (userId, atMs) => revokeOfUser.all(atMs, userId, atMs),
    live: (nowMs) => live.all(nowMs),
    liveOne: (id, nowMs) => liveOne.get(nowMs, id),
    removeEnded: (nowMs) => void removeEnded.run(nowMs),
  };
}
