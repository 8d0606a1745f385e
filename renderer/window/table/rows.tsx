// What a table draws: its titles and its rows.

import { useVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  memo,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useMemo,
  type ComponentProps,
  type ReactNode,
  type Ref,
  type RefObject,
  type CSSProperties,
  type KeyboardEvent,
} from 'react';
import { formatCount } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { Icon } from '../../kit/icon.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import type { Column, RowSource, Sort } from './model.ts';

// The titles: which columns fit, and how wide they are. A title is pressed to sort, and pressed again to turn the order. One tab stop; ←, →,
// Home and End lead to the others.

/** Px; widths of columns are for text of this size. */
const usualTextSize = 13;
/** Px; `--s5`, where `--view-inset` isn't set. */
const usualInset = 24;
/** Px that the check box and the menu of a row take. */
const besideColumns = 34 + 40;

interface TableHeaderProps<Row> {
  columns: readonly Column<Row>[];
  /** The title of the second line is next to the row name's. */
  below: Column<Row> | undefined;
  sort: Sort;
  onSort(sort: Sort): void;
  selected: 'none' | 'some' | 'all';
  onSelectAll(isAll: boolean): void;
  /** ↓ from the titles. */
  onLeave(): void;
}

export function TableHeader<Row>(props: TableHeaderProps<Row>) {
  const { columns, below, sort, selected } = props;
  const row = useRef<HTMLDivElement>(null);
  const checkbox = useRef<HTMLInputElement>(null);
  const [stop, setStop] = useState(0);
  // Whenever it is drawn: a press takes it away.
  useLayoutEffect(() => {
    if (checkbox.current !== null) checkbox.current.indeterminate = selected === 'some';
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      props.onLeave();
      return;
    }
    const stops = [...(row.current?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])];
    const at = stops.findIndex((element) => element === document.activeElement);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: stops.length - 1,
    };
    const to = steps[event.key] ?? -1;
    const next = stops[to];
    if (next === undefined) return;
    event.preventDefault();
    setStop(to);
    next.focus();
  };

  // Columns may be gone since.
  const sortable = [...columns, ...(below === undefined ? [] : [below])].filter(
    ({ isSortable }) => isSortable !== false,
  );
  const shownStop = Math.min(stop, sortable.length);
  let stopIndex = 0;
  const tabStop = () => {
    const index = stopIndex;
    stopIndex += 1;
    return { 'data-stop': '', tabIndex: index === shownStop ? 0 : -1, onFocus: () => setStop(index) };
  };

  const title = (column: Column<Row>, className: string) => {
    const isSorted = sort.column === column.id;
    if (column.isSortable === false) {
      return (
        <div key={column.id} role="columnheader" className={className}>
          <span className={column.isTitleHidden === true ? 'visually-hidden' : 'cut'}>{column.title}</span>
        </div>
      );
    }
    return (
      <div
        key={column.id}
        role="columnheader"
        className={className}
        aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}
      >
        <button
          type="button"
          className="table-sort"
          onClick={() =>
            props.onSort({
              column: column.id,
              // times and amounts are looked at from the newest and largest
              isDescending: isSorted
                ? !sort.isDescending
                : column.kind === 'time' || column.kind === 'number',
            })
          }
          {...tabStop()}
        >
          <span className="cut">{column.title}</span>
          {isSorted && <Icon name={sort.isDescending ? 'arrow-down' : 'arrow-up'} size={11} />}
        </button>
      </div>
    );
  };

  return (
    <div role="rowgroup" className="table-head">
      <div role="row" className="table-titles" aria-rowindex={1} ref={row} onKeyDown={onKeyDown}>
        <div role="columnheader" className="table-cell table-check" aria-label={t('window.selected')}>
          <input
            ref={checkbox}
            type="checkbox"
            className="check-input"
            aria-label={t('common.select-all')}
            checked={selected === 'all'}
            onChange={() => props.onSelectAll(selected !== 'all')}
            {...tabStop()}
          />
        </div>
        {columns.map((column) => {
          const className =
            column.kind === 'number' ? 'table-cell table-title table-number' : 'table-cell table-title';
          return below === undefined || column.isRowHeader !== true ? (
            title(column, className)
          ) : (
            <div key={column.id} className={className}>
              {title(column, 'table-title')}
              {title(below, 'table-title')}
            </div>
          );
        })}
        <div role="columnheader" className="table-cell table-more">
          <span className="visually-hidden">{t('window.actions')}</span>
        </div>
      </div>
    </div>
  );
}

