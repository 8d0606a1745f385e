// Errors after the document already has the new content. The answer, the database and the disk must agree, and the save must
// not become a recovered save, because nothing was lost.

import assert from 'node:assert/strict';
import fs, { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  startTestHost,
  type TestAccess,
  type TestHost,
  type TestHostOptions,
  type WopiResponse,
} from './test-host.ts';

const lock = { 'X-WOPI-Lock': 'the lock' };

interface Edited {
  host: TestHost;
  access: TestAccess;
  save: (body: string) => Promise<WopiResponse>;
  version: () => Promise<string>;
  onDisk: () => string;
}

/** Reads and locks `a.txt`. */
async function edit(t: TestContext, options: TestHostOptions = {}): Promise<Edited> {
  const host = await startTestHost({ files: { 'a.txt': 'old' }, ...options });
  t.after(() => host.stop());
  const access = await host.access('a.txt');
  const about = { fileId: access.fileId, token: access.accessToken };
  await host.wopi({ ...about, contents: true });
  assert.equal((await host.wopi({ ...about, override: 'LOCK', headers: lock })).status, 200);
  return {
    host,
    access,
    save: (body) => host.wopi({ ...about, contents: true, override: 'PUT', headers: lock, body }),
    async version() {
      const { body } = await host.wopi(about);
      return (JSON.parse(body.toString()) as { Version: string }).Version;
    },
    onDisk: () => readFileSync(join(host.folder, 'a.txt'), 'utf8'),
  };
}

/** Makes every INSERT into the table fail until the returned function is called. */
function failInserts({ host }: Edited, table: string): () => void {
  const { db } = host.host.services.store;
  db.exec(
    `CREATE TRIGGER broken BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`,
  );
  return () => db.exec('DROP TRIGGER broken');
}

