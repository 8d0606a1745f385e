// The page_sessions table: HMACs of cookies, never cookies.

import type { AccessMode } from './access-tokens.ts';
import type { Db } from './open-store.ts';
import { column, statements, type RowOf } from './sql.ts';

const columns = {
  /** Short and not secret. */
  id: column<string>(),
  hmac: column<Buffer>(),
  userId: column<string>(),
  fileId: column<string>(),
  mode: column<AccessMode>(),
  /** Null: the editor for the document's type. */
  editorId: column<string | null>(),
  createdAtMs: column<number>(),
  expiresAtMs: column<number>(),
};

export type PageSessionRow = RowOf<typeof columns>;

export type PageSessionsTable = ReturnType<typeof createPageSessionsTable>;

export function createPageSessionsTable(db: Db) {
  const { value, run, insert, select } = statements(db);
  return {
    insert: insert('page_sessions', columns),
    /** Expired ones too. */
    byHmac: select(columns, 'page_sessions').one<[hmac: Buffer]>('WHERE hmac = ?'),
    setExpiry: run<[id: string, { expiresAtMs: number }]>(`
      UPDATE page_sessions SET expires_at_ms = @expiresAtMs WHERE id = ?`),
    remove: run<[id: string]>('DELETE FROM page_sessions WHERE id = ?'),
    removeByUser: run<[userId: string]>('DELETE FROM page_sessions WHERE user_id = ?'),
    /** The session that this access token was issued in, for the session's own document; none for a copy's token. */
    idByAccessToken: value<[accessTokenId: string], string>(`
      SELECT s.id FROM page_sessions s JOIN access_tokens t ON t.page_session_id = s.id AND t.file_id = s.file_id
      WHERE t.id = ?`),
    removeExpired: run<[nowMs: number]>('DELETE FROM page_sessions WHERE expires_at_ms <= ?'),
  };
}
