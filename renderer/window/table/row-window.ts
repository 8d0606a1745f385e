// Which rows of a long list are drawn: those in sight and some around them. And where the list stays when rows come and go
// above: at the row the user looks at, except at the very top of a list nobody is working in.

import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import type { RowList } from './row-selection.ts';

/** Rows drawn beyond the edge; the range moves on once half of them are used up. */
const around = 12;

interface Range {
  start: number;
  end: number;
}

export interface RowWindow {
  /** The same object until it changed. */
  range(): Range;
  subscribe(listener: () => void): () => void;
  /** The uppermost row that can be seen. */
  firstInSight(): number;
  /** Scrolls as little as is needed to bring the row into sight. */
  bringIntoSight(index: number): void;
  toTop(): void;
}

export function useRowWindow(input: {
  scroller: RefObject<HTMLElement | null>;
  source: RowList;
  rowHeight: number;
  headerHeight: number;
  /** Rows keep their place on the screen, also at the top. */
  isHeld: boolean;
  /** Looked at rather than the uppermost row, when it is in sight. */
  focusId: string | null;
  /** Another value: a new order was asked for, and it is shown from the top. */
  orderKey: unknown;
}): RowWindow {
  const { scroller, source, rowHeight, headerHeight, isHeld, focusId, orderKey } = input;
  // Kept apart from the table's own state: scrolling draws rows anew and nothing else.
  const [listeners] = useState(() => new Set<() => void>());
  const drawn = useRef<Range>({ start: 0, end: 40 });
  /** As of the last scroll: the browser shortens it by itself when rows go. */
  const top = useRef(0);
  const followsTop = useRef(true);
  const count = useRef(source.count);
  count.current = source.count;

  const height = useRef(0);
  const later = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cover = useCallback(() => {
    const first = Math.max(0, Math.floor(top.current / rowHeight));
    const last = Math.min(count.current, first + Math.ceil(height.current / rowHeight) + 1);
    const { start, end } = drawn.current;
    const isNear =
      (start === 0 || start <= first - around / 2) && (end >= count.current || end >= last + around / 2);
    const isTight = end - start <= last - first + 3 * around;
    if (isNear && isTight && end <= count.current + around) return;
    // After a jump all rows are other ones: first those in sight, and those around once the jumping is over.
    const isJump = last <= start || first >= end;
    const beyond = isJump ? 1 : around;
    drawn.current = { start: Math.max(0, first - beyond), end: last + beyond };
    for (const listener of listeners) listener();
    clearTimeout(later.current);
    if (isJump) later.current = setTimeout(cover, 80);
  }, [rowHeight, listeners]);

  const scrollTo = useCallback(
    (to: number) => {
      const element = scroller.current;
      if (element === null) return;
      element.scrollTop = to;
      top.current = element.scrollTop;
      cover();
    },
    [scroller, cover],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const onScroll = () => {
      // Its own scrolling was noted when it was done; only the user's says whether the top is wanted.
      const now = element.scrollTop;
      if (Math.abs(now - top.current) >= 1) {
        top.current = now;
        followsTop.current = now <= 1;
      }
      cover();
    };
    height.current = element.clientHeight;
    const size = new ResizeObserver(() => {
      height.current = element.clientHeight;
      cover();
    });
    size.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(later.current);
      size.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, cover]);

  const before = useRef<{ source: RowList; orderKey: unknown }>(undefined);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { source, orderKey };
    const element = scroller.current;
    if (old === undefined || element === null || (old.source === source && old.orderKey === orderKey))
      return cover();
    if (old.orderKey !== orderKey || (followsTop.current && !isHeld)) {
      followsTop.current = true;
      return scrollTo(0);
    }
    const first = Math.floor(top.current / rowHeight);
    const last = first + Math.floor((height.current - headerHeight) / rowHeight);
    const focused = focusId === null ? -1 : old.source.indexOf(focusId);
    const isFocusInSight = focused >= first && focused <= last;
    for (let index = isFocusInSight ? focused : first; index < old.source.count; index += 1) {
      const id = old.source.idAt(index);
      const now = id === undefined ? -1 : source.indexOf(id);
      if (now === -1) continue;
      return scrollTo(top.current + (now - index) * rowHeight);
    }
    return cover();
  }, [source, orderKey, isHeld, focusId, rowHeight, headerHeight, scroller, cover, scrollTo]);

  const bringIntoSight = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (element === null) return;
      const room = height.current - headerHeight;
      const at = index * rowHeight;
      if (at < element.scrollTop) scrollTo(at);
      else if (at + rowHeight > element.scrollTop + room) scrollTo(at + rowHeight - room);
      followsTop.current = element.scrollTop <= 1;
    },
    [scroller, rowHeight, headerHeight, scrollTo],
  );
  const toTop = useCallback(() => {
    followsTop.current = true;
    scrollTo(0);
  }, [scrollTo]);

  return useMemo(
    () => ({
      range: () => drawn.current,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      firstInSight: () => Math.ceil(top.current / rowHeight),
      bringIntoSight,
      toTop,
    }),
    [listeners, rowHeight, bringIntoSight, toTop],
  );
}

/** The rows to draw now. */
export function useRange(rowWindow: RowWindow, count: number): Range {
  const { start, end } = useSyncExternalStore(rowWindow.subscribe, rowWindow.range);
  return { start: Math.min(start, count), end: Math.min(end, count) };
}
