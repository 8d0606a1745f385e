// Keys, presses and focus on the rows of a table, handled once for all rows, the way file managers and grids agree on.

import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import { afterOverlay } from '../parts/kept-focus.ts';
import {
  moveTo,
  pressRow,
  selectNone,
  toggleRow,
  withoutGone,
  type Modifiers,
  type RowList,
  type RowSelection,
  type RowSource,
} from './model.ts';
import type { RowsHandle } from './rows.tsx';

interface TableInput {
  list: RowList;
  selection: RowSelection;
  /** The row under the last first click; undefined outside the rows. */
  clickedFirst: RefObject<string | undefined>;
  /** Rows that PageDown goes. */
  pageRows(): number;
  select(next: RowSelection): void;
  /** Rows that aren't loaded too. */
  selectEvery(): void;
  /** To the row with this index, also if it isn't loaded. */
  moveToIndex(index: number, keys: Modifiers): void;
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
      const inside = [...rowElement.querySelectorAll<HTMLElement>('button, a')];
      // A hidden one, such as the one that the side panel has too, can't take the focus.
      const stops = [
        rowElement,
        ...inside.filter((stop) => stop.checkVisibility({ visibilityProperty: true })),
      ];
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
      input.moveToIndex(Math.max(0, Math.min(list.count - 1, to)), keys);
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
      if (event.key.toLowerCase() === 'a') input.selectEvery();
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

  /** If a click leads to another view or moves the rows, the second click of a double click lands on a row that the user didn't choose. */
  const ignoreStray = (event: MouseEvent<HTMLElement>) => {
    const rowId = rowOf(event.target)?.dataset.row;
    if (event.detail <= 1) input.clickedFirst.current = rowId;
    else if (rowId !== input.clickedFirst.current) event.stopPropagation();
  };

  return {
    onClickCapture: ignoreStray,
    onDoubleClickCapture: ignoreStray,
    onMouseDownCapture: (event: MouseEvent<HTMLElement>) => {
      // Otherwise the row would get the focus.
      if (event.detail > 1 && rowOf(event.target)?.dataset.row !== input.clickedFirst.current)
        event.preventDefault();
    },
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

interface RowFocus {
  /** -1: at no row, or at one that isn't loaded. */
  focusIndex: number;
  /** Selects, and focuses the row once it is drawn. */
  focusRow(next: RowSelection): void;
  /** As with an arrow key; once it is loaded, unless the user goes elsewhere before. */
  moveToIndex(index: number, keys: Modifiers): void;
  /** Focuses the row that the keyboard is at. */
  focusStop(): void;
  /** The focus came into the rows. */
  onCome(): void;
  /** It went from a row to that element. */
  onGo(to: Element | null): void;
}

/**
 * Where the keyboard is, while rows are added and removed: removed rows are deselected, and the focus moves to the row in their place;
 * after a dialog that removed its own row, the focus returns to the table.
 */
export function useRowFocus<Row>(input: {
  source: RowSource<Row>;
  /** False: a selected row may not be loaded. */
  isComplete: boolean;
  selection: RowSelection;
  select(next: RowSelection): void;
  hasFocus: boolean;
  rows: RefObject<RowsHandle | null>;
  scroller: HTMLElement | null;
  reveal: { id: string; step: number } | undefined;
}): RowFocus {
  const { source, isComplete, selection, select, hasFocus, rows, scroller, reveal } = input;
  const lastIndex = useRef(-1);
  const takesFocus = useRef(false);
  /** The focus went from a row into a dialog or menu, and is expected back. */
  const isAway = useRef(false);

  const focusStop = () => {
    if (rows.current?.focusStop() !== true) scroller?.focus({ preventScroll: true });
  };
  const pruned = useMemo(
    () => (isComplete ? withoutGone(selection, (id) => source.indexOf(id) !== -1) : selection),
    [isComplete, selection, source],
  );
  const focusIndex = selection.focusId === null ? -1 : source.indexOf(selection.focusId);

  useLayoutEffect(() => {
    if (focusIndex !== -1) lastIndex.current = focusIndex;
    const nextId =
      selection.focusId !== null && focusIndex === -1
        ? (source.idAt(Math.min(lastIndex.current, source.count - 1)) ?? null)
        : null;
    if (selection.focusId !== null && focusIndex === -1 && (isComplete || nextId !== null)) {
      takesFocus.current = hasFocus;
      if (isAway.current) afterOverlay(focusStop);
      select({ ...pruned, focusId: nextId, anchorId: nextId });
    } else if (pruned !== selection) select(pruned);
  });
  useLayoutEffect(() => {
    // a row that went is replaced first, which is another draw
    if (!takesFocus.current || (selection.focusId !== null && focusIndex === -1)) return;
    takesFocus.current = false;
    focusStop();
  });

  // An empty table keeps the focus for its next row.
  const wasEmpty = useRef(false);
  useLayoutEffect(() => {
    if (source.count === 0) wasEmpty.current = true;
    else if (wasEmpty.current && (document.activeElement !== scroller || rows.current?.focusStop() === true))
      wasEmpty.current = false;
  });

  const focusRow = (next: RowSelection) => {
    takesFocus.current = true;
    select(next);
    const index = next.focusId === null ? -1 : source.indexOf(next.focusId);
    if (index !== -1) rows.current?.scrollIntoView(index);
  };
  /** A row that isn't loaded, and where the keyboard was when it was asked for. */
  const awaited = useRef<{ index: number; keys: Modifiers; focusId: string | null }>(undefined);
  const moveToIndex = (index: number, keys: Modifiers) => {
    const id = source.idAt(index);
    if (id !== undefined) return focusRow(moveTo(selection, source, id, keys));
    if (index < 0 || index >= source.count) return undefined;
    awaited.current = { index, keys, focusId: selection.focusId };
    rows.current?.scrollIntoView(index);
  };
  useLayoutEffect(() => {
    const wanted = awaited.current;
    if (wanted === undefined) return;
    const isElsewhere = !hasFocus || selection.focusId !== wanted.focusId;
    if (!isElsewhere && source.idAt(wanted.index) === undefined) return;
    awaited.current = undefined;
    if (!isElsewhere) moveToIndex(wanted.index, wanted.keys);
  });
  const revealed = useRef<number>(undefined);
  useEffect(() => {
    if (scroller === null || reveal === undefined || revealed.current === reveal.step) return;
    if (source.indexOf(reveal.id) === -1) return;
    revealed.current = reveal.step;
    focusRow({ ids: new Set([reveal.id]), focusId: reveal.id, anchorId: reveal.id });
  }, [reveal, source, scroller]);

  return {
    focusIndex,
    focusRow,
    moveToIndex,
    focusStop,
    onCome: () => {
      isAway.current = false;
    },
    onGo: (to) => {
      isAway.current = to?.closest('.dialog-veil, .popover') != null;
    },
  };
}

const pointsForMs = 2500;

/** Whether the user is about to press something: the pointer moved within the last seconds. A resting pointer holds nothing. */
export function usePointing() {
  const [isPointing, setIsPointing] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const end = () => {
    clearTimeout(timer.current);
    setIsPointing(false);
  };
  return {
    isPointing,
    props: {
      onPointerMove: () => {
        clearTimeout(timer.current);
        timer.current = setTimeout(end, pointsForMs);
        setIsPointing(true);
      },
      onPointerLeave: end,
    },
  };
}
