import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparison, orderRows, type Column } from '../../../renderer/window/table/model.ts';

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

interface Given {
  rows: Row[];
  shown?: Row[];
  compare?: typeof byName;
  isHeld?: boolean;
}

function idsOf({ rows, shown = [], compare = byName, isHeld = false }: Given): string {
  const placed = shown.map((before) => ({ row: before, by: before }));
  return orderRows({ rows, shown: placed, compare, matches: undefined, isHeld })
    .map(({ row: { id } }) => id)
    .join('');
}

test('the order of rows puts rows without a value last in both directions', () => {
  const rows = [row('a', 'a', null), row('b', 'b', 1), row('c', 'c', 2)];
  const ascending = comparison(columns, { column: 'size', isDescending: false });
  assert.equal(idsOf({ rows, compare: bySize }), 'cba');
  assert.equal(idsOf({ rows, compare: ascending }), 'bca');
});

test('the order of rows inserts new rows in order and removes old ones even while the order is held', () => {
  const shown = [row('b'), row('d'), row('f'), row('h')];
  const rows = [row('i'), row('a'), row('b'), row('e'), row('c'), row('f'), row('h')];
  assert.equal(idsOf({ rows, shown, isHeld: true }), 'abcefhi');
});
