import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { assignmentsOf, column, statements } from '../../../app/store/sql.ts';

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
  return { ...sql, rows: sql.select(columns, 'pages p', 'p') };
}

test('a row is read as it was inserted, under the keys of its columns', () => {
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

test('text in a parameter stays text', () => {
  const { has } = openPages();
  assert.equal(has<[id: string]>('SELECT 1 FROM pages WHERE id = ?')("x' OR 'a' = 'a"), false);
});
