// Opens the host's database. It is also the lock of the data folder: SQLite's exclusive locking mode locks the file while the
// process lives, and the operating system releases it when the process is killed, so no second host can start. A damaged database
// is set aside, never repaired in place. An undamaged one is never set aside: if a newer DocTray wrote it, or a migration fails,
// the start is refused and the file stays as it is.

import { chmodSync, existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError, errorCode } from '../contract/errors.ts';
import type { Clock } from '../contract/clock.ts';
import { inEnglish, t } from '../contract/messages.ts';
import { initial } from './migrations/0001-initial.ts';
import { window } from './migrations/0002-window.ts';
import { editors } from './migrations/0003-editors.ts';
import { missingFiles } from './migrations/0004-missing-files.ts';
import { quotas } from './migrations/0005-quotas.ts';
import { knownContent } from './migrations/0006-known-content.ts';
import { livedTime } from './migrations/0007-lived-time.ts';
import { tokenNames } from './migrations/0008-token-names.ts';
import { missedSaves } from './migrations/0009-missed-saves.ts';
import { singleTree } from './migrations/0010-single-tree.ts';
import { statements } from './sql.ts';

export type Db = Database.Database;

/** One for each schema version, applied in order; `PRAGMA user_version` counts those applied. */
const migrations = [
  initial,
  window,
  editors,
  missingFiles,
  quotas,
  knownContent,
  livedTime,
  tokenNames,
  missedSaves,
  singleTree,
];

export interface Store {
  readonly db: Db;
  meta(key: string): string | undefined;
  setMeta(key: string, value: string): void;
  /** 'ok', or the first thing SQLite found wrong. */
  check(): string;
  /**
   * Checkpoints the write-ahead log into the database file and closes both. If the last write fails, it closes anyway and throws
   * that error: nothing committed is lost, and the next start checks the database.
   */
  close(): void;
}

export interface StoreDeps {
  dataDir: string;
  clock: Clock;
  /**
   * Called when a new database replaced a damaged or missing one.
   * @param text in English, for the log
   * @param renamedTo the damaged one's new name; null if it was missing
   */
  onNotice: (text: string, renamedTo: string | null) => void;
}

/** @throws AppError data-folder-busy, database-newer, database-not-upgraded, data-disk-full, data-folder-invalid */
export function openStore({ dataDir, clock, onNotice }: StoreDeps): Store {
  const path = join(dataDir, 'doctray.db');
  const isEmpty = !existsSync(path) || statSync(path).size === 0;
  const isLost = isEmpty && existsSync(join(dataDir, 'data-folder.json'));
  let db: Db;
  try {
    db = openUndamaged(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const aside = setAside(path, clock());
    onNotice(inEnglish.t('host.database-was-damaged', { name: aside }), aside);
    db = openUndamaged(path);
  }
  if (isLost) onNotice(inEnglish.t('host.database-was-missing'), null);

  const { value, run } = statements(db);
  const setMeta = run<[key: string, value: string]>(putMeta);
  return {
    db,
    meta: value<[key: string], string>('SELECT value FROM meta WHERE key = ?'),
    setMeta,
    check: () => quickCheck(db),
    close() {
      try {
        setMeta('session', 'closed');
        db.pragma('wal_checkpoint(TRUNCATE)');
      } finally {
        db.close();
      }
    },
  };
}

const putMeta = 'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value';

function openUndamaged(path: string): Db {
  let db: Db | undefined;
  try {
    // SQLite gives its write-ahead log the mode that the database has when it is opened. Only if it doesn't exist yet: closing it
    // here would release the lock of a database that this process has open.
    if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: 0o600 });
    chmodSync(path, 0o600);
    db = new Database(path, { timeout: 500 });
    // Exclusive before WAL: the first access takes the lock for good, and no shared-memory file is needed.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('trusted_schema = OFF');
    migrate(db);
    const session = db.prepare(`SELECT value FROM meta WHERE key = 'session'`).pluck().get();
    const verdict = session === 'open' ? quickCheck(db) : 'ok';
    if (verdict !== 'ok') throw new DamagedDatabase(verdict);
    db.prepare(putMeta).run('session', 'open');
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof AppError || isDamage(error)) throw error;
    if (isBusy(error)) throw new AppError('data-folder-busy', { cause: error });
    if (errorCode(error) === 'SQLITE_FULL') throw new AppError('data-disk-full', { cause: error });
    throw new AppError('data-folder-invalid', {
      cause: error,
      detail: () => t('host.database-cant-be-opened'),
    });
  }
}

function migrate(db: Db): void {
  const applied = Number(db.pragma('user_version', { simple: true }));
  if (applied > migrations.length) throw new AppError('database-newer');
  if (applied === migrations.length) return;
  const apply = db.transaction(() => {
    for (const sql of migrations.slice(applied)) db.exec(sql);
    db.pragma(`user_version = ${migrations.length}`);
  });
  try {
    apply.exclusive();
  } catch (error) {
    if (errorCode(error) !== 'SQLITE_ERROR' && !errorCode(error).startsWith('SQLITE_CONSTRAINT')) throw error;
    throw new AppError('database-not-upgraded', { cause: error });
  }
}

function quickCheck(db: Db): string {
  return String(db.pragma('quick_check(1)', { simple: true }));
}

class DamagedDatabase extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB$)/.test(errorCode(error));
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error));
}

function setAside(path: string, nowMs: number): string {
  const suffix = `damaged-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const part of ['', '-wal', '-shm']) {
    if (existsSync(path + part)) renameSync(path + part, `${path}.${suffix}${part}`);
  }
  return `doctray.db.${suffix}`;
}
