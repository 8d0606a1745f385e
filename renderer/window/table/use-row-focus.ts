// Where the keyboard is in a table, while rows come and go: what is gone is no longer selected, and the focus takes what
// stands in its place; a dialog that takes its own row away gets the focus back to the table.

import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { withoutGone, type RowSelection } from './row-selection.ts';
import type { RowSource } from './row-source.ts';
import type { RowWindow } from './row-window.ts';

export interface RowFocus {
  /** -1: at no row, or at one that is not loaded. */
  focusIndex: number;
  /** Selects, and focuses the row it is at once it is drawn. */
  focusRow(next: RowSelection): void;
  /** Focuses the row that the keyboard is at. */
  focusStop(): void;
  /** The focus came into the rows. */
  onCome(): void;
  /** It went from a row to that element. */
  onGo(to: Element | null): void;
}

export function useRowFocus<Row>(input: {
  source: RowSource<Row>;
  /** Rows of a remote list may be selected and not be loaded. */
  isRemote: boolean;
  selection: RowSelection;
  select(next: RowSelection): void;
  hasFocus: boolean;
  rowWindow: RowWindow;
  scroller: RefObject<HTMLElement | null>;
  body: RefObject<HTMLElement | null>;
  reveal: { id: string; step: number } | undefined;
}): RowFocus {
  const { source, isRemote, selection, select, hasFocus, rowWindow, scroller, body, reveal } = input;
  const lastIndex = useRef(-1);
  const takesFocus = useRef(false);
  /** The focus went from a row into a dialog or menu, and is expected back. */
  const isAway = useRef(false);

  const focusStop = () => {
    const row = body.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]');
    (row ?? scroller.current)?.focus({ preventScroll: true });
  };
  const pruned = isRemote ? selection : withoutGone(selection, (id) => source.indexOf(id) !== -1);
  const focusIndex = selection.focusId === null ? -1 : source.indexOf(selection.focusId);

  useLayoutEffect(() => {
    if (focusIndex !== -1) lastIndex.current = focusIndex;
    if (!isRemote && selection.focusId !== null && focusIndex === -1) {
      const nextId = source.idAt(Math.min(lastIndex.current, source.count - 1)) ?? null;
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

  const focusRow = (next: RowSelection) => {
    takesFocus.current = true;
    select(next);
    const index = next.focusId === null ? -1 : source.indexOf(next.focusId);
    if (index !== -1) rowWindow.bringIntoSight(index);
  };
  const revealed = useRef<number>(undefined);
  useEffect(() => {
    if (reveal === undefined || revealed.current === reveal.step || source.indexOf(reveal.id) === -1) return;
    revealed.current = reveal.step;
    focusRow({ ids: new Set([reveal.id]), focusId: reveal.id, anchorId: reveal.id });
  }, [reveal, source]);

  return {
    focusIndex,
    focusRow,
    focusStop,
    onCome: () => {
      isAway.current = false;
    },
    onGo: (to) => {
      isAway.current = to?.closest('.dialog-veil, .popover') != null;
    },
  };
}

/** Once overlays have given the focus back where they could; nothing when it is somewhere. */
function afterOverlay(act: () => void) {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === null || document.activeElement === document.body) act();
    }),
  );
}
