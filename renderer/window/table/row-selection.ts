// The selection of a table as file managers have it: press selects, Ctrl adds, Shift extends from where one began. Pure.

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
