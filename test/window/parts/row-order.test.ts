import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comparison, createMatcher, orderRows } from '../../../renderer/window/parts/row-order.ts';
import type { Column } from '../../../renderer/window/parts/table-column.ts';

interface Row {
  id: string;
  name: string;
  size: number | null;
}

const columns: Column<Row>[] = [
  { id: 'name', title: 'Name', value: (row) => row.name, width: { min: 10 } },
  { id: 'size', title: 'Size', value: (row) => row.size, kind: 'number', width: { min: 10 } },
];
const byName = comparison(columns, { column: 'name', isDescending: false });
const bySize = comparison(columns, { column: 'size', isDescending: true });

function row(id: string, name = id, size: number | null = null): Row {
  return { id, name, size };
}

function idsOf(rows: readonly Row[]): string {
  return rows.map(({ id }) => id).join('');
}

describe('the order of rows', () => {
  it('takes numbers inside names as numbers and capitals as their small letters', () => {
    const rows = [row('a', 'Minutes 10'), row('b', 'minutes 9'), row('c', 'Agenda')];
    assert.equal(
      idsOf(orderRows({ rows, shown: undefined, compare: byName, matches: undefined, isHeld: false })),
      'cba',
    );
  });

  it('puts what has no value last, whichever way it is sorted', () => {
    const rows = [row('a', 'a', null), row('b', 'b', 1), row('c', 'c', 2)];
    const ascending = comparison(columns, { column: 'size', isDescending: false });
    const order = (compare: typeof bySize) =>
      idsOf(orderRows({ rows, shown: undefined, compare, matches: undefined, isHeld: false }));
    assert.equal(order(bySize), 'cba');
    assert.equal(order(ascending), 'bca');
  });

  it('sorts anew when a row changed and nobody works in the table', () => {
    const shown = [row('a'), row('b'), row('c')];
    const rows = [row('a', 'z'), row('b'), row('c')];
    assert.equal(
      idsOf(orderRows({ rows, shown, compare: byName, matches: undefined, isHeld: false })),
      'bca',
    );
  });

  it('keeps every shown row in its place while somebody works, though it shows the newer values', () => {
    const shown = [row('a'), row('b'), row('c')];
    const rows = [row('c'), row('b'), row('a', 'z')];
    const held = orderRows({ rows, shown, compare: byName, matches: undefined, isHeld: true });
    assert.equal(idsOf(held), 'abc');
    assert.equal(held[0]?.name, 'z');
  });

  it('lets new rows in where they belong and old ones out, also while somebody works', () => {
    const shown = [row('b'), row('d'), row('f'), row('h')];
    const rows = [row('i'), row('a'), row('b'), row('e'), row('c'), row('f'), row('h')];
    assert.equal(
      idsOf(orderRows({ rows, shown, compare: byName, matches: undefined, isHeld: true })),
      'abcefhi',
    );
  });

  it('finds rows of which every word occurs somewhere, whatever its case', () => {
    const matcher = createMatcher(columns);
    const matches = matcher('  BUD ana ');
    assert.equal(matches?.(row('1', 'Ana/Budget.xlsx')), true);
    assert.equal(matches?.(row('2', 'Budget.xlsx')), false);
    assert.equal(matcher(' '), undefined);
  });
});
