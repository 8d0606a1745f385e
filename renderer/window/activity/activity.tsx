// Activity: the last 10,000 requests as they arrive, grouped by document and session or one by one. Never a body, never a token.

import { useCall, usePush, useWindowState, useNavigation } from '../state/window-context.tsx';
import {
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
  useEffect,
  useSyncExternalStore,
} from 'react';
import { t } from '../../../app/contract/messages.ts';
import { operationWords } from '../../../app/contract/user-actions.ts';
import { Button } from '../parts/button.tsx';
import { type DetailPanelFrame, View } from '../parts/view.tsx';
import { useConfirm } from '../parts/dialog.tsx';
import { locale } from '../parts/format.ts';
import { MenuButton } from '../parts/menu.tsx';
import { Select, Switch } from '../parts/fields.tsx';
import { sentenceOf } from '../state/call.ts';
import { useAction, useTask } from '../parts/action.tsx';
import { DataTable } from '../table/data-table.tsx';
import { toCsv, toJson, type Column, type RowAction } from '../table/row-source.ts';
import {
  createExportColumns,
  createGroupColumns,
  createRequestColumns,
  documentOf,
  groupTitle,
  NameSource,
  useDocumentNames,
} from './columns.tsx';
import { EntryDetail, GroupDetail } from './detail.tsx';
import {
  canExpand,
  createGrouping,
  isFailed,
  isGroup,
  mostEntries,
  statusTone,
  createJournal,
  type ActivityRow,
  type Entry,
  type Group,
  type JournalSnapshot,
  type Journal,
} from './journal.ts';
import './activity.css';

const everyOperation = 'all';
const noEntries: readonly Entry[] = [];
const nothingExpanded: ReadonlySet<string> = new Set();

