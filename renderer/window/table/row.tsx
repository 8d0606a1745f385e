// One row of a table. Drawn again only when its own row, place or standing changes; presses and keys are heard by the table.

import { memo, type ReactNode } from 'react';
import { formatCount } from '../../../app/contract/format.ts';
import { Icon } from '../parts/icon.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import type { Column } from './column.ts';

export type RowTone = 'good' | 'warn' | 'bad' | 'muted';

interface TableRowProps<Row> {
  /** Undefined while it is on its way. */
  row: Row | undefined;
  elementId: string;
  index: number;
  top: number;
  columns: readonly Column<Row>[];
  isSelected: boolean;
  isTabStop: boolean;
  hasMenu: boolean;
  tone: RowTone | undefined;
}

function PlainTableRow<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, columns } = props;
  const tone = props.tone === undefined ? '' : ` tone-${props.tone}`;
  return (
    <div
      role="row"
      id={props.elementId}
      className={`table-row${tone}`}
      style={{ top: props.top }}
      aria-rowindex={props.index + 2}
      aria-selected={props.isSelected}
      tabIndex={props.isTabStop ? 0 : -1}
      data-row={row?.id}
    >
      <div role="gridcell" className="table-cell table-check" data-check="">
        <span className="check">{props.isSelected && <Icon name="check" size={12} />}</span>
      </div>
      {columns.map((column) => (
        <div
          key={column.id}
          role={column.isRowHeader === true ? 'rowheader' : 'gridcell'}
          className={column.kind === 'number' ? 'table-cell table-number' : 'table-cell'}
          title={row === undefined ? undefined : wholeText(column, row)}
        >
          {row === undefined ? <span className="table-pending" /> : content(column, row)}
        </div>
      ))}
      <div role="gridcell" className="table-cell table-more">
        {props.hasMenu && row !== undefined && (
          <button type="button" tabIndex={-1} className="row-button" aria-label="Actions" data-menu="">
            ⋯
          </button>
        )}
      </div>
    </div>
  );
}

export const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

function content<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.render !== undefined) return column.render(row);
  const value = column.value(row);
  if (column.kind === 'time') return <RelativeTime atMs={typeof value === 'number' ? value : null} isStart />;
  if (value === null) return <span className="muted">–</span>;
  return typeof value === 'number' ? formatCount(value) : value;
}

/** Of a cell that may be cut off; what a column draws itself says it itself. */
function wholeText<Row>(column: Column<Row>, row: Row): string | undefined {
  if (column.render !== undefined) return undefined;
  const value = column.value(row);
  return typeof value === 'string' ? value : undefined;
}
