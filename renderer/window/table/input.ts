// Keys and presses on the rows of a table, heard once for all rows. What they mean is what file managers and grids agree on.

import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import {
  moveTo,
  pressRow,
  selectAll,
  selectNone,
  toggleRow,
  type RowList,
  type RowSelection,
} from './row-selection.ts';

interface TableInput {
  list: RowList;
  selection: RowSelection;
  /** Rows that PageDown goes. */
  pageRows(): number;
  select(next: RowSelection): void;
  focusRow(next: RowSelection): void;
  /** `Enter` and double click, or another key; on the selection, else on that row. False when there is nothing to run. */
  runPrimary(rowId: string): boolean;
  runKey(key: string, rowId: string): boolean;
  copySelected(): void;
  /** A row was pressed, and is selected. */
  onPress(): void;
  openMenu(rowId: string, at: { x: number; y: number }): void;
  onFocusChange(hasFocus: boolean, to: Element | null): void;
}

function rowOf(target: EventTarget): HTMLElement | null {
  return (target as HTMLElement).closest<HTMLElement>('[data-row]');
}

export function createTableInput(input: TableInput) {
  const { list, selection, select } = input;

  const openMenuAt = (rowId: string, rowElement: HTMLElement, from: HTMLElement) => {
    const box = from.getBoundingClientRect();
    input.openMenu(rowId, { x: from === rowElement ? box.left + 48 : box.left, y: box.bottom });
  };

  /** Inside a row: → and ← lead through its buttons. True when the key is dealt with. */
  const moveInside = (event: KeyboardEvent, rowElement: HTMLElement): boolean => {
    const target = event.target as HTMLElement;
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      const stops = [rowElement, ...rowElement.querySelectorAll<HTMLElement>('button, a')];
      const next = stops[stops.indexOf(target) + (event.key === 'ArrowRight' ? 1 : -1)];
      next?.focus();
      return next !== undefined;
    }
    if (event.key !== 'Escape' || target === rowElement) return false;
    rowElement.focus();
    return true;
  };

  /** True when the key is dealt with. */
  const act = (event: KeyboardEvent, rowElement: HTMLElement, rowId: string): boolean => {
    const keys = { isAdding: event.ctrlKey || event.metaKey, isExtending: event.shiftKey };
    const at = list.indexOf(rowId);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + input.pageRows(),
      PageUp: at - input.pageRows(),
      Home: 0,
      End: list.count - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      const id = list.idAt(Math.max(0, Math.min(list.count - 1, to)));
      if (id !== undefined) input.focusRow(moveTo(selection, list, id, keys));
      return true;
    }
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      openMenuAt(rowId, rowElement, rowElement);
      return true;
    }
    if (event.key === ' ') {
      select(toggleRow(selection, rowId));
      return true;
    }
    if (keys.isAdding) {
      if (event.key.toLowerCase() === 'a') select(selectAll(selection, list));
      else if (event.key.toLowerCase() === 'c') input.copySelected();
      else return false;
      return true;
    }
    if (event.key === 'Escape') {
      select(selectNone(selection));
      return selection.ids.size > 0;
    }
    if (event.shiftKey || event.altKey) return false;
    return event.key === 'Enter' ? input.runPrimary(rowId) : input.runKey(event.key, rowId);
  };

  return {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const rowElement = rowOf(event.target);
      const rowId = rowElement?.dataset.row;
      if (rowElement === null || rowId === undefined) return;
      // a button inside takes its own keys
      const isOwnKey = event.target !== rowElement && (event.key === 'Enter' || event.key === ' ');
      if (isOwnKey || (!moveInside(event, rowElement) && !act(event, rowElement, rowId))) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      const target = event.target as HTMLElement;
      const rowElement = rowOf(target);
      const rowId = rowElement?.dataset.row;
      if (rowElement === null || rowId === undefined || target.closest('[data-own-press]') !== null) return;
      const menuButton = target.closest<HTMLElement>('[data-menu]');
      if (menuButton !== null) return openMenuAt(rowId, rowElement, menuButton);
      if (target.closest('[data-check]') !== null && !event.shiftKey)
        return select(toggleRow(selection, rowId));
      const keys = { isAdding: event.ctrlKey || event.metaKey, isExtending: event.shiftKey };
      select(pressRow(selection, list, rowId, keys));
      input.onPress();
    },
    onDoubleClick: (event: MouseEvent<HTMLElement>) => {
      const rowId = rowOf(event.target)?.dataset.row;
      if (rowId === undefined || (event.target as HTMLElement).closest('button, [data-check]') !== null)
        return;
      input.runPrimary(rowId);
    },
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      event.preventDefault();
      const rowId = rowOf(event.target)?.dataset.row;
      if (rowId !== undefined) input.openMenu(rowId, { x: event.clientX, y: event.clientY });
    },
    onFocus: (event: FocusEvent<HTMLElement>) => {
      input.onFocusChange(true, null);
      const id = rowOf(event.target)?.dataset.row;
      // a press focuses before it selects: where an extension began must outlast that
      if (id !== undefined && id !== selection.focusId)
        select({ ...selection, focusId: id, anchorId: selection.anchorId ?? id });
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      const to = event.relatedTarget;
      if ((to === null && !event.target.isConnected) || event.currentTarget.contains(to)) return;
      input.onFocusChange(false, to);
    },
  };
}
