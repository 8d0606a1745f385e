// Rows as text for other programs: CSV as RFC 4180 has it, or JSON. Document names come from anywhere, so a cell that a
// spreadsheet would take for a formula gets an apostrophe before it.

import type { Column } from './column.ts';

function exported<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.filter((column) => column.isExported !== false);
}

function plain<Row>(column: Column<Row>, row: Row): string | number | null {
  const value = column.value(row);
  return column.kind === 'time' && typeof value === 'number' ? new Date(value).toISOString() : value;
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Titles, then one line a row; lines end with CR LF. Times in ISO 8601. */
export function toCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const shown = exported(columns);
  const lines = [shown.map(({ title }) => cell(title)).join(',')];
  for (const row of rows) lines.push(shown.map((column) => cell(plain(column, row))).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

/** An array of objects, keys are the columns' ids. Times in ISO 8601. */
export function toJson<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const shown = exported(columns);
  const items = rows.map((row) => Object.fromEntries(shown.map((column) => [column.id, plain(column, row)])));
  return `${JSON.stringify(items, undefined, 2)}\n`;
}