/** Px, as in parts.css. */
function panelWidth(wholeWidth: number): number {
  return Math.max(320, Math.min(0.36 * wholeWidth, 336));
}

/**
 * All columns until the width is known. `below`: those of the second line. `isWide`: even the columns that always stay don't fit, so the
 * table scrolls sideways.
 */
export function useFittingColumns<Row>(
  columns: readonly Column<Row>[],
  scroller: HTMLElement | null,
  /** A side panel may open beside the rows. */
  hasPanel: boolean,
): { columns: readonly Column<Row>[]; below: readonly Column<Row>[]; isWide: boolean } {
  const [shown, setShown] = useState<ReadonlySet<string>>();
  const [isWide, setIsWide] = useState(false);
  const [second, setSecond] = useState<Column<Row>>();
  useLayoutEffect(() => {
    if (scroller === null) return undefined;
    const fit = () => {
      const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / usualTextSize;
      // As in table.css, also before a row is drawn.
      const inset =
        Number.parseFloat(getComputedStyle(scroller).getPropertyValue('--view-inset')) || usualInset;
      const padding = 2 * inset - 16;
      const room = { width: scroller.clientWidth - padding, scale };
      // Whether the side panel is open or not, since rows must not grow when one is pressed.
      const scrollbarWidth = scroller.offsetWidth - scroller.clientWidth;
      const mainWidth = scroller.parentElement?.clientWidth ?? 0;
      const width = mainWidth - scrollbarWidth - padding;
      const besidePanel = hasPanel ? width - panelWidth(mainWidth) : width;
      const fallen = columnBelow(columns, { width, besidePanel, scale });
      setSecond(fallen);
      const isBesidePanel = mainWidth > scroller.offsetWidth;
      const wanted = isBesidePanel ? columns.filter(({ isInPanel }) => isInPanel !== true) : columns;
      const kept = fittingColumns(wanted, room, fallen);
      setShown((before) =>
        before?.size === kept.length && kept.every(({ id }) => before.has(id))
          ? before
          : new Set(kept.map(({ id }) => id)),
      );
      setIsWide(neededWidth(kept, scale) > room.width);
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(scroller);
    return () => observer.disconnect();
  }, [columns, scroller, hasPanel]);
  const fitting = useMemo(
    () => (shown === undefined ? columns : columns.filter(({ id }) => shown.has(id))),
    [columns, shown],
  );
  const below = useMemo(() => {
    if (second === undefined) return [];
    const joining = columns.filter(({ id, joinsBelow }) => joinsBelow === true && shown?.has(id) === false);
    return [second, ...joining];
  }, [columns, shown, second]);
  return { columns: fitting, below, isWide };
}

/** As custom properties, which the content security policy lets scripts set. */
export function columnTracks<Row>(columns: readonly Column<Row>[]): CSSProperties {
  const rem = (px: number) => `${px / usualTextSize}rem`;
  const tracks = columns.map(({ width }) =>
    width.grow === undefined ? rem(width.min) : `minmax(${rem(width.min)}, ${width.grow}fr)`,
  );
  const least = columns.reduce((sum, { width }) => sum + width.min, 0);
  return {
    '--table-columns': `34px ${tracks.join(' ')} 40px`,
    '--table-least': `calc(${rem(least)} + ${besideColumns}px + 2 * var(--view-inset, var(--s5)) - 16px)`,
  } as CSSProperties;
}

/** The columns that fit beside the one that is `below`, in their order. `scale`: how much larger the text is than usual. */
function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  room: { width: number; scale: number },
  below?: Column<Row>,
): readonly Column<Row>[] {
  let kept = columns.filter((column) => column !== below);
  const byPriority = kept
    .filter(({ priority }) => priority !== undefined)
    .toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  for (const dropped of byPriority) {
    if (neededWidth(kept, room.scale) <= room.width) break;
    kept = kept.filter((column) => column !== dropped);
  }
  return kept;
}

