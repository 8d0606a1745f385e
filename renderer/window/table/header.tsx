// The columns of a table: which of them fit, how wide they are, and their titles. A title is pressed to sort, and pressed again to turn
// the order. One tab stop; ← and → lead from one to the next.

import { useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { Icon } from '../parts/icon.tsx';
import type { Column, Sort } from './column.ts';

/** Px; widths of columns are for text of this size. */
const usualTextSize = 13;
/** Px that the check box, the menu and the padding of a row take. */
const besideColumns = 34 + 40 + 32;

interface TableHeaderProps<Row> {
  columns: readonly Column<Row>[];
  sort: Sort;
  onSort(sort: Sort): void;
  selected: 'none' | 'some' | 'all';
  onSelectAll(isAll: boolean): void;
  /** ↓ from the titles. */
  onLeave(): void;
}

export function TableHeader<Row>(props: TableHeaderProps<Row>) {
  const { columns, sort, selected } = props;
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
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const stops = [...(row.current?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])];
    const at = stops.findIndex((element) => element === document.activeElement);
    const next = stops[at + step];
    if (next === undefined) return;
    event.preventDefault();
    setStop(at + step);
    next.focus();
  };

  let stopIndex = 0;
  const tabStop = () => {
    const index = stopIndex;
    stopIndex += 1;
    return { 'data-stop': '', tabIndex: index === stop ? 0 : -1, onFocus: () => setStop(index) };
  };

  return (
    <div role="rowgroup" className="table-head">
      <div role="row" className="table-titles" aria-rowindex={1} ref={row} onKeyDown={onKeyDown}>
        <div role="columnheader" className="table-cell table-check" aria-label={t('Selected')}>
          <input
            ref={checkbox}
            type="checkbox"
            className="check-input"
            aria-label={t('Select all')}
            checked={selected === 'all'}
            onChange={() => props.onSelectAll(selected !== 'all')}
            {...tabStop()}
          />
        </div>
        {columns.map((column) => {
          const isSorted = sort.column === column.id;
          const className =
            column.kind === 'number' ? 'table-cell table-title table-number' : 'table-cell table-title';
          if (column.isSortable === false) {
            return (
              <div key={column.id} role="columnheader" className={className}>
                <span className={column.isTitleHidden === true ? 'visually-hidden' : 'cut'}>
                  {column.title}
                </span>
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
        })}
        <div role="columnheader" className="table-cell table-more">
          <span className="visually-hidden">{t('Actions')}</span>
        </div>
      </div>
    </div>
  );
}

/** All columns until the width is known. `isWide`: even the columns that always stay don't fit, so the table scrolls sideways. */
export function useFittingColumns<Row>(
  columns: readonly Column<Row>[],
  scroller: HTMLElement | null,
): { columns: readonly Column<Row>[]; isWide: boolean } {
  const [shown, setShown] = useState<ReadonlySet<string>>();
  const [isWide, setIsWide] = useState(false);
  useLayoutEffect(() => {
    if (scroller === null) return undefined;
    const fit = () => {
      const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / usualTextSize;
      const room = { width: scroller.clientWidth, scale };
      const kept = fittingColumns(columns, room);
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
  }, [columns, scroller]);
  const fitting = useMemo(
    () => (shown === undefined ? columns : columns.filter(({ id }) => shown.has(id))),
    [columns, shown],
  );
  return { columns: fitting, isWide };
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
    '--table-least': `calc(${rem(least)} + ${besideColumns}px)`,
  } as CSSProperties;
}

/** The columns that fit, in their order. `scale`: how much larger the text is than usual. */
function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  room: { width: number; scale: number },
): readonly Column<Row>[] {
  const byPriority = columns
    .filter(({ priority }) => priority !== undefined)
    .toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  let kept = columns;
  for (const dropped of byPriority) {
    if (neededWidth(kept, room.scale) <= room.width) break;
    kept = kept.filter((column) => column !== dropped);
  }
  return kept;
}

function neededWidth<Row>(columns: readonly Column<Row>[], scale: number): number {
  return columns.reduce((sum, { width }) => sum + width.min * scale, besideColumns);
}
