// Keys, presses and focus on the rows of a table, handled once for all rows, the way file managers and grids agree on.

import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import { afterOverlay } from '../parts/kept-focus.ts';
import {
  moveTo,
  selectOnly,
  toggleRow,
  type Modifiers,
  type Reveal,
  type RowList,
  type RowSelection,
  type RowSource,
} from './model.ts';
import type { RowHandlers, RowsHandle } from './rows.tsx';

interface TableInput {
  list: RowList;
  selection: RowSelection;
  /** The row under the last first click; undefined outside the rows. */
  clickedFirst: RefObject<string | undefined>;
  /** Rows that PageDown goes. */
  pageRows(): number;
  select(next: RowSelection): void;
  selectEvery(): void;
  /** To the row with this index. */
  moveToIndex(index: number, keys: Modifiers): void;
  /** On the selection, else on that row. False when there is nothing to run. */
  runKey(key: string, rowId: string): boolean;
  /** A row was pressed, and is selected. */
  onPress(): void;
  openMenu(rowId: string, at: { x: number; y: number }): void;
  onFocusChange(hasFocus: boolean, to: Element | null): void;
}

export function createTableInput(input: TableInput): RowHandlers {
  const { list, selection, select, clickedFirst } = input;
  const rowOf = ({ target }: { target: EventTarget }) =>
    (target as HTMLElement).closest<HTMLElement>('[data-row]');
  const idOf = (event: { target: EventTarget }) => rowOf(event)?.dataset.row;
  const isIn = ({ target }: { target: EventTarget }, selector: string) =>
    (target as HTMLElement).closest(selector) !== null;
  const keysOf = (event: KeyboardEvent | MouseEvent) => ({
    isAdding: event.ctrlKey || event.metaKey,
    isExtending: event.shiftKey,
  });
  const openMenuBelow = (rowId: string, element: Element, indent: number) => {
    const { left, bottom } = element.getBoundingClientRect();
    input.openMenu(rowId, { x: left + indent, y: bottom });
  };

  /** Inside a row: → and ← lead through its buttons. True when the key is dealt with. */
  const moveInside = ({ key, target }: KeyboardEvent, row: HTMLElement): boolean => {
    if (key === 'ArrowRight' || key === 'ArrowLeft') {
      const inside = [...row.querySelectorAll<HTMLElement>('button, a')];
      // A hidden one, such as the one that the side panel has too, can't take the focus.
      const stops = [row, ...inside.filter((stop) => stop.checkVisibility({ visibilityProperty: true }))];
      const next = stops[stops.indexOf(target as HTMLElement) + (key === 'ArrowRight' ? 1 : -1)];
      next?.focus();
      return next !== undefined;
    }
    if (key !== 'Escape' || target === row) return false;
    row.focus();
    return true;
  };

  /** True when the key is dealt with. */
  const act = (event: KeyboardEvent, row: HTMLElement, rowId: string): boolean => {
    const { key } = event;
    const keys = keysOf(event);
    const at = list.indexOf(rowId);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + input.pageRows(),
      PageUp: at - input.pageRows(),
      Home: 0,
      End: list.count - 1,
    };
    const to = steps[key];
    if (to !== undefined) input.moveToIndex(Math.max(0, Math.min(list.count - 1, to)), keys);
    else if (key === 'ContextMenu' || (key === 'F10' && keys.isExtending)) openMenuBelow(rowId, row, 48);
    else if (key === ' ') select(toggleRow(selection, rowId));
    else if (keys.isAdding && key.toLowerCase() === 'a') input.selectEvery();
    else if (keys.isAdding || keys.isExtending || event.altKey) return false;
    else if (key !== 'Escape') return input.runKey(key, rowId);
    else if (selection.ids.size === 0) return false;
    else select({ ...selection, ids: new Set() });
    return true;
  };

  /** If a click leads to another view or moves the rows, the second click of a double click lands on a row that the user didn't choose. */
  const isStray = (event: MouseEvent) => event.detail > 1 && idOf(event) !== clickedFirst.current;
  const ignoreStray = (event: MouseEvent) => {
    if (event.detail <= 1) clickedFirst.current = idOf(event);
    else if (isStray(event)) event.stopPropagation();
  };

  return {
    onClickCapture: ignoreStray,
    onDoubleClickCapture: ignoreStray,
    onMouseDownCapture: (event) => {
      // Otherwise the row would get the focus.
      if (isStray(event)) event.preventDefault();
    },
    onKeyDown: (event) => {
      const row = rowOf(event);
      const rowId = row?.dataset.row;
      if (row === null || rowId === undefined) return;
      // a button inside takes its own keys
      const isOwnKey = event.target !== row && (event.key === 'Enter' || event.key === ' ');
      if (isOwnKey || (!moveInside(event, row) && !act(event, row, rowId))) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onClick: (event) => {
      const rowId = idOf(event);
      if (rowId === undefined || isIn(event, '[data-own-press]')) return;
      const menuButton = (event.target as HTMLElement).closest('[data-menu]');
      if (menuButton !== null) return openMenuBelow(rowId, menuButton, 0);
      const keys = keysOf(event);
      const isChecked = isIn(event, '[data-check]');
      const isToggled = !keys.isExtending && (keys.isAdding || isChecked);
      select(isToggled ? toggleRow(selection, rowId) : moveTo(selection, list, rowId, keys));
      if (!isChecked) input.onPress();
    },
    onDoubleClick: (event) => {
      const rowId = idOf(event);
      if (rowId !== undefined && !isIn(event, 'button, [data-check]')) input.runKey('Enter', rowId);
    },
    onContextMenu: (event) => {
      event.preventDefault();
      const rowId = idOf(event);
      if (rowId !== undefined) input.openMenu(rowId, { x: event.clientX, y: event.clientY });
    },
    onFocus: (event) => {
      input.onFocusChange(true, null);
      const id = idOf(event);
      // a press focuses before it selects: where an extension began must outlast that
      if (id !== undefined && id !== selection.focusId)
        select({ ...selection, focusId: id, anchorId: selection.anchorId ?? id });
    },
    onBlur: ({ relatedTarget: to, target, currentTarget }) => {
      if ((to !== null || target.isConnected) && !currentTarget.contains(to)) input.onFocusChange(false, to);
    },
  };
}

