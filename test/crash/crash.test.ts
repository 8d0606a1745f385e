// The host is killed with SIGKILL at random times while several editors save, copy, rename, lock and read. After each restart, every
// document is entirely old or entirely new, what was acknowledged is there, and the editors can continue. This doesn't simulate a
// power failure: what the operating system had accepted isn't lost.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { eventually } from '../durability/eventually.ts';
import { describeContent, labelOf, makeContent, sha256 } from './content.ts';
import { createHostClient, fileInfo, header } from './host-client.ts';
import type { Access, Answer } from './host-client.ts';
import { createRandom, seed } from '../random.ts';
import { createSavedFile } from './saved-file.ts';
import type { SavedFile } from './saved-file.ts';
import { cliJson, makeScratch, serve, serveBriefly } from './serve-process.ts';
import type { ServeProcess } from './serve-process.ts';

const rounds = Number(process.env['CRASH_ROUNDS'] ?? 6);
const random = createRandom();
const mebibyte = 1024 * 1024;

/** One document with the editors that save it, all under one lock, as with a document server. */
interface Edited {
  file: SavedFile;
  lockId: string;
  accesses: Access[];
  smallest: number;
  largest: number;
}

const scratch = makeScratch();
const paths = {
  small: 'small.txt',
  mixed: 'mixed.docx',
  large: 'reports/large.odt',
  shared: 'shared.xlsx',
  locked: 'locked.docx',
  renamed: 'first-name.docx',
};
const otherName = 'second-name.docx';

let host: ServeProcess;
const client = createHostClient(() => host.baseUrl);
const edited: Edited[] = [];
let lockedAccess: Access;
/** The lock ids that `locked.docx` may have now: the acknowledged one, and the one that an unanswered call may have set. */
let lockedIds = [''];
let renamedAccess: Access;
let renamedNames = [paths.renamed];
const renamedContent = makeContent('renamed', 40_000);
/** Hashes of the copies by their acknowledged names, and of those that may not have been acknowledged. */
const copies = new Map<string, string>();
const unacknowledgedCopies = new Set<string>();
const logs: string[] = [];

before(async () => {
  mkdirSync(join(scratch.folder, 'reports'));
  const plans = [
    // Of a byte or two, there would be the same ones twice in thousands of saves.
    { path: paths.small, smallest: 8, largest: 2_000, editors: 1 },
    { path: paths.mixed, smallest: 8, largest: 2 * mebibyte, editors: 1 },
    { path: paths.large, smallest: mebibyte, largest: 3 * mebibyte, editors: 1 },
    { path: paths.shared, smallest: 1_000, largest: 300_000, editors: 2 },
  ];
  writeFileSync(join(scratch.folder, paths.locked), makeContent('locked', 5_000));
  writeFileSync(join(scratch.folder, paths.renamed), renamedContent);
  host = await serve(scratch);
  // So few that versions are also pruned while the host is killed.
  await cliJson(scratch.dataDir, ['settings', 'set', 'versionCount', '12']);
  const apiToken = await client.signIn();
  for (const { path, editors, ...sizes } of plans) {
    const initial = makeContent(`${path} initial`, 10_000);
    writeFileSync(join(scratch.folder, path), initial);
    const accesses: Access[] = [];
    for (let count = 0; count < editors; count += 1) accesses.push(await client.access(path, apiToken));
    const lockId = `lock of ${path}`;
    assert.equal((await client.openToEdit(first(accesses), lockId)).status, 200);
    edited.push({ file: createSavedFile(path, initial), lockId, accesses, ...sizes });
  }
  lockedAccess = await client.access(paths.locked, apiToken);
  renamedAccess = await client.access(paths.renamed, apiToken);
  assert.equal((await client.openToEdit(renamedAccess, 'lock of the renamed')).status, 200);
});

after(async () => {
  await host.kill();
  scratch.remove();
});

