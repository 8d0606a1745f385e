// The stored moments that locks, tokens and sessions are judged by. They move together when the computer's clock is set. Times
// of the past (when a document was saved, when a version was kept) stay as they were recorded.

import type { Store } from './open-store.ts';
import { dropCachedRows, statements } from './sql.ts';

/** When the host last ran. */
export interface LastSeen {
  /** The computer's clock. */
  wallMs: number;
  /** Since the computer was started. */
  uptimeMs: number;
  /** Real time that has passed for certain since this data folder was first used. No clock can change it. */
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
      const [wallMs, uptimeMs, livedMs = 0] = (meta('last-seen') ?? '').split(' ').map(Number);
      return wallMs === undefined || uptimeMs === undefined ? undefined : { wallMs, uptimeMs, livedMs };
    },
    setLastSeen({ wallMs, uptimeMs, livedMs }: LastSeen): void {
      setMeta('last-seen', `${wallMs} ${Math.round(uptimeMs)} ${livedMs}`);
    },
    /** Moves every time in these tables (`…_at_ms`), so that all is as old as before by a clock that was set by that much. */
    shift(stepMs: number): void {
      dropCachedRows(db);
      for (const table of tables) {
        const names = namesIn(table).map((name) => `${name} = ${name} + @stepMs`);
        db.prepare(`UPDATE ${table} SET ${names.join(', ')}`).run({ stepMs });
      }
    },
    /** Whatever is held or valid at that moment lapses or expires then. */
    expireAll(nowMs: number): void {
      dropCachedRows(db);
      for (const table of tables) {
        db.prepare(`UPDATE ${table} SET expires_at_ms = @nowMs WHERE expires_at_ms > @nowMs`).run({ nowMs });
      }
    },
    /**
     * Locks and access tokens that were held or valid at the first moment, and are over by the second, end at the second: the
     * time in which their editors can still save counts from then.
     */
    extendExpiry(fromMs: number, toMs: number): void {
      dropCachedRows(db);
      for (const table of ['locks', 'access_tokens']) {
        const sql = `UPDATE ${table} SET expires_at_ms = @toMs WHERE expires_at_ms > @fromMs AND expires_at_ms < @toMs`;
        db.prepare(sql).run({ fromMs, toMs });
      }
    },
    transaction: (work: () => void): void => db.transaction(work).immediate(),
  };
}
