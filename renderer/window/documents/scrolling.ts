// Where the table is scrolled to: keeps what is in view in its place when documents are added or removed above, and scrolls to a document
// of which only the path is known.

import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { DocumentItem } from '../../../app/contract/results.ts';
import type { Listing, ListingQuery } from './listing.ts';

interface Anchor {
  path: string;
  /** Distance from the top of the rows' room, in px. */
  offset: number;
  query: ListingQuery;
}

/** Keeps the focused row in its place, else the topmost one; at the very top, new rows are shown. `area` holds the table. */
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

interface Revealing {
  /** For the table. */
  reveal: { id: string; step: number } | undefined;
  /** The item once it was found; undefined if it isn't in the shown folder. */
  toPath(path: string): Promise<DocumentItem | undefined>;
  /** As soon as there are rows. */
  toFirst(): void;
}

interface Aim {
  id: string;
  index: number;
  step: number;
  /** The folder and order that the index is of; in another one, the aim is ignored. */
  query: ListingQuery;
}

export function useRevealing(input: {
  listing: Listing;
  /** The table is in it. */
  place: RefObject<HTMLElement | null>;
  /** The table shows the listing, and not a search or nothing yet. */
  isShown: boolean;
}): Revealing {
  const { listing, place, isShown } = input;
  const [reveal, setReveal] = useState<{ id: string; step: number }>();
  const [aim, setAim] = useState<Aim>();
  const step = useRef(0);

  const aimAt = useCallback((index: number, item: DocumentItem, query: ListingQuery) => {
    step.current += 1;
    setAim({ id: item.path, index, step: step.current, query });
  }, []);
  const toPath = useCallback(
    async (path: string) => {
      const { query } = listing.snapshot();
      const found = await listing.locate(path);
      if (found !== undefined) aimAt(found.index, found.item, query);
      return found?.item;
    },
    [listing, aimAt],
  );
  const toFirst = useCallback(() => {
    const { query } = listing.snapshot();
    const stop = listing.subscribe(() => {
      const { status } = listing.snapshot();
      if (status === 'loading') return;
      stop();
      const first = listing.itemAt(0);
      if (first !== undefined) aimAt(0, first, query);
    });
  }, [listing, aimAt]);

  useEffect(() => {
    const body = place.current?.querySelector<HTMLElement>('.table-body');
    const scroller = body?.closest<HTMLElement>('.table-scroller');
    const { total, query } = listing.snapshot();
    if (aim?.query !== query || !isShown || body == null || scroller == null || total === 0) return undefined;
    const rowHeight = body.offsetHeight / total;
    const at = aim.index * rowHeight;
    const isInSight =
      at >= scroller.scrollTop && at + 2 * rowHeight < scroller.scrollTop + scroller.clientHeight;
    if (!isInSight) scroller.scrollTop = Math.max(0, at - scroller.clientHeight / 2);
    // The table knows a row once it has drawn it, in the frame after the scrolling.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        setAim(undefined);
        setReveal({ id: aim.id, step: aim.step });
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [aim, isShown, listing, place]);

  return { reveal, toPath, toFirst };
}