describe(`a host killed ${rounds} times at random moments (SEED=${seed})`, () => {
  const timeout = 300_000 + rounds * 10_000;
  it(
    'loses no acknowledged save, tears no file, keeps its locks and leaves nothing behind',
    { timeout },
    async (t) => {
      // On a slow computer, a large document is rarely saved between two kills.
      const hasEnoughSaves = () => edited.every(({ file }) => file.acknowledgedCount() >= rounds / 5);
      for (let round = 1; round <= rounds || (!hasEnoughSaves() && round <= 4 * rounds); round += 1) {
        await killAmidTraffic(round);
        if (round % 3 === 0) await serveBriefly(scratch, random.between(20, 700));
        await restart();
        await assertAllRight(round);
        if (round % 5 === 0) {
          await assertEditorsContinue(round);
          await assertNoStrayFilesInDataFolder();
          await restart();
        }
      }
      const saves = edited.map(({ file }) => `${file.path} ${file.acknowledgedCount()}`);
      t.diagnostic(`acknowledged saves: ${saves.join(', ')}; copies: ${copies.size}`);
      assert.ok(hasEnoughSaves(), `too few saves to prove anything: ${saves.join(', ')}`);
      const recovered = recoveredSaves();
      t.diagnostic(`${recovered.length} complete bodies without an acknowledgement are recovered saves`);
      for (const bytes of recovered) {
        const isAccountedFor =
          edited.some(({ file }) => file.isUnacknowledged(bytes)) || unacknowledgedCopies.has(sha256(bytes));
        assert.ok(isAccountedFor, `a recovered save is torn or was acknowledged: ${describeContent(bytes)}`);
      }
      const logged = `${logs.join('')}${host.stderr()}`;
      const accesses = [...edited.flatMap((each) => each.accesses), lockedAccess, renamedAccess];
      for (const { accessToken } of accesses) assert.ok(!logged.includes(accessToken), 'no token in the log');
    },
  );
});

async function restart(): Promise<void> {
  host = await serve(scratch);
  const answer = await client.checkFileInfo(first(first(edited).accesses));
  assert.equal(answer.status, 200, answer.body.toString());
}

async function killAmidTraffic(round: number): Promise<void> {
  let isOver = false;
  /** Answers until the kill: a number and not a time, because a slow computer gives few in a given time. */
  let left = random.between(1, 60);
  const { promise: isTime, resolve: beginEnd } = Promise.withResolvers<void>();
  /** Repeats a client's step until the host is killed. Only a connection error may end it, and only then. */
  const until = async (step: () => Promise<void>): Promise<void> => {
    while (!isOver) {
      try {
        await step();
        left -= 1;
        if (left === 0) beginEnd();
      } catch (error) {
        if (error instanceof assert.AssertionError || !isOver) throw error;
      }
    }
  };
  const traffic = Promise.all([
    ...edited.flatMap((each) => each.accesses.map((access) => until(() => saveOnce(each, access, round)))),
    ...edited.map((each) => until(() => readOnce(each))),
    until(lockOnce),
    until(renameOnce),
    until(() => copyOnce(round)),
  ]);
  // An early failure ends the round at once instead of being an unhandled rejection.
  await Promise.race([traffic, isTime.then(() => delay(random.between(0, 20)))]);
  isOver = true;
  await host.kill();
  logs.push(host.stderr());
  await traffic;
}

async function saveOnce({ file, lockId, smallest, largest }: Edited, access: Access, round: number) {
  const size = Math.round(smallest * (largest / smallest) ** random.fraction());
  const bytes = makeContent(`${file.path} round ${round}`, size);
  const save = file.begin(bytes);
  const answer = await client.putFile(access, lockId, bytes);
  assert.equal(answer.status, 200, `PutFile of ${file.path}: ${describeAnswer(answer)}`);
  save.acknowledge(header(answer, 'x-wopi-itemversion'));
}

