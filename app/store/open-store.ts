// Opens the host's database. It is also the lock of the data folder: SQLite's exclusive locking mode holds the file for as
// long as the process lives and the operating system frees it when the process is killed, so no second host can start.
// A damaged database is set aside, never repaired in place. One that is not damaged is never set aside: when a newer DocTray
// wrote it, or a migration fails, the start is refused and the file stays as it is.

import { chmodSync, existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError, errorCode } from '../contract/errors.ts';
import type { Clock } from '../contract/clock.ts';
import { initial } from './migrations/0001-initial.ts';
import { window } from './migrations/0002-window.ts';
import { editors } from './migrations/0003-editors.ts';
import { missingFiles } from './migrations/0004-missing-files.ts';
import { quotas } from './migrations/0005-quotas.ts';
import { knownContent } from './migrations/0006-known-content.ts';
import { livedTime } from './migrations/0007-lived-time.ts';

export type Db = Database.Database;

/** One entry a schema version, applied in order; `PRAGMA user_version` counts those applied. */
const migrations: readonly string[] = [
  initial,
  window,
  editors,
  missingFiles,
  quotas,
  knownContent,
  livedTime,
];

export interface Store {
  readonly db: Db;
  meta(key: string): string | undefined;
  setMeta(key: string, value: string): void;
  /** 'ok', or the first thing SQLite found wrong. */
  check(): string;
  /**
   * Checkpoints the write-ahead log into the database file and closes both. When the last write fails it closes all the
   * same and throws that error: nothing committed is lost, and the next start checks the database.
   */
  close(): void;
}

export interface StoreDeps {
  dataDir: string;
  clock: Clock;
  /** Told in words when a damaged database had to be set aside. */
  onNotice: (text: string) => void;
}

/** @throws AppError data-folder-busy, database-newer, database-not-upgraded, data-disk-full, data-folder-invalid */
export function openStore(deps: StoreDeps): Store {
  const path = join(deps.dataDir, 'doctray.db');
  let db: Db;
  const isLost = isEmpty(path) && existsSync(join(deps.dataDir, 'data-folder.json'));
  try {
    db = openSound(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const aside = setAside(path, deps.clock());
    deps.onNotice(
      `The database was damaged and has been set aside as ${aside}. A new one was made: accounts, tokens, locks and the ` +
        'list of versions start empty. The documents in the folder were not touched.',
    );
    db = openSound(path);
  }

  if (isLost) {
    deps.onNotice(
      'The database of this data folder was gone. A new one was made: accounts, tokens, locks and the list of versions ' +
        'start empty. The documents in the folder were not touched.',
    );
  }
  const getMeta = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
  const putMeta = db.prepare(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    db,
    meta: (key) => getMeta.get(key)?.value,
    setMeta(key, value) {
      putMeta.run(key, value);
    },
    check: () => quickCheck(db),
    close() {
      try {
        putMeta.run('session', 'closed');
        db.pragma('wal_checkpoint(TRUNCATE)');
      } finally {
        db.close();
      }
    },
  };
}

function openSound(path: string): Db {
  const db = openFile(path);
  try {
    // Exclusive before WAL: the first access takes the lock for good, and no shared-memory file is needed.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('trusted_schema = OFF');
    migrate(db);
    const unclean =
      db.prepare(`SELECT 1 FROM meta WHERE key = 'session' AND value = 'open'`).get() !== undefined;
    const verdict = unclean ? quickCheck(db) : 'ok';
    if (verdict !== 'ok') throw new DamagedDatabase(verdict);
    db.prepare(
      `INSERT INTO meta VALUES ('session', 'open') ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    ).run();
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) throw new AppError('data-folder-busy', { cause: error });
    if (error instanceof AppError || isDamage(error)) throw error;
    throw unusable(error);
  }
}

function openFile(path: string): Db {
  try {
    // SQLite gives its write-ahead log the mode that the database has when it is opened.
    // Not where it is there already: closing it here would end the lock of a database that this process has open.
    if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: 0o600 });
    chmodSync(path, 0o600);
    return new Database(path, { timeout: 500 });
  } catch (error) {
    if (isDamage(error)) throw error;
    throw unusable(error);
  }
}

function unusable(cause: unknown): AppError {
  if (errorCode(cause) === 'SQLITE_FULL') return new AppError('data-disk-full', { cause });
  return new AppError('data-folder-invalid', { cause, detail: 'Its database cannot be opened.' });
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
  const row: unknown = db.pragma('quick_check(1)', { simple: true });
  return String(row);
}

class DamagedDatabase extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

function isDamage(error: unknown): boolean {
  const code = errorCode(error);
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

function isBusy(error: unknown): boolean {
  return errorCode(error).startsWith('SQLITE_BUSY') || errorCode(error).startsWith('SQLITE_LOCKED');
}

/** Missing, or without a byte in it. */
function isEmpty(path: string): boolean {
  return !existsSync(path) || statSync(path).size === 0;
}

function setAside(path: string, nowMs: number): string {
  const suffix = `damaged-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const part of ['', '-wal', '-shm']) {
    if (existsSync(path + part)) renameSync(path + part, `${path}.${suffix}${part}`);
  }
  return `doctray.db.${suffix}`;
}
