// The stored times that decide about locks, tokens and sessions. They move together when the computer's clock is set. Times of
// past events (when a document was saved, when a version was kept) stay as recorded.

import type { Store } from './open-store.ts';
import { dropCachedRows, statements } from './sql.ts';

/** When the host last ran. */
export interface LastSeen {
  /** The computer's clock. */
  wallMs: number;
  /** Since the computer was started. */
  uptimeMs: number;
  /** Real time that has certainly passed since this data folder was first used. No clock can change it. */
  livedMs: number;
}

const tables = ['locks', 'access_tokens', 'api_tokens', 'page_sessions'];

export type StoredTimes = ReturnType<typeof createStoredTimes>;

export function createStoredTimes({ db, meta, setMeta }: Pick<Store, 'db' | 'meta' | 'setMeta'>) {
  const { values } = statements(db);
  const namesIn = values<[table: string], string>(`
    SELECT name FROM pragma_table_info(?) WHERE name GLOB '*_at_ms'`);
  return {
    lastSeen(): LastSeen | undefined {
      // An older DocTray wrote two numbers.
      const [wallMs = NaN, uptimeMs = NaN, livedMs = 0] = (meta('last-seen') ?? '').split(' ').map(Number);
      return [wallMs, uptimeMs, livedMs].every(Number.isFinite) ? { wallMs, uptimeMs, livedMs } : undefined;
    },
    setLastSeen({ wallMs, uptimeMs, livedMs }: LastSeen): void {
      setMeta('last-seen', `${wallMs} ${Math.round(uptimeMs)} ${livedMs}`);
    },
    /** Moves every time in these tables (`…_at_ms`), so that ages stay the same after the clock was set by `stepMs`. */
    shift(stepMs: number): void {
      dropCachedRows(db);
      for (const table of tables) {
        const names = namesIn(table).map((name) => `${name} = ${name} + @stepMs`);
        db.prepare(`UPDATE ${table} SET ${names.join(', ')}`).run({ stepMs });
      }
    },
    /** Everything held or valid at that time lapses or expires then. */
    expireAll(nowMs: number): void {
      dropCachedRows(db);
      for (const table of tables) {
        db.prepare(`UPDATE ${table} SET expires_at_ms = @nowMs WHERE expires_at_ms > @nowMs`).run({ nowMs });
      }
    },
    /**
     * Locks and access tokens that were held or valid at `fromMs`, and have expired by `toMs`, expire at `toMs`: the grace period
     * in which their editors can still save starts then. Tokens that were in that period at `fromMs`, and locks that had lapsed,
     * have as much time left as before: a token in that period is worth nothing without its lock.
     */
    extendExpiry({ fromMs, toMs, graceMs }: { fromMs: number; toMs: number; graceMs: number }): void {
      dropCachedRows(db);
      for (const table of ['locks', 'access_tokens']) {
        const sql = `UPDATE ${table} SET expires_at_ms = @toMs WHERE expires_at_ms > @fromMs AND expires_at_ms < @toMs`;
        db.prepare(sql).run({ fromMs, toMs });
      }
      if (toMs <= fromMs) return;
      const inGrace = `SET expires_at_ms = expires_at_ms + @stepMs
        WHERE expires_at_ms > @fromMs - @graceMs AND expires_at_ms <= @fromMs`;
      for (const table of ['locks', 'access_tokens'])
        db.prepare(`UPDATE ${table} ${inGrace}`).run({ fromMs, graceMs, stepMs: toMs - fromMs });
    },
    transaction: (work: () => void): void => db.transaction(work).immediate(),
  };
}
