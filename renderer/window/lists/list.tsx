// A list of what the host has, such as Locks. What is known about a row is described once, as fields: they are the table's columns and
// the facts of the side panel. What can be done with rows is described once, too: in the menu, above the table and in the side panel.

import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { CommandResult } from '../../../app/commands/commands.ts';
import { t, type MessageKey } from '../../../app/contract/messages.ts';
import type { Outcome } from '../../../app/contract/results.ts';
import { TextLink } from '../../kit/blocks.tsx';
import { Button } from '../../kit/button.tsx';
import { DetailPanel, TimeFact, type DetailPanelFrame } from '../../kit/detail-panel.tsx';
import { useConfirm, type Question } from '../../kit/dialog.tsx';
import { useToasts, type ToastMessage } from '../../kit/toast.tsx';
import { useAction } from '../parts/action.tsx';
import { splitPath } from '../parts/format.ts';
import { DocumentCell, EditorCell, RowButton } from '../parts/view.tsx';
import { useNavigation, useReveal, useWindowState } from '../state/window-context.tsx';
import { DataTable } from '../table/data-table.tsx';
import { textWidth, titleOf, type Column, type RowAction, type Sort } from '../table/model.ts';

interface ListRow {
  id: string;
  /** Null: it has no document, or a deleted one. */
  path: string | null;
  /** Left out: it's the row's id. */
  fileId?: string | null;
}

/** One thing that is known about a row. */
export interface Field<Row> extends Omit<Column<Row>, 'width'> {
  /** Left out: it is only in the side panel. */
  width?: Column<Row>['width'];
  /** What the side panel shows instead of the value; null: a dash, undefined: nothing. */
  fact?(row: Row): ReactNode;
}

/** The fields that the table has. */
export function columnsOf<Row>(fields: readonly Field<Row>[]): Column<Row>[] {
  return fields.filter((field): field is Field<Row> & Column<Row> => field.width !== undefined);
}

const deleted = t('window.deleted-document');

/** For `fact`: the panel shows it elsewhere, or not at all. */
export const noFact = () => undefined;

export function documentField<Row extends ListRow>(width: Column<Row>['width']): Field<Row> {
  return {
    id: 'document',
    title: t('common.document'),
    value: ({ path }) => path ?? deleted,
    render: ({ path }) =>
      path === null ? <span className="muted">{deleted}</span> : <DocumentCell path={path} />,
    // The panel's title is the name.
    fact: ({ path }) => (path === null || splitPath(path).folder === '' ? undefined : path),
    width,
    isRowHeader: true,
  };
}

export function editorField<Row extends { editor: string | null }>(
  place: Pick<Column<Row>, 'width' | 'priority' | 'joinsBelow'>,
): Field<Row> {
  return {
    id: 'editor',
    title: t('window.editor'),
    value: ({ editor }) => editor,
    render: ({ editor }) => <EditorCell name={editor} />,
    ...place,
  };
}

export function timeField<Row>(
  id: string,
  title: string,
  value: (row: Row) => number | null,
  place: Partial<Field<Row>> = {},
): Field<Row> {
  return { id, title, value, kind: 'time', fact: (row) => <TimeFact atMs={value(row)} />, ...place };
}

/** The button that an action has in some rows. */
function buttonColumn<Row extends ListRow>(action: ListAction<Row>): Column<Row>[] {
  const { rowButton } = action;
  if (rowButton === undefined) return [];
  const words = titleOf(action, []);
  const button = (row: Row) => (
    <RowButton label={rowButton.label(row)} onPress={() => action.run([row])}>
      {words}
    </RowButton>
  );
  return [
    {
      id: action.id,
      title: rowButton.title,
      value: () => null,
      render: (row) => rowButton.isFor(row) && button(row),
      width: { min: textWidth(words) + 46 },
      priority: rowButton.priority,
      isInPanel: true,
      isTitleHidden: true,
      isSortable: false,
    },
  ];
}

