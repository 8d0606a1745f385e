// The drawn rows: those in view and some around them. Row elements are reused: a row that comes into view takes over the element of one
// that left, so scrolling changes texts and creates nothing.

import {
  Fragment,
  memo,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type Ref,
} from 'react';
import { flushSync } from 'react-dom';
import { formatCount } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { Icon } from '../../kit/icon.tsx';
import { onResize } from '../../kit/resize.ts';
import { RelativeTime } from '../../kit/time.tsx';
import type { Column, RowSource } from './model.ts';

export type RowTone = 'bad' | 'muted';

export type RowHandlers = Omit<ComponentProps<'div'>, 'ref'>;

export interface RowsHandle {
  /** Scrolls as little as possible. */
  scrollIntoView(index: number): void;
  /** Focuses the row that is the tab stop; false if none is drawn. */
  focusStop(): boolean;
}

interface TableRowsProps<Row> {
  ref: Ref<RowsHandle>;
  source: RowSource<Row>;
  columns: readonly Column<Row>[];
  below: readonly Column<Row>[];
  /** What scrolls the rows: the table, or all of the view. */
  scroller: HTMLElement;
  rowHeight: number;
  /** Px at the top that the titles cover; 0 where they scroll too. */
  headerHeight: number;
  selected: ReadonlySet<string>;
  /** -1: none. Its row is also drawn out of view, or the focus would be lost with it. */
  focusIndex: number;
  /** Rows keep their place on the screen, also at the top. */
  isHeld: boolean;
  /** Another order begins at the top. */
  orderKey: string;
  rowTone: ((row: Row) => RowTone | undefined) | undefined;
  handlers: RowHandlers;
}

export function TableRows<Row extends { id: string }>(props: TableRowsProps<Row>) {
  const { source, columns, below, rowHeight, selected, focusIndex } = props;
  const body = useRef<HTMLDivElement>(null);
  const { start, end, scrollIntoView } = useRowWindow(props, body);
  const idPrefix = useId();
  useImperativeHandle(props.ref, () => ({
    scrollIntoView,
    focusStop() {
      const row = body.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]');
      row?.focus({ preventScroll: true });
      return row != null;
    },
  }));
  const indexes = Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);
  if (focusIndex !== -1 && focusIndex < start) indexes.unshift(focusIndex);
  if (focusIndex >= end) indexes.push(focusIndex);
  const slots = useSlots(indexes.map((index) => source.at(index)?.id ?? `${index}`));
  const drawn = indexes.map((index, at) => ({ index, slot: slots[at] ?? 0 }));
  // The elements aren't in the order of the rows.
  const readingOrder = slots.map((slot) => `${idPrefix}${slot}`).join(' ');
  return (
    <div
      ref={body}
      role="rowgroup"
      className="table-body"
      style={{ height: source.count * rowHeight }}
      aria-owns={readingOrder === '' ? undefined : readingOrder}
      {...props.handlers}
    >
      {drawn
        .toSorted((one, other) => one.slot - other.slot)
        .map(({ index, slot }) => {
          const row = source.at(index);
          return row === undefined ? null : (
            <TableRow
              key={slot}
              elementId={`${idPrefix}${slot}`}
              row={row}
              index={index}
              top={index * rowHeight}
              columns={columns}
              below={below}
              isSelected={selected.has(row.id)}
              isTabStop={index === (focusIndex === -1 ? start : focusIndex)}
              tone={props.rowTone?.(row)}
            />
          );
        })}
    </div>
  );
}

/** In a window of this height, the view scrolls as a whole, because its rows would have little room below its header. As in app.css. */
export const shortWindow = '(max-height: 480px)';
/** Rows drawn beyond the edge. */
const around = 12;
/** Once the view has rested for this long, the rows around the ones in view are drawn too. */
const restsAfterMs = 80;

