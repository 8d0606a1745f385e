import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createGroupCommit } from '../../../app/store/group-commit.ts';
import { openStore } from '../../../app/store/open-store.ts';

function open(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'doctray-commit-'));
  const store = openStore({ dataDir, clock: Date.now, onNotice: () => undefined });
  t.after(() => {
    store.close();
    rmSync(dataDir, { recursive: true });
  });
  const { db } = store;
  db.exec('CREATE TABLE words (word TEXT PRIMARY KEY)');
  const insert = db.prepare('INSERT INTO words VALUES (?)');
  const words = (): string[] => db.prepare<[], string>('SELECT word FROM words ORDER BY word').pluck().all();
  return { db, commit: createGroupCommit(db), add: (word: string) => () => void insert.run(word), words };
}

test('work is done when its promise resolves, not when it’s added', async (t) => {
  const { commit, add, words } = open(t);
  const done = commit(add('one'));
  assert.deepEqual(words(), []);
  await done;
  assert.deepEqual(words(), ['one']);
});

test('work added at the same time is one transaction, and each caller gets its own result', async (t) => {
  const { db, commit, words } = open(t);
  const isInside: boolean[] = [];
  let begun = 0;
  const run = (word: string) =>
    commit(() => {
      if (begun === 0) db.exec("INSERT INTO words VALUES ('first of the batch')");
      begun += 1;
      isInside.push(db.inTransaction);
      return `${word} saw ${words().length}`;
    });
  assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(run)), ['a saw 1', 'b saw 1', 'c saw 1']);
  assert.deepEqual(isInside, [true, true, true]);
});

test('commits the rest of a batch if one piece of work fails', async (t) => {
  const { commit, add, words } = open(t);
  await commit(add('taken'));
  const outcomes = await Promise.allSettled([
    commit(add('before')),
    commit(add('taken')),
    commit(add('after')),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(words(), ['after', 'before', 'taken']);
});

test('resolves nothing if the commit fails', async (t) => {
  const { db, commit, words } = open(t);
  db.exec(`CREATE TABLE child (word TEXT REFERENCES words (word) DEFERRABLE INITIALLY DEFERRED)`);
  const insert = db.prepare('INSERT INTO child VALUES (?)');
  await assert.rejects(
    commit(() => void insert.run('without a parent')),
    { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' },
  );
  assert.deepEqual(words(), []);
  assert.equal(db.inTransaction, false);
});

test('rejects the work that makes a commit fail, and commits the rest of the batch', async (t) => {
  const { db, commit, add, words } = open(t);
  db.exec(`CREATE TABLE child (word TEXT REFERENCES words (word) DEFERRABLE INITIALLY DEFERRED)`);
  const insert = db.prepare('INSERT INTO child VALUES (?)');
  const outcomes = await Promise.allSettled([
    commit(add('before')),
    commit(() => void insert.run('without a parent')),
    commit(add('after')),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(words(), ['after', 'before']);
  assert.equal(db.prepare('SELECT count(*) FROM child').pluck().get(), 0);
});

test('a full disk rejects all work added at the same time, and stores none of it', async (t) => {
  const { db, commit, add, words } = open(t);
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`);
  const big = (letter: string) => add(letter.repeat(100_000));
  const outcomes = await Promise.allSettled([commit(big('a')), commit(big('b')), commit(big('c'))]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code),
    ['SQLITE_FULL', 'SQLITE_FULL', 'SQLITE_FULL'],
  );
  assert.deepEqual(words(), []);
  assert.equal(db.inTransaction, false);
  await commit(add('small'));
  assert.deepEqual(words(), ['small']);
});

test('rejects work that hides an error that rolled back the transaction, and commits the rest', async (t) => {
  const { db, commit, add, words } = open(t);
  const rollBack = db.prepare('INSERT OR ROLLBACK INTO words VALUES (?)');
  await commit(add('taken'));
  const outcomes = await Promise.allSettled([
    commit(() => {
      try {
        rollBack.run('taken');
      } catch {
        // Like a full disk, this rolled back the whole transaction.
      }
    }),
    commit(add('beside')),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  assert.deepEqual(words(), ['beside', 'taken']);
});

test('rolls back a transaction that was left open before it commits', async (t) => {
  const { db, commit, add, words } = open(t);
  db.exec('BEGIN');
  add('left open')();
  await commit(add('mine'));
  assert.equal(db.inTransaction, false);
  assert.deepEqual(words(), ['mine']);
});
