// The stored moments that locks, tokens and sessions are judged by, moved all together when the computer's clock was set. What
// tells of the past (when a document was saved, when a version was kept) stays as it was recorded.

import type { Db } from './open-store.ts';

/** When the host last ran. */
export interface LastSeen {
  /** The computer's clock. */
  wallMs: number;
  /** Since the computer was started. */
  uptimeMs: number;
  /** Real time that has passed for certain since this data folder was first used. No clock can change it. */
  livedMs: number;
}

export interface Moments {
  lastSeen(): LastSeen | undefined;
  setLastSeen(seen: LastSeen): void;
  /** Everything is as old as before by a clock that was set by that much. */
  shift(stepMs: number): void;
  /** Whatever is held or valid at that moment lapses or expires then. */
  expireAll(nowMs: number): void;
  /**
   * Locks and access tokens that were held or valid at the first moment, and are over by the second, end at the second: the time
   * in which their editors can still save counts from then.
   */
  endLater(fromMs: number, toMs: number): void;
  transaction(work: () => void): void;
}

const columns: Record<string, readonly string[]> = {
  locks: ['taken_at_ms', 'refreshed_at_ms', 'expires_at_ms'],
  access_tokens: [
    'created_at_ms',
    'expires_at_ms',
    'revoked_at_ms',
    'first_call_at_ms',
    'last_call_at_ms',
    'lock_taken_at_ms',
  ],
  api_tokens: ['created_at_ms', 'expires_at_ms', 'revoked_at_ms', 'last_used_at_ms'],
  page_sessions: ['created_at_ms', 'expires_at_ms'],
};

export function createMoments(db: Db): Moments {
  const getSeen = db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'last-seen'`).pluck();
  const putSeen = db.prepare<[string]>(
    `INSERT INTO meta VALUES ('last-seen', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
  return {
    lastSeen() {
      // An older DocTray wrote two numbers.
      const [wallMs, uptimeMs, livedMs = 0] = (getSeen.get() ?? '').split(' ').map(Number);
      return wallMs === undefined || uptimeMs === undefined ? undefined : { wallMs, uptimeMs, livedMs };
    },
    setLastSeen({ wallMs, uptimeMs, livedMs }) {
      putSeen.run(`${wallMs} ${Math.round(uptimeMs)} ${livedMs}`);
    },
    shift(stepMs) {
      for (const [table, names] of Object.entries(columns)) {
        const moved = names.map((name) => `${name} = ${name} + @stepMs`).join(', ');
        db.prepare(`UPDATE ${table} SET ${moved}`).run({ stepMs });
      }
    },
    expireAll(nowMs) {
      for (const table of Object.keys(columns)) {
        db.prepare(`UPDATE ${table} SET expires_at_ms = @nowMs WHERE expires_at_ms > @nowMs`).run({ nowMs });
      }
    },
    endLater(fromMs, toMs) {
      for (const table of ['locks', 'access_tokens']) {
        const sql = `UPDATE ${table} SET expires_at_ms = @toMs WHERE expires_at_ms > @fromMs AND expires_at_ms < @toMs`;
        db.prepare(sql).run({ fromMs, toMs });
      }
    },
    transaction: (work) => db.transaction(work).immediate(),
  };
}
