// The table of every view: it sorts, filters, selects many, acts by keyboard and menu, stays calm while rows change, and draws only the
// rows in view. React Aria's own table, virtualized, was measured first: it visits every row before it draws one (5,000 rows: 350 ms of
// processor time to open, here 60) and takes 12 ms for a frame of scrolling (here 5). Its roles and keys are kept.

import {
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { t } from '../../../app/contract/messages.ts';
import { Button } from '../../kit/button.tsx';
import type { IconName } from '../../kit/icon-shapes.ts';
import { useMediaQuery } from '../../kit/media-query.ts';
import { ContextMenu, type MenuEntry } from '../../kit/menu.tsx';
import { Empty, Failure } from '../../kit/blocks.tsx';
import { type DetailPanelFrame } from '../../kit/detail-panel.tsx';
import { CallError } from '../state/call.ts';
import { menuEntriesOf, TableBar, TableStatus, useTableCopies } from './bar.tsx';
import { createTableInput, usePointing, useRowFocus } from './interaction.ts';
import {
  rowsFor,
  comparison,
  createMatcher,
  moveTo,
  nothingSelected,
  selectAll,
  selectNone,
  useLocalSource,
  useRemoteSource,
  type Column,
  type Remote,
  type RowAction,
  type Sort,
  type RowSelection,
} from './model.ts';
import {
  columnTracks,
  shortWindow,
  TableHeader,
  useFittingColumns,
  TableRows,
  type RowsHandle,
  type RowTone,
} from './rows.tsx';

interface DataTableProps<Row extends { id: string }> {
  /** Names the grid for screen readers: `Locks`. */
  label: string;
  /** `500 locks` */
  count(count: number): string;
  /** The view shows the count elsewhere: only how many are selected, or found by the filter, is shown above the table. */
  isCountBrief?: boolean;
  /** Stable: a constant of the module, or useMemo. */
  columns: readonly Column<Row>[];
  /** What is copied and saved, in place of `columns`. */
  exportColumns?: readonly Column<Row>[];
  /** Undefined: still on their way. A row that changed is another object. */
  rows?: readonly Row[] | undefined;
  /** Rows that are shown below a row, in their order. Stable (useCallback). */
  childrenOf?(row: Row): readonly Row[];
  /** Instead of `rows`. */
  remote?: Remote<Row>;
  defaultSort?: Sort;
  /** In place of the rows: what went wrong and what to do. */
  failure?: { title?: string; sentence: string; action?: ReactNode };
  empty: { icon: IconName; sentence: string; action?: ReactNode };
  actions?: readonly RowAction<Row>[];
  /** Between the filter and the actions. */
  toolbar?: ReactNode;
  rowTone?(row: Row): RowTone | undefined;
  /** If the view filters the rows itself. */
  filter?: { value: string; onChange(value: string): void };
  /** `Filter` when left out. */
  filterLabel?: string;
  /** `Clear filter` when left out. */
  clearFilterLabel?: string;
  /** Whenever `step` changes: that row is selected, focused and brought into sight. */
  reveal?: { id: string; step: number } | undefined;
  /** To know the selection, or to set it. */
  selection?: { ids: ReadonlySet<string>; onChange(ids: ReadonlySet<string>): void };
  /** Name of the file, without an ending; offers to save as well as to copy. */
  exportName?: string;
  /** The view has its own buttons for it. */
  isExportElsewhere?: boolean;
  isCompact?: boolean;
  /**
   * Shows everything about the one selected row at the right: a component that renders DetailPanel with `frame`. Opened by a press,
   * by Enter (unless another action is primary) and from the menu; with the `key` of the row's id, so that it starts afresh.
   */
  detail?(row: Row, frame: DetailPanelFrame): ReactNode;
  /** The side panel stays open for a row that newer ones pushed out. */
  keepsDetail?: boolean;
}

const stickyHeaderHeight = 30;
const noRows: readonly never[] = [];

export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { columns, remote, detail } = props;
  const rows = props.rows ?? noRows;

  const [ownSort, setOwnSort] = useState<Sort>(
    () => props.defaultSort ?? { column: columns[0]?.id ?? '', isDescending: false },
  );
  const sort = remote?.sort ?? ownSort;
  const [ownFilter, setOwnFilter] = useState('');
  const viewFilter = remote?.filter ?? props.filter;
  const filter = viewFilter?.value ?? ownFilter;
  const setFilter = viewFilter?.onChange ?? setOwnFilter;
  const appliedFilter = useDeferredValue(viewFilter === undefined ? ownFilter : '');

  const [ownSelection, setOwnSelection] = useState<RowSelection>(nothingSelected);
  /** Everything was asked for, and some rows aren't loaded yet. */
  const wantsEvery = useRef(false);
  const controlled = props.selection;
  /** What the table itself selected last. */
  const sentIds = useRef<ReadonlySet<string>>(undefined);
  const selection = useMemo(
    () => (controlled === undefined ? ownSelection : { ...ownSelection, ids: controlled.ids }),
    [ownSelection, controlled?.ids],
  );
  const select = (next: RowSelection) => {
    if (next.ids !== selection.ids) wantsEvery.current = false;
    setOwnSelection(next);
    sentIds.current = next.ids;
    if (controlled !== undefined && next.ids !== controlled.ids) controlled.onChange(next.ids);
  };

  // While somebody works here, rows keep their place.
  const [hasFocus, setHasFocus] = useState(false);
  const [menuAt, setMenuAt] = useState<{ x: number; y: number }>();
  const pointing = usePointing();
  const isHeld = hasFocus || selection.ids.size > 0 || pointing.isPointing || menuAt !== undefined;

  const compare = useMemo(() => comparison(columns, ownSort), [columns, ownSort]);
  const matcher = useMemo(() => createMatcher(columns), [columns]);
  const matches = useMemo(() => matcher(appliedFilter), [matcher, appliedFilter]);
  const localSource = useLocalSource<Row>({ rows, compare, matches, isHeld, childrenOf: props.childrenOf });
  const source = useRemoteSource(remote) ?? localSource;

  const selectEvery = () => {
    select(selectAll(selection, source));
    const { loadAll } = remote ?? {};
    if (loadAll === undefined) return;
    wantsEvery.current = true;
    void loadAll().then(() => {
      selectLoaded.current();
      wantsEvery.current = false;
    });
  };
  // As rows come, so that the count shows the progress; until something else is selected, here or by the view, which does that when it
  // shows another folder or a search: nobody asked for those rows.
  const selectLoaded = useRef(() => {});
  selectLoaded.current = () => {
    if (controlled !== undefined && controlled.ids !== sentIds.current) wantsEvery.current = false;
    if (!wantsEvery.current) return;
    const next = selectAll(selection, source);
    if (next.ids.size === selection.ids.size) return;
    select(next);
    // `select` takes it for another selection; `selectEvery` ends it.
    wantsEvery.current = true;
  };
  useLayoutEffect(() => selectLoaded.current(), [source]);

  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  // The panel opens with a press in a wide window; in a narrow one it would cover the row's own buttons.
  const isDrawer = useMediaQuery(drawerQuery);
  const {
    columns: shownColumns,
    below,
    isWide,
  } = useFittingColumns(columns, scroller, detail !== undefined && !isDrawer);
  const isShort = useMediaQuery(shortWindow);
  const rowsScroller = (isShort ? scroller?.closest<HTMLElement>('.main') : undefined) ?? scroller;
  const headerHeight = isShort ? 0 : stickyHeaderHeight;
  const isTall = below.length > 0;
  const rowHeight = props.isCompact === true ? (isTall ? 46 : 28) : isTall ? 52 : 34;
  const drawnRows = useRef<RowsHandle>(null);
  const orderKey = `${sort.column} ${sort.isDescending} ${viewFilter === undefined ? appliedFilter : filter}`;
  const rowFocus = useRowFocus({
    source,
    isComplete: remote?.isComplete ?? true,
    selection,
    select,
    hasFocus,
    rows: drawnRows,
    scroller,
    reveal: props.reveal,
  });
  const { focusIndex, focusRow } = rowFocus;
  const latestRemote = useRef(remote);
  latestRemote.current = remote;
  const onRange = useCallback((start: number, end: number) => latestRemote.current?.need(start, end), []);

  const selectedRows = useMemo(() => {
    const found: { row: Row; index: number }[] = [];
    for (const id of selection.ids) {
      const row = source.byId(id);
      if (row !== undefined) found.push({ row, index: source.indexOf(id) });
    }
    return found.toSorted((a, b) => a.index - b.index).map(({ row }) => row);
  }, [selection.ids, source]);
  const copies = useTableCopies({
    columns: props.exportColumns ?? columns,
    exportName: props.exportName,
    selected: selectedRows,
    all: useCallback(async () => {
      // Not the latest one later: another folder may be opened while this one loads.
      const shown: Pick<Remote<Row>, 'total' | 'rowAt' | 'loadAll'> = latestRemote.current ?? {
        total: source.count,
        rowAt: source.at,
      };
      const total = shown.loadAll === undefined ? shown.total : await shown.loadAll();
      const all = Array.from({ length: total ?? 0 }, (_, index) => shown.rowAt(index)).filter(
        (row) => row !== undefined,
      );
      if (all.length !== total) throw new CallError('internal', t('window.some-rows-couldnt-be-read'));
      return all;
    }, [source]),
  });

  const [isDetailOpen, setIsDetailOpen] = useState(false);
  const [detailFocusStep, setDetailFocusStep] = useState(0);
  useEffect(() => {
    if (isDrawer) setIsDetailOpen(false);
  }, [isDrawer]);
  const openDetail = useCallback(() => {
    setIsDetailOpen(true);
    setDetailFocusStep((step) => step + 1);
  }, []);
  const actions = useMemo(
    () => withDetailAction(props.actions ?? noRows, detail === undefined ? undefined : openDetail),
    [props.actions, detail === undefined, openDetail],
  );
  const [selectedRow] = selectedRows.length === 1 ? selectedRows : [];
  const lastDetail = useRef<Row>(undefined);
  if (selectedRow !== undefined) lastDetail.current = selectedRow;
  const kept = lastDetail.current;
  const isPushedOut =
    props.keepsDetail === true &&
    selectedRows.length === 0 &&
    kept !== undefined &&
    source.indexOf(kept.id) === -1;
  const detailRow = isPushedOut ? kept : selectedRow;
  const panel =
    detail !== undefined && isDetailOpen && detailRow !== undefined
      ? detail(detailRow, {
          focusStep: detailFocusStep,
          onClose: () => {
            setIsDetailOpen(false);
            setDetailFocusStep(0);
            rowFocus.focusStop();
          },
        })
      : undefined;

  const run = (action: RowAction<Row> | undefined, rowId: string): boolean => {
    const row = source.byId(rowId);
    const targets = selectedRows.length > 0 || row === undefined ? selectedRows : [row];
    const fit = action === undefined ? [] : rowsFor(action, targets);
    if (fit.length > 0) action?.run(fit);
    return fit.length > 0;
  };
  const clickedFirst = useRef<string>(undefined);
  const handlers = createTableInput({
    list: source,
    selection,
    clickedFirst,
    select,
    selectEvery,
    moveToIndex: rowFocus.moveToIndex,
    pageRows: () =>
      Math.max(1, Math.floor(((rowsScroller?.clientHeight ?? 0) - headerHeight) / rowHeight) - 1),
    runPrimary: (rowId) =>
      run(
        actions.find((action) => action.isPrimary === true),
        rowId,
      ),
    runKey: (key, rowId) =>
      run(
        actions.find((action) => action.keys === key),
        rowId,
      ),
    copySelected: () => {
      if (selectedRows.length > 0) copies.copySelected();
    },
    onPress: () => {
      if (!isDrawer) setIsDetailOpen(true);
    },
    openMenu: (rowId, at) => {
      if (!selection.ids.has(rowId)) select({ ids: new Set([rowId]), focusId: rowId, anchorId: rowId });
      setMenuAt(at);
    },
    onFocusChange: (isIn, to) => {
      setHasFocus(isIn);
      if (isIn) rowFocus.onCome();
      else rowFocus.onGo(to);
    },
  });

  const isLoading = remote === undefined && props.rows === undefined;
  const total = remote?.total ?? rows.length;
  const isEmpty = !isLoading && source.count === 0;
  const isBare = isEmpty && total === 0 && filter === '';
  const hasFilter = remote === undefined || remote.filter !== undefined;
  const hasBar = !isBare || (props.toolbar !== undefined && props.toolbar !== false);

  const status = !isLoading && (
    <TableStatus
      shown={source.ownCount}
      total={total}
      // The side panel says which one.
      selected={props.isCountBrief === true && panel !== undefined ? 0 : selection.ids.size}
      count={props.count}
      isBrief={props.isCountBrief === true}
      filter={filter}
    />
  );
  const grid = (scrolled: HTMLElement) => (
    <div
      role="grid"
      className="table-grid"
      aria-label={props.label}
      aria-multiselectable="true"
      aria-rowcount={source.count + 1}
      aria-colcount={shownColumns.length + below.length + 2}
    >
      <TableHeader
        columns={shownColumns}
        below={below[0]}
        sort={sort}
        onSort={remote?.onSort ?? setOwnSort}
        selected={selection.ids.size === 0 ? 'none' : selection.ids.size >= source.count ? 'all' : 'some'}
        onSelectAll={(isAll) => (isAll ? selectEvery() : select(selectNone(selection)))}
        onLeave={() => {
          const id = source.idAt(focusIndex === -1 ? (drawnRows.current?.firstInView() ?? 0) : focusIndex);
          if (id !== undefined)
            focusRow(moveTo(selection, source, id, { isAdding: true, isExtending: false }));
        }}
      />
      <TableRows
        ref={drawnRows}
        source={source}
        columns={shownColumns}
        below={below}
        scroller={scrolled}
        rowHeight={rowHeight}
        headerHeight={headerHeight}
        isHeld={isHeld}
        orderKey={orderKey}
        selected={selection.ids}
        focusIndex={focusIndex}
        hasMenu={actions.length > 0}
        rowTone={props.rowTone}
        onRange={onRange}
        handlers={handlers}
      />
    </div>
  );

  return (
    <div
      className={props.isCompact === true ? 'table table-compact' : 'table'}
      aria-busy={isLoading}
      data-bare={hasBar ? undefined : ''}
      data-tall={isTall ? '' : undefined}
      data-selecting={selectedRows.length > 0 ? '' : undefined}
    >
      {hasBar && (
        <TableBar
          filter={
            hasFilter
              ? {
                  label: props.filterLabel ?? t('window.filter'),
                  value: filter,
                  onChange: setFilter,
                  onLeave: () => rowFocus.moveToIndex(0, { isAdding: false, isExtending: false }),
                }
              : undefined
          }
          toolbar={props.toolbar}
          status={status}
          actions={actions}
          acted={panel === undefined ? selectedRows : noRows}
          copies={props.isExportElsewhere === true ? [] : [...copies.selectedEntries, ...copies.allEntries]}
          hasRows={!isLoading && source.count > 0}
        />
      )}
      <div className="table-main">
        <div
          ref={setScroller}
          className="table-scroller"
          tabIndex={-1}
          data-wide={isWide ? '' : undefined}
          style={columnTracks(shownColumns)}
          {...pointing.props}
        >
          {props.failure !== undefined ? (
            <Failure {...props.failure} />
          ) : isBare ? (
            <Empty icon={props.empty.icon} sentence={props.empty.sentence} action={props.empty.action} />
          ) : isEmpty ? (
            <Empty
              icon="search"
              sentence={t('window.nothing-matches-filter', { filter })}
              action={
                <Button onPress={() => setFilter('')}>
                  {props.clearFilterLabel ?? t('window.clear-filter')}
                </Button>
              }
            />
          ) : isLoading ? (
            <>
              <span className="visually-hidden" role="status">
                {t('window.loading')}
              </span>
              <SkeletonRows />
            </>
          ) : (
            rowsScroller !== null && grid(rowsScroller)
          )}
        </div>
        {panel}
      </div>
      <ContextMenu
        label={t('window.actions')}
        entries={withCopies(menuEntriesOf(actions, selectedRows), copies.selectedEntries)}
        at={menuAt}
        onClose={() => setMenuAt(undefined)}
      />
    </div>
  );
}

