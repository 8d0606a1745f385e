import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../../../app/store/open-store.ts';
import { refused } from '../files/files-fixture.ts';
import { dataFolder, nowMs, openNoted } from './store-fixture.ts';

const holder = join(import.meta.dirname, 'hold-store.ts');

/** Opens the data folder in another process; `outcome` is `open` or the code of the error. */
async function otherProcess(
  t: TestContext,
  dataDir: string,
): Promise<{ child: ChildProcess; outcome: string }> {
  const child = spawn(process.execPath, [holder, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [outcome] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, outcome: outcome.toString().trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A database with a thousand rows, closed cleanly, then changed by SQL and in its bytes. */
async function damaged(t: TestContext, sql: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  for (let index = 0; index < 1000; index += 1) store.setMeta(`key ${index}`, 'x'.repeat(100));
  store.close();
  const path = join(dataDir, 'doctray.db');
  const db = new Database(path);
  db.exec(sql);
  db.close();
  await writeFile(path, change(await readFile(path)));
  return dataDir;
}

const unclean = `UPDATE meta SET value = 'open' WHERE key = 'session'`;
/** Corrupts a page of rows that isn't read when the database is opened. */
function breakOnePage(bytes: Buffer): Buffer {
  return bytes.fill(0xab, 40 * 4096, 41 * 4096);
}

test('keeps what was written, with durable pragmas', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  assert.equal(store.meta('key'), undefined);
  store.setMeta('key', 'one');
  store.setMeta('key', 'two');
  store.close();
  const reopened = openNoted(dataDir);
  assert.equal(reopened.store.meta('key'), 'two');
  assert.deepEqual(reopened.notices, []);
  const pragma = (name: string): unknown => reopened.store.db.pragma(name, { simple: true });
  assert.deepEqual(
    ['journal_mode', 'synchronous', 'foreign_keys', 'locking_mode', 'trusted_schema'].map(pragma),
    ['wal', 2, 1, 'exclusive', 0],
  );
  reopened.store.close();
});

test('leaves a single file after it was closed', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  store.setMeta('key', 'value');
  store.close();
  assert.deepEqual(await readdir(dataDir), ['doctray.db']);
});

test('lets only the host’s user read the database and its write-ahead log', async (t) => {
  if (process.platform === 'win32') return;
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  store.setMeta('key', 'value');
  const modes = async (): Promise<string[]> =>
    Promise.all(
      (await readdir(dataDir)).map(
        async (name) => `${name} ${((await stat(join(dataDir, name))).mode & 0o777).toString(8)}`,
      ),
    );
  assert.deepEqual(await modes(), ['doctray.db 600', 'doctray.db-wal 600']);
  store.close();
  await chmod(join(dataDir, 'doctray.db'), 0o644);
  const reopened = openNoted(dataDir);
  reopened.store.setMeta('key', 'other');
  assert.deepEqual(await modes(), ['doctray.db 600', 'doctray.db-wal 600']);
  reopened.store.close();
});

test('a data folder that another process uses is busy until that process is killed', async (t) => {
  const dataDir = await dataFolder(t);
  const { child, outcome } = await otherProcess(t, dataDir);
  assert.equal(outcome, 'open');
  assert.throws(() => openNoted(dataDir), refused('data-folder-busy'));
  await kill(child);
  const { store, notices } = openNoted(dataDir);
  assert.equal(store.meta('holder'), 'was here', 'keeps what the process wrote before it was killed');
  assert.deepEqual(notices, []);
  assert.equal(store.check(), 'ok');
  store.close();
});

test('a data folder that this process uses is busy for other processes and for itself', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  assert.equal((await otherProcess(t, dataDir)).outcome, 'data-folder-busy');
  assert.throws(() => openNoted(dataDir), refused('data-folder-busy'));
  store.setMeta('key', 'still works');
  store.close();
  openNoted(dataDir).store.close();
});

test('the data folder stays busy for other processes after this process was rejected', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  t.after(() => {
    store.close();
  });
  assert.throws(() => openNoted(dataDir), refused('data-folder-busy'));
  assert.equal((await otherProcess(t, dataDir)).outcome, 'data-folder-busy');
});

test('refuses a database of a newer version, and leaves it unchanged', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  store.setMeta('key', 'value');
  store.db.pragma('user_version = 99');
  store.db.exec('CREATE TABLE of_the_future (x)');
  store.close();
  const path = join(dataDir, 'doctray.db');
  const before = await readFile(path);
  assert.throws(() => openNoted(dataDir), refused('database-newer'));
  assert.equal((await readFile(path)).equals(before), true);
  assert.deepEqual(await readdir(dataDir), ['doctray.db']);
});

test('a failed migration is an error and leaves every byte unchanged', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  const version = Number(store.db.pragma('user_version', { simple: true }));
  store.setMeta('key', 'value');
  // Adds a column that exists.
  store.db.pragma(`user_version = ${version - 2}`);
  store.close();
  const path = join(dataDir, 'doctray.db');
  const before = await readFile(path);
  const notices: string[] = [];
  const open = () =>
    openStore({ dataDir, clock: () => nowMs, onNotice: (text) => void notices.push(text) }).close();
  assert.throws(open, refused('database-not-upgraded'));
  assert.throws(open, refused('database-not-upgraded'), 'also at the next start');
  assert.deepEqual(notices, []);
  assert.equal((await readFile(path)).equals(before), true);
  assert.deepEqual(await readdir(dataDir), ['doctray.db']);
  const db = new Database(path);
  db.pragma(`user_version = ${version}`);
  db.close();
  const reopened = openNoted(dataDir);
  assert.equal(reopened.store.meta('key'), 'value');
  reopened.store.close();
});

