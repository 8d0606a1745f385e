import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toCsv, toJson, type Column } from '../../../renderer/window/table/model.ts';

interface Row {
  id: string;
  name: string | null;
  size: number;
  atMs: number | null;
}

const columns: Column<Row>[] = [
  { id: 'name', title: 'Name', value: (row) => row.name, width: { min: 10 } },
  { id: 'size', title: 'Size, bytes', value: (row) => row.size, kind: 'number', width: { min: 10 } },
  { id: 'at', title: 'Changed', value: (row) => row.atMs, kind: 'time', width: { min: 10 } },
  { id: 'icon', title: '', value: () => 'x', isExported: false, width: { min: 10 } },
];

function csvOf(name: string | null): string {
  return toCsv(columns, [{ id: '1', name, size: -5, atMs: null }]).split('\r\n')[1] ?? '';
}

describe('a table as CSV', () => {
  it('ends lines with CRLF, quotes where needed, and leaves out columns that aren’t exported', () => {
    const rows = [{ id: '1', name: 'a "b", c\nd', size: 3, atMs: Date.UTC(2026, 6, 27, 12, 0, 5) }];
    assert.equal(
      toCsv(columns, rows),
      'Name,"Size, bytes",Changed\r\n"a ""b"", c\nd",3,2026-07-27T12:00:05.000Z\r\n',
    );
  });

  it('escapes cells that a spreadsheet would run as formulas', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r']) {
      const cell = csvOf(`${start}cmd`);
      assert.match(cell, /^"?'/, `${JSON.stringify(start)} became ${cell}`);
    }
    assert.equal(csvOf('=HYPERLINK("http://x","y")'), '"\'=HYPERLINK(""http://x"",""y"")",-5,');
  });

  it('doesn’t escape negative numbers, and leaves missing values empty', () => {
    assert.equal(csvOf(null), ',-5,');
  });
});

describe('a table as JSON', () => {
  it('has one object per row, keyed by column, with times in ISO 8601', () => {
    const text = toJson(columns, [{ id: '1', name: '=x', size: 3, atMs: 0 }]);
    assert.deepEqual(JSON.parse(text), [{ name: '=x', size: 3, at: '1970-01-01T00:00:00.000Z' }]);
  });
});