async function readOnce({ file, accesses }: Edited): Promise<void> {
  const answer = await client.getFile(first(accesses));
  assert.equal(answer.status, 200, describeAnswer(answer));
  file.assertKnown(answer.body);
  await delay(20);
}

async function lockOnce(): Promise<void> {
  const held = first(lockedIds);
  const next = held === '' || random.fraction() < 0.5 ? `lock ${random.fraction()}` : '';
  lockedIds = [held, next];
  const headers: Record<string, string> = held !== '' && next !== '' ? { 'X-WOPI-OldLock': held } : {};
  const answer = await client.operate(lockedAccess, next === '' ? 'UNLOCK' : 'LOCK', {
    'X-WOPI-Lock': next === '' ? held : next,
    ...headers,
  });
  assert.equal(answer.status, 200, `from lock ${held} to ${next}: ${describeAnswer(answer)}`);
  lockedIds = [next];
  await delay(5);
}

async function renameOnce(): Promise<void> {
  const [from] = renamedNames;
  const to = from === paths.renamed ? otherName : paths.renamed;
  renamedNames = [first(renamedNames), to];
  const answer = await client.operate(renamedAccess, 'RENAME_FILE', {
    'X-WOPI-Lock': 'lock of the renamed',
    'X-WOPI-RequestedName': to.replace('.docx', ''),
  });
  assert.equal(answer.status, 200, describeAnswer(answer));
  renamedNames = [to];
  await delay(5);
}

async function copyOnce(round: number): Promise<void> {
  const bytes = makeContent(`copy round ${round}`, random.between(200, 200_000));
  unacknowledgedCopies.add(sha256(bytes));
  const access = first(first(edited).accesses);
  const headers = { 'X-WOPI-SuggestedTarget': 'copy.docx', 'X-WOPI-Size': String(bytes.length) };
  const answer = await client.operate(access, 'PUT_RELATIVE', headers, bytes);
  assert.equal(answer.status, 200, describeAnswer(answer));
  copies.set((JSON.parse(answer.body.toString()) as { Name: string }).Name, sha256(bytes));
  await delay(80);
}

/** Checks all guarantees from outside: over HTTP and in the folder itself. */
async function assertAllRight(round: number): Promise<void> {
  for (const { file, lockId, accesses } of edited) {
    const onDisk = readFileSync(join(scratch.folder, file.path));
    const info = fileInfo(await client.checkFileInfo(first(accesses)));
    file.assertRightAfterKill(onDisk, info.Version);
    assert.equal(info.Size, onDisk.length);
    if (info.SHA256 !== undefined) {
      assert.equal(Buffer.from(info.SHA256, 'base64').toString('hex'), sha256(onDisk));
    }
    for (const access of accesses) {
      const read = await client.getFile(access);
      assert.ok(read.body.equals(onDisk), `GetFile of ${file.path} gives ${describeContent(read.body)}`);
      assert.equal(header(read, 'x-wopi-itemversion'), info.Version);
    }
    assert.equal(await client.lockId(first(accesses)), lockId, `the lock of ${file.path}`);
  }

  const held = await client.lockId(lockedAccess);
  assert.ok(lockedIds.includes(held), `locked.docx’s lock is ${held}, not one of ${lockedIds.join(' | ')}`);
  lockedIds = [held];

  const { BaseFileName: name } = fileInfo(await client.checkFileInfo(renamedAccess));
  assert.ok(renamedNames.includes(name), `the renamed document is called ${name}`);
  renamedNames = [name];
  assert.equal(await client.lockId(renamedAccess), 'lock of the renamed');

  // The host may still be cleaning up while it answers the first requests.
  await eventually(`the host has cleaned up after round ${round}`, () => {
    const files = filesUnder(scratch.folder);
    const bothNames = [paths.renamed, otherName].filter((each) => files.includes(each));
    assert.equal(bothNames.length, 1, 'the renamed document has one name');
    assert.deepEqual(
      files.filter((path) => path.includes('.~doctray-')),
      [],
      'no temporary file is left',
    );
  });

  const expected = new Set([...Object.values(paths), ...copies.keys()]);
  expected.delete(paths.renamed);
  expected.add(name);
  const found = new Set(filesUnder(scratch.folder));
  const missing = [...expected].filter((path) => !found.has(path));
  assert.deepEqual(missing, [], 'an acknowledged file is missing');
  for (const path of found) {
    const bytes = readFileSync(join(scratch.folder, path));
    if (path === name) assert.ok(bytes.equals(renamedContent), `${name} holds ${describeContent(bytes)}`);
    const copied = copies.get(path);
    if (copied !== undefined)
      assert.equal(sha256(bytes), copied, `the copy ${path} holds ${describeContent(bytes)}`);
    if (expected.has(path)) continue;
    assert.ok(
      unacknowledgedCopies.has(sha256(bytes)),
      `no client created ${path}: ${labelOf(bytes)}, ${bytes.length} bytes`,
    );
    copies.set(path, sha256(bytes));
  }
}

