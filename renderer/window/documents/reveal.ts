// Leads the table to a document of which only the name is known: finds its place among perhaps 100,000, scrolls there, and
// then has the row selected and focused.

import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { DocumentItem } from '../../../app/contract/results.ts';
import type { Listing } from './listing.ts';

export interface Revealing {
  /** For the table. */
  reveal: { id: string; step: number } | undefined;
  /** The item once it was found; undefined when it is not in the folder that is shown. */
  toPath(path: string): Promise<DocumentItem | undefined>;
  /** As soon as there are rows. */
  toFirst(): void;
}

interface Aim {
  id: string;
  index: number;
  step: number;
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

  const aimAt = useCallback((index: number, item: DocumentItem) => {
    step.current += 1;
    setAim({ id: item.path, index, step: step.current });
  }, []);
  const toPath = useCallback(
    async (path: string) => {
      const found = await listing.locate(path);
      if (found !== undefined) aimAt(found.index, found.item);
      return found?.item;
    },
    [listing, aimAt],
  );
  const toFirst = useCallback(() => {
    const stop = listing.subscribe(() => {
      const { status } = listing.snapshot();
      if (status === 'loading') return;
      stop();
      const first = listing.itemAt(0);
      if (first !== undefined) aimAt(0, first);
    });
  }, [listing, aimAt]);

  useEffect(() => {
    const body = place.current?.querySelector<HTMLElement>('.table-body');
    const scroller = body?.closest<HTMLElement>('.table-scroller');
    const { total } = listing.snapshot();
    if (aim === undefined || !isShown || body == null || scroller == null || total === 0) return undefined;
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
