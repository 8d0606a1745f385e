import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  moveTo,
  nothingSelected,
  pressRow,
  selectAll,
  toggleRow,
  withoutGone,
  type RowList,
} from '../../../renderer/window/table/row-source.ts';

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
