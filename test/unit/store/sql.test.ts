import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { assignmentsOf, column, keepingRows, statements } from '../../../app/store/sql.ts';

const columns = {
  id: column<string>(),
  openedAtMs: column<number | null>(),
  place: column<string>('stored_in'),
};

function openPages() {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE pages (id TEXT PRIMARY KEY, opened_at_ms INTEGER, stored_in TEXT NOT NULL) STRICT');
  const sql = statements(db);
  sql.insert('pages', columns)({ id: 'a', openedAtMs: null, place: 'here' });
  return { db, ...sql, rows: sql.select(columns, 'pages p', 'p') };
}

test('reads a row as it was inserted, under the keys of its columns', () => {
  const { rows } = openPages();
  assert.deepEqual(rows.all<[]>('')(), [{ id: 'a', openedAtMs: null, place: 'here' }]);
  assert.equal(rows.one<[id: string]>('WHERE id = ?')('b'), undefined);
});

test('an update takes its key and the values of all its columns, and reports whether it changed a row', () => {
  const { run, rows } = openPages();
  const { id: _id, ...changing } = columns;
  const update = run<[id: string, change: { openedAtMs: number; place: string }]>(
    `UPDATE pages SET ${assignmentsOf(changing)} WHERE id = ?`,
  );
  assert.equal(update('a', { openedAtMs: 5, place: 'there' }), true);
  assert.equal(update('b', { openedAtMs: 5, place: 'there' }), false);
  assert.deepEqual(rows.all<[]>('')(), [{ id: 'a', openedAtMs: 5, place: 'there' }]);
});

test('doesn’t interpret a parameter as SQL', () => {
  const { has } = openPages();
  assert.equal(has<[id: string]>('SELECT 1 FROM pages WHERE id = ?')("x' OR 'a' = 'a"), false);
});

/** Pages that are read through a cache, and the ids that were read from the database. */
function openCachedPages() {
  const { db, rows, cached, ...sql } = openPages();
  const read = rows.one<[id: string]>('WHERE id = ?');
  const reads: string[] = [];
  const page = cached('pages', (id) => {
    reads.push(id);
    return read(id);
  });
  const openedAt = (id: string): number | null | undefined => page(id)?.openedAtMs;
  const setOpened = sql.run<[id: string, { openedAtMs: number }]>(
    'UPDATE pages SET opened_at_ms = @openedAtMs WHERE id = ?',
    { cache: 'pages', key: (id) => id, row: (before, _id, change) => ({ ...before, ...change }) },
  );
  return { ...sql, db, reads, openedAt, setOpened };
}

test('a cached row is read once, and again after a statement changed it', () => {
  const { insert, reads, openedAt, setOpened } = openCachedPages();
  assert.deepEqual(
    [openedAt('a'), openedAt('a'), openedAt('b'), openedAt('b')],
    [null, null, undefined, undefined],
  );
  assert.deepEqual(reads, ['a', 'b']);
  setOpened('a', { openedAtMs: 5 });
  assert.deepEqual([openedAt('a'), openedAt('b')], [5, undefined]);
  assert.deepEqual(reads, ['a', 'b', 'a']);
  insert('pages', columns)({ id: 'b', openedAtMs: 6, place: 'here' });
  assert.equal(openedAt('b'), 6);
});

test('a transaction reads its own writes, and a rollback drops them from the cache', () => {
  const { db, reads, openedAt, setOpened } = openCachedPages();
  assert.equal(openedAt('a'), null);
  const work = db.transaction(() => {
    setOpened('a', { openedAtMs: 5 });
    assert.equal(openedAt('a'), 5);
    throw new Error('The disk is full.');
  });
  for (const run of [work, () => keepingRows(db, work)]) {
    assert.throws(run, /The disk is full/);
    assert.equal(openedAt('a'), null);
  }
  const kept = keepingRows(db, () => setOpened('a', { openedAtMs: 6 }) && openedAt('a'));
  assert.deepEqual([kept, reads.length], [6, 4]);
});

test('rejects a statement that writes and returns rows without naming the cached rows it changes', () => {
  const { one, all, rows } = openPages();
  const sql = 'UPDATE pages SET opened_at_ms = 5 RETURNING id';
  const refused = /Use runReturning/;
  assert.throws(() => one(sql), refused);
  assert.throws(() => all(sql), refused);
  assert.deepEqual(rows.all<[]>('')(), [{ id: 'a', openedAtMs: null, place: 'here' }]);
});

test('a statement that writes and returns rows drops the cached rows that it may change', () => {
  const { runReturning, openedAt } = openCachedPages();
  const sql = 'UPDATE pages SET opened_at_ms = ? WHERE id = ? RETURNING opened_at_ms';
  const set = runReturning<[openedAtMs: number, id: string], number>(sql, {
    cache: 'pages',
    key: (_openedAtMs, id) => id,
  });
  assert.equal(openedAt('a'), null);
  assert.deepEqual(set(5, 'a'), [5]);
  assert.equal(openedAt('a'), 5);
});

test('a cached row cannot be modified: a change would outlive a rollback', () => {
  const { cached, rows } = openPages();
  const page = cached('pages', rows.one<[id: string]>('WHERE id = ?'));
  const row = page('a');
  assert.ok(row);
  assert.throws(() => {
    row.openedAtMs = 5;
  }, TypeError);
  assert.equal(page('a')?.openedAtMs, null);
});
