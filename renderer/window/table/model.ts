// What a view passes to a table: columns, actions on rows, the order. Rows as text for other programs: CSV as
// RFC 4180 has it, or JSON. And what the table's own parts share: where the rows come from, and which are selected.

import { useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import { currentLocale } from '../../../app/contract/messages.ts';
import type { IconName } from '../../kit/icon-shapes.ts';

type Value = string | number | boolean | null;

export interface Column<Row> {
  id: string;
  title: string;
  /** Sorts, filters and is exported. `time`: epoch ms. Null stands last, whichever way it is sorted. */
  value(row: Row): Value;
  /** Without it: the value as it is, a number grouped, a time relative. */
  render?(row: Row): ReactNode;
  kind?: 'text' | 'number' | 'time';
  /** `min` in px at the usual text size; what is left over is shared by `grow` (0 when left out). */
  width: { min: number; grow?: number };
  /** Where there isn't room for all columns, the one with the lowest priority is left out first. Columns without one always stay. */
  priority?: number;
  /**
   * If the column doesn't fit together with all columns whose priority is higher than this, it becomes a second line below the row's name, and
   * rows are taller; also if it and the name alone wouldn't fit beside the side panel, because rows don't grow when the panel opens. At
   * most one column of a table has it.
   */
  fallsBelow?: number;
  /** Where rows have a second line, it is there, after the column that `fallsBelow`, rather than left out. */
  joinsBelow?: boolean;
  /** The side panel has it too, so it makes room while that is open. */
  isInPanel?: boolean;
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
  /** A line above it in the menu. */
  startsGroup?: boolean;
  /** A button above the table as well as an entry of the menu. */
  isInToolbar?: boolean;
  /** False: only for one row at a time. */
  takesMany?: boolean;
  /** For rows of which some are not fit it is offered, and run with those that are. */
  isFor?(row: Row): boolean;
  /** Shown as a submenu; `run` gets the id of the chosen entry. If it's empty, the action is disabled. */
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
  /** If left out, there is no filter box. */
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

function plain<Row>(column: Column<Row>, row: Row): Value {
  const value = column.value(row);
  return column.kind === 'time' && typeof value === 'number' ? new Date(value).toISOString() : value;
}

function cell(value: Value): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
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

// Where the rows come from: memory, filtered and sorted, or a remote list of which some pages are loaded. While the user works in the table,
// the rows that are there keep their order; new ones are inserted where they belong.

export interface RowSource<Row> extends RowList {
  /** Without the rows that belong to another one. */
  ownCount: number;
  at(index: number): Row | undefined;
  byId(id: string): Row | undefined;
}

function createLocalSource<Row extends { id: string }>(
  order: readonly Row[],
  ownCount: number,
): RowSource<Row> {
  let places: Map<string, number> | undefined;
  const indexOf = (id: string) => {
    places ??= new Map(order.map((row, index) => [row.id, index]));
    return places.get(id) ?? -1;
  };
  return {
    count: order.length,
    ownCount,
    at: (index) => order[index],
    idAt: (index) => order[index]?.id,
    indexOf,
    byId: (id) => order[indexOf(id)],
  };
}

interface LocalOrder<Row> {
  rows: readonly Row[];
  compare(a: Row, b: Row): number;
  matches: ((row: Row) => boolean) | undefined;
  isHeld: boolean;
  /** Rows that are shown below a row, in their order; they aren't sorted or filtered. */
  childrenOf: ((row: Row) => readonly Row[]) | undefined;
}

/** Rows in memory, ordered; a row that stays shown keeps its place while `isHeld`, unless the sorting changed. */
export function useLocalSource<Row extends { id: string }>(input: LocalOrder<Row>): RowSource<Row> {
  const { rows, compare, matches, isHeld, childrenOf } = input;
  const before = useRef<{ order: readonly Row[]; compare: unknown }>(undefined);
  const order = useMemo(() => {
    const shown = before.current?.compare === compare ? before.current.order : undefined;
    return orderRows({ rows, shown, compare, matches, isHeld });
  }, [rows, compare, matches, isHeld]);
  useLayoutEffect(() => {
    before.current = { order, compare };
  }, [order, compare]);
  return useMemo(
    () =>
      createLocalSource(
        childrenOf === undefined ? order : order.flatMap((row) => [row, ...childrenOf(row)]),
        order.length,
      ),
    [order, childrenOf],
  );
}

/** Places of rows are remembered as they are seen; a row may be selected and out of sight. */
export function useRemoteSource<Row extends { id: string }>(
  remote: Remote<Row> | undefined,
): RowSource<Row> | undefined {
  const seen = useRef(new Map<string, { row: Row; index: number }>());
  const total = remote?.total;
  const revision = remote?.revision;
  const latest = useRef(remote);
  latest.current = remote;
  return useMemo(() => {
    // `revision` is named so that another answer makes another source
    void revision;
    if (total === undefined) return undefined;
    const at = (index: number) => {
      const row = latest.current?.rowAt(index);
      if (row !== undefined) seen.current.set(row.id, { row, index });
      return row;
    };
    const indexOf = (id: string) => {
      const index = seen.current.get(id)?.index ?? -1;
      if (index !== -1 && latest.current?.rowAt(index)?.id === id) return index;
      return latest.current?.indexOf(id) ?? -1;
    };
    return {
      count: total,
      ownCount: total,
      at,
      idAt: (index) => at(index)?.id,
      indexOf,
      byId: (id) => seen.current.get(id)?.row,
    };
  }, [total, revision]);
}

const collator = new Intl.Collator(currentLocale(), { numeric: true, sensitivity: 'base' });

/** Equal values fall back to the id, so that an order is the same whatever came first. */
export function comparison<Row extends { id: string }>(
  columns: readonly Column<Row>[],
  sort: Sort,
): (a: Row, b: Row) => number {
  const column = columns.find(({ id }) => id === sort.column);
  const sign = sort.isDescending ? -1 : 1;
  return (a, b) => {
    const key = column?.sortBy ?? column?.value;
    const byValue = key === undefined ? 0 : compareValues(key(a), key(b), sign);
    return byValue !== 0 ? byValue : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  };
}

function compareValues(a: Value, b: Value, sign: number): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * collator.compare(String(a), String(b));
}

/** Every word of the text must be found somewhere in the row. Texts of rows are kept as long as the row object lives. */
export function createMatcher<Row extends object>(columns: readonly Column<Row>[]) {
  const texts = new WeakMap<Row, string>();
  const textOf = (row: Row) => {
    let text = texts.get(row);
    if (text === undefined) {
      text = columns
        .map((column) => {
          if (column.filterText !== undefined) return column.filterText(row);
          const value = column.kind === 'time' || column.kind === 'number' ? null : column.value(row);
          return value === null ? '' : String(value);
        })
        .join('\n')
        .toLowerCase();
      texts.set(row, text);
    }
    return text;
  };
  return (filter: string): ((row: Row) => boolean) | undefined => {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return undefined;
    return (row) => {
      const text = textOf(row);
      return words.every((word) => text.includes(word));
    };
  };
}

interface OrderInput<Row> {
  rows: readonly Row[];
  /** What was shown until now, in its order; undefined: sort again. */
  shown: readonly Row[] | undefined;
  compare(a: Row, b: Row): number;
  /** Undefined: every row. */
  matches: ((row: Row) => boolean) | undefined;
  /** Rows that are shown keep their order. */
  isHeld: boolean;
}

export function orderRows<Row extends { id: string }>(input: OrderInput<Row>): Row[] {
  const { rows, shown, compare, matches, isHeld } = input;
  const visible = matches === undefined ? rows : rows.filter(matches);
  if (shown === undefined) return visible.toSorted(compare);

  const waiting = new Map(visible.map((row) => [row.id, row]));
  const kept: Row[] = [];
  for (const old of shown) {
    const row = waiting.get(old.id);
    if (row === undefined) continue;
    waiting.delete(old.id);
    kept.push(row);
  }
  // Nearly sorted already, which is what the engine's sort is fastest at.
  if (!isHeld) return [...kept, ...waiting.values()].toSorted(compare);
  return waiting.size === 0 ? kept : insert(kept, [...waiting.values()].toSorted(compare), compare);
}

/** Each new row before the first kept one that it precedes, looked for by halving. */
function insert<Row>(
  kept: readonly Row[],
  fresh: readonly Row[],
  compare: (a: Row, b: Row) => number,
): Row[] {
  const places = fresh.map((row) => {
    let low = 0;
    let high = kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = kept[middle];
      if (other !== undefined && compare(other, row) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  });
  const merged: Row[] = [];
  // `kept` may be out of order by now, so that places need not grow: sorted here, stably.
  const queue = fresh.map((row, index) => ({ row, at: places[index] ?? 0 })).toSorted((a, b) => a.at - b.at);
  let next = 0;
  for (let index = 0; index <= kept.length; index += 1) {
    for (let item = queue[next]; item !== undefined && item.at === index; item = queue[next]) {
      merged.push(item.row);
      next += 1;
    }
    const row = kept[index];
    if (row !== undefined) merged.push(row);
  }
  return merged;
}

// Which rows are selected, as file managers have it: press selects, Ctrl adds, Shift extends from where one began.

export interface RowSelection {
  ids: ReadonlySet<string>;
  /** The row that the keyboard is at. */
  focusId: string | null;
  /** Where an extension begins. */
  anchorId: string | null;
}

export interface RowList {
  readonly count: number;
  idAt(index: number): string | undefined;
  /** -1 when it is not there. */
  indexOf(id: string): number;
}

export interface Modifiers {
  /** Ctrl, or Cmd. */
  isAdding: boolean;
  /** Shift. */
  isExtending: boolean;
}

export const nothingSelected: RowSelection = { ids: new Set(), focusId: null, anchorId: null };

/** The pointer was pressed on a row. */
export function pressRow(before: RowSelection, list: RowList, id: string, keys: Modifiers): RowSelection {
  if (keys.isExtending) return extendTo(before, list, id, keys.isAdding);
  if (keys.isAdding) return toggleRow(before, id);
  return { ids: new Set([id]), focusId: id, anchorId: id };
}

/** An arrow key led to a row: with Ctrl only the focus goes there. */
export function moveTo(before: RowSelection, list: RowList, id: string, keys: Modifiers): RowSelection {
  if (keys.isExtending) return extendTo(before, list, id, keys.isAdding);
  if (keys.isAdding) return { ...before, focusId: id };
  return { ids: new Set([id]), focusId: id, anchorId: id };
}

export function toggleRow(before: RowSelection, id: string): RowSelection {
  const ids = new Set(before.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, focusId: id, anchorId: id };
}

/** Rows that are not loaded yet are left out. */
export function selectAll(before: RowSelection, list: RowList): RowSelection {
  const ids = new Set<string>();
  for (let index = 0; index < list.count; index += 1) {
    const id = list.idAt(index);
    if (id !== undefined) ids.add(id);
  }
  return { ...before, ids };
}

export function selectNone(before: RowSelection): RowSelection {
  return before.ids.size === 0 ? before : { ...before, ids: new Set() };
}

/** Without the rows that are gone; the same object when none is. */
export function withoutGone(before: RowSelection, isThere: (id: string) => boolean): RowSelection {
  let isSame = true;
  for (const id of before.ids) if (!isThere(id)) isSame = false;
  return isSame ? before : { ...before, ids: new Set([...before.ids].filter(isThere)) };
}

function extendTo(before: RowSelection, list: RowList, id: string, isAdding: boolean): RowSelection {
  const from = before.anchorId === null ? -1 : list.indexOf(before.anchorId);
  const to = list.indexOf(id);
  if (from === -1 || to === -1) return { ids: new Set([id]), focusId: id, anchorId: id };
  const ids = new Set(isAdding ? before.ids : []);
  for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
    const between = list.idAt(index);
    if (between !== undefined) ids.add(between);
  }
  return { ids, focusId: id, anchorId: before.anchorId };
}
