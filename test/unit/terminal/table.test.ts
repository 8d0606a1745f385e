import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeText } from '../../../app/contract/names.ts';
import { formatPairs, formatTable, formatUntil, textWidth } from '../../../app/terminal/table.ts';

test('aligns columns by the display width of wide and combining characters', () => {
  const rows = [
    ['日本.docx', '1 B'],
    ['e\u0301.docx', '22 B'],
    ['📄.odt', '3 B'],
  ];
  const lines = formatTable(['NAME', 'SIZE'], rows).split('\n');
  const ends = lines.map((line) => textWidth(line.slice(0, line.search(/SIZE|\d+ B/))));
  assert.equal(new Set(ends).size, 1, lines.join('\n'));
});

test('a name can’t move the cursor, color the terminal or change the text direction', () => {
  const name = 'a\u001b[31mb\r\n\tc\u202egpj.exe\u2066d\u0085e\u007f';
  assert.doesNotMatch(safeText(name), /[\p{Cc}\u202e\u2066]/u);
  assert.doesNotMatch(formatTable(['NAME'], [[name]]).replace('\n', ''), /[\p{Cc}\u202e]/u);
  assert.doesNotMatch(formatPairs([['name', name]]), /[\p{Cc}\u202e]/u);
  assert.equal(safeText('über 文 😀.docx'), 'über 文 😀.docx');
});

test('formats times in local time, with the remaining duration', () => {
  const at = new Date(2026, 10, 21, 5, 2).getTime();
  assert.equal(formatUntil(at, at - 2 * 3_600_000), '2026-11-21 05:02 (in 2\u{a0}h)');
});
