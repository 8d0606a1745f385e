// Above a table: the filter, what the view adds, the number of rows, actions on the selected ones, copy and export.

import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { formatCount } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { MoreButton, type MenuEntry } from '../../kit/menu.tsx';
import { rowsFor, textWidth, titleOf, toCsv, toJson, type Column, type RowAction } from './model.ts';
import { useTask } from '../parts/action.tsx';
import { SearchField } from '../../kit/fields.tsx';

interface TableBarProps<Row> {
  /** Undefined: no filter box. */
  filter: { label: string; value: string; onChange(value: string): void; onLeave(): void } | undefined;
  toolbar: ReactNode;
  status: ReactNode;
  actions: readonly RowAction<Row>[];
  /** Empty while the side panel offers the actions of the one selected row. */
  acted: readonly Row[];
  /** Empty: no menu. */
  copies: readonly MenuEntry[];
  hasRows: boolean;
}

/** Px that the filter, the count and the menu need beside the buttons. */
const besideButtons = 150 + 110 + 40;
/** Px of a button beside its words. */
const aroundWords = 58;

export function TableBar<Row>(props: TableBarProps<Row>) {
  const { filter, acted } = props;
  const bar = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (bar.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(bar.current);
    return () => observer.disconnect();
  }, []);
  const offered = props.actions
    .filter((action) => action.isInToolbar === true)
    .map((action) => ({ action, fit: rowsFor(action, acted) }))
    .filter(({ fit }) => fit.length > 0);
  // In one line: a second would move the rows while they are clicked. A side panel may be beside it.
  const isNarrow =
    offered.reduce(
      (sum, { action, fit }) => sum + textWidth(titleOf(action, fit)) + aroundWords,
      besideButtons,
    ) > width;
  return (
    <div ref={bar} className={offered.length === 0 ? 'table-bar' : 'table-bar table-bar-selecting'}>
      {filter !== undefined && <SearchField {...filter} takesSlash />}
      {props.toolbar}
      <div className="table-bar-end">
        {props.status}
        {offered.map(({ action, fit }) => {
          const { id, icon } = action;
          const title = titleOf(action, fit);
          const run = () => action.run(fit);
          return isNarrow && offered.length > 1 && icon !== undefined ? (
            <IconButton key={id} icon={icon} label={title} onPress={run} />
          ) : (
            <Button key={id} {...(icon === undefined ? {} : { icon })} onPress={run}>
              {title}
            </Button>
          );
        })}
        {props.copies.length > 0 && (
          <MoreButton
            icon="download"
            label={t('window.copy-or-save-rows')}
            isDisabled={!props.hasRows}
            entries={props.copies}
          />
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
    const fit = rowsFor(action, selected);
    const keys =
      action.isPrimary === true ? t('kit.enter') : action.keys === 'Delete' ? t('kit.del') : action.keys;
    return {
      id: action.id,
      title: titleOf(action, fit),
      ...(action.icon === undefined ? {} : { icon: action.icon }),
      ...(keys === undefined ? {} : { keys }),
      isDanger: action.isDanger ?? false,
      startsGroup: action.startsGroup ?? false,
      isDisabled: fit.length === 0,
      ...(action.choices !== undefined && {
        entries: action.choices(fit).map((choice) => ({ ...choice, run: () => action.run(fit, choice.id) })),
      }),
      run: () => action.run(fit),
    };
  });
}

const settlesAfterMs = 700;

/** The number of rows: for the eye at once, for screen readers once it stopped changing. */
export function TableStatus(props: {
  shown: number;
  total: number;
  selected: number;
  count(count: number): string;
  /** Only how many are selected or found. */
  isBrief?: boolean;
  /** Announced when this changed or no row is left: otherwise, live rows would be announced all the time. */
  filter: string;
}) {
  const { shown, total, selected, count, filter } = props;
  const isNothing = shown === 0;
  const isWhole = shown === total && selected === 0;
  const counted =
    shown === total
      ? count(total)
      : t('window.shown-of-all', {
          shown: formatCount(shown),
          all: props.isBrief === true ? formatCount(total) : count(total),
        });
  const [spoken, setSpoken] = useState('');
  const latest = useRef(counted);
  latest.current = counted;
  const isFirst = useRef(true);
  useEffect(() => {
    const isOpening = isFirst.current;
    isFirst.current = false;
    if (isOpening) return undefined;
    const timer = setTimeout(() => setSpoken(latest.current), settlesAfterMs);
    return () => clearTimeout(timer);
  }, [filter, isNothing]);
  return (
    <>
      {(props.isBrief !== true || !isWhole) && (
        <span className="table-count">
          {selected === 0 ? counted : t('window.count-selected', { count: selected })}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {spoken}
      </span>
    </>
  );
}

const formats = { csv: toCsv, json: toJson };
type Format = keyof typeof formats;

/** The ways rows leave the table: to the clipboard or into a file, as CSV or JSON. */
export function useTableCopies<Row>(input: {
  columns: readonly Column<Row>[];
  exportName: string | undefined;
  selected: readonly Row[];
  /** Throws CallError if some can't be read. Stable (useCallback). */
  all(): Promise<readonly Row[]>;
}) {
  const { columns, exportName, selected, all } = input;
  const { run: copy } = useTask(
    async (call, { format, rows }: { format: Format; rows?: readonly Row[] }) =>
      call('app.copyText', { text: formats[format](columns, rows ?? (await all())) }),
    { failure: t('window.cant-copy'), success: t('window.copied') },
  );
  const { run: save } = useTask(
    async (call, kind: Format) =>
      call('app.saveText', {
        suggestedName: `${exportName}.${kind}`,
        kind,
        text: formats[kind](columns, await all()),
      }),
    {
      failure: t('window.cant-save-the-file'),
      success: ({ savedTo }) =>
        savedTo === null ? t('common.not-saved') : t('window.saved-file', { file: savedTo }),
    },
  );
  return useMemo(() => {
    const copySelected = (format: Format) => void copy({ format, rows: selected });
    const count = selected.length;
    const isDisabled = selected.length === 0;
    const selectedEntries: MenuEntry[] = [
      {
        id: 'copy-selected-csv',
        title: t('window.copy-rows-as-csv', { count }),
        icon: 'copy',
        keys: 'Ctrl+C',
        startsGroup: true,
        isDisabled,
        run: () => copySelected('csv'),
      },
      {
        id: 'copy-selected-json',
        title: t('window.copy-rows-as-json', { count }),
        isDisabled,
        run: () => copySelected('json'),
      },
    ];
    const allEntries: MenuEntry[] = [
      {
        id: 'copy-all-csv',
        title: t('window.copy-all-as-csv'),
        startsGroup: true,
        run: () => void copy({ format: 'csv' }),
      },
      { id: 'copy-all-json', title: t('window.copy-all-as-json'), run: () => void copy({ format: 'json' }) },
    ];
    if (exportName !== undefined) {
      allEntries.push(
        {
          id: 'save-csv',
          title: t('window.save-all-as-csv'),
          icon: 'download',
          startsGroup: true,
          run: () => void save('csv'),
        },
        { id: 'save-json', title: t('window.save-all-as-json'), run: () => void save('json') },
      );
    }
    return { copySelected: () => copySelected('csv'), selectedEntries, allEntries };
  }, [exportName, selected, copy, save]);
}