test('rejects a database of an unknown schema format, and doesn’t set it aside', async (t) => {
  const dataDir = await dataFolder(t);
  openNoted(dataDir).store.close();
  const path = join(dataDir, 'doctray.db');
  const bytes = await readFile(path);
  // The schema format number; SQLite knows 1 to 4.
  bytes.writeUInt32BE(99, 44);
  await writeFile(path, bytes);
  assert.throws(() => openNoted(dataDir), refused('data-folder-invalid'));
  assert.equal((await readFile(path)).equals(bytes), true);
  assert.deepEqual(await readdir(dataDir), ['doctray.db']);
});

test('closes even if the last write fails, so that the data folder can be opened again', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  store.setMeta('key', 'value');
  store.db.exec(
    `CREATE TRIGGER full BEFORE UPDATE ON meta BEGIN SELECT raise(ABORT, 'The disk is full'); END`,
  );
  assert.throws(() => store.close(), /The disk is full/);
  assert.equal(store.db.open, false);
  const db = new Database(join(dataDir, 'doctray.db'));
  db.exec('DROP TRIGGER full');
  db.close();
  const reopened = openNoted(dataDir);
  assert.equal(reopened.store.meta('key'), 'value');
  reopened.store.close();
});

for (const [what, content] of [
  ['garbage', Buffer.from('This is no database. '.repeat(500))],
  ['a truncated header', Buffer.from('SQLite format 3\0')],
] as const) {
  test(`sets aside a database that is ${what} unchanged, reports it and creates a new one`, async (t) => {
    const dataDir = await dataFolder(t);
    await writeFile(join(dataDir, 'doctray.db'), content);
    const { store, notices } = openNoted(dataDir);
    assert.equal(notices.length, 1);
    const aside = `doctray.db.damaged-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`;
    assert.ok(notices[0]?.includes(aside));
    assert.equal((await readFile(join(dataDir, aside))).equals(content), true);
    store.setMeta('key', 'value');
    assert.equal(store.check(), 'ok');
    store.close();
    assert.deepEqual(openNoted(dataDir).notices, []);
  });
}

test('sets a damaged database aside after an unclean exit, and creates a new one', async (t) => {
  const dataDir = await damaged(t, unclean, breakOnePage);
  const broken = await readFile(join(dataDir, 'doctray.db'));
  const { store, notices } = openNoted(dataDir);
  assert.equal(notices.length, 1);
  assert.equal(store.meta('key 1'), undefined);
  assert.equal(store.check(), 'ok');
  store.close();
  const aside = (await readdir(dataDir)).find((name) => /^doctray\.db\.damaged-[\dTZ-]+$/.test(name));
  const kept = await readFile(join(dataDir, aside ?? ''));
  assert.equal(kept.subarray(4096).equals(broken.subarray(4096)), true);
});

test('doesn’t check the database after a clean exit', async (t) => {
  const dataDir = await damaged(t, '', breakOnePage);
  const { store, notices } = openNoted(dataDir);
  assert.deepEqual(notices, []);
  assert.notEqual(store.check(), 'ok');
  store.close();
});

test('keeps an intact database after an unclean exit', async (t) => {
  const dataDir = await damaged(t, unclean, (bytes) => bytes);
  const { store, notices } = openNoted(dataDir);
  assert.deepEqual(notices, []);
  assert.equal(store.meta('key 999'), 'x'.repeat(100));
  store.close();
});

test('sets aside a database whose damage shows at the first write', async (t) => {
  const dataDir = await dataFolder(t);
  openNoted(dataDir).store.close();
  const path = join(dataDir, 'doctray.db');
  const bytes = await readFile(path);
  // The number of reserved bytes per page. Existing rows can still be read.
  bytes[20] = 1;
  await writeFile(path, bytes);
  const { store, notices } = openNoted(dataDir);
  assert.equal(notices.length, 1);
  store.close();
});

test('rejects a missing data folder, and one whose database is a folder', async (t) => {
  const dataDir = await dataFolder(t);
  assert.throws(() => openNoted(join(dataDir, 'missing')), refused('data-folder-invalid'));
  assert.equal(existsSync(join(dataDir, 'missing')), false);
  await mkdir(join(dataDir, 'doctray.db'));
  assert.throws(() => openNoted(dataDir), refused('data-folder-invalid'));
});

test('a rejected open releases the data folder', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  const version = Number(store.db.pragma('user_version', { simple: true }));
  store.db.pragma('user_version = 99');
  store.close();
  assert.throws(() => openNoted(dataDir), refused('database-newer'));
  const db = new Database(join(dataDir, 'doctray.db'), { timeout: 0 });
  db.pragma(`user_version = ${version}`);
  db.close();
  openNoted(dataDir).store.close();
});

test('reports a missing database in a data folder that was in use', async (t) => {
  const dataDir = await dataFolder(t);
  const first = openNoted(dataDir);
  assert.deepEqual(first.notices, [], 'a new data folder');
  first.store.close();
  await writeFile(join(dataDir, 'data-folder.json'), '{}');
  for (const lose of [
    () => rm(join(dataDir, 'doctray.db')),
    () => writeFile(join(dataDir, 'doctray.db'), ''),
  ]) {
    await lose();
    const { store, notices } = openNoted(dataDir);
    assert.match(notices[0] ?? '', /was missing/);
    store.close();
  }
});