/** Makes every sync of the folder fail with EIO until the returned function is called. */
function failFolderSync(t: TestContext, folder: string): () => void {
  const { fsync } = fs;
  let isBroken = true;
  t.mock.method(fs, 'fsync', (fd: number, done: (error: Error | null) => void) => {
    const path = fs.readlinkSync(`/proc/self/fd/${fd}`);
    if (isBroken && path === folder) done(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    else fsync(fd, done);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return () => {
    isBroken = false;
  };
}

test('a save whose record fails is reported as saved, and is recorded once the database works', async (t) => {
  const edited = await edit(t);
  const before = await edited.version();
  const repair = failInserts(edited, 'versions');
  const answer = await edited.save('new');
  assert.equal(answer.status, 500);
  assert.match(answer.headers.get('X-WOPI-ServerError') ?? '', /^The document was saved, but/u);
  assert.equal(edited.onDisk(), 'new');
  assert.deepEqual(
    edited.host.host.services.recoveredSaves.list(),
    [],
    'nothing was lost, so nothing is recovered',
  );
  const during = await edited.version();
  assert.notEqual(during, before, 'reading works, and returns another version');

  repair();
  assert.equal(await edited.version(), during, 'the version that was shown is the one that is recorded');
  const { versions } = edited.host.host.services;
  assert.equal(versions.list(edited.access.fileId).length, 1, 'the replaced content is a version');
  assert.equal((await edited.save('newer')).status, 200);
  assert.deepEqual(readdirSync(edited.host.folder), ['a.txt'], 'its own save is no conflict');
});

test('doesn’t reuse a version number that couldn’t be recorded', async (t) => {
  const edited = await edit(t);
  const { db } = edited.host.host.services.store;
  const path = join(edited.host.folder, 'a.txt');
  // Only the record of what another program wrote fails.
  db.exec(`CREATE TRIGGER frozen BEFORE UPDATE ON files WHEN NEW.sha256 IS NULL AND NEW.version > OLD.version
    BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`);
  writeFileSync(path, 'theirs');
  const seen = [await edited.version()];
  assert.equal((await edited.save('mine')).status, 200);
  db.exec('DROP TRIGGER frozen');
  seen.push(await edited.version());
  writeFileSync(path, 'theirs again');
  seen.push(await edited.version());
  assert.equal(new Set(seen).size, 3, seen.join(' '));
  assert.equal((await edited.save('mine again')).status, 200);
  const copies = readdirSync(edited.host.folder).filter((name) => name !== 'a.txt');
  const contents = copies.map((name) => readFileSync(join(edited.host.folder, name), 'utf8'));
  assert.deepEqual(contents.toSorted(), ['theirs', 'theirs again'], 'both are conflict copies');
});

test('contents that can’t be recorded have different versions', async (t) => {
  const edited = await edit(t);
  failInserts(edited, 'versions');
  const { db } = edited.host.host.services.store;
  db.exec(
    `CREATE TRIGGER frozen BEFORE UPDATE ON files BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`,
  );
  const seen = [await edited.version()];
  for (const content of ['one', 'three']) {
    writeFileSync(join(edited.host.folder, 'a.txt'), content);
    seen.push(await edited.version());
  }
  assert.equal(new Set(seen).size, 3, seen.join(' '));
});

test('answers a save with 500 while the folder can’t be synced', async (t) => {
  assert.equal(process.platform, 'linux', 'the mock needs /proc/self/fd');
  const edited = await edit(t);
  const repair = failFolderSync(t, edited.host.folder);
  const answer = await edited.save('new');
  assert.equal(answer.status, 500);
  assert.match(answer.headers.get('X-WOPI-ServerError') ?? '', /^The document was saved, but/u);
  assert.equal(edited.onDisk(), 'new');
  assert.deepEqual(edited.host.host.services.recoveredSaves.list(), []);
  assert.equal((await edited.save('new')).status, 500, 'the same content isn’t synced either');
  repair();
  assert.equal((await edited.save('new')).status, 200);
  assert.deepEqual(readdirSync(edited.host.folder), ['a.txt']);
});

test('a copy that can’t be recorded exists, and isn’t recovered too', async (t) => {
  const edited = await edit(t);
  failInserts(edited, 'files');
  const answer = await edited.host.wopi({
    fileId: edited.access.fileId,
    token: edited.access.accessToken,
    override: 'PUT_RELATIVE',
    headers: { 'X-WOPI-SuggestedTarget': 'copy.txt' },
    body: 'copied',
  });
  assert.equal(answer.status, 500);
  assert.equal(readFileSync(join(edited.host.folder, 'copy.txt'), 'utf8'), 'copied');
  assert.deepEqual(edited.host.host.services.recoveredSaves.list(), []);
});

test('a copy whose token can’t be issued exists, and isn’t recovered too', async (t) => {
  const edited = await edit(t);
  failInserts(edited, 'session_copies');
  const answer = await edited.host.wopi({
    fileId: edited.access.fileId,
    token: edited.access.accessToken,
    override: 'PUT_RELATIVE',
    headers: { 'X-WOPI-SuggestedTarget': 'copy.txt' },
    body: 'copied',
  });
  assert.equal(answer.status, 500);
  assert.match(answer.headers.get('X-WOPI-ServerError') ?? '', /^The change was made, but/u);
  assert.equal(readFileSync(join(edited.host.folder, 'copy.txt'), 'utf8'), 'copied');
  assert.deepEqual(edited.host.host.services.recoveredSaves.list(), []);
});

test('a save whose record is rolled back deletes no version', async (t) => {
  const edited = await edit(t, { settings: { versionCount: 1 } });
  assert.equal((await edited.save('one')).status, 200);
  const { store, versions } = edited.host.host.services;
  store.db.exec(
    `CREATE TRIGGER frozen BEFORE UPDATE ON files BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`,
  );
  assert.equal((await edited.save('two')).status, 500);
  store.db.exec('DROP TRIGGER frozen');
  const [version] = versions.list(edited.access.fileId);
  const folder = join(edited.host.dataDir, 'versions', edited.access.fileId);
  assert.equal(readFileSync(join(folder, version?.id ?? ''), 'utf8'), 'old');
});

test('a save succeeds if the rename took effect despite an error', async (t) => {
  const edited = await edit(t);
  const { rename } = fs.promises;
  t.mock.method(fs.promises, 'rename', async (from: string, to: string) => {
    await rename(from, to);
    if (to.endsWith('a.txt')) throw Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  assert.equal((await edited.save('new')).status, 200);
  assert.equal(edited.onDisk(), 'new');
  assert.equal(edited.host.host.services.versions.list(edited.access.fileId).length, 1);
});

test('GetFile succeeds when the database can’t be written, and leaves no file open', async (t) => {
  const edited = await edit(t);
  const { db } = edited.host.host.services.store;
  for (const table of ['locks', 'files', 'access_tokens']) {
    db.exec(
      `CREATE TRIGGER ${table}_full BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    );
  }
  writeFileSync(join(edited.host.folder, 'a.txt'), 'changed by another program');
  const about = { fileId: edited.access.fileId, token: edited.access.accessToken, contents: true };
  const open = (): number => readdirSync('/proc/self/fd').length;
  await edited.host.wopi(about);
  const before = open();
  for (let count = 0; count < 20; count += 1) {
    const answer = await edited.host.wopi(about);
    assert.deepEqual([answer.status, answer.body.toString()], [200, 'changed by another program']);
  }
  assert.ok(open() <= before + 3, `${open() - before} more open files after 20 calls`);
});

test('a save removes the setuid and setgid bits', async (t) => {
  const edited = await edit(t);
  await chmod(join(edited.host.folder, 'a.txt'), 0o6755);
  assert.equal((await edited.save('new')).status, 200);
  assert.equal(((await stat(join(edited.host.folder, 'a.txt'))).mode & 0o7777).toString(8), '755');
});

test('deletes a recovered save once the same content is saved', async (t) => {
  const edited = await edit(t);
  const { locks, recoveredSaves } = edited.host.host.services;
  const { fileId, accessToken: token } = edited.access;
  await locks.forceClear(fileId, 'owner');
  assert.equal((await edited.save('new')).status, 409);
  assert.equal(recoveredSaves.list().length, 1);
  await edited.host.wopi({ fileId, token, override: 'LOCK', headers: lock });
  assert.equal((await edited.save('other')).status, 200);
  assert.equal(recoveredSaves.list().length, 1, 'other content keeps the recovered save');
  assert.equal((await edited.save('new')).status, 200);
  assert.deepEqual(recoveredSaves.list(), []);
  assert.deepEqual(readdirSync(join(edited.host.dataDir, 'rescued')), []);
});

test('a save to a document replaced by a folder is recovered, and concurrent restores restore it once', async (t) => {
  const edited = await edit(t);
  const path = join(edited.host.folder, 'a.txt');
  rmSync(path);
  mkdirSync(path);
  const answer = await edited.save('new');
  assert.equal(answer.status, 500);
  assert.match(answer.headers.get('X-WOPI-ServerError') ?? '', /special file has taken its name/u);
  const { recoveredSaves } = edited.host.host.services;
  const [save] = recoveredSaves.list();
  const outcomes = await Promise.allSettled([
    recoveredSaves.restore(save?.id ?? ''),
    recoveredSaves.restore(save?.id ?? ''),
  ]);
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.equal(readdirSync(edited.host.folder).length, 2);
});