/** The same tokens and locks can save again, and an editor's own unacknowledged save isn't an external change. */
async function assertEditorsContinue(round: number): Promise<void> {
  for (const each of edited) {
    for (const access of each.accesses) await saveOnce(each, access, round);
  }
  // Saves refresh a lock, renames don't, and a lock lasts for 30 minutes.
  assert.equal((await client.lock(renamedAccess, 'lock of the renamed')).status, 200);
  await assertAllRight(round);
}

/** Stops the host, which locks the database while it runs. */
async function assertNoStrayFilesInDataFolder(): Promise<void> {
  const { code } = await host.stop();
  logs.push(host.stderr());
  assert.equal(code, 0, host.stderr());
  const db = new Database(join(scratch.dataDir, 'doctray.db'), { readonly: true });
  for (const [folder, table] of [
    ['versions', 'versions'],
    ['rescued', 'rescued_saves'],
  ] as const) {
    const rows = db.prepare<[], { id: string }>(`SELECT id FROM ${table}`).all();
    const files = filesUnder(join(scratch.dataDir, folder))
      .map((path) => path.split('/').at(-1) ?? '')
      // If the host was killed after it trimmed a version and before it removed the file, the file is pruned by age.
      .filter((file) => folder !== 'versions' || !isTrimmed(db, file));
    const withoutRow = files.filter((file) => !rows.some(({ id }) => file.startsWith(id)));
    assert.deepEqual(withoutRow, [], `files without a row in ${folder}`);
    const withoutFile = rows.filter(({ id }) => !files.some((file) => file.startsWith(id)));
    assert.deepEqual(withoutFile, [], `rows without a file in ${folder}`);
    if (table === 'versions') assert.ok(rows.length > 0, 'replaced contents are kept');
  }
  db.close();
}

/** Whether it's older than every recorded version of its document. A version's file name begins with its number. */
function isTrimmed(db: Database.Database, file: string): boolean {
  const path = filesUnder(join(scratch.dataDir, 'versions')).find((each) => each.endsWith(`/${file}`)) ?? '';
  const { oldest } = db
    .prepare<[string], { oldest: number }>('SELECT min(version) AS oldest FROM versions WHERE file_id = ?')
    .get(path.split('/')[0] ?? '') ?? { oldest: 0 };
  return Number(file.split('-')[0]) < oldest;
}

function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function recoveredSaves(): Buffer[] {
  const folder = join(scratch.dataDir, 'rescued');
  return filesUnder(folder).map((name) => readFileSync(join(folder, name)));
}

function describeAnswer(answer: Answer): string {
  return `${answer.status} ${JSON.stringify(answer.headers)} ${answer.body.toString().slice(0, 300)}`;
}

function first<T>(list: readonly T[]): T {
  const [value] = list;
  assert.ok(value !== undefined);
  return value;
}
