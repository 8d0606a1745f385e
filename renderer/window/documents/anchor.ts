// Keeps what is looked at in its place on the screen when documents come and go above it: the row that has the focus, else the
// uppermost one. Only the very top of a list that nobody works in shows what is new there.

import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type { Listing, ListingQuery } from './listing.ts';

interface Anchor {
  path: string;
  /** Distance from the top of the rows' room, in px. */
  offset: number;
  query: ListingQuery;
}

/** `area` holds the table; `isShown`: it shows the listing. */
export function useAnchor(input: {
  listing: Listing;
  area: RefObject<HTMLElement | null>;
  isShown: boolean;
  revision: number;
}): void {
  const { listing, area, isShown, revision } = input;
  const anchor = useRef<Anchor>(undefined);

  const note = useCallback(() => {
    const rows = findRows(area.current, listing.snapshot().total);
    anchor.current = undefined;
    if (rows === undefined) return;
    const { scroller, rowHeight } = rows;
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement ? activeElement.dataset.row : undefined;
    const isInSight = (index: number) =>
      index >= 0 &&
      (index + 1) * rowHeight > scroller.scrollTop &&
      index * rowHeight < scroller.scrollTop + scroller.clientHeight;
    const focusedAt = focused === undefined ? -1 : listing.indexOf(focused);
    const index = isInSight(focusedAt) ? focusedAt : Math.floor(scroller.scrollTop / rowHeight);
    const path = listing.itemAt(index)?.path;
    if (path === undefined || (scroller.scrollTop <= 1 && index !== focusedAt)) return;
    anchor.current = {
      path,
      offset: index * rowHeight - scroller.scrollTop,
      query: listing.snapshot().query,
    };
  }, [listing, area]);

  useEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    // scrolling does not bubble
    element.addEventListener('scroll', note, { capture: true, passive: true });
    element.addEventListener('focusin', note);
    return () => {
      element.removeEventListener('scroll', note, { capture: true });
      element.removeEventListener('focusin', note);
    };
  }, [area, note]);

  useLayoutEffect(() => {
    const { total, query } = listing.snapshot();
    const rows = isShown ? findRows(area.current, total) : undefined;
    const known = anchor.current;
    if (rows !== undefined && known?.query === query) {
      const index = listing.indexOf(known.path);
      const top = index * rows.rowHeight - known.offset;
      if (index !== -1 && Math.abs(top - rows.scroller.scrollTop) >= 1) rows.scroller.scrollTop = top;
    }
    note();
  }, [listing, area, isShown, revision, note]);
}

function findRows(area: HTMLElement | null, total: number) {
  const body = area?.querySelector<HTMLElement>('.table-body');
  const scroller = body?.closest<HTMLElement>('.table-scroller');
  if (body == null || scroller == null || total === 0) return undefined;
  return { scroller, rowHeight: body.offsetHeight / total };
}