export interface ListAction<Row> extends RowAction<Row> {
  /** A button of the side panel as well. */
  isInPanel?: boolean;
  /** A button in these rows as well, in a column of that priority; and one that selects them. */
  rowButton?: {
    title: string;
    label(row: Row): string;
    select(count: number): string;
    isFor(row: Row): boolean;
    priority: number;
  };
}

/** Leads to a row of another view. */
export interface RowLink<Row> {
  view: 'locks' | 'sessions';
  title: string;
  /** Undefined: the row has none. */
  target(row: Row): { path: string | null; id?: string } | undefined;
}

interface ListTableProps<Row> {
  view: 'locks' | 'sessions' | 'tokens';
  label: string;
  count(count: number): string;
  filterLabel: string;
  /** Stable, like `actions` and `link`. */
  fields: readonly Field<Row>[];
  rows: readonly Row[];
  /** Which column, and whether its last values come first. */
  sort: Sort;
  /** Besides `link`, and the one that leads to the row's document. */
  actions: readonly ListAction<Row>[];
  link: RowLink<Row>;
  /** `away`: the sentence while nothing is served. Without an action, the button leads to Documents. */
  empty: { title: string; sentence: string; away?: string; action?: ReactNode };
  /** `muted`: it is of no use anymore. */
  tone?(row: Row): 'muted' | undefined;
  /** The side panel: what is under its title, if that isn't the document's name, and what is below its facts. */
  panel: { title?(row: Row): string; subtitle(row: Row): ReactNode; children?(row: Row): ReactNode };
}

export function ListTable<Row extends ListRow>(props: ListTableProps<Row>) {
  const { view, fields, link, empty, panel } = props;
  const { go } = useNavigation();
  const actions = useMemo<ListAction<Row>[]>(
    () => [
      ...props.actions,
      {
        id: link.view,
        title: link.title,
        icon: link.view,
        takesMany: false,
        isFor: (row) => link.target(row) !== undefined,
        run: ([row]) => {
          const place = row && link.target(row);
          if (place !== undefined) go(link.view, place.path ?? undefined, place.id);
        },
      },
      {
        id: 'documents',
        title: t('window.show-in-documents'),
        icon: 'documents',
        takesMany: false,
        isInPanel: true,
        isFor: ({ path }) => path !== null,
        run: ([row]) => {
          if (row !== undefined) go('documents', row.path ?? undefined, row.fileId ?? row.id);
        },
      },
    ],
    [props.actions, link, go],
  );
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { rowButton } = props.actions.find((action) => action.rowButton !== undefined) ?? {};
  const marked = rowButton === undefined ? [] : props.rows.filter((row) => rowButton.isFor(row));
  const isAway = useWindowState((state) => state.host.problem !== null) && empty.away !== undefined;
  const columns = useMemo(
    () => [...columnsOf(fields), ...props.actions.flatMap(buttonColumn)],
    [fields, props.actions],
  );
  const detail = (row: Row, frame: DetailPanelFrame) => (
    <FieldPanel
      key={row.id}
      row={row}
      fields={fields}
      actions={actions}
      frame={frame}
      title={panel.title?.(row) ?? (row.path === null ? deleted : splitPath(row.path).name)}
      subtitle={panel.subtitle(row)}
    >
      {panel.children?.(row)}
    </FieldPanel>
  );
  return (
    <DataTable
      label={props.label}
      count={props.count}
      // The view's subtitle has the number of rows.
      isCountBrief
      filterLabel={props.filterLabel}
      columns={columns}
      rows={props.rows}
      defaultSort={props.sort}
      actions={actions}
      toolbar={
        marked.length > 1 &&
        marked.some(({ id }) => !selected.has(id)) && (
          <Button onPress={() => setSelected(new Set(marked.map(({ id }) => id)))}>
            {rowButton?.select(marked.length)}
          </Button>
        )
      }
      selection={{ ids: selected, onChange: setSelected }}
      reveal={useReveal(view, props.rows)}
      detail={detail}
      rowTone={(row) => props.tone?.(row)}
      empty={{
        icon: view,
        title: isAway ? t('common.not-serving') : empty.title,
        sentence: isAway ? empty.away : empty.sentence,
        action: isAway
          ? undefined
          : (empty.action ?? <Button onPress={() => go('documents')}>{t('window.show-documents')}</Button>),
      }}
    />
  );
}

