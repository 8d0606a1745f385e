// What a table is told: columns, actions on rows, the order; and its rows as text for other programs: CSV as RFC 4180 has it, or JSON. Shared
// by its parts; views use the types alone.

import type { ReactNode } from 'react';
import type { IconName } from '../parts/icon-shapes.ts';

export interface Column<Row> {
  id: string;
  title: string;
  /** Sorts, filters and is exported. `time`: epoch ms. Null stands last, whichever way it is sorted. */
  value(row: Row): string | number | null;
  /** Without it: the value as it is, a number grouped, a time relative. */
  render?(row: Row): ReactNode;
  kind?: 'text' | 'number' | 'time';
  /** `min` in px at the usual text size; what is left over is shared by `grow` (0 when left out). */
  width: { min: number; grow?: number };
  /** Where there isn't room for all columns, the one with the lowest priority is left out first. Columns without one always stay. */
  priority?: number;
  /** Instead of `value`, where the words on the screen are others. Times and numbers are not searched without it. */
  filterText?(row: Row): string;
  /** Instead of `value`, where its words don't sort as they should. */
  sortBy?(row: Row): string | number | null;
  /** The title is for screen readers and files only. */
  isTitleHidden?: boolean;
  /** True when left out. */
  isSortable?: boolean;
  /** The name of the row; one column has it. */
  isRowHeader?: boolean;
  /** True when left out. */
  isExported?: boolean;
}

/** Px that a text takes, about: for columns whose words are longer in one language than in another. */
export function textWidth(text: string): number {
  return Math.round(text.length * 6.2);
}

export interface RowAction<Row> {
  id: string;
  title: string | ((rows: readonly Row[]) => string);
  icon?: IconName;
  /** The key that runs it on the selection, by KeyboardEvent.key: `Delete`, `F2`. */
  keys?: string;
  /** Run by Enter and double click. */
  isPrimary?: boolean;
  isDanger?: boolean;
  /** A button above the table as well as an entry of the menu. */
  isInToolbar?: boolean;
  /** False: only for one row at a time. */
  takesMany?: boolean;
  /** For rows of which some are not fit it is offered, and run with those that are. */
  isFor?(row: Row): boolean;
  /** Offered as a menu in the menu; `run` is told the id of the one that was chosen. None: it is off. */
  choices?(rows: readonly Row[]): readonly RowChoice[];
  run(rows: Row[], choice?: string): void;
}

export interface RowChoice {
  id: string;
  title: string;
  icon?: IconName;
}

export interface Sort {
  column: string;
  isDescending: boolean;
}

/** A list that the host sorts and gives page by page. */
export interface Remote<Row> {
  total: number;
  /** Undefined while the row is on its way. */
  rowAt(index: number): Row | undefined;
  /** -1: not in the list, or not loaded. */
  indexOf(id: string): number;
  /** Every row is loaded and up to date, so one that isn't found is gone. */
  isComplete: boolean;
  /** Rows from `start` up to before `end` came into sight. */
  need(start: number, end: number): void;
  /**
   * Loads every row, to select or export all; what is loaded is in `rowAt` before it ends. Doesn't throw.
   * @returns their number; undefined if some couldn't be read, or if another list was opened first
   */
  loadAll?(): Promise<number | undefined>;
  sort: Sort;
  onSort(sort: Sort): void;
  /** Without it there is no filter box. */
  filter?: { value: string; onChange(value: string): void };
  /** Another value whenever `rowAt` answers differently. */
  revision: unknown;
}

export function rowsFor<Row>(action: RowAction<Row>, rows: readonly Row[]): Row[] {
  const fit = rows.filter((row) => action.isFor?.(row) ?? true);
  return action.takesMany === false && rows.length !== 1 ? [] : fit;
}

export function titleOf<Row>(action: RowAction<Row>, rows: readonly Row[]): string {
  return typeof action.title === 'string' ? action.title : action.title(rows);
}

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
  // Document names come from anywhere, and a spreadsheet runs a cell that begins like this as a formula. The apostrophe makes it text.
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
