// Recovery on a file system whose inode numbers change: the file was renamed, and the host died before that was recorded.

import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { createHostClient, fileInfo } from '../crash/host-client.ts';
import { makeScratch, serve } from '../crash/serve-process.ts';
import { mountExFat } from './own-disk.ts';

test('finishes a rename on exFAT that was done but not recorded', async (t) => {
  const scratch = makeScratch();
  const disk = await mountExFat(scratch.folder, scratch.outside);
  const hosted = join(scratch.folder, 'documents');
  const at = (name: string): string => join(disk.inside(hosted), name);
  mkdirSync(at(''));
  writeFileSync(at('a.docx'), 'the document');
  const options = { ...scratch, folder: hosted, entering: disk.entering };
  let host = await serve(options);
  t.after(async () => {
    await host.stop();
    await disk.unmount();
    scratch.remove();
  });
  const client = createHostClient(() => host.baseUrl);
  const access = await client.access('a.docx', await client.signIn());
  assert.equal((await client.lock(access, 'the lock')).status, 200);
  await host.stop();
  const db = new Database(join(scratch.dataDir, 'doctray.db'));
  db.prepare(`UPDATE files SET path = 'b.docx', renaming_from = 'a.docx' WHERE id = ?`).run(access.fileId);
  db.close();
  renameSync(at('a.docx'), at('b.docx'));
  disk.forgetInodes();
  host = await serve(options);
  for (const name of ['x', 'y', 'z']) writeFileSync(at(name), name);
  assert.equal(fileInfo(await client.checkFileInfo(access)).BaseFileName, 'b.docx');
  assert.equal(await client.lockId(access), 'the lock');
});
