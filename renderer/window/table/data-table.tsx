// The table of every view: it sorts, filters, selects many, acts by keyboard and menu, stays calm while rows change, and draws only the
// rows in view. React Aria's own table keeps no 60 frames with 10,000 rows: docs/decisions.md has the figures. Its roles and keys are kept.

import { useDeferredValue, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { Button } from '../../kit/button.tsx';
import { useMediaQuery } from '../../kit/media-query.ts';
import { ContextMenu } from '../../kit/menu.tsx';
import { Empty, Failure, Skeleton, type EmptyProps } from '../../kit/blocks.tsx';
import { type DetailPanelFrame } from '../../kit/detail-panel.tsx';
import { menuEntriesOf, TableBar } from './bar.tsx';
import { TableHeader, useFittingColumns } from './header.tsx';
import { createTableInput, usePointing, useRowFocus } from './interaction.ts';
import {
  comparison,
  createMatcher,
  idsIn,
  nothingSelected,
  rowsFor,
  selectOnly,
  useRowSource,
  type Column,
  type Reveal,
  type RowAction,
  type RowSelection,
  type Sort,
} from './model.ts';
import { shortWindow, TableRows, type RowsHandle, type RowTone } from './rows.tsx';

interface DataTableProps<Row extends { id: string }> {
  /** Names the grid for screen readers: `Locks`. */
  label: string;
  /** `500 locks` */
  count(count: number): string;
  /** The view shows the count elsewhere: only how many are selected, or found by the filter, is shown above the table. */
  isCountBrief?: boolean;
  /** Stable: a constant of the module, or useMemo. */
  columns: readonly Column<Row>[];
  /** Undefined: still on their way. A row that changed is another object. */
  rows?: readonly Row[] | undefined;
  /** Rows that are shown below a row, in their order. Stable (useCallback). */
  childrenOf?(row: Row): readonly Row[];
  /** More rows are on their way, so that they can't be selected as a whole yet. */
  isPartial?: boolean;
  /** Rows that come before the others, whichever way they are sorted. Stable. */
  isFirst?(row: Row): boolean;
  defaultSort?: Sort;
  /** If the view keeps it. No column of that id: the order of `rows`. */
  sort?: { value: Sort; onChange(sort: Sort): void };
  /** In place of the rows: what went wrong and what to do. */
  failure?: { title?: string; sentence: string; action?: ReactNode };
  empty: EmptyProps;
  actions: readonly RowAction<Row>[];
  /** Between the filter and the actions. */
  toolbar?: ReactNode;
  rowTone?(row: Row): RowTone | undefined;
  /** If the view filters the rows itself. */
  filter?: { value: string; onChange(value: string): void };
  filterLabel: string;
  reveal?: Reveal | undefined;
  /** To know the selection, or to set it. */
  selection?: { ids: ReadonlySet<string>; onChange(ids: ReadonlySet<string>): void };
  /**
   * Shows everything about the one selected row at the right: a component that renders DetailPanel with `frame`. Opened by a press,
   * by Enter (unless another action is primary) and from the menu; with the `key` of the row's id, so that it starts afresh.
   */
  detail?(row: Row, frame: DetailPanelFrame): ReactNode;
  /** The side panel stays open for a row that newer ones pushed out. */
  keepsDetail?: boolean;
  /** A panel of the view's own, in the same place. */
  panel?: ReactNode;
}

const stickyHeaderHeight = 30;
const noRows: readonly never[] = [];
/** As wide as the details have room beside the table. */
const drawerQuery = '(max-width: 899px)';

export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { columns, detail, isFirst } = props;
  const rows = props.rows ?? noRows;

  const [ownSort, setOwnSort] = useState<Sort>(
    () => props.defaultSort ?? { column: columns[0]?.id ?? '', isDescending: false },
  );
  const { value: sort, onChange: setSort } = props.sort ?? { value: ownSort, onChange: setOwnSort };
  const [ownFilter, setOwnFilter] = useState('');
  const { value: filter, onChange: setFilter } = props.filter ?? { value: ownFilter, onChange: setOwnFilter };
  const appliedFilter = useDeferredValue(ownFilter);

  const [ownSelection, setOwnSelection] = useState<RowSelection>(nothingSelected);
  const selection = { ...ownSelection, ids: props.selection?.ids ?? ownSelection.ids };
  const select = (next: RowSelection) => {
    setOwnSelection(next);
    if (next.ids !== props.selection?.ids) props.selection?.onChange(next.ids);
  };

  // While somebody works here, rows keep their place.
  const [menuAt, setMenuAt] = useState<{ x: number; y: number }>();
  const pointing = usePointing();
  const [hasFocus, setHasFocus] = useState(false);
  const isHeld = hasFocus || selection.ids.size > 0 || pointing.isPointing || menuAt !== undefined;
  const compare = useMemo(() => comparison(columns, sort, isFirst), [columns, sort, isFirst]);
  const matcher = useMemo(() => createMatcher(columns), [columns]);
  const matches = useMemo(() => matcher(appliedFilter), [matcher, appliedFilter]);
  const source = useRowSource({ rows, compare, matches, isHeld }, props.childrenOf);
  const selectEvery = () => {
    if (props.isPartial !== true) select({ ...selection, ids: new Set(idsIn(source)) });
  };

  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  // The panel opens with a press in a wide window; in a narrow one it would cover the row's own buttons.
  const isDrawer = useMediaQuery(drawerQuery);
  const fitting = useFittingColumns(columns, scroller, detail !== undefined && !isDrawer);
  const isShort = useMediaQuery(shortWindow);
  const rowsScroller = (isShort ? scroller?.closest<HTMLElement>('.main') : undefined) ?? scroller;
  const headerHeight = isShort ? 0 : stickyHeaderHeight;
  const isTall = fitting.below.length > 0;
  const rowHeight = isTall ? 52 : 34;
  const drawnRows = useRef<RowsHandle>(null);
  const { reveal } = props;
  const focus = { source, selection, select, hasFocus, rows: drawnRows, scroller, reveal };
  const { focusIndex, moveToIndex, focusStop, onFocusChange } = useRowFocus(focus);

  const selectedRows = useMemo(
    () =>
      Array.from(selection.ids, (id) => source.indexOf(id))
        .toSorted((a, b) => a - b)
        .flatMap((index) => source.at(index) ?? []),
    [selection.ids, source],
  );

  /** Grows when the panel is to have the focus. */
  const [detailStep, setDetailStep] = useState<number>();
  useEffect(() => {
    if (isDrawer) setDetailStep(undefined);
  }, [isDrawer]);
  const hasDetail = detail !== undefined;
  const actions = useMemo(() => {
    const all = props.actions;
    const open: RowAction<Row> = {
      id: 'details',
      title: t('kit.details'),
      icon: 'info',
      takesMany: false,
      isPrimary: !all.some(({ isPrimary }) => isPrimary === true),
      run: () => setDetailStep((step = 0) => step + 1),
    };
    return hasDetail ? [open, ...all] : all;
  }, [props.actions, hasDetail]);
  const last = useRef<Row>(undefined);
  if (selectedRows.length === 1) [last.current] = selectedRows;
  const isPushedOut =
    props.keepsDetail === true && selectedRows.length === 0 && source.indexOf(last.current?.id ?? '') === -1;
  const detailRow = selectedRows.length === 1 || isPushedOut ? last.current : undefined;
  const panel =
    detailStep !== undefined && detailRow !== undefined
      ? detail?.(detailRow, {
          focusStep: detailStep,
          onClose: () => {
            setDetailStep(undefined);
            focusStop();
          },
        })
      : undefined;

  const clickedFirst = useRef<string>(undefined);
  const handlers = createTableInput({
    list: source,
    selection,
    clickedFirst,
    select,
    selectEvery,
    moveToIndex,
    pageRows: () =>
      Math.max(1, Math.floor(((rowsScroller?.clientHeight ?? 0) - headerHeight) / rowHeight) - 1),
    runKey: (key, rowId) => {
      const action = actions.find(({ keys, isPrimary }) => (key === 'Enter' ? isPrimary : keys === key));
      const targets =
        selectedRows.length > 0
          ? selectedRows
          : [source.at(source.indexOf(rowId))].filter((row) => row !== undefined);
      const fit = action === undefined ? [] : rowsFor(action, targets);
      if (fit.length > 0) action?.run(fit);
      return fit.length > 0;
    },
    onPress: () => {
      if (!isDrawer) setDetailStep((step = 0) => step);
    },
    openMenu: (rowId, at) => {
      if (!selection.ids.has(rowId)) select(selectOnly(rowId));
      setMenuAt(at);
    },
    onFocusChange: (isIn, to) => {
      setHasFocus(isIn);
      onFocusChange(isIn, to);
    },
  });

  const isLoading = props.rows === undefined;
  const isEmpty = !isLoading && source.count === 0;
  const isBare = isEmpty && rows.length === 0 && filter === '';
  const hasBar = !isBare || (props.toolbar !== undefined && props.toolbar !== false);
  const isBrief = props.isCountBrief === true;
  // The side panel says which one.
  const selected = isBrief && panel !== undefined ? 0 : selection.ids.size;
  const counts = { shown: source.ownCount, total: rows.length, selected, isBrief, filter };

  const content = () => {
    if (props.failure !== undefined) return <Failure {...props.failure} />;
    if (isBare) return <Empty {...props.empty} />;
    if (isEmpty) {
      const clear = <Button onPress={() => setFilter('')}>{t('kit.clear')}</Button>;
      return <Empty icon="search" title={t('window.nothing-matches-filter', { filter })} action={clear} />;
    }
    if (isLoading) return <Skeleton rows={8} words={t('window.loading')} />;
    if (rowsScroller === null) return null;
    return (
      <div
        role="grid"
        aria-label={props.label}
        aria-multiselectable="true"
        aria-rowcount={source.count + 1}
        aria-colcount={fitting.columns.length + fitting.below.length + 2}
      >
        <TableHeader
          columns={fitting.columns}
          below={fitting.below[0]}
          sort={sort}
          onSort={setSort}
          selected={selection.ids.size === 0 ? 'none' : selection.ids.size >= source.count ? 'all' : 'some'}
          isPartial={props.isPartial === true}
          onSelectAll={(isAll) => (isAll ? selectEvery() : select({ ...selection, ids: new Set() }))}
          onLeave={() => moveToIndex(Math.max(0, focusIndex), { isAdding: true })}
        />
        <TableRows
          ref={drawnRows}
          source={source}
          columns={fitting.columns}
          below={fitting.below}
          scroller={rowsScroller}
          rowHeight={rowHeight}
          headerHeight={headerHeight}
          isHeld={isHeld}
          orderKey={`${sort.column} ${sort.isDescending} ${props.filter === undefined ? appliedFilter : filter}`}
          selected={selection.ids}
          focusIndex={focusIndex}
          rowTone={props.rowTone}
          handlers={handlers}
        />
      </div>
    );
  };

  return (
    <div
      className="table fill"
      aria-busy={isLoading}
      data-tall={isTall ? '' : undefined}
      data-selecting={selectedRows.length > 0 ? '' : undefined}
    >
      {hasBar && (
        <TableBar
          filter={{ label: props.filterLabel, value: filter, onChange: setFilter }}
          onLeaveFilter={() => moveToIndex(0, {})}
          toolbar={props.toolbar}
          counts={isLoading ? undefined : { ...counts, count: props.count }}
          actions={actions}
          acted={panel === undefined ? selectedRows : noRows}
        />
      )}
      <div className="table-main fill">
        <div
          ref={setScroller}
          className="table-scroller"
          tabIndex={-1}
          style={fitting.tracks}
          {...pointing.props}
        >
          {content()}
        </div>
        {panel ?? props.panel}
      </div>
      <ContextMenu
        label={t('window.actions')}
        entries={menuEntriesOf(actions, selectedRows)}
        at={menuAt}
        onClose={() => setMenuAt(undefined)}
      />
    </div>
  );
}