/**
 * Where the keyboard is, while rows are added and removed: removed rows are deselected, and the focus moves to the row in their place;
 * after a dialog that removed its own row, the focus returns to the table.
 */
export function useRowFocus<Row extends { id: string }>(input: {
  source: RowSource<Row>;
  selection: RowSelection;
  select(next: RowSelection): void;
  hasFocus: boolean;
  rows: RefObject<RowsHandle | null>;
  scroller: HTMLElement | null;
  reveal: Reveal | undefined;
}) {
  const { source, selection, select, hasFocus, rows, scroller, reveal } = input;
  const { focusId } = selection;
  const lastIndex = useRef(-1);
  const takesFocus = useRef(false);
  /** The focus went from a row into a dialog or menu, and is expected back. */
  const isAway = useRef(false);
  /** An empty table keeps the focus for its next row. */
  const wasEmpty = useRef(false);
  const revealed = useRef<number>(undefined);

  const focusStop = () => {
    if (rows.current?.focusStop() !== true) scroller?.focus({ preventScroll: true });
  };
  /** Without those that are gone. */
  const ids = useMemo(() => {
    const left = [...selection.ids].filter((id) => source.indexOf(id) !== -1);
    return left.length === selection.ids.size ? selection.ids : new Set(left);
  }, [selection.ids, source]);
  const focusIndex = focusId === null ? -1 : source.indexOf(focusId);
  /** Selects, and focuses the row once it is drawn. */
  const focusRow = (next: RowSelection) => {
    takesFocus.current = true;
    select(next);
    const index = next.focusId === null ? -1 : source.indexOf(next.focusId);
    if (index !== -1) rows.current?.scrollIntoView(index);
  };
  /** As with an arrow key. */
  const moveToIndex = (index: number, keys: Modifiers) => {
    const id = source.at(index)?.id;
    if (id !== undefined) focusRow(moveTo(selection, source, id, keys));
  };

  useLayoutEffect(() => {
    if (focusIndex !== -1) lastIndex.current = focusIndex;
    const isGone = focusId !== null && focusIndex === -1;
    if (isGone) {
      const nextId = source.at(Math.min(lastIndex.current, source.count - 1))?.id ?? null;
      takesFocus.current = hasFocus;
      if (isAway.current) afterOverlay(focusStop);
      select({ ids, focusId: nextId, anchorId: nextId });
    } else if (ids !== selection.ids) select({ ...selection, ids });
    // A row that went is replaced first, which is another draw.
    if (takesFocus.current && !isGone) {
      takesFocus.current = false;
      focusStop();
    }
    if (source.count === 0) wasEmpty.current = true;
    else if (wasEmpty.current && (document.activeElement !== scroller || rows.current?.focusStop() === true))
      wasEmpty.current = false;
  });
  useEffect(() => {
    if (scroller === null || reveal === undefined || revealed.current === reveal.step) return;
    const id = reveal.id ?? source.at(0)?.id;
    if (id === undefined || source.indexOf(id) === -1) return;
    revealed.current = reveal.step;
    focusRow(selectOnly(id));
  }, [reveal, source, scroller]);

  return {
    /** -1: at no row. */
    focusIndex,
    moveToIndex,
    /** Focuses the row that the keyboard is at. */
    focusStop,
    onFocusChange: (isIn: boolean, to: Element | null) => {
      isAway.current = !isIn && to?.closest('.dialog-veil, .popover') != null;
    },
  };
}

const pointsForMs = 2500;

/** Whether the user is about to press something: the pointer moved within the last seconds. A resting pointer holds nothing. */
export function usePointing() {
  const [isPointing, setIsPointing] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const restart = (isOn: boolean) => {
    clearTimeout(timer.current);
    setIsPointing(isOn);
    if (isOn) timer.current = setTimeout(() => setIsPointing(false), pointsForMs);
  };
  return {
    isPointing,
    props: { onPointerMove: () => restart(true), onPointerLeave: () => restart(false) },
  };
}
