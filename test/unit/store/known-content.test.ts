import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { createLocksTable } from '../../../app/store/locks.ts';
import { initial } from '../../../app/store/migrations/0001-initial.ts';
import { window } from '../../../app/store/migrations/0002-window.ts';
import { editors } from '../../../app/store/migrations/0003-editors.ts';
import { openStore } from '../../../app/store/open-store.ts';
import { createVersionsTable } from '../../../app/store/versions.ts';

test('an upgrade keeps locks and versions, and the token of an existing lock has read its document', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'doctray-upgrade-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const old = new Database(join(dataDir, 'doctray.db'));
  for (const sql of [initial, window, editors]) old.exec(sql);
  old.exec(`
    INSERT INTO tenants VALUES (1, '/documents', 0);
    INSERT INTO users VALUES ('u1', 'ana', 'Ana', 'editor', '', NULL, 0);
    INSERT INTO files VALUES ('f1', 1, 'a.docx', NULL, '1', '2', '3', 4, '5', '6', NULL, 7, NULL, NULL, NULL, 0, NULL);
    INSERT INTO access_tokens (id, hmac, user_id, file_id, mode, created_at_ms, expires_at_ms)
      VALUES ('holder', x'01', 'u1', 'f1', 'edit', 0, 100), ('other', x'02', 'u1', 'f1', 'edit', 0, 100);
    INSERT INTO locks VALUES ('f1', 'L', 'holder', 'u1', 5, 5, 100, 7, x'aa', 7, NULL);
    INSERT INTO versions VALUES ('v6', 'f1', 6, 3, x'bb', 'link', 1, 2, 3, 'ana', NULL);
    PRAGMA user_version = 3;
  `);
  old.close();
  const store = openStore({ dataDir, clock: () => 10, onNotice: assert.fail });
  const locks = createLocksTable(store.db);
  assert.deepEqual(locks.known('holder'), { version: 7, sha256: Buffer.from([0xaa]) });
  assert.equal(locks.known('other'), undefined);
  const { lockId, baseVersion } = locks.get('f1') ?? assert.fail();
  assert.deepEqual([lockId, baseVersion], ['L', 7]);
  const [version] = createVersionsTable(store.db, () => 0).list('f1');
  assert.deepEqual([version?.id, version?.size, version?.savedBy], ['v6', 3, 'ana']);
  store.close();
});
