// What a table is told: columns, actions on rows, the order. Shared by its parts; views use the types alone.

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
  /** Rows from `start` up to before `end` came into sight. */
  need(start: number, end: number): void;
  sort: Sort;
  onSort(sort: Sort): void;
  /** Without it there is no filter box. */
  filter?: { value: string; onChange(value: string): void };
  /** Another value whenever `rowAt` answers differently. */
  revision: unknown;
}

/** The columns that fit, in their order. `scale`: how much larger the text is than usual. */
export function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  room: { width: number; scale: number },
): readonly Column<Row>[] {
  const needed = (kept: readonly Column<Row>[]) =>
    kept.reduce((sum, { width }) => sum + width.min * room.scale, besideColumns);
  const byPriority = columns
    .filter(({ priority }) => priority !== undefined)
    .toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  let kept = columns;
  for (const dropped of byPriority) {
    if (needed(kept) <= room.width) break;
    kept = kept.filter((column) => column !== dropped);
  }
  return kept;
}

/** Px that the check box, the menu and the padding of a row take. */
export const besideColumns = 34 + 40 + 18;

export function rowsFor<Row>(action: RowAction<Row>, rows: readonly Row[]): Row[] {
  const fit = rows.filter((row) => action.isFor?.(row) ?? true);
  return action.takesMany === false && rows.length !== 1 ? [] : fit;
}

export function titleOf<Row>(action: RowAction<Row>, rows: readonly Row[]): string {
  return typeof action.title === 'string' ? action.title : action.title(rows);
}
