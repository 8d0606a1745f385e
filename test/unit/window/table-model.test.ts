import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  comparison,
  createMatcher,
  orderRows,
  moveTo,
  nothingSelected,
  pressRow,
  selectAll,
  toggleRow,
  withoutGone,
  type RowList,
  type Column,
} from '../../../renderer/window/table/model.ts';

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
  it('compares numbers in names by value, and ignores case', () => {
    const rows = [row('a', 'Minutes 10'), row('b', 'minutes 9'), row('c', 'Agenda')];
    assert.equal(
      idsOf(orderRows({ rows, shown: undefined, compare: byName, matches: undefined, isHeld: false })),
      'cba',
    );
  });

  it('puts rows without a value last in both directions', () => {
    const rows = [row('a', 'a', null), row('b', 'b', 1), row('c', 'c', 2)];
    const ascending = comparison(columns, { column: 'size', isDescending: false });
    const order = (compare: typeof bySize) =>
      idsOf(orderRows({ rows, shown: undefined, compare, matches: undefined, isHeld: false }));
    assert.equal(order(bySize), 'cba');
    assert.equal(order(ascending), 'bca');
  });

  it('sorts again after a change while the order isn’t held', () => {
    const shown = [row('a'), row('b'), row('c')];
    const rows = [row('a', 'z'), row('b'), row('c')];
    assert.equal(
      idsOf(orderRows({ rows, shown, compare: byName, matches: undefined, isHeld: false })),
      'bca',
    );
  });

  it('keeps shown rows in place but updates their values while the order is held', () => {
    const shown = [row('a'), row('b'), row('c')];
    const rows = [row('c'), row('b'), row('a', 'z')];
    const held = orderRows({ rows, shown, compare: byName, matches: undefined, isHeld: true });
    assert.equal(idsOf(held), 'abc');
    assert.equal(held[0]?.name, 'z');
  });

  it('inserts new rows in order and removes old ones even while the order is held', () => {
    const shown = [row('b'), row('d'), row('f'), row('h')];
    const rows = [row('i'), row('a'), row('b'), row('e'), row('c'), row('f'), row('h')];
    assert.equal(
      idsOf(orderRows({ rows, shown, compare: byName, matches: undefined, isHeld: true })),
      'abcefhi',
    );
  });

  it('matches rows that contain every word, ignoring case', () => {
    const matcher = createMatcher(columns);
    const matches = matcher('  BUD ana ');
    assert.equal(matches?.(row('1', 'Ana/Budget.xlsx')), true);
    assert.equal(matches?.(row('2', 'Budget.xlsx')), false);
    assert.equal(matcher(' '), undefined);
  });
});

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const list: RowList = { count: ids.length, idAt: (index) => ids[index], indexOf: (id) => ids.indexOf(id) };
const plain = { isAdding: false, isExtending: false };
const adding = { isAdding: true, isExtending: false };
const extending = { isAdding: false, isExtending: true };

function named(selection: { ids: ReadonlySet<string> }): string {
  return [...selection.ids].toSorted().join('');
}

describe('selecting rows', () => {
  it('selects one row, toggles rows with Ctrl, and extends with Shift from the anchor', () => {
    const one = pressRow(nothingSelected, list, 'b', plain);
    const two = pressRow(one, list, 'd', adding);
    assert.equal(named(two), 'bd');
    assert.equal(named(pressRow(two, list, 'b', adding)), 'd');
    assert.equal(named(pressRow(two, list, 'f', extending)), 'def');
    assert.equal(named(pressRow(pressRow(two, list, 'f', extending), list, 'c', extending)), 'cd');
  });

  it('follows the arrow keys, which with Ctrl move only the focus', () => {
    const one = moveTo(nothingSelected, list, 'a', plain);
    const ahead = moveTo(one, list, 'c', adding);
    assert.equal(named(ahead), 'a');
    assert.equal(ahead.focusId, 'c');
    assert.equal(named(toggleRow(ahead, 'c')), 'ac');
  });

  it('drops removed rows, and stays the same object when there are none', () => {
    const all = selectAll(nothingSelected, list);
    assert.equal(named(withoutGone(all, (id) => id !== 'c')), 'abdef');
    assert.equal(
      withoutGone(all, () => true),
      all,
    );
  });
});
