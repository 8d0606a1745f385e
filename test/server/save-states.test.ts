// Errors after the document already has the new content. The answer, the database and the disk must agree, and the save must
// not become a recovered save, because nothing was lost.

import assert from 'node:assert/strict';
import fs, { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { replaceBuiltin } from '../replace-builtin.ts';
import { startTestHost, type TestHostOptions } from './test-host.ts';

/** Reads and locks `a.txt`. */
async function edit(t: TestContext, options: TestHostOptions = {}) {
  const host = await startTestHost({ files: { 'a.txt': 'old' }, ...options }, t);
  const document = await host.edit('a.txt');
  const { services } = host.host;
  return {
    ...document,
    ...services,
    host,
    version: async () => String((await document.info())['Version']),
    onDisk: (name = 'a.txt') => readFileSync(join(host.folder, name), 'utf8'),
    inFolder: () => readdirSync(host.folder),
    /** Makes statements fail, such as `INSERT ON versions`, until the returned function is called. */
    fail(what: string): () => void {
      const { db } = services.store;
      const name = `broken_${what.replaceAll(/\W/g, '_')}`;
      db.exec(`CREATE TRIGGER ${name} BEFORE ${what} BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`);
      return () => db.exec(`DROP TRIGGER ${name}`);
    },
  };
}

/** Makes every sync of that file or folder fail with EIO until the returned function is called. */
function failSync(t: TestContext, broken: string): () => void {
  const { fsync } = fs;
  let isBroken = true;
  replaceBuiltin(t, fs, 'fsync', (fd: number, done: (error: Error | null) => void) => {
    const path = fs.readlinkSync(`/proc/self/fd/${fd}`);
    if (isBroken && path === broken) done(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    else fsync(fd, done);
  });
  return () => void (isBroken = false);
}

test('a save whose record fails is reported as saved, and is recorded once the database works', async (t) => {
  const { version, fail, save, onDisk, inFolder, recoveredSaves, versions, fileId } = await edit(t);
  const before = await version();
  const repair = fail('INSERT ON versions');
  const answer = await save('new');
  assert.equal(answer.status, 500);
  assert.match(answer.headers.get('X-WOPI-ServerError') ?? '', /^The document was saved, but/u);
  assert.equal(onDisk(), 'new');
  assert.deepEqual(recoveredSaves.list(), [], 'nothing was lost, so nothing is recovered');
  const during = await version();
  assert.notEqual(during, before, 'reading works, and returns another version');

  repair();
  assert.equal(await version(), during, 'the version that was shown is the one that is recorded');
  assert.equal(versions.list(fileId).length, 1, 'the replaced content is a version');
  assert.equal((await save('newer')).status, 200);
  assert.deepEqual(inFolder(), ['a.txt'], 'its own save is no conflict');
});

test('doesn’t reuse a version number that couldn’t be recorded', async (t) => {
  const { version, fail, save, onDisk, inFolder, path } = await edit(t);
  // Only the record of what another program wrote fails.
  const repair = fail('UPDATE ON files WHEN NEW.sha256 IS NULL AND NEW.version > OLD.version');
  writeFileSync(path, 'theirs');
  const seen = [await version()];
  assert.equal((await save('mine')).status, 200);
  repair();
  seen.push(await version());
  writeFileSync(path, 'theirs again');
  seen.push(await version());
  assert.equal(new Set(seen).size, 3, seen.join(' '));
  assert.equal((await save('mine again')).status, 200);
  const copies = inFolder().filter((name) => name !== 'a.txt');
  assert.deepEqual(copies.map(onDisk).toSorted(), ['theirs', 'theirs again'], 'both are conflict copies');
});

test('contents that can’t be recorded have different versions', async (t) => {
  const { version, fail, path } = await edit(t);
  fail('INSERT ON versions');
  fail('UPDATE ON files');
  const seen = [await version()];
  for (const content of ['one', 'three']) {
    writeFileSync(path, content);
    seen.push(await version());
  }
  assert.equal(new Set(seen).size, 3, seen.join(' '));
});

test('answers a save with 500 while the folder can’t be synced', async (t) => {
  assert.equal(process.platform, 'linux', 'the mock needs /proc/self/fd');
  const { host, save, onDisk, inFolder, recoveredSaves } = await edit(t);
  const repair = failSync(t, host.folder);
  const answer = await save('new');
  assert.equal(answer.status, 500);
  assert.match(answer.headers.get('X-WOPI-ServerError') ?? '', /^The document was saved, but/u);
  assert.equal(onDisk(), 'new');
  assert.deepEqual(recoveredSaves.list(), []);
  assert.equal((await save('new')).status, 500, 'the same content isn’t synced either');
  repair();
  assert.equal((await save('new')).status, 200);
  assert.deepEqual(inFolder(), ['a.txt']);
});

for (const what of ['file', 'folder'] as const)
  test(`answers a save of what another program wrote with 500 while the ${what} can’t be synced`, async (t) => {
    assert.equal(process.platform, 'linux', 'the mock needs /proc/self/fd');
    const { host, save, path, recoveredSaves } = await edit(t);
    writeFileSync(path, 'written by both');
    const repair = failSync(t, what === 'file' ? path : host.folder);
    const answer = await save('written by both');
    assert.equal(answer.status, 500, 'nobody has made these bytes durable');
    assert.match(answer.headers.get('X-WOPI-ServerError') ?? '', /^The document was saved, but/u);
    assert.deepEqual(recoveredSaves.list(), []);
    repair();
    assert.equal((await save('written by both')).status, 200);
  });

for (const [what, table, sentence] of [
  ['that can’t be recorded', 'files', /./u],
  ['whose token can’t be issued', 'session_copies', /^The change was made, but/u],
] as const) {
  test(`a copy ${what} exists, and isn’t recovered too`, async (t) => {
    const { fail, copy, onDisk, recoveredSaves } = await edit(t);
    fail(`INSERT ON ${table}`);
    const { status, headers } = await copy('copied', { 'X-WOPI-SuggestedTarget': 'copy.txt' });
    assert.equal(status, 500);
    assert.match(headers.get('X-WOPI-ServerError') ?? '', sentence);
    assert.equal(onDisk('copy.txt'), 'copied');
    assert.deepEqual(recoveredSaves.list(), []);
  });
}

test('a save whose record is rolled back deletes no version', async (t) => {
  const { host, fail, save, versions, fileId } = await edit(t, { settings: { versionCount: 1 } });
  assert.equal((await save('one')).status, 200);
  const repair = fail('UPDATE ON files');
  assert.equal((await save('two')).status, 500);
  repair();
  const [version] = versions.list(fileId);
  assert.equal(readFileSync(join(host.dataDir, 'versions', fileId, version?.id ?? ''), 'utf8'), 'old');
});

test('a save succeeds if the rename took effect despite an error', async (t) => {
  const { save, onDisk, versions, fileId } = await edit(t);
  const { rename } = fs.promises;
  replaceBuiltin(t, fs.promises, 'rename', async (from: string, to: string) => {
    await rename(from, to);
    if (to.endsWith('a.txt')) throw Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' });
  });
  assert.equal((await save('new')).status, 200);
  assert.equal(onDisk(), 'new');
  assert.equal(versions.list(fileId).length, 1);
});

test('GetFile succeeds when the database can’t be written, and leaves no file open', async (t) => {
  const { fail, path, read } = await edit(t);
  for (const table of ['locks', 'files', 'access_tokens']) fail(`UPDATE ON ${table}`);
  writeFileSync(path, 'changed by another program');
  const open = (): number => readdirSync('/proc/self/fd').length;
  await read();
  const before = open();
  for (let count = 0; count < 20; count += 1) {
    const { status, body } = await read();
    assert.deepEqual([status, body.toString()], [200, 'changed by another program']);
  }
  assert.ok(open() <= before + 3, `${open() - before} more open files after 20 calls`);
});

test('a save removes the setuid and setgid bits', async (t) => {
  const { path, save } = await edit(t);
  await chmod(path, 0o6755);
  assert.equal((await save('new')).status, 200);
  assert.equal(((await stat(path)).mode & 0o7777).toString(8), '755');
});

test('deletes a recovered save once the same content is saved', async (t) => {
  const { host, locks, recoveredSaves, fileId, save, lock } = await edit(t);
  await locks.forceClear(fileId, 'owner');
  assert.equal((await save('new')).status, 409);
  assert.equal(recoveredSaves.list().length, 1);
  await lock();
  assert.equal((await save('other')).status, 200);
  assert.equal(recoveredSaves.list().length, 1, 'other content keeps the recovered save');
  assert.equal((await save('new')).status, 200);
  assert.deepEqual(recoveredSaves.list(), []);
  assert.deepEqual(readdirSync(join(host.dataDir, 'rescued')), []);
});

test('a save to a document replaced by a folder is recovered, and concurrent restores restore it once', async (t) => {
  const { path, save, recoveredSaves, inFolder } = await edit(t);
  rmSync(path);
  mkdirSync(path);
  const answer = await save('new');
  assert.equal(answer.status, 500);
  assert.match(answer.headers.get('X-WOPI-ServerError') ?? '', /special file has taken its name/u);
  const id = recoveredSaves.list()[0]?.id ?? '';
  const outcomes = await Promise.allSettled([recoveredSaves.restore(id), recoveredSaves.restore(id)]);
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.equal(inFolder().length, 2);
});
