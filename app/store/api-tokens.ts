// The api_tokens table: HMACs of tokens, never tokens.

import type { Db } from './open-store.ts';
import { column, statements, type RowOf } from './sql.ts';

const issuedColumns = {
  id: column<string>(),
  hmac: column<Buffer>(),
  userId: column<string>(),
  /** Null for one of a sign-in. */
  name: column<string | null>(),
  createdAtMs: column<number>(),
  expiresAtMs: column<number>(),
};

/** `lastUsedAtMs` is accurate to ten minutes. */
const columns = { ...issuedColumns, lastUsedAtMs: column<number | null>() };

const { hmac: _secret, ...shownColumns } = {
  ...columns,
  userLogin: column<string>('u.login'),
  userName: column<string>('u.display_name'),
};

export type ApiTokenSummary = RowOf<typeof shownColumns>;

export type ApiTokensTable = ReturnType<typeof createApiTokensTable>;

export function createApiTokensTable(db: Db) {
  const { run, runReturning, insert, select } = statements(db);
  const tables = 'api_tokens t JOIN users u ON u.id = t.user_id';
  const unrevoked = select(shownColumns, `${tables} WHERE t.revoked_at_ms IS NULL`, 't');
  return {
    insert: insert('api_tokens', issuedColumns),
    /** Unrevoked ones only. */
    byHmac: select(columns, 'api_tokens').one<[hmac: Buffer]>('WHERE hmac = ? AND revoked_at_ms IS NULL'),
    setLastUsed: run<[id: string, { atMs: number }]>(`
      UPDATE api_tokens SET last_used_at_ms = @atMs WHERE id = ?`),
    revoke: run<[id: string, { atMs: number }]>(`
      UPDATE api_tokens SET revoked_at_ms = @atMs
      WHERE id = ? AND revoked_at_ms IS NULL AND expires_at_ms > @atMs`),
    /** The ids of those that were live. */
    revokeByUser: runReturning<[userId: string, { atMs: number }], string>(
      `UPDATE api_tokens SET revoked_at_ms = @atMs
      WHERE user_id = ? AND revoked_at_ms IS NULL AND expires_at_ms > @atMs RETURNING id`,
      'nothing',
    ),
    live: unrevoked.all<[nowMs: number]>('AND t.expires_at_ms > ? ORDER BY t.created_at_ms DESC, t.id'),
    liveById: unrevoked.one<[id: string, nowMs: number]>('AND t.id = ? AND t.expires_at_ms > ?'),
    removeRevokedAndExpired: run<[nowMs: number]>(`
      DELETE FROM api_tokens WHERE revoked_at_ms IS NOT NULL OR expires_at_ms <= ?`),
  };
}
