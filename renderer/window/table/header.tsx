// The titles of a table: which columns fit, how wide they are, and the buttons that sort.

import { useLayoutEffect, useMemo, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { Icon } from '../../kit/icon.tsx';
import { onResize, scrollbarWidth } from '../../kit/resize.ts';
import type { Column, Sort } from './model.ts';

interface TableHeaderProps<Row> {
  columns: readonly Column<Row>[];
  /** The title of the second line is next to the row name's. */
  below: Column<Row> | undefined;
  sort: Sort;
  onSort(sort: Sort): void;
  selected: 'none' | 'some' | 'all';
  /** Not all of them can be selected yet. */
  isPartial: boolean;
  onSelectAll(isAll: boolean): void;
  /** ↓ from the titles. */
  onLeave(): void;
}

/** A title is pressed to sort, and pressed again to turn the order. One tab stop; ←, →, Home and End lead to the others. */
export function TableHeader<Row>({ columns, below, sort, selected, ...props }: TableHeaderProps<Row>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input')];
    const at = stops.indexOf(event.target as HTMLElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: stops.length - 1 }[event.key];
    if (event.key === 'ArrowDown') props.onLeave();
    else if (next === undefined || stops[next] === undefined) return;
    else stops[next].focus();
    event.preventDefault();
  };

  const titleOf = ({ id, title, kind, ...column }: Column<Row>, className: string) => {
    const { isDescending } = sort;
    const isSorted = sort.column === id;
    const isSortable = column.isSortable !== false;
    // Times and amounts are looked at from the newest and largest.
    const isNextDescending = isSorted ? !isDescending : kind === 'time' || kind === 'number';
    const words = <span className={column.isTitleHidden === true ? 'visually-hidden' : 'cut'}>{title}</span>;
    return (
      <div
        key={id}
        role="columnheader"
        className={className}
        aria-sort={!isSortable ? undefined : !isSorted ? 'none' : isDescending ? 'descending' : 'ascending'}
      >
        {isSortable ? (
          <button
            type="button"
            className="table-sort"
            tabIndex={-1}
            onClick={() => props.onSort({ column: id, isDescending: isNextDescending })}
          >
            {words}
            {isSorted && <Icon name={isDescending ? 'arrow-down' : 'arrow-up'} size={11} />}
          </button>
        ) : (
          words
        )}
      </div>
    );
  };

  return (
    <div role="rowgroup" className="table-head">
      <div role="row" className="table-titles" aria-rowindex={1} onKeyDown={onKeyDown}>
        <div role="columnheader" className="table-cell table-check" aria-label={t('window.selected')}>
          <input
            // Whenever it is drawn: a press takes it away.
            ref={(box) => {
              if (box !== null) box.indeterminate = selected === 'some';
            }}
            type="checkbox"
            className="check"
            aria-label={t('common.select-all')}
            checked={selected === 'all'}
            disabled={props.isPartial}
            onChange={() => props.onSelectAll(selected !== 'all')}
          />
        </div>
        {columns.map((column) => {
          const kind = column.isTree === true ? 'tree' : column.kind;
          const className = `table-cell table-title table-${kind}`;
          if (below === undefined || column.isRowHeader !== true) return titleOf(column, className);
          return (
            <div key={column.id} className={className}>
              {titleOf(column, 'table-title')}
              {titleOf(below, 'table-title')}
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

/** Px; widths of columns are for text of this size. */
const usualTextSize = 13;
/** Px that the check box and the menu of a row take. */
const besideColumns = 34 + 40;

interface Fit<Row> {
  shown: readonly Column<Row>[];
  /** Those of the second line. */
  below: readonly Column<Row>[];
  /** Even the columns that always stay don't fit: the name is shortened. */
  isTight: boolean;
}

/** All columns until the width is known. `hasPanel`: a side panel may open beside the rows. */
export function useFittingColumns<Row>(
  columns: readonly Column<Row>[],
  scroller: HTMLElement | null,
  hasPanel: boolean,
) {
  const [fitting, setFitting] = useState<Fit<Row>>({ shown: columns, below: [], isTight: false });
  useLayoutEffect(() => {
    if (scroller === null) return undefined;
    let drawn = '';
    const measure = () => {
      // Rows are as wide without a scrollbar as with one, but their lines go to the edge.
      scroller.style.setProperty('--table-width', `${scroller.offsetWidth - scrollbarWidth()}px`);
      const next = fit(columns, scroller, hasPanel);
      // Otherwise, all rows would be drawn for each pixel.
      const ids = JSON.stringify(next, ['shown', 'below', 'id', 'isTight']);
      if (ids !== drawn) setFitting(next);
      drawn = ids;
    };
    measure();
    return onResize(scroller, measure);
  }, [columns, scroller, hasPanel]);
  const { shown, below, isTight } = fitting;
  return useMemo(() => ({ columns: shown, below, tracks: tracksOf(shown, isTight) }), [fitting]);
}

function fit<Row>(columns: readonly Column<Row>[], scroller: HTMLElement, hasPanel: boolean): Fit<Row> {
  const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / usualTextSize;
  const needed = (some: readonly Column<Row>[]) =>
    some.reduce((sum, { width }) => sum + width.min * scale, besideColumns);
  // As in table.css.
  const padding = 2 * (matchMedia('(max-width: 700px)').matches ? 16 : 24) - 16;
  const room = scroller.offsetWidth - scrollbarWidth() - padding;
  // Whether the side panel is open or not, since rows must not grow when one is pressed.
  const whole = scroller.parentElement?.clientWidth ?? 0;
  const wholeRoom = whole - scrollbarWidth() - padding;
  // As in parts.css.
  const panelWidth = hasPanel ? Math.max(320, Math.min(0.36 * whole, 336)) : 0;

  const second = columns.find(({ fallsBelow }) => fallsBelow !== undefined);
  const least = columns.filter((column) => column === second || column.priority === undefined);
  const wanted = columns.filter(
    (column) => least.includes(column) || (column.priority ?? 0) > (second?.fallsBelow ?? 0),
  );
  const falls = needed(wanted) > wholeRoom || needed(least) > wholeRoom - panelWidth;
  let kept = columns.filter(
    (column) => !(falls && column === second) && !(whole > scroller.offsetWidth && column.isInPanel),
  );
  const byPriority = kept
    .filter(({ priority }) => priority !== undefined)
    .toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  for (const dropped of byPriority) {
    if (needed(kept) <= room) break;
    kept = kept.filter((column) => column !== dropped);
  }
  const joining = columns.filter((column) => column.joinsBelow === true && !kept.includes(column));
  const below = falls && second !== undefined ? [second, ...joining] : [];
  return { shown: kept, below, isTight: needed(kept) > room };
}

/** As a custom property, which the content security policy lets scripts set. */
function tracksOf<Row>(columns: readonly Column<Row>[], isTight: boolean): CSSProperties {
  const tracks = columns.map(({ width: { min, grow }, priority }) => {
    const least = isTight && priority === undefined ? '0px' : `${min / usualTextSize}rem`;
    return grow === undefined ? least : `minmax(${least}, ${grow}fr)`;
  });
  return { '--table-columns': `34px ${tracks.join(' ')} 40px` } as CSSProperties;
}