export function ActivityView() {
  const { journal, snapshot } = useJournal();
  const { place, go } = useNavigation();
  const names = useDocumentNames();
  const hostProblem = useWindowState((state) => state.host.problem);
  const [operation, setOperation] = useState(everyOperation);
  const [isErrorsOnly, setIsErrorsOnly] = useState(false);
  const [isGrouped, setIsGrouped] = useState(true);
  const [expanded, setExpanded] = useState(nothingExpanded);

  // Drawn when there is time: keys and presses come before rows.
  const entries = useDeferredValue(snapshot.entries);
  const operations = useOperations(entries);
  const narrowed = useMemo(() => {
    if (operation === everyOperation && !isErrorsOnly) return entries;
    return entries?.filter(
      (entry) =>
        (operation === everyOperation || entry.operation === operation) && (!isErrorsOnly || isFailed(entry)),
    );
  }, [entries, operation, isErrorsOnly]);
  const [group] = useState(createGrouping);
  const rows = useMemo<readonly ActivityRow[] | undefined>(
    () => (isGrouped && narrowed !== undefined ? group(narrowed) : narrowed),
    [isGrouped, narrowed, group],
  );
  const isNarrowed = operation !== everyOperation || isErrorsOnly;
  const count = entries?.length ?? 0;
  const hasFailed = snapshot.problem !== undefined;
  /** The banner above has the reason and the buttons. */
  const isAway = hasFailed && hostProblem !== null;
  const wasAway = useRef(false);
  useEffect(() => {
    // That host is back: nothing else would read again.
    if (wasAway.current && !isAway && hasFailed) journal.read().catch(() => undefined);
    wasAway.current = isAway;
  }, [isAway, hasFailed, journal]);
  const latest = useRef(entries);
  latest.current = entries;

  const toggle = useCallback((toggled: Group) => {
    setExpanded((before) => {
      const next = new Set(before);
      if (!next.delete(toggled.id)) next.add(toggled.id);
      return next;
    });
  }, []);
  const childrenOf = useCallback(
    (row: ActivityRow): readonly ActivityRow[] =>
      isGroup(row) && expanded.has(row.id) ? row.entries : noEntries,
    [expanded],
  );
  const columns = useMemo(
    () =>
      isGrouped
        ? createGroupColumns({ names, expanded, onToggle: toggle })
        : (createRequestColumns(names) as Column<ActivityRow>[]),
    [isGrouped, names, expanded, toggle],
  );
  const exportColumns = useMemo(() => createExportColumns(names), [names]);

  const resuming = useTask(async () => journal.resume(), { failure: t('Can’t read the new requests') });
  const pathOf = useCallback(
    (row: ActivityRow | undefined) => {
      const entry = row !== undefined && isGroup(row) ? row.entries[0] : row;
      return entry === undefined ? undefined : documentOf(entry, names);
    },
    [names],
  );
  const actions = useMemo<RowAction<ActivityRow>[]>(
    () => [
      {
        id: 'expand',
        title: ([row]) =>
          row !== undefined && expanded.has(row.id) ? t('Hide requests') : t('Show requests'),
        icon: 'activity',
        takesMany: false,
        isFor: (row) => canExpand(row, expanded),
        run: ([row]) => {
          if (row !== undefined && isGroup(row)) toggle(row);
        },
      },
      {
        id: 'document',
        title: t('Show in Documents'),
        icon: 'documents',
        takesMany: false,
        isFor: (row) => pathOf(row) !== undefined,
        run: ([row]) => {
          const path = pathOf(row);
          if (path !== undefined) go('documents', path);
        },
      },
    ],
    [expanded, toggle, pathOf, go],
  );
  const wantedId =
    place.view === 'activity' && place.id !== undefined
      ? rows?.find((row) => isGroup(row) && row.fileId === place.id)?.id
      : undefined;
  const reveal = useMemo(
    () => (wantedId === undefined ? undefined : { id: wantedId, step: place.step }),
    [wantedId, place.step],
  );

  const detail = (row: ActivityRow, frame: DetailPanelFrame) =>
    isGroup(row) ? (
      <GroupDetail
        key={row.id}
        group={row}
        title={groupTitle(row, names)}
        document={row.fileId === null ? undefined : pathOf(row)}
        user={names.userOf(row.user)}
        entries={entries ?? noEntries}
        frame={frame}
      />
    ) : (
      <EntryDetail
        key={row.id}
        entry={row}
        document={documentOf(row, names)}
        user={names.userOf(row.user)}
        frame={frame}
        exportColumns={exportColumns}
      />
    );

  return (
    <View
      title={t('Activity')}
      subtitle={
        snapshot.problem === undefined &&
        (narrowed === undefined ? t('Loading…') : subtitle(snapshot, narrowed.length))
      }
      isFilled
      actions={
        <>
          <NameSource names={names} />
          {snapshot.isPaused ? (
            <Button
              icon="play"
              look="primary"
              isPending={resuming.isPending}
              onPress={() => void resuming.run()}
            >
              {t('Resume')}
            </Button>
          ) : (
            <Button icon="pause" isDisabled={entries === undefined} onPress={journal.pause}>
              {t('Pause list')}
            </Button>
          )}
          <ExportButton count={count} all={() => latest.current ?? []} columns={exportColumns} />
          <ClearButton count={count} onCleared={journal.clear} />
        </>
      }
    >
      <DataTable<ActivityRow>
        key={isGrouped ? 'grouped' : 'single'}
        label={t('Activity')}
        count={(shown) =>
          isGrouped
            ? t('{count, plural, one {# group} other {# groups}}', { count: shown })
            : t('{count, plural, one {# request} other {# requests}}', { count: shown })
        }
        isCountBrief
        filterLabel={t('Filter requests')}
        columns={columns}
        rows={isAway ? noEntries : rows}
        {...(isGrouped && { childrenOf })}
        defaultSort={{ column: 'time', isDescending: true }}
        actions={actions}
        rowTone={toneOf}
        reveal={reveal}
        detail={detail}
        keepsDetail
        isCompact
        isExportElsewhere
        {...(hasFailed &&
          !isAway && {
            failure: {
              title: t('Can’t read the activity'),
              sentence: sentenceOf(snapshot.problem),
              action: (
                <>
                  <Button look="primary" onPress={() => void journal.read().catch(() => undefined)}>
                    {t('Try again')}
                  </Button>
                  <Button onPress={() => go('settings', 'log')}>{t('Show log')}</Button>
                </>
              ),
            },
          })}
        {...((count > 0 || (entries === undefined && !hasFailed)) && {
          toolbar: (
            <>
              <Select
                label={t('Operation')}
                isLabelHidden
                value={operation}
                options={operations}
                onChange={setOperation}
              />
              <Switch label={t('Errors only')} isOn={isErrorsOnly} onChange={setIsErrorsOnly} />
              <Switch label={t('Grouped')} isOn={isGrouped} onChange={setIsGrouped} />
            </>
          ),
        })}
        empty={
          isAway
            ? { icon: 'activity', sentence: t('Requests appear here once DocTray serves again.') }
            : isNarrowed && count > 0
              ? {
                  icon: 'good',
                  sentence: isErrorsOnly
                    ? t('None of these requests failed.')
                    : t('No requests of this kind: {operation}.', { operation: operationWords(operation) }),
                  action: (
                    <Button
                      onPress={() => {
                        setOperation(everyOperation);
                        setIsErrorsOnly(false);
                      }}
                    >
                      {t('Show all requests')}
                    </Button>
                  ),
                }
              : {
                  icon: 'activity',
                  sentence: t('No requests yet. They appear here as editors and programs send them.'),
                  action: <Button onPress={() => go('documents')}>{t('Show documents')}</Button>,
                }
        }
      />
    </View>
  );
}

