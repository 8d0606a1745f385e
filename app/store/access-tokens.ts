// The access_tokens table: HMACs of tokens, never tokens, and what was done with each.

import type { Role } from './users.ts';
import type { Db } from './open-store.ts';
import { column, statements, type RowOf } from './sql.ts';

export type AccessMode = 'edit' | 'view';

const issuedColumns = {
  id: column<string>(),
  hmac: column<Buffer>(),
  fileId: column<string>(),
  userId: column<string>(),
  /** The mode granted when the token was issued. */
  mode: column<AccessMode>(),
  createdAtMs: column<number>(),
  expiresAtMs: column<number>(),
  /** The editor it was issued for; null if none in particular. */
  editorId: column<string | null>(),
  /** Base address of the host page the document is shown in. */
  pageUrl: column<string | null>(),
  /** The browser that has that page open. */
  pageSessionId: column<string | null>(),
};

const columns = {
  ...issuedColumns,
  lastCallAtMs: column<number | null>(),
  userLogin: column<string>('u.login'),
  userName: column<string>('u.display_name'),
  /** The user's role now. */
  role: column<Role>('u.role'),
};

export type AccessTokenRow = RowOf<typeof columns>;

const countColumns = {
  calls: column<number>(),
  bytesRead: column<number>(),
  bytesWritten: column<number>(),
  saves: column<number>(),
  client: column<string | null>(),
  address: column<string | null>(),
};

const usedColumns = {
  ...columns,
  ...countColumns,
  firstCallAtMs: column<number | null>(),
  path: column<string>('f.path'),
  /** Of the editor it was issued for; null if there is none, or it was disconnected. */
  editorName: column<string | null>('e.name'),
};

export type UsedTokenRow = RowOf<typeof usedColumns>;

/** What happened since the last flush: counts are added, the latest texts replace the row's unless null. */
export interface CallCounts extends RowOf<typeof countColumns> {
  tokenId: string;
  firstCallAtMs: number;
  lastCallAtMs: number;
}

export type AccessTokensTable = ReturnType<typeof createAccessTokensTable>;

export function createAccessTokensTable(db: Db) {
  const { one, values, has, run, runReturning, insert, select } = statements(db);
  const tables = 'access_tokens t JOIN users u ON u.id = t.user_id';
  const usedTables = `${tables} JOIN files f ON f.id = t.file_id LEFT JOIN editors e ON e.id = t.editor_id`;
  const rows = select(columns, `${tables} WHERE t.revoked_at_ms IS NULL`, 't');
  const usedRows = select(usedColumns, `${usedTables} WHERE t.revoked_at_ms IS NULL`, 't');
  const addCall = run<[CallCounts]>(
    `UPDATE access_tokens SET first_call_at_ms = coalesce(first_call_at_ms, @firstCallAtMs),
      last_call_at_ms = @lastCallAtMs, calls = calls + @calls, bytes_read = bytes_read + @bytesRead,
      bytes_written = bytes_written + @bytesWritten, saves = saves + @saves,
      client = coalesce(@client, client), address = coalesce(@address, address)
    WHERE id = @tokenId`,
    'nothing',
  );
  return {
    insert: insert('access_tokens', issuedColumns, { drops: 'nothing' }),
    /** Unrevoked ones only, expired ones included. */
    byHmac: rows.one<[hmac: Buffer]>('AND t.hmac = ?'),
    /** Revoked and expired ones too. */
    issued: one<[hmac: Buffer], Pick<AccessTokenRow, 'id' | 'fileId' | 'mode' | 'editorId' | 'userLogin'>>(`
      SELECT t.id, t.file_id AS fileId, t.mode, t.editor_id AS editorId, u.login AS userLogin FROM ${tables} WHERE t.hmac = ?`),
    revoke: run<[id: string, { atMs: number }]>(`
      UPDATE access_tokens SET revoked_at_ms = @atMs WHERE id = ? AND revoked_at_ms IS NULL`),
    /** The ids of those that were not revoked yet. */
    revokeByUser: runReturning<[userId: string, { atMs: number }], string>(
      `UPDATE access_tokens SET revoked_at_ms = @atMs WHERE user_id = ? AND revoked_at_ms IS NULL RETURNING id`,
      'nothing',
    ),
    /** As `revokeByUser`. */
    revokeByPageSession: runReturning<[pageSessionId: string, { atMs: number }], string>(
      `UPDATE access_tokens SET revoked_at_ms = @atMs
      WHERE page_session_id = ? AND revoked_at_ms IS NULL RETURNING id`,
      'nothing',
    ),
    /** Newest first. */
    unrevoked: rows.all<[expiresAfterMs: number]>(`
      AND t.expires_at_ms > ? ORDER BY t.created_at_ms DESC, t.id`),
    unrevokedById: rows.one<[id: string, expiresAfterMs: number]>('AND t.id = ? AND t.expires_at_ms > ?'),
    /** Unrevoked ones with their counts, in no order; never used ones included. */
    used: usedRows.all<[expiresAfterMs: number]>('AND t.expires_at_ms > ?'),
    usedById: usedRows.one<[id: string, expiresAfterMs: number]>('AND t.id = ? AND t.expires_at_ms > ?'),
    usedByFile: usedRows.all<[fileId: string, expiresAfterMs: number]>(`
      AND t.file_id = ? AND t.expires_at_ms > ?`),
    /** Revoked ones too, once they have expired by then. */
    removeExpired: run<[untilMs: number]>('DELETE FROM access_tokens WHERE expires_at_ms <= ?'),
    /** What a token was issued for, revoked and expired ones included. */
    placeOf: one<[id: string], Pick<AccessTokenRow, 'editorId' | 'pageSessionId'>>(`
      SELECT editor_id AS editorId, page_session_id AS pageSessionId FROM access_tokens WHERE id = ?`),
    /** Whether a call of this token was written. */
    hasCalled: has<[id: string]>('SELECT 1 FROM access_tokens WHERE id = ? AND first_call_at_ms IS NOT NULL'),
    /** Whether that user has the document open in that editor by an unrevoked token. */
    isOpenIn: has<[{ userId: string; fileId: string; editorId: string }]>(`
      SELECT 1 FROM access_tokens WHERE file_id = @fileId AND user_id = @userId AND editor_id = @editorId
        AND revoked_at_ms IS NULL LIMIT 1`),
    /** Ids of all tokens that were issued for this document on this host page. */
    idsByPage: values<[pageSessionId: string, fileId: string], string>(`
      SELECT id FROM access_tokens WHERE page_session_id = ? AND file_id = ?`),
    /** The token created this document as a copy. Does nothing if the token is gone. */
    noteCopy: run<[id: string, { fileId: string }]>(`
      INSERT OR REPLACE INTO session_copies SELECT @fileId, id FROM access_tokens WHERE id = ?`),
    hasCreated: has<[id: string, fileId: string]>(`
      SELECT 1 FROM session_copies WHERE access_token_id = ? AND file_id = ?`),
    /** All of them or none. Tokens that are gone are skipped. */
    addCalls: db.transaction((counts: readonly CallCounts[]) => counts.forEach((count) => addCall(count))),
  };
}