/** As wide as the details have room beside the table. */
const drawerQuery = '(max-width: 899px)';

function withDetailAction<Row>(
  actions: readonly RowAction<Row>[],
  open: (() => void) | undefined,
): readonly RowAction<Row>[] {
  if (open === undefined) return actions;
  const isPrimary = !actions.some((action) => action.isPrimary === true);
  return [
    { id: 'details', title: t('window.details'), icon: 'info', takesMany: false, isPrimary, run: open },
    ...actions,
  ];
}

/** Inside *Advanced*, where the view has it. */
function withCopies(entries: MenuEntry[], copies: readonly MenuEntry[]): MenuEntry[] {
  return entries.some(({ id }) => id === 'advanced')
    ? entries.map((entry) =>
        entry.id === 'advanced' ? { ...entry, entries: [...(entry.entries ?? []), ...copies] } : entry,
      )
    : [...entries, ...copies];
}

/** Before it's known which columns and actions there are. */
export function TableSkeleton() {
  return (
    <div className="table" aria-hidden="true">
      <div className="table-bar">
        <span className="skeleton-field" />
      </div>
      <div className="table-main">
        <div className="table-scroller">
          <SkeletonRows />
        </div>
      </div>
    </div>
  );
}

/** Grey bars where rows will be, in the places of the first columns. */
function SkeletonRows() {
  return (
    <div aria-hidden="true">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="table-skeleton">
          <span className="table-pending" />
          <span className="table-pending" />
          <span className="table-pending" />
        </div>
      ))}
    </div>
  );
}