/** The side panel of a row: its fields as facts, and its actions as buttons. */
export function FieldPanel<Row, One extends Row>(props: {
  row: One;
  fields: readonly Field<One>[];
  actions: readonly ListAction<Row>[];
  frame: DetailPanelFrame;
  title: string;
  subtitle: ReactNode;
  notice?: ReactNode;
  children?: ReactNode;
}) {
  const { row } = props;
  return (
    <DetailPanel
      {...props.frame}
      title={props.title}
      subtitle={props.subtitle}
      notice={props.notice}
      facts={props.fields.map(({ title, value, fact = value }) => {
        const shown = fact(row);
        return shown !== undefined && { name: title, value: shown };
      })}
      actions={props.actions
        .filter(({ isInPanel, isFor }) => isInPanel === true && isFor?.(row) !== false)
        .map((action) => (
          <Button key={action.id} onPress={() => action.run([row])}>
            {titleOf(action, [row])}
          </Button>
        ))}
    >
      {props.children}
    </DetailPanel>
  );
}

/** `1 stale, 6 editing.`: how many are in which state; undefined when the table is empty, which says so itself. */
export function countsOf<Row, State extends string>(
  rows: readonly Row[],
  stateOf: (row: Row) => State,
  states: Readonly<Record<State, { counted: MessageKey }>>,
): string | undefined {
  const counts = Map.groupBy(rows, stateOf);
  const parts = (Object.keys(states) as State[]).flatMap((state) => {
    const count = counts.get(state)?.length;
    return count === undefined ? [] : t(states[state].counted, { count });
  });
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}

/** A link to a session, if it hasn't ended; otherwise `absent`. */
export function SessionFact({ id, absent }: { id: string; absent: ReactNode }) {
  const session = useWindowState((state) => state.sessions.find((one) => one.id === id));
  const { go } = useNavigation();
  if (session === undefined) return absent;
  return (
    <>
      <TextLink onPress={() => go('sessions', session.path, session.id)}>{t('window.show-session')}</TextLink>
      {session.editor !== null && <div className="fact-exact">{session.editor}</div>}
    </>
  );
}

type BulkCommand = 'locks.forceClear' | 'locks.undoForceClear' | 'sessions.end' | 'tokens.revoke';

export interface BulkWords<Name extends BulkCommand, Item> {
  /** Left out: it does so without asking. */
  question?(items: readonly Item[]): Question;
  /** The toast's title when all of it failed. */
  failure: string;
  done(done: Outcome['done']): string;
  failed(count: number): string;
  /** What else the toast has. */
  more?(result: CommandResult<Name>): Partial<ToastMessage>;
}

/** Asks, runs a command on all of them, and shows what came of it. Never throws; `words` must be stable. */
export function useBulkAction<Name extends BulkCommand, Item extends { id: string }>(
  name: Name,
  words: BulkWords<Name, Item>,
): (items: readonly Item[]) => Promise<void> {
  const { run } = useAction(name, { failure: words.failure, canOverlap: true });
  const confirm = useConfirm();
  const toasts = useToasts();
  return useCallback(
    async (items) => {
      if (items.length === 0) return;
      if (words.question !== undefined && !(await confirm(words.question(items)))) return;
      const result = await run({ ids: items.map(({ id }) => id) });
      if (result === undefined) return;
      const { done, failed }: Outcome = result;
      if (done.length > 0) toasts.show({ tone: 'good', title: words.done(done), ...words.more?.(result) });
      if (failed.length > 0)
        toasts.show({ tone: 'bad', title: words.failed(failed.length), detail: reasonOf(failed) });
    },
    [run, confirm, toasts, words],
  );
}

/** The first reason, with the document that it's about. */
function reasonOf([first, ...others]: Outcome['failed']): string {
  if (first === undefined) return '';
  if (first.path === '') return first.message;
  const values = { file: splitPath(first.path).name, reason: first.message, count: others.length };
  return others.length === 0 ? t('window.file-reason', values) : t('window.file-reason-and-more', values);
}
