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

/** Another process that opens the data folder; answers `open` or the code of its error. */
async function otherProcess(t: TestContext, dataDir: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [holder, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A database with a thousand rows, closed properly, then changed by SQL and in its bytes. */
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
/** Breaks a page amid the thousand rows, which no opening reads. */
function breakOnePage(bytes: Buffer): Buffer {
  return bytes.fill(0xab, 40 * 4096, 41 * 4096);
}

test('What was written is there after the next opening, under durable settings', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  assert.equal(store.meta('key'), undefined);
  store.setMeta('key', 'one');
  store.setMeta('key', 'two');
  store.close();
  const again = openNoted(dataDir);
  assert.equal(again.store.meta('key'), 'two');
  assert.deepEqual(again.notices, []);
  const pragma = (name: string): unknown => again.store.db.pragma(name, { simple: true });
  assert.deepEqual(
    ['journal_mode', 'synchronous', 'foreign_keys', 'locking_mode', 'trusted_schema'].map(pragma),
    ['wal', 2, 1, 'exclusive', 0],
  );
  again.store.close();
});

test('After closing, the database is one file that holds everything', async (t) => {
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
  const again = openNoted(dataDir);
  again.store.setMeta('key', 'other');
  assert.deepEqual(await modes(), ['doctray.db 600', 'doctray.db-wal 600']);
  again.store.close();
});

test('A data folder that another process uses is busy, until that process is killed', async (t) => {
  const dataDir = await dataFolder(t);
  const { child, said } = await otherProcess(t, dataDir);
  assert.equal(said, 'open');
  assert.throws(() => openNoted(dataDir), refused('data-folder-busy'));
  await kill(child);
  const { store, notices } = openNoted(dataDir);
  assert.equal(store.meta('holder'), 'was here', 'what it wrote before it was killed is there');
  assert.deepEqual(notices, []);
  assert.equal(store.check(), 'ok');
  store.close();
});

test('A data folder that this process uses is busy for others and for itself', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  assert.equal((await otherProcess(t, dataDir)).said, 'data-folder-busy');
  assert.throws(() => openNoted(dataDir), refused('data-folder-busy'));
  store.setMeta('key', 'still works');
  store.close();
  openNoted(dataDir).store.close();
});

test('A second opening in the same process that was refused does not let other processes in', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  t.after(() => {
    store.close();
  });
  assert.throws(() => openNoted(dataDir), refused('data-folder-busy'));
  assert.equal((await otherProcess(t, dataDir)).said, 'data-folder-busy');
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

test('A migration that fails refuses to start, says so, and leaves every byte as it was', async (t) => {
  const dataDir = await dataFolder(t);
  const { store } = openNoted(dataDir);
  const version = Number(store.db.pragma('user_version', { simple: true }));
  store.setMeta('key', 'value');
  store.db.pragma(`user_version = ${version - 1}`);
  store.close();
  const path = join(dataDir, 'doctray.db');
  const before = await readFile(path);
  const notices: string[] = [];
  const open = () =>
    openStore({ dataDir, clock: () => nowMs, onNotice: (text) => void notices.push(text) }).close();
  assert.throws(open, refused('database-not-upgraded'));
  assert.throws(open, refused('database-not-upgraded'), 'and at the next start again');
  assert.deepEqual(notices, []);
  assert.equal((await readFile(path)).equals(before), true);
  assert.deepEqual(await readdir(dataDir), ['doctray.db']);
  const db = new Database(path);
  db.pragma(`user_version = ${version}`);
  db.close();
  const again = openNoted(dataDir);
  assert.equal(again.store.meta('key'), 'value');
  again.store.close();
});

test('A database that SQLite cannot read, though it is not damaged, is refused and not set aside', async (t) => {
  const dataDir = await dataFolder(t);
  openNoted(dataDir).store.close();
  const path = join(dataDir, 'doctray.db');
  const bytes = await readFile(path);
  // The number of the schema format: SQLite knows 1 to 4.
  bytes.writeUInt32BE(99, 44);
  await writeFile(path, bytes);
  assert.throws(() => openNoted(dataDir), refused('data-folder-invalid'));
  assert.equal((await readFile(path)).equals(bytes), true);
  assert.deepEqual(await readdir(dataDir), ['doctray.db']);
});

test('Closing closes also when the last write fails, so that the next start finds the data folder free', async (t) => {
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
  const again = openNoted(dataDir);
  assert.equal(again.store.meta('key'), 'value');
  again.store.close();
});

for (const [what, content] of [
  ['garbage', Buffer.from('This is no database. '.repeat(500))],
  ['a header that was cut off', Buffer.from('SQLite format 3\0')],
] as const) {
  test(`A database that is ${what} is set aside as it is, told of, and made anew`, async (t) => {
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

test('After a clean end nothing is checked, so that a start takes no longer with more data', async (t) => {
  const dataDir = await damaged(t, '', breakOnePage);
  const { store, notices } = openNoted(dataDir);
  assert.deepEqual(notices, []);
  assert.notEqual(store.check(), 'ok');
  store.close();
});

test('A sound database after an unclean end is kept', async (t) => {
  const dataDir = await damaged(t, unclean, (bytes) => bytes);
  const { store, notices } = openNoted(dataDir);
  assert.deepEqual(notices, []);
  assert.equal(store.meta('key 999'), 'x'.repeat(100));
  store.close();
});

test('A database whose damage shows at the first write is set aside, too', async (t) => {
  const dataDir = await dataFolder(t);
  openNoted(dataDir).store.close();
  const path = join(dataDir, 'doctray.db');
  const bytes = await readFile(path);
  // The number of reserved bytes on a page: what is there can still be read.
  bytes[20] = 1;
  await writeFile(path, bytes);
  const { store, notices } = openNoted(dataDir);
  assert.equal(notices.length, 1);
  store.close();
});

test('A data folder that is missing, or has a folder for its database, is invalid', async (t) => {
  const dataDir = await dataFolder(t);
  assert.throws(() => openNoted(join(dataDir, 'missing')), refused('data-folder-invalid'));
  assert.equal(existsSync(join(dataDir, 'missing')), false);
  await mkdir(join(dataDir, 'doctray.db'));
  assert.throws(() => openNoted(dataDir), refused('data-folder-invalid'));
});

test('A refused opening leaves the data folder free', async (t) => {
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
