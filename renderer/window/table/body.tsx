// The rows of a table that are in sight. Its elements are used again: a row that comes in takes over the element of one that
// went out, so that scrolling changes texts and builds nothing. A row keeps its element as long as it is drawn.

import { useEffect, useId, useLayoutEffect, useRef, useState, type ComponentProps, type Ref } from 'react';
import type { RowSource } from './row-source.ts';
import { useRange, type RowWindow } from './row-window.ts';
import type { Column } from './column.ts';
import { TableRow, type RowTone } from './row.tsx';

interface TableBodyProps<Row> {
  ref: Ref<HTMLDivElement>;
  source: RowSource<Row>;
  columns: readonly Column<Row>[];
  rowWindow: RowWindow;
  rowHeight: number;
  selected: ReadonlySet<string>;
  /** -1: none. Its row is drawn also out of sight, or the focus would be lost with it. */
  focusIndex: number;
  hasMenu: boolean;
  rowTone: ((row: Row) => RowTone | undefined) | undefined;
  onRange(start: number, end: number): void;
  handlers: Pick<
    ComponentProps<'div'>,
    'onKeyDown' | 'onClick' | 'onDoubleClick' | 'onContextMenu' | 'onFocus' | 'onBlur'
  >;
}

const settlesAfterMs = 250;

export function TableBody<Row extends { id: string }>(props: TableBodyProps<Row>) {
  const { source, columns, rowWindow, rowHeight, selected, focusIndex, onRange } = props;
  const { start, end } = useRange(rowWindow, source.count);
  const places = usePlaces();
  const idPrefix = useId();

  const indexes = Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);
  if (focusIndex !== -1 && (focusIndex < start || focusIndex >= end)) indexes.push(focusIndex);
  const drawn = places(indexes.map((index) => ({ index, key: source.idAt(index) ?? `${index}` })));

  useEffect(() => {
    if (end > start) onRange(start, end);
  }, [start, end, source, onRange]);

  // The elements do not stand in the order of the rows; assistive technology is told the order once the scrolling is over.
  const [order, setOrder] = useState('');
  const wanted = useRef('');
  useLayoutEffect(() => {
    wanted.current = drawn
      .toSorted((a, b) => a.index - b.index)
      .map(({ place }) => `${idPrefix}${place}`)
      .join(' ');
    const timer = setTimeout(() => setOrder(wanted.current), settlesAfterMs);
    return () => clearTimeout(timer);
  });

  const tabStop = focusIndex === -1 ? start : focusIndex;
  return (
    <div
      ref={props.ref}
      role="rowgroup"
      className="table-body"
      style={{ height: source.count * rowHeight }}
      aria-owns={order === '' ? undefined : order}
      {...props.handlers}
    >
      {drawn.map(({ index, place }) => {
        const row = source.at(index);
        return (
          <TableRow
            key={place}
            elementId={`${idPrefix}${place}`}
            row={row}
            index={index}
            top={index * rowHeight}
            columns={columns}
            isSelected={row !== undefined && selected.has(row.id)}
            isTabStop={index === tabStop}
            hasMenu={props.hasMenu}
            tone={row === undefined ? undefined : props.rowTone?.(row)}
          />
        );
      })}
    </div>
  );
}

interface Wanted {
  index: number;
  key: string;
}

/** Gives each row one of the places and keeps it there; in the order of places, in which the elements stand for good. */
function usePlaces(): (rows: Wanted[]) => (Wanted & { place: number })[] {
  const taken = useRef(new Map<string, number>());
  return (rows) => {
    const before = taken.current;
    const next = new Map<string, number>();
    for (const { key } of rows) {
      const place = before.get(key);
      if (place !== undefined) next.set(key, place);
    }
    const used = new Set(next.values());
    let free = 0;
    const placed = rows.map((row) => {
      let place = next.get(row.key);
      if (place === undefined) {
        while (used.has(free)) free += 1;
        place = free;
        used.add(place);
        next.set(row.key, place);
      }
      return { ...row, place };
    });
    taken.current = next;
    return placed.toSorted((a, b) => a.place - b.place);
  };
}