function toneOf(row: ActivityRow) {
  if (isGroup(row)) return undefined;
  const tone = statusTone(row);
  return tone === 'muted' ? undefined : tone;
}

/** The count is here, because the toolbar is full. */
function subtitle({ isPaused, waiting }: JournalSnapshot, requests: number): string {
  if (!isPaused) return t('{count, plural, one {# request} other {# requests}}', { count: requests });
  if (waiting === 0) return t('Paused. DocTray keeps serving; new requests are shown when you resume.');
  return waiting > mostEntries
    ? t('Paused. {waiting, number} requests are waiting; only the newest 10,000 are kept.', { waiting })
    : t('Paused. {waiting, plural, one {# request is waiting.} other {# requests are waiting.}}', {
        waiting,
      });
}

/** The same list as long as no other operation arrives. */
function useOperations(entries: readonly Entry[] | undefined) {
  const seen = useRef<{ key: string; options: { id: string; title: string }[] }>(undefined);
  return useMemo(() => {
    const operations = [...new Set(entries?.map(({ operation }) => operation))].toSorted((a, b) =>
      operationWords(a).localeCompare(operationWords(b), locale),
    );
    const key = operations.join(' ');
    if (seen.current?.key !== key) {
      const options = operations.map((id) => ({ id, title: operationWords(id) }));
      seen.current = { key, options: [{ id: everyOperation, title: t('All operations') }, ...options] };
    }
    return seen.current.options;
  }, [entries]);
}

function ClearButton(props: { count: number; onCleared(): void }) {
  const confirm = useConfirm();
  const clear = useAction('activity.clear', { failure: t('Can’t clear the activity') });
  const ask = async () => {
    const isSure = await confirm({
      title: t('Clear the activity?'),
      body: (
        <p>
          {t(
            '{count, plural, one {# request is removed} other {# requests are removed}} from DocTray. The log file stays.',
            { count: props.count },
          )}
        </p>
      ),
      confirm: t('Clear'),
      isDanger: true,
    });
    if (isSure && (await clear.run({})) !== undefined) props.onCleared();
  };
  return (
    <Button
      icon="trash"
      isDisabled={props.count === 0}
      isPending={clear.isPending}
      onPress={() => void ask()}
    >
      {t('Clear…')}
    </Button>
  );
}

function ExportButton(props: { count: number; all(): readonly Entry[]; columns: readonly Column<Entry>[] }) {
  const save = useAction('app.saveText', {
    failure: t('Can’t save the file'),
    success: ({ savedTo }) => (savedTo === null ? t('Not saved') : t('Saved {file}', { file: savedTo })),
  });
  const { columns, all, count } = props;
  return (
    <MenuButton
      label={t('Export')}
      icon="download"
      isDisabled={count === 0}
      entries={[
        {
          id: 'csv',
          title: t('{count, plural, one {# request as CSV…} other {All # requests as CSV…}}', { count }),
          run: () =>
            void save.run({ suggestedName: 'activity.csv', kind: 'csv', text: toCsv(columns, all()) }),
        },
        {
          id: 'json',
          title: t('{count, plural, one {# request as JSON…} other {All # requests as JSON…}}', { count }),
          run: () =>
            void save.run({ suggestedName: 'activity.json', kind: 'json', text: toJson(columns, all()) }),
        },
      ]}
    />
  );
}

/** Watches while the view is shown and the window can be seen. */
function useJournal(): { journal: Journal; snapshot: JournalSnapshot } {
  const call = useCall();
  const [journal] = useState(() =>
    createJournal({
      watch: async (isWatching) => call('activity.watch', { isWatching }),
      list: async () => call('activity.list', {}),
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    }),
  );
  usePush('activity-added', journal.take);
  useEffect(() => {
    const turn = () => (document.hidden ? journal.close() : journal.open());
    turn();
    document.addEventListener('visibilitychange', turn);
    return () => {
      document.removeEventListener('visibilitychange', turn);
      journal.close();
    };
  }, [journal]);
  const snapshot = useSyncExternalStore(
    journal.subscribe,
    useCallback(() => journal.snapshot(), [journal]),
  );
  return { journal, snapshot };
}
