// The comparison of two texts, as the pages show it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareLines, lineParts, type LineComparison } from '../../../app/contract/compare-lines.ts';

/** One text for each row: `a` unchanged, `-a|+b` changed, `…3` hidden. */
function rowsOf({ blocks }: LineComparison): string[] {
  return blocks.flatMap((block) =>
    block.kind === 'hidden'
      ? [`…${block.count}`]
      : block.pairs.map(({ old, now }) =>
          block.kind === 'unchanged'
            ? (old?.text ?? '')
            : `${old === undefined ? '' : `-${old.text}`}|${now === undefined ? '' : `+${now.text}`}`,
        ),
  );
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

test('pairs removed lines with added ones, and counts them', () => {
  const comparison = compareLines('a\nb\nc\nd', 'a\nx\nc\nd\ne');
  assert.deepEqual(rowsOf(comparison), ['a', '-b|+x', 'c', 'd', '|+e']);
  const { changes, removed, added, isCut } = comparison;
  assert.deepEqual([changes, removed, added, isCut], [2, 1, 2, false]);
});

test('hides unchanged lines that are far from a change', () => {
  const lines = numbered(20);
  const changed = lines.with(10, 'new');
  assert.deepEqual(rowsOf(compareLines(lines.join('\n'), changed.join('\n'))), [
    '…7',
    ...lines.slice(7, 10),
    '-line 10|+new',
    ...lines.slice(11, 14),
    '…6',
  ]);
});

test('finds no change if only the line endings differ', () => {
  const { changes } = compareLines('a\r\nb\rc\n', 'a\nb\nc\n');
  assert.equal(changes, 0);
});

test('shows a change at the end of a long document', () => {
  const lines = numbered(6000);
  const comparison = compareLines(lines.join('\n'), [...lines, 'last'].join('\n'));
  assert.deepEqual(rowsOf(comparison).slice(-2), ['line 5999', '|+last']);
  assert.equal(comparison.isCut, false);
});

test('counts the changes that a very long comparison cuts off', () => {
  const { blocks, isCut, added } = compareLines('', numbered(9000).join('\n'));
  assert.deepEqual([isCut, added], [true, 9000]);
  assert.equal(blocks.flatMap((block) => (block.kind === 'hidden' ? [] : block.pairs)).length, 4000);
});

test('tells lines apart in a text with more lines than the comparison has codes', () => {
  // The line with the same code as line 0.
  const codes = 0xd7fe;
  const old = numbered(codes + 1);
  const now = old.with(0, `line ${codes}`);
  const { changes, removed } = compareLines(old.join('\n'), now.join('\n'));
  assert.deepEqual([changes, removed], [1, 1]);
});

test('marks what differs within a line, unless little of it stayed', () => {
  const parts = (old: string, now: string): string[] =>
    lineParts({ old: { number: 1, text: old }, now: { number: 1, text: now } }, 'now').map(
      ({ text, isChanged }) => (isChanged ? `[${text}]` : text),
    );
  assert.deepEqual(parts('We meet on Monday.', 'We meet on Friday.'), ['We meet on ', '[Friday]', '.']);
  assert.deepEqual(parts('abc', 'xyz'), ['xyz']);
  assert.deepEqual(parts('', 'xyz'), ['xyz']);
});
