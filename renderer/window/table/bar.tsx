// Above a table: the filter, what the view adds, the number of rows, actions on the selected ones.

import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { formatCount } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { SearchField } from '../../kit/fields.tsx';
import type { MenuEntry } from '../../kit/menu.tsx';
import { onResize } from '../../kit/resize.ts';
import { rowsFor, textWidth, titleOf, type RowAction } from './model.ts';

interface TableBarProps<Row> {
  filter: { label: string; value: string; onChange(value: string): void };
  /** ↓ or Enter in the filter. */
  onLeaveFilter(): void;
  toolbar: ReactNode;
  /** Undefined: still loading. */
  counts: Counts | undefined;
  actions: readonly RowAction<Row>[];
  /** Empty while the side panel offers the actions of the one selected row. */
  acted: readonly Row[];
}

/** Px that the filter and the count need beside the buttons. */
const besideButtons = 150 + 110;
/** Px of a button beside its words. */
const aroundWords = 58;

export function TableBar<Row>(props: TableBarProps<Row>) {
  const [width, setWidth] = useState(0);
  const measured = useCallback(
    (bar: HTMLDivElement) => onResize(bar, ([entry]) => setWidth(entry?.contentRect.width ?? 0)),
    [],
  );
  const offered = props.actions.flatMap((action) => {
    const fit = action.isInToolbar === true ? rowsFor(action, props.acted) : [];
    return fit.length === 0 ? [] : [{ ...action, title: titleOf(action, fit), press: () => action.run(fit) }];
  });
  // In one line: a second would move the rows while they are clicked. A side panel may be beside it.
  const needed = offered.reduce((sum, { title }) => sum + textWidth(title) + aroundWords, besideButtons);
  return (
    <div
      ref={measured}
      className={offered.length === 0 ? 'table-bar row' : 'table-bar table-bar-selecting row'}
    >
      <SearchField {...props.filter} onLeave={props.onLeaveFilter} takesSlash />
      {props.toolbar}
      <div className="table-bar-end row">
        {props.counts !== undefined && <TableStatus {...props.counts} />}
        {offered.map(({ id, icon, title, press }) =>
          needed > width && offered.length > 1 && icon !== undefined ? (
            <IconButton key={id} icon={icon} label={title} onPress={press} />
          ) : (
            <Button key={id} icon={icon} onPress={press}>
              {title}
            </Button>
          ),
        )}
      </div>
    </div>
  );
}

/** The actions as entries of a menu, for those rows they fit. */
export function menuEntriesOf<Row>(
  actions: readonly RowAction<Row>[],
  selected: readonly Row[],
): MenuEntry[] {
  return actions.map((action) => {
    const { id, icon, keys, isDanger = false, startsGroup = false } = action;
    const fit = rowsFor(action, selected);
    const shownKeys = action.isPrimary === true ? t('kit.enter') : keys === 'Delete' ? t('kit.del') : keys;
    const entries = action
      .choices?.(fit)
      .map((choice) => ({ ...choice, run: () => action.run(fit, choice.id) }));
    const title = titleOf(action, fit);
    const isDisabled = fit.length === 0;
    const run = () => action.run(fit);
    return { id, title, icon, keys: shownKeys, isDanger, isDisabled, startsGroup, entries, run };
  });
}

const settlesAfterMs = 700;

interface Counts {
  shown: number;
  total: number;
  selected: number;
  count(count: number): string;
  /** Only how many are selected or found. */
  isBrief: boolean;
  /** Announced when this changed or no row is left: otherwise, live rows would be announced all the time. */
  filter: string;
}

/** The number of rows: for the eye at once, for screen readers once it stopped changing. */
function TableStatus({ shown, total, selected, count, isBrief, filter }: Counts) {
  const all = isBrief ? formatCount(total) : count(total);
  const counted =
    shown === total ? count(total) : t('window.shown-of-all', { shown: formatCount(shown), all });
  const [spoken, setSpoken] = useState('');
  const latest = useRef(counted);
  latest.current = counted;
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(latest.current), settlesAfterMs);
    return () => clearTimeout(timer);
  }, [filter, shown === 0]);
  return (
    <>
      {(!isBrief || shown !== total || selected > 0) && (
        <span className="table-count muted">
          {selected === 0 ? counted : t('window.count-selected', { count: selected })}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {spoken}
      </span>
    </>
  );
}