/** The column that begins a second line where not all fit that are more important as columns. */
function columnBelow<Row>(
  columns: readonly Column<Row>[],
  room: { width: number; besidePanel: number; scale: number },
): Column<Row> | undefined {
  const second = columns.find(({ fallsBelow }) => fallsBelow !== undefined);
  const limit = second?.fallsBelow ?? 0;
  const least = columns.filter((column) => column === second || column.priority === undefined);
  const wanted = columns.filter((column) => least.includes(column) || (column.priority ?? 0) > limit);
  return neededWidth(wanted, room.scale) > room.width || neededWidth(least, room.scale) > room.besidePanel
    ? second
    : undefined;
}

function neededWidth<Row>(columns: readonly Column<Row>[], scale: number): number {
  return columns.reduce((sum, { width }) => sum + width.min * scale, besideColumns);
}

// The drawn rows: those in view and some around them, so that 100,000 rows scroll like ten. Row elements are reused: a row that comes into
// view takes over the element of one that left, so scrolling changes texts and creates nothing.

export type RowTone = 'good' | 'warn' | 'bad' | 'muted';

export interface RowsHandle {
  /** The topmost row in view. */
  firstInView(): number;
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
  /** Another value: a new order was asked for, which is shown from the top. */
  orderKey: string;
  hasMenu: boolean;
  rowTone: ((row: Row) => RowTone | undefined) | undefined;
  onRange(start: number, end: number): void;
  handlers: Pick<
    ComponentProps<'div'>,
    | 'onKeyDown'
    | 'onClick'
    | 'onClickCapture'
    | 'onDoubleClick'
    | 'onDoubleClickCapture'
    | 'onMouseDownCapture'
    | 'onContextMenu'
    | 'onFocus'
    | 'onBlur'
  >;
}

