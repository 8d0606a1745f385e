// The page_sessions table: HMACs of cookies, never cookies.

import type { Database } from 'better-sqlite3';
import type { AccessMode } from '../accounts/access-mode.ts';

export interface PageSessionRecord {
  /** Short and not secret. */
  id: string;
  hmac: Buffer;
  userId: string;
  fileId: string;
  mode: AccessMode;
  /** Null: the editor for the document's type. */
  editorId: string | null;
  createdAtMs: number;
  expiresAtMs: number;
}

export interface PageSessionRepository {
  insert(session: PageSessionRecord): void;
  /** Expired ones too. */
  byHmac(hmac: Buffer): PageSessionRecord | undefined;
  setExpiry(id: string, expiresAtMs: number): void;
  /** False when there is none. */
  remove(id: string): boolean;
  removeOfUser(userId: string): void;
  /** The session that this access token was made in, for its own document; one for a copy is none of them. */
  idOfAccessToken(accessTokenId: string): string | undefined;
  removeExpired(nowMs: number): void;
}

export function createPageSessionRepository(db: Database): PageSessionRepository {
  const insert = db.prepare<[PageSessionRecord]>(
    `INSERT INTO page_sessions (id, hmac, user_id, file_id, mode, editor_id, created_at_ms, expires_at_ms)
     VALUES (:id, :hmac, :userId, :fileId, :mode, :editorId, :createdAtMs, :expiresAtMs)`,
  );
  const byHmac = db.prepare<[Buffer], PageSessionRecord>(
    `SELECT id, hmac, user_id AS userId, file_id AS fileId, mode, editor_id AS editorId,
       created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs
     FROM page_sessions WHERE hmac = ?`,
  );
  const setExpiry = db.prepare<[number, string]>('UPDATE page_sessions SET expires_at_ms = ? WHERE id = ?');
  const remove = db.prepare<[string]>('DELETE FROM page_sessions WHERE id = ?');
  const removeOfUser = db.prepare<[string]>('DELETE FROM page_sessions WHERE user_id = ?');
  const idOfAccessToken = db
    .prepare<[string], string>(
      `SELECT s.id FROM page_sessions s JOIN access_tokens t ON t.page_session_id = s.id AND t.file_id = s.file_id
       WHERE t.id = ?`,
    )
    .pluck();
  const removeExpired = db.prepare<[number]>('DELETE FROM page_sessions WHERE expires_at_ms <= ?');

  return {
    insert: (session) => void insert.run(session),
    byHmac: (hmac) => byHmac.get(hmac),
    setExpiry: (id, expiresAtMs) => void setExpiry.run(expiresAtMs, id),
    remove: (id) => remove.run(id).changes > 0,
    removeOfUser: (userId) => void removeOfUser.run(userId),
    idOfAccessToken: (accessTokenId) => idOfAccessToken.get(accessTokenId),
    removeExpired: (nowMs) => void removeExpired.run(nowMs),
  };
}