/** Which rows to draw, and where the list stays when rows above are added or removed. */
function useRowWindow<Row extends { id: string }>(
  props: TableRowsProps<Row>,
  body: { current: HTMLElement | null },
) {
  const { source, scroller, rowHeight, headerHeight, isHeld, focusIndex, orderKey } = props;
  const { count } = source;
  /** Px of the rows above the view; below 0 while something above the rows is in sight. */
  const position = () => {
    const top = scroller.getBoundingClientRect().top + headerHeight;
    return top - (body.current?.getBoundingClientRect().top ?? top);
  };
  const height = () => scroller.clientHeight - headerHeight;
  const [range, setRange] = useState({ start: 0, end: Math.ceil(height() / rowHeight) + 1 });
  /** The rows that were in view, the focused one first, and px from the top of the view. */
  const anchors = useRef<{ id: string; offset: number }[]>([]);
  const lastPosition = useRef(0);
  const lastTop = useRef(0);
  /** The user is at the top, and wants to see what is added there. */
  const followsTop = useRef(true);

  const draw = (now = position(), beyond = around) => {
    // Always the same number of rows, so that scrolling creates and removes no elements.
    const rows = Math.ceil(height() / rowHeight) + 1 + 2 * beyond;
    const start = Math.max(0, Math.min(Math.floor(now / rowHeight) - beyond, count - rows));
    const end = start + rows;
    setRange((before) => (before.start === start && before.end === end ? before : { start, end }));
  };
  const note = (now = position()) => {
    lastPosition.current = now;
    lastTop.current = scroller.scrollTop;
    const first = Math.max(0, Math.floor(now / rowHeight));
    const last = Math.min(count - 1, Math.floor((now + height()) / rowHeight));
    const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
    const inView = focusIndex >= first && focusIndex <= last ? [focusIndex, ...shown] : shown;
    anchors.current = inView.flatMap((index) => {
      const id = source.at(index)?.id;
      return id === undefined ? [] : [{ id, offset: index * rowHeight - now }];
    });
  };
  const scrollTo = (to: number) => {
    scroller.scrollTop += to - position();
  };
  const latest = useRef({ draw, note });
  latest.current = { draw, note };

  const before = useRef({ source, orderKey, rowHeight });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { source, orderKey, rowHeight };
    if (old.orderKey !== orderKey || (old.source !== source && followsTop.current && !isHeld)) {
      followsTop.current = true;
      if (position() > 0) scrollTo(0);
    } else {
      const anchor = anchors.current.find(({ id }) => source.indexOf(id) !== -1);
      // The user may have scrolled since, without an event yet.
      const scrolled = scroller.scrollTop - lastTop.current;
      const to = anchor === undefined ? 0 : source.indexOf(anchor.id) * rowHeight - anchor.offset + scrolled;
      // Where something above the rows is in sight, it stays there.
      if (anchor !== undefined && Math.abs(to - position()) >= 1 && (position() > 0 || to > 0)) scrollTo(to);
    }
    // The first rows are drawn already.
    if (old.source !== source || old.orderKey !== orderKey || old.rowHeight !== rowHeight) draw();
    note();
  }, [source, orderKey, rowHeight, focusIndex]);
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      const now = position();
      const moved = Math.abs(now - lastPosition.current);
      // Only the user's scrolling says whether the top is wanted; what the table did itself is noted.
      if (moved >= 1) followsTop.current = now <= 1;
      latest.current.note(now);
      // While the scrollbar is dragged, every row is another one: only those in view.
      const isJump = moved > height();
      clearTimeout(timer);
      if (isJump) timer = setTimeout(() => latest.current.draw(), restsAfterMs);
      // Within the frame.
      flushSync(() => latest.current.draw(now, isJump ? 0 : around));
    };
    const unwatch = onResize(scroller, () => latest.current.draw());
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      unwatch();
      scroller.removeEventListener('scroll', onScroll);
    };
  }, [scroller, headerHeight]);

  return {
    start: Math.min(range.start, Math.max(0, count - 1)),
    end: Math.min(range.end, count),
    scrollIntoView(index: number) {
      const top = index * rowHeight;
      // Also shows what is above the rows.
      if (index === 0) scroller.scrollTop = 0;
      else if (top < position()) scrollTo(top);
      else if (top + rowHeight > position() + height()) scrollTo(top + rowHeight - height());
      followsTop.current = position() <= 1;
      draw();
      note();
    },
  };
}

/** The number of each row's element, which it keeps as long as it is drawn. */
function useSlots(keys: readonly string[]): number[] {
  const taken = useRef(new Map<string, number>());
  const kept = new Set(keys.map((key) => taken.current.get(key)));
  const free = keys.map((_, slot) => slot).filter((slot) => !kept.has(slot));
  const slots = keys.map((key) => taken.current.get(key) ?? free.shift() ?? 0);
  taken.current = new Map(keys.map((key, index) => [key, slots[index] ?? 0]));
  return slots;
}

interface TableRowProps<Row> {
  row: Row;
  elementId: string;
  index: number;
  top: number;
  columns: readonly Column<Row>[];
  /** A second line below the row's name. */
  below: readonly Column<Row>[];
  isSelected: boolean;
  isTabStop: boolean;
  tone: RowTone | undefined;
}

/** Drawn again only when its own props change; the table listens for presses and keys. */
const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

function PlainTableRow<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, columns, below, tone } = props;
  const name = columns.find(({ isRowHeader }) => isRowHeader === true);
  return (
    <div
      role="row"
      id={props.elementId}
      className={tone === undefined ? 'table-row' : `table-row tone-${tone}`}
      style={{ transform: `translateY(${props.top}px)` }}
      aria-rowindex={props.index + 2}
      aria-selected={props.isSelected}
      tabIndex={props.isTabStop ? 0 : -1}
      data-row={row.id}
    >
      <div role="gridcell" className="table-cell table-check" data-check="">
        <input
          type="checkbox"
          className="check"
          aria-hidden
          tabIndex={-1}
          checked={props.isSelected}
          readOnly
        />
      </div>
      {columns.map((column, index) => (
        <Fragment key={column.id}>
          <div
            role={column === name ? 'rowheader' : 'gridcell'}
            className={`table-cell cut${column.kind === 'number' ? ' table-number' : ''}`}
            title={wholeText(column, row)}
          >
            {content(column, row)}
          </div>
          {below.length > 0 && column === name && (
            <div
              role="presentation"
              className="table-cell cut table-below"
              style={{ gridColumnStart: index + 2 }}
            >
              {below.map((part) =>
                part.value(row) === null ? null : (
                  <div key={part.id} role="gridcell" className="table-part cut" title={wholeText(part, row)}>
                    {content(part, row)}
                  </div>
                ),
              )}
            </div>
          )}
        </Fragment>
      ))}
      <div role="gridcell" className="table-cell table-more">
        <button
          type="button"
          tabIndex={-1}
          className="row-button"
          aria-label={t('window.actions-for-name', { name: String(name?.value(row) ?? '') })}
          data-menu=""
        >
          <Icon name="more" />
        </button>
      </div>
    </div>
  );
}

function content<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.render !== undefined) return column.render(row);
  const value = column.value(row);
  if (column.kind === 'time')
    return <RelativeTime atMs={typeof value === 'number' ? value : null} isStart isBrief />;
  if (value === null) return <span className="muted">–</span>;
  return typeof value === 'number' ? formatCount(value) : value;
}

/** The tooltip of a cell that may be cut off; columns with `render` have their own. */
function wholeText<Row>(column: Column<Row>, row: Row): string | undefined {
  const value = column.render === undefined ? column.value(row) : null;
  return typeof value === 'string' ? value : undefined;
}