export function TableRows<Row extends { id: string }>(props: TableRowsProps<Row>) {
  const { source, columns, rowHeight, selected, focusIndex, onRange } = props;
  const body = useRef<HTMLDivElement>(null);
  const { start, end, isJump, isScrolling, firstInView, scrollIntoView } = useRowWindow(props, body);
  const slots = useSlots();
  const idPrefix = useId();
  useImperativeHandle(props.ref, () => ({
    firstInView,
    scrollIntoView,
    focusStop() {
      const row = body.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]');
      row?.focus({ preventScroll: true });
      return row != null;
    },
  }));

  const indexes = Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);
  if (focusIndex !== -1 && (focusIndex < start || focusIndex >= end)) indexes.push(focusIndex);
  const drawn = slots(indexes.map((index) => ({ index, key: source.idAt(index) ?? `${index}` })));

  // Rows that are only scrolled past aren't loaded: drawing them would take longer than a frame. Once the scrolling rests, it's no jump.
  useEffect(() => {
    if (end > start && !isJump) onRange(start, end);
  }, [start, end, isJump, source, onRange]);

  // The elements aren't in the order of the rows; assistive technology learns the order, once the scrolling is over.
  const order = useRef('');
  if (!isScrolling) {
    order.current = drawn
      .toSorted((one, other) => one.index - other.index)
      .map(({ slot }) => `${idPrefix}${slot}`)
      .join(' ');
  }

  const tabStop = focusIndex === -1 ? start : focusIndex;
  return (
    <div
      ref={body}
      role="rowgroup"
      className="table-body"
      style={{ height: source.count * rowHeight }}
      aria-owns={order.current === '' ? undefined : order.current}
      {...props.handlers}
    >
      {drawn.map(({ index, slot }) => {
        const row = source.at(index);
        return (
          <TableRow
            key={slot}
            elementId={`${idPrefix}${slot}`}
            row={row}
            index={index}
            top={index * rowHeight}
            columns={columns}
            below={props.below}
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

/** In a window of this height, the view scrolls as a whole, because its rows would have little room below its header. As in app.css. */
export const shortWindow = '(max-height: 480px)';

/** What scrolls the rows. Positions are px from the first row, also where other parts of the view scroll with it. */
interface RowScroller {
  element: HTMLElement;
  /** Px of the view above the rows that scroll with them. */
  above(): number;
  /** Below 0 while something above the rows is in sight. */
  position(): number;
  scrollTo(position: number): void;
}

/** @param body holds the rows */
export function rowScroller(body: HTMLElement | null | undefined): RowScroller | undefined {
  const isWhole = matchMedia(shortWindow).matches;
  const element = body?.closest<HTMLElement>(isWhole ? '.main' : '.table-scroller');
  if (body == null || element == null) return undefined;
  const position = () =>
    isWhole ? element.getBoundingClientRect().top - body.getBoundingClientRect().top : element.scrollTop;
  return {
    element,
    above: () => (isWhole ? Math.round(element.scrollTop - position()) : 0),
    position,
    scrollTo(to) {
      element.scrollTop += to - position();
    },
  };
}

/** Rows drawn beyond the edge; the range moves on once half of them are used up. */
const around = 12;
/** Once scrolling has stopped for this long, rows are loaded, and those around the ones in view are drawn too. */
const restsAfterMs = 80;

/** Which rows to draw, and where the list stays when rows above are added or removed. */
function useRowWindow<Row extends { id: string }>(
  props: TableRowsProps<Row>,
  body: RefObject<HTMLElement | null>,
) {
  const { source, scroller, rowHeight, headerHeight, isHeld, focusIndex, orderKey } = props;
  const { count } = source;
  const rowsInIt = useRef<RowScroller>(undefined);
  const scrolling = () => {
    // The scroller changes when the window becomes short.
    if (rowsInIt.current?.element !== scroller) rowsInIt.current = rowScroller(body.current);
    return rowsInIt.current;
  };
  const position = () => scrolling()?.position() ?? 0;
  /** As of the last scroll: the browser shortens it when rows are removed. */
  const top = useRef(0);
  const followsTop = useRef(true);
  const scrollTo = (to: number) => {
    scrolling()?.scrollTo(to);
    top.current = position();
  };
  const [above, setAbove] = useState(0);
  const lastAbove = useRef(above);
  const measureAbove = () => {
    const now = scrolling()?.above() ?? 0;
    // Setting the same state can draw all rows once more.
    if (now !== lastAbove.current) setAbove(now);
    lastAbove.current = now;
  };
  // Listens before the virtualizer does, which draws within the event.
  useLayoutEffect(() => {
    top.current = position();
    const onScroll = () => {
      measureAbove();
      const now = position();
      // Scrolling by the table itself was noted when it was done; only the user's says whether the top is wanted.
      if (Math.abs(now - top.current) < 1) return;
      top.current = now;
      followsTop.current = now <= 1;
    };
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => scroller.removeEventListener('scroll', onScroll);
  }, [scroller]);
  useLayoutEffect(measureAbove);

  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    initialRect: { width: scroller.clientWidth, height: scroller.clientHeight },
    scrollMargin: above,
    scrollPaddingEnd: headerHeight,
    isScrollingResetDelay: restsAfterMs,
    overscan: 0,
  });

  // It remembers heights. The row at the top stays there, and the focused one in view.
  const measured = useRef(rowHeight);
  useLayoutEffect(() => {
    const oldHeight = measured.current;
    if (oldHeight === rowHeight) return;
    measured.current = rowHeight;
    const focusTop = focusIndex * oldHeight - top.current;
    const isFocusInView = focusIndex !== -1 && focusTop >= 0 && focusTop < scroller.clientHeight;
    virtualizer.measure();
    if (top.current > 0) scrollTo((top.current / oldHeight) * rowHeight);
    if (!isFocusInView) return;
    virtualizer.scrollToIndex(focusIndex, { align: 'auto' });
    top.current = position();
  }, [rowHeight]);

  const drawn = useRef({ start: 0, end: 0, first: 0, last: 0, isJump: false });
  const inView = virtualizer.calculateRange();
  const first = inView?.startIndex ?? 0;
  const last = Math.min(count, (inView?.endIndex ?? -1) + 1);
  const range = nextRange(drawn.current, { first, last, count, isScrolling: virtualizer.isScrolling });
  drawn.current = range;

  const before = useRef({ source, orderKey, focusIndex });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { source, orderKey, focusIndex };
    if (old.source === source && old.orderKey === orderKey) return;
    if (old.orderKey !== orderKey || (followsTop.current && !isHeld)) {
      followsTop.current = true;
      if (position() > 0) scrollTo(0);
      return;
    }
    // The focused row stays where it is, or else the topmost one in view.
    const firstRow = Math.max(0, Math.floor(top.current / rowHeight));
    const lastRow = firstRow + Math.floor((scroller.clientHeight - headerHeight) / rowHeight);
    const isFocusInView = old.focusIndex >= firstRow && old.focusIndex <= lastRow;
    for (let index = isFocusInView ? old.focusIndex : firstRow; index < old.source.count; index += 1) {
      const id = old.source.idAt(index);
      const now = id === undefined ? -1 : source.indexOf(id);
      if (now === -1) continue;
      if (now !== index) scrollTo(top.current + (now - index) * rowHeight);
      return;
    }
  });

  return {
    ...range,
    isScrolling: virtualizer.isScrolling,
    firstInView: () => Math.max(0, Math.ceil(position() / rowHeight)),
    scrollIntoView(index: number) {
      // Also shows what is above the rows.
      if (index === 0) scroller.scrollTop = 0;
      else virtualizer.scrollToIndex(index, { align: 'auto' });
      top.current = position();
      followsTop.current = top.current <= 1;
    },
  };
}

interface DrawnRange {
  start: number;
  end: number;
  /** In view; `last` is the one after them. */
  first: number;
  last: number;
  /** None of the rows in view was in view before, and scrolling continues. */
  isJump: boolean;
}

/** The same range as long as enough rows around those in view are drawn. */
function nextRange(
  before: DrawnRange,
  now: { first: number; last: number; count: number; isScrolling: boolean },
): DrawnRange {
  const { first, last, count } = now;
  const isNear =
    (before.start === 0 || before.start <= first - around / 2) &&
    (before.end >= count || before.end >= last + around / 2);
  const isTight = before.end - before.start <= last - first + 3 * around;
  if (isNear && isTight && before.end <= count && before.end > before.start)
    return { ...before, first, last };
  // While the scrollbar is dragged, every row is another one: only those in view, and those around them at the end.
  const isSame = first === before.first && last === before.last;
  const isJump = now.isScrolling && (isSame ? before.isJump : last <= before.first || first >= before.last);
  const beyond = isJump ? 1 : around;
  return { start: Math.max(0, first - beyond), end: Math.min(count, last + beyond), first, last, isJump };
}

interface Wanted {
  index: number;
  key: string;
}

/** Gives each row one of the elements, which it keeps as long as it is drawn; in the order of the elements. */
function useSlots(): (rows: Wanted[]) => (Wanted & { slot: number })[] {
  const taken = useRef(new Map<string, number>());
  return (rows) => {
    const before = taken.current;
    const next = new Map<string, number>();
    for (const { key } of rows) {
      const slot = before.get(key);
      if (slot !== undefined) next.set(key, slot);
    }
    const used = new Set(next.values());
    let free = 0;
    const placed = rows.map((row) => {
      let slot = next.get(row.key);
      if (slot === undefined) {
        while (used.has(free)) free += 1;
        slot = free;
        used.add(slot);
        next.set(row.key, slot);
      }
      return { ...row, slot };
    });
    taken.current = next;
    return placed.toSorted((a, b) => a.slot - b.slot);
  };
}

interface TableRowProps<Row> {
  /** Undefined while it is loading. */
  row: Row | undefined;
  elementId: string;
  index: number;
  top: number;
  columns: readonly Column<Row>[];
  /** A second line below the row's name. */
  below: readonly Column<Row>[];
  isSelected: boolean;
  isTabStop: boolean;
  hasMenu: boolean;
  tone: RowTone | undefined;
}

function PlainTableRow<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, columns, below } = props;
  // While a row is loading, it keeps the elements of the one before, hidden: creating new ones takes most of a frame's time when the
  // scrollbar is dragged.
  const last = useRef(row);
  if (row !== undefined) last.current = row;
  const drawn = last.current;
  const tone = props.tone === undefined ? '' : ` tone-${props.tone}`;
  return (
    <div
      role="row"
      id={props.elementId}
      className={`table-row${tone}`}
      style={{ transform: `translateY(${props.top}px)` }}
      aria-rowindex={props.index + 2}
      aria-selected={props.isSelected}
      tabIndex={props.isTabStop ? 0 : -1}
      data-row={row?.id}
      data-pending={row === undefined ? '' : undefined}
    >
      <div role="gridcell" className="table-cell table-check" data-check="">
        <span className="check">{props.isSelected && <Icon name="check" size={12} />}</span>
      </div>
      {columns.map((column, index) => (
        <Fragment key={column.id}>
          <div
            role={column.isRowHeader === true ? 'rowheader' : 'gridcell'}
            className={column.kind === 'number' ? 'table-cell table-number' : 'table-cell'}
            title={row === undefined ? undefined : wholeText(column, row)}
          >
            {drawn !== undefined && content(column, drawn)}
          </div>
          {below.length > 0 && column.isRowHeader === true && (
            <div
              role="presentation"
              className="table-cell table-below"
              style={{ gridColumnStart: index + 2 }}
            >
              {below.map(
                (part) =>
                  drawn !== undefined &&
                  part.value(drawn) !== null && (
                    <div
                      key={part.id}
                      role="gridcell"
                      className="table-part"
                      title={row === undefined ? undefined : wholeText(part, row)}
                    >
                      {content(part, drawn)}
                    </div>
                  ),
              )}
            </div>
          )}
        </Fragment>
      ))}
      <div role="gridcell" className="table-cell table-more">
        {props.hasMenu && drawn !== undefined && (
          <button
            type="button"
            tabIndex={-1}
            className="row-button"
            aria-label={t('window.actions-for-name', { name: headerText(columns, drawn) })}
            data-menu=""
          >
            <Icon name="more" />
          </button>
        )}
      </div>
    </div>
  );
}

/** Drawn again only when its own props change; the table listens for presses and keys. */
const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

function content<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.render !== undefined) return column.render(row);
  const value = column.value(row);
  if (column.kind === 'time')
    return <RelativeTime atMs={typeof value === 'number' ? value : null} isStart isBrief />;
  if (value === null) return <span className="muted">–</span>;
  return typeof value === 'number' ? formatCount(value) : value;
}

function headerText<Row>(columns: readonly Column<Row>[], row: Row): string {
  return String(columns.find(({ isRowHeader }) => isRowHeader === true)?.value(row) ?? '');
}

/** The tooltip of a cell that may be cut off; columns with `render` have their own. */
function wholeText<Row>(column: Column<Row>, row: Row): string | undefined {
  if (column.render !== undefined) return undefined;
  const value = column.value(row);
  return typeof value === 'string' ? value : undefined;
}
