// What a view passes to a table: columns and actions on rows. And what the table's own parts share: the order of the rows, and which are
// selected.

import { useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import { currentLocale } from '../../../app/contract/messages.ts';
import type { IconName } from '../../kit/icon-shapes.ts';

type Value = string | number | boolean | null;

export interface Column<Row> {
  id: string;
  title: string;
  /** Sorts and filters. `time`: epoch ms. Null is last, whichever way it is sorted. */
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
  /** The title is for screen readers only. */
  isTitleHidden?: boolean;
  /** Its texts begin right of a button that unfolds the row. */
  isTree?: boolean;
  /** True when left out. */
  isSortable?: boolean;
  /** The name of the row; one column has it. */
  isRowHeader?: boolean;
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

export function rowsFor<Row>(action: RowAction<Row>, rows: readonly Row[]): Row[] {
  return action.takesMany === false && rows.length !== 1
    ? []
    : rows.filter((row) => action.isFor?.(row) ?? true);
}

export function titleOf<Row>(action: RowAction<Row>, rows: readonly Row[]): string {
  return typeof action.title === 'string' ? action.title : action.title(rows);
}

export interface Sort {
  column: string;
  isDescending: boolean;
}

/** Whenever `step` changes, that row is selected, focused and brought into sight, as soon as it's there. `id` null: the first one. */
export interface Reveal {
  id: string | null;
  step: number;
}

/** The rows as they are shown. */
export interface RowSource<Row> {
  count: number;
  /** Without the rows that are below another one. */
  ownCount: number;
  at(index: number): Row | undefined;
  /** -1 when it is not there. */
  indexOf(id: string): number;
}

interface ShownRows<Row> {
  rows: readonly Row[];
  /** Undefined: in the order of `rows`. */
  compare: ((a: Row, b: Row) => number) | undefined;
  /** Undefined: every row. */
  matches: ((row: Row) => boolean) | undefined;
  /** Rows that are shown keep their place, unless the sorting changed. */
  isHeld: boolean;
}

/** @param childrenOf rows that are shown below a row, in their order; they aren't sorted or filtered */
export function useRowSource<Row extends { id: string }>(
  { rows, compare, matches, isHeld }: ShownRows<Row>,
  childrenOf: ((row: Row) => readonly Row[]) | undefined,
): RowSource<Row> {
  const before = useRef<{ order: readonly Placed<Row>[]; compare: unknown }>(undefined);
  const order = useMemo(() => {
    const shown =
      before.current !== undefined && before.current.compare === compare ? before.current.order : [];
    return orderRows({ rows, shown, compare, matches, isHeld });
  }, [rows, compare, matches, isHeld]);
  useLayoutEffect(() => {
    before.current = { order, compare };
  }, [order, compare]);
  return useMemo(() => {
    const all = order.flatMap(({ row }) => [row, ...(childrenOf?.(row) ?? [])]);
    const places = new Map(all.map((row, index) => [row.id, index]));
    const indexOf = (id: string) => places.get(id) ?? -1;
    return {
      count: all.length,
      ownCount: order.length,
      at: (index) => all[index],
      indexOf,
    };
  }, [order, childrenOf]);
}

/** `by` is what it is sorted by: while the order is held, the row as it was when it got its place. */
interface Placed<Row> {
  row: Row;
  by: Row;
}

export function orderRows<Row extends { id: string }>(
  /** `shown`: what was shown until now, in its order. */
  input: ShownRows<Row> & { shown: readonly Placed<Row>[] },
): Placed<Row>[] {
  const { rows, shown, compare, matches, isHeld } = input;
  const matching = matches === undefined ? rows : rows.filter(matches);
  if (compare === undefined) return matching.map((row) => ({ row, by: row }));
  const waiting = new Map(matching.map((row) => [row.id, row]));
  const placed: Placed<Row>[] = [];
  for (const old of shown) {
    const row = waiting.get(old.row.id);
    if (row === undefined) continue;
    waiting.delete(row.id);
    placed.push({ row, by: isHeld ? old.by : row });
  }
  for (const row of waiting.values()) placed.push({ row, by: row });
  // Nearly sorted already, which is what the engine's sort is fastest at.
  return placed.toSorted((a, b) => compare(a.by, b.by));
}

const collator = new Intl.Collator(currentLocale(), { numeric: true, sensitivity: 'base' });

/**
 * Equal values fall back to the id, so that an order is the same whatever came first. Undefined: no column has that id.
 * @param isFirst rows that come before the others, whichever way they are sorted
 */
export function comparison<Row extends { id: string }>(
  columns: readonly Column<Row>[],
  sort: Sort,
  isFirst: (row: Row) => boolean = () => false,
): ((a: Row, b: Row) => number) | undefined {
  const column = columns.find(({ id }) => id === sort.column);
  if (column === undefined) return undefined;
  const key = column.sortBy ?? column.value;
  const sign = sort.isDescending ? -1 : 1;
  return (a, b) =>
    Number(isFirst(b)) - Number(isFirst(a)) ||
    compareValues(key(a), key(b), sign) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function compareValues(a: Value, b: Value, sign: number): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * collator.compare(String(a), String(b));
}

/** Every word of the text must be found somewhere in the row. Texts of rows are kept as long as the row object lives. */
export function createMatcher<Row extends object>(columns: readonly Column<Row>[]) {
  const texts = new WeakMap<Row, string>();
  const partOf = (column: Column<Row>, row: Row) => {
    if (column.filterText !== undefined) return column.filterText(row);
    return column.kind === 'time' || column.kind === 'number' ? '' : String(column.value(row) ?? '');
  };
  const textOf = (row: Row) => {
    const text =
      texts.get(row) ??
      columns
        .map((column) => partOf(column, row))
        .join('\n')
        .toLowerCase();
    texts.set(row, text);
    return text;
  };
  return (filter: string): ((row: Row) => boolean) | undefined => {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length === 0 ? undefined : (row) => words.every((word) => textOf(row).includes(word));
  };
}

// Which rows are selected, as file managers have it: a press selects, Ctrl adds, Shift extends from where one began.

export interface RowSelection {
  ids: ReadonlySet<string>;
  /** The row that the keyboard is at. */
  focusId: string | null;
  /** Where an extension begins. */
  anchorId: string | null;
}

export interface Modifiers {
  /** Ctrl, or Cmd. */
  isAdding?: boolean;
  /** Shift. */
  isExtending?: boolean;
}

export type RowList = Pick<RowSource<{ id: string }>, 'count' | 'at' | 'indexOf'>;

export const nothingSelected: RowSelection = { ids: new Set(), focusId: null, anchorId: null };

export function selectOnly(id: string): RowSelection {
  return { ids: new Set([id]), focusId: id, anchorId: id };
}

/** An arrow key or a press led to a row: with Ctrl only the focus goes there. */
export function moveTo(before: RowSelection, list: RowList, id: string, keys: Modifiers): RowSelection {
  const { isAdding = false, isExtending = false } = keys;
  if (!isExtending) return isAdding ? { ...before, focusId: id } : selectOnly(id);
  const from = before.anchorId === null ? -1 : list.indexOf(before.anchorId);
  const to = list.indexOf(id);
  if (from === -1 || to === -1) return selectOnly(id);
  const between = idsIn(list, Math.min(from, to), Math.max(from, to) + 1);
  return {
    ids: new Set([...(isAdding ? before.ids : []), ...between]),
    focusId: id,
    anchorId: before.anchorId,
  };
}

export function toggleRow(before: RowSelection, id: string): RowSelection {
  const ids = new Set(before.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, focusId: id, anchorId: id };
}

export function idsIn(list: RowList, start = 0, end = list.count): string[] {
  return Array.from({ length: end - start }, (_, offset) => list.at(start + offset)?.id ?? '');
}
