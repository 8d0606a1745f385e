// The titles of a table: press to sort, press again to turn the order. One tab stop; ← and → lead from one to the next.

import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { Icon } from '../parts/icon.tsx';
import type { Column, Sort } from './column.ts';

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
  useEffect(() => {
    if (checkbox.current !== null) checkbox.current.indeterminate = selected === 'some';
  }, [selected]);

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
