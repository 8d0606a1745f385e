// The same work without a server: writing and syncing a file, renaming it over the old one and syncing the folder, and committing a
// row with the durability of DocTray's database. It runs in the bench's process while all servers are idle.

import type Database from 'better-sqlite3';
import fs from 'node:fs';
import { dirname } from 'node:path';
import type { Body } from './bodies.ts';

export function writeSyncRename(path: string, body: Body): void {
  const temporary = `${path}.tmp`;
  const descriptor = fs.openSync(temporary, 'w');
  for (let index = 0; index < body.chunkCount; index += 1) fs.writeSync(descriptor, body.chunk(index));
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
  fs.renameSync(temporary, path);
  const folder = fs.openSync(dirname(path), 'r');
  fs.fsyncSync(folder);
  fs.closeSync(folder);
}

/** Each call commits one row. */
export function createRowCommitter(db: Database.Database): () => void {
  db.exec('CREATE TABLE IF NOT EXISTS one (id INTEGER PRIMARY KEY, lock_id TEXT, at_ms INTEGER) STRICT');
  const commit = db.prepare('INSERT OR REPLACE INTO one VALUES (1, ?, ?)');
  return () => void commit.run('bench-lock', Date.now());
}
