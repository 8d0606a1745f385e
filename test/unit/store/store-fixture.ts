// A temporary data folder with a real database that has a tenant, a user and the rows that a test inserts.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createFilesTable, type FileRow } from '../../../app/store/files.ts';
import { createLocksTable, type LockRow } from '../../../app/store/locks.ts';
import { openStore, type Store } from '../../../app/store/open-store.ts';
import { createTenantsTable } from '../../../app/store/tenants.ts';
import { createRecoveredTable, createVersionsTable } from '../../../app/store/versions.ts';

export const nowMs = Date.UTC(2026, 10, 20, 12);
export const day = 24 * 60 * 60 * 1000;

export async function dataFolder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'doctray-store-'));
  t.after(async () => rm(path, { recursive: true, force: true }));
  return path;
}

export function openNoted(dataDir: string): { store: Store; notices: string[] } {
  const notices: string[] = [];
  return {
    store: openStore({ dataDir, clock: () => nowMs, onNotice: (text) => void notices.push(text) }),
    notices,
  };
}

export async function openTables(t: TestContext) {
  const { store } = openNoted(await dataFolder(t));
  t.after(() => {
    store.close();
  });
  const { db } = store;
  const tenants = createTenantsTable(db);
  const tenantId = tenants.idOfRoot('/documents', nowMs);
  const files = createFilesTable(db);
  const locks = createLocksTable(db);
  db.prepare(`INSERT INTO users VALUES ('u1', 'anna', 'Anna', 'owner', 'x', NULL, 0)`).run();
  const insertToken = db.prepare(
    `INSERT INTO access_tokens (id, hmac, user_id, file_id, mode, created_at_ms, expires_at_ms, revoked_at_ms,
       lock_taken_at_ms)
     VALUES (@id, @hmac, 'u1', @fileId, @mode, 0, @expiresAtMs, @revokedAtMs, @lockTakenAtMs)`,
  );
  let tokens = 0;
  const time = { livedMs: 0 };
  const livedMs = (): number => time.livedMs;
  return {
    store,
    db,
    time,
    tenants,
    tenantId,
    files,
    locks,
    versions: createVersionsTable(db, livedMs),
    recovered: createRecoveredTable(db, livedMs),

    file(id: string, change: Partial<FileRow> = {}): FileRow {
      const row: FileRow = {
        id,
        tenantId,
        path: `${id}.txt`,
        renamingFrom: null,
        device: '1',
        inode: `10${id.length}`,
        birthNs: '5',
        size: 4,
        mtimeNs: '6',
        ctimeNs: '7',
        sha256: null,
        version: 1,
        savedAtMs: null,
        savedBy: null,
        savedHow: null,
        createdAtMs: nowMs,
        deletedAtMs: null,
        ...change,
      };
      files.insert(row);
      return row;
    },
    lock(fileId: string, change: Partial<LockRow> = {}): LockRow {
      const row: LockRow = {
        fileId,
        lockId: 'lock-1',
        accessTokenId: null,
        userId: null,
        takenAtMs: nowMs,
        refreshedAtMs: nowMs,
        expiresAtMs: nowMs + 1000,
        baseVersion: 1,
        baseSha256: null,
        seenVersion: 1,
        lapsedVersion: null,
        ...change,
      };
      locks.put(row);
      return row;
    },
    /** By default, a token that works under the lock that `lock` inserts. */
    token(
      fileId: string,
      change: {
        mode?: 'edit' | 'view';
        expiresAtMs?: number;
        revokedAtMs?: number;
        lockTakenAtMs?: number | null;
      } = {},
    ): void {
      tokens += 1;
      insertToken.run({
        id: `t${tokens}`,
        hmac: Buffer.from([tokens]),
        fileId,
        mode: 'edit',
        expiresAtMs: nowMs + 1000,
        revokedAtMs: null,
        lockTakenAtMs: nowMs,
        ...change,
      });
    },
  };
}
