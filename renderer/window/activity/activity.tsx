// Activity: the last 10,000 requests as they arrive, grouped by document and user or one by one. Never a body, never a token.

import {
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
  useEffect,
  useSyncExternalStore,
} from 'react';
import { formatDuration, formatTime, isSameDay } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { isError } from '../../../app/contract/request-errors.ts';
import { useAction, useTask, CopyButton, useCommandResult } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { Select, Switch } from '../../kit/fields.tsx';
import { locale, splitPath } from '../parts/format.ts';
import { MenuButton } from '../../kit/menu.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { TextLink, Skeleton } from '../../kit/blocks.tsx';
import { DetailPanel, DetailSection, TimeFact, type DetailPanelFrame } from '../../kit/detail-panel.tsx';
import { View } from '../parts/view.tsx';
import { sentenceOf } from '../state/call.ts';
import { hostTime } from '../state/clock.ts';
import { useCall, usePush, useWindowState, useNavigation } from '../state/window-context.tsx';
import { DataTable } from '../table/data-table.tsx';
import { createMatcher, type Column, type RowAction } from '../table/model.ts';
import { createGroupColumns, createRequestColumns, groupTitle, useUserName, Status } from './columns.tsx';
import { toCsv, toJson } from './export.ts';
import {
  canExpand,
  createGrouping,
  isGroup,
  mostEntries,
  statusTone,
  createJournal,
  bytesWords,
  clockWords,
  durationWords,
  isAct,
  isSave,
  requestWords,
  statusWords,
  type ActivityRow,
  type Entry,
  type Group,
  type JournalSnapshot,
  type Journal,
} from './journal.ts';
import './activity.css';

const everyOperation = '';
const noEntries: readonly Entry[] = [];
const nothingExpanded: ReadonlySet<string> = new Set();

function documentPathOf(row: ActivityRow | undefined): string | undefined {
  const entry = row !== undefined && isGroup(row) ? row.entries[0] : row;
  return entry?.documentPath ?? undefined;
}

export function ActivityView() {
  const { journal, snapshot } = useJournal();
  const { place, go } = useNavigation();
  const userName = useUserName();
  const hostProblem = useWindowState((state) => state.host.problem);
  const [operation, setOperation] = useState(everyOperation);
  const [isErrorsOnly, setIsErrorsOnly] = useState(false);
  const [isGrouped, setIsGrouped] = useState(true);
  const [filter, setFilter] = useState('');
  const [expanded, setExpanded] = useState(nothingExpanded);

  // Drawn when there is time: keys and presses come before rows.
  const entries = useDeferredValue(snapshot.entries);
  const operations = useOperations(entries);
  const appliedFilter = useDeferredValue(filter);
  const matcher = useMemo(() => createMatcher(createRequestColumns(userName)), [userName]);
  /** Undefined: every request. A group shows and counts only these. */
  const isShown = useMemo(() => {
    const matches = matcher(appliedFilter);
    if (operation === everyOperation && !isErrorsOnly) return matches;
    return (entry: Entry) =>
      (operation === everyOperation || requestWords(entry.operation) === operation) &&
      (!isErrorsOnly || isError(entry)) &&
      (matches === undefined || matches(entry));
  }, [operation, isErrorsOnly, matcher, appliedFilter]);
  const narrowed = useMemo(
    () => (isShown === undefined ? entries : entries?.filter(isShown)),
    [entries, isShown],
  );
  const [group] = useState(createGrouping);
  const rows = useMemo<readonly ActivityRow[] | undefined>(
    () => (isGrouped && entries !== undefined ? group(entries, isShown) : narrowed),
    [isGrouped, entries, isShown, narrowed, group],
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
        ? createGroupColumns({ userName, expanded, onToggle: toggle })
        : (createRequestColumns(userName) as Column<ActivityRow>[]),
    [isGrouped, userName, expanded, toggle],
  );

  const resuming = useTask(async () => journal.resume(), { failure: t('window.cant-read-the-new-requests') });
  const actions = useMemo<RowAction<ActivityRow>[]>(
    () => [
      {
        id: 'expand',
        title: ([row]) =>
          row !== undefined && expanded.has(row.id) ? t('window.hide-requests') : t('window.show-requests'),
        icon: 'activity',
        takesMany: false,
        isFor: (row) => canExpand(row, expanded),
        run: ([row]) => {
          if (row !== undefined && isGroup(row)) toggle(row);
        },
      },
      {
        id: 'document',
        title: t('window.show-in-documents'),
        icon: 'documents',
        takesMany: false,
        isFor: (row) => documentPathOf(row) !== undefined,
        run: ([row]) => {
          const path = documentPathOf(row);
          if (path !== undefined) go('documents', path, row?.fileId ?? undefined);
        },
      },
    ],
    [expanded, toggle, go],
  );
  const wantedId =
    place.view === 'activity' && place.id !== undefined
      ? rows?.findLast((row) => isGroup(row) && row.fileId === place.id)?.id
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
        title={groupTitle(row)}
        document={row.fileId === null ? undefined : documentPathOf(row)}
        user={userName(row.user)}
        entries={narrowed ?? noEntries}
        frame={frame}
      />
    ) : (
      <EntryDetail
        key={row.id}
        entry={row}
        document={row.documentPath ?? undefined}
        user={userName(row.user)}
        frame={frame}
      />
    );

  return (
    <View
      title={t('common.activity')}
      subtitle={
        snapshot.problem === undefined &&
        (narrowed === undefined ? t('common.loading') : subtitle(snapshot, narrowed.length, count))
      }
      isFilled
      actions={
        <>
          {snapshot.isPaused ? (
            <Button
              icon="play"
              look="primary"
              isPending={resuming.isPending}
              onPress={() => void resuming.run()}
            >
              {t('common.resume')}
            </Button>
          ) : (
            <Button icon="pause" isDisabled={entries === undefined} onPress={journal.pause}>
              {t('window.pause-list')}
            </Button>
          )}
          <ExportButton entries={narrowed ?? noEntries} isAll={isShown === undefined} />
          <ClearButton count={count} onCleared={journal.clear} />
        </>
      }
    >
      <DataTable<ActivityRow>
        key={isGrouped ? 'grouped' : 'single'}
        label={t('common.activity')}
        count={(shown) =>
          isGrouped ? t('window.groups', { count: shown }) : t('window.requests-2', { count: shown })
        }
        isCountBrief
        filter={{ value: filter, onChange: setFilter }}
        filterLabel={t('window.filter-requests')}
        columns={columns}
        rows={isAway ? noEntries : rows}
        {...(isGrouped && { childrenOf })}
        defaultSort={{ column: 'time', isDescending: true }}
        actions={actions}
        rowTone={toneOf}
        reveal={reveal}
        detail={detail}
        keepsDetail
        {...(hasFailed &&
          !isAway && {
            failure: {
              title: t('window.cant-read-the-activity'),
              sentence: sentenceOf(snapshot.problem),
              action: (
                <>
                  <Button look="primary" onPress={() => void journal.read().catch(() => undefined)}>
                    {t('common.try-again')}
                  </Button>
                  <Button onPress={() => go('settings', 'log')}>{t('window.show-log')}</Button>
                </>
              ),
            },
          })}
        {...((count > 0 || (entries === undefined && !hasFailed)) && {
          toolbar: (
            <>
              <Select
                label={t('window.operation')}
                isLabelHidden
                value={operation}
                options={operations}
                onChange={setOperation}
              />
              <Switch label={t('window.errors-only')} isOn={isErrorsOnly} onChange={setIsErrorsOnly} />
              <Switch label={t('window.grouped')} isOn={isGrouped} onChange={setIsGrouped} />
            </>
          ),
        })}
        empty={
          isAway
            ? { icon: 'activity', sentence: t('window.requests-appear-here-once-doctray') }
            : isNarrowed && count > 0
              ? {
                  icon: 'good',
                  sentence: isErrorsOnly
                    ? t('window.none-of-these-requests-failed')
                    : t('window.no-requests-of-this-kind', { operation }),
                  action: (
                    <Button
                      onPress={() => {
                        setOperation(everyOperation);
                        setIsErrorsOnly(false);
                      }}
                    >
                      {t('window.show-all-requests')}
                    </Button>
                  ),
                }
              : {
                  icon: 'activity',
                  sentence: t('window.no-requests-yet-they-appear'),
                  action: <Button onPress={() => go('documents')}>{t('window.show-documents')}</Button>,
                }
        }
      />
    </View>
  );
}

function toneOf(row: ActivityRow) {
  if (isGroup(row)) return row.errorCount > 0 ? 'bad' : undefined;
  const tone = statusTone(row);
  return tone === 'muted' ? undefined : tone;
}

/** The count is here, because the toolbar is full. */
function subtitle({ isPaused, waiting }: JournalSnapshot, shown: number, all: number): string {
  if (!isPaused)
    return shown === all
      ? t('window.requests-2', { count: all })
      : t('window.shown-of-requests', { shown, all });
  if (waiting === 0) return t('window.paused-doctray-keeps-serving-new');
  return waiting > mostEntries
    ? t('window.paused-waiting-requests-are-waiting', { waiting })
    : t('window.paused-requests-are-waiting', {
        waiting,
      });
}

/** By their words, which several operations share. The same list as long as no others arrive. */
function useOperations(entries: readonly Entry[] | undefined) {
  const seen = useRef<{ key: string; options: { id: string; title: string }[] }>(undefined);
  return useMemo(() => {
    const names = new Set(entries?.map(({ operation }) => operation));
    const operations = [...new Set([...names].map(requestWords))].toSorted((a, b) =>
      a.localeCompare(b, locale),
    );
    const key = operations.join('\n');
    if (seen.current?.key !== key) {
      const options = operations.map((title) => ({ id: title, title }));
      seen.current = {
        key,
        options: [{ id: everyOperation, title: t('window.all-operations') }, ...options],
      };
    }
    return seen.current.options;
  }, [entries]);
}

function ClearButton(props: { count: number; onCleared(): void }) {
  const confirm = useConfirm();
  const clear = useAction('activity.clear', { failure: t('window.cant-clear-the-activity') });
  const ask = async () => {
    const isSure = await confirm({
      title: t('window.clear-the-activity'),
      body: <p>{t('window.requests-are-removed-from-doctray', { count: props.count })}</p>,
      confirm: t('kit.clear'),
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
      {t('window.clear-ask')}
    </Button>
  );
}

/** What is shown, or everything. */
function ExportButton({ entries, isAll }: { entries: readonly Entry[]; isAll: boolean }) {
  const save = useAction('app.saveText', {
    failure: t('window.cant-save-the-file'),
    success: ({ savedTo }) =>
      savedTo === null ? t('common.not-saved') : t('window.saved-file', { file: savedTo }),
  });
  const count = entries.length;
  const titles = isAll
    ? {
        csv: t('window.all-requests-as-csv', { count }),
        json: t('window.all-requests-as-json', { count }),
      }
    : {
        csv: t('window.these-requests-as-csv', { count }),
        json: t('window.these-requests-as-json', { count }),
      };
  const saveAs = (kind: 'csv' | 'json') => {
    const text = kind === 'csv' ? toCsv(entries) : toJson(entries);
    void save.run({ suggestedName: `activity.${kind}`, kind, text });
  };
  return (
    <MenuButton
      label={t('window.export')}
      icon="download"
      isDisabled={count === 0}
      entries={(['csv', 'json'] as const).map((kind) => ({
        id: kind,
        title: titles[kind],
        run: () => saveAs(kind),
      }))}
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

// Side panels: all fields of one request, or everything that was done to one document, with a timeline.

function EntryDetail(props: {
  entry: Entry;
  /** Undefined if unknown. */
  document: string | undefined;
  user: string | null;
  frame: DetailPanelFrame;
}) {
  const { entry, document: path } = props;
  const { go } = useNavigation();
  const copy = useAction('app.copyText', {
    failure: t('window.cant-copy-the-request'),
    success: t('window.request-copied'),
  });
  const act = isAct(entry);
  return (
    <DetailPanel
      {...props.frame}
      title={requestWords(entry.operation)}
      subtitle={<Status entry={entry} />}
      facts={[
        {
          name: t('window.time'),
          value: (
            <>
              <RelativeTime atMs={entry.atMs} isStart />
              <div className="fact-exact">{formatTime('toMs', entry.atMs)}</div>
            </>
          ),
        },
        path !== undefined && {
          name: entry.isVersion ? t('window.version-of') : t('common.document'),
          value: path,
        },
        act
          ? path === undefined && { name: t('window.applied-to'), value: entry.path }
          : {
              name: t('window.request'),
              value: (
                <>
                  <span className="code">{entry.operation}</span>
                  <br />
                  <span className="code">
                    {entry.method} {entry.path}
                  </span>
                </>
              ),
            },
        { name: t('window.user'), value: props.user },
        !act && { name: t('window.status'), value: entry.status },
        !act && { name: t('window.duration'), value: durationWords(entry) },
        !act && { name: t('window.received'), value: bytesWords(entry.bytesIn) },
        !act && { name: t('window.sent'), value: bytesWords(entry.bytesOut) },
        !act && {
          name: t('window.lock'),
          value: entry.lock === null ? null : <span className="code">{entry.lock}</span>,
        },
        !act && { name: t('window.address'), value: <span className="code">{entry.address}</span> },
        !act && {
          name: t('window.correlation-id'),
          value: (
            <>
              <span className="code">{entry.correlationId}</span>
              <CopyButton text={entry.correlationId} what={t('window.correlation-id-2')} />
            </>
          ),
        },
      ]}
      actions={
        <>
          <Button isPending={copy.isPending} onPress={() => void copy.run({ text: toJson([entry]) })}>
            {t('window.copy-as-json')}
          </Button>
          {path !== undefined && (
            <Button onPress={() => go('documents', path, entry.fileId ?? undefined)}>
              {t('window.show-in-documents')}
            </Button>
          )}
        </>
      }
    >
      {act && <p className="muted">{t('window.the-owner-did-this-in')}</p>}
    </DetailPanel>
  );
}

const listedCount = 20;

function GroupDetail(props: {
  group: Group;
  title: string;
  document: string | undefined;
  user: string | null;
  /** Of all groups, for the timeline of the document. */
  entries: readonly Entry[];
  frame: DetailPanelFrame;
}) {
  const { group, document: path, entries } = props;
  const { fileId } = group;
  const { go } = useNavigation();
  const isLocked = useWindowState((state) => state.locks.some(({ id }) => id === fileId));
  const session = useWindowState((state) => state.sessions.find(({ id }) => id === group.sessionId));
  const ofDocument = useMemo(
    () => (fileId === null ? group.entries : entries.filter((entry) => entry.fileId === fileId)),
    [entries, fileId, group.entries],
  );
  return (
    <DetailPanel
      {...props.frame}
      title={path === undefined || group.isVersion ? props.title : splitPath(path).name}
      subtitle={
        props.user === null
          ? t('window.requests-2', { count: group.entries.length })
          : t('window.requests-by-user', {
              count: group.entries.length,
              user: props.user,
            })
      }
      facts={[
        path !== undefined && splitPath(path).name !== path && { name: t('common.document'), value: path },
        group.sessionId !== null && {
          name: t('window.session'),
          value:
            session === undefined ? (
              t('window.ended')
            ) : (
              <>
                <TextLink onPress={() => go('sessions', session.path, session.id)}>
                  {t('window.show-session')}
                </TextLink>
                {session.editor !== null && <div className="fact-exact">{session.editor}</div>}
              </>
            ),
        },
        { name: t('window.errors'), value: group.errorCount },
        { name: t('window.saves'), value: group.saveCount },
        { name: t('window.first-request'), value: <TimeFact atMs={group.firstAtMs} /> },
        { name: t('window.last-request'), value: <TimeFact atMs={group.lastAtMs} /> },
      ]}
      actions={
        path !== undefined && (
          <>
            <Button onPress={() => go('documents', path, fileId ?? undefined)}>
              {t('window.show-in-documents')}
            </Button>
            {isLocked && <Button onPress={() => go('locks', path)}>{t('window.show-lock')}</Button>}
          </>
        )
      }
    >
      <DetailSection title={t('window.timeline-of-the-document')}>
        <Timeline entries={ofDocument} />
      </DetailSection>
      <DetailSection title={t('window.recent-requests')}>
        <RequestList items={group.entries.slice(0, listedCount)} />
      </DetailSection>
    </DetailPanel>
  );
}

/** Three rows of marks over the time from the first to the last request. Its text says the same. */
function Timeline({ entries }: { entries: readonly Entry[] }) {
  const lanes = useMemo(() => {
    const errors = entries.filter(isError);
    const saves = entries.filter(isSave);
    const others = entries.filter((entry) => !isError(entry) && !isSave(entry));
    return [
      { id: 'saves', title: t('window.saves'), entries: saves },
      { id: 'others', title: t('window.other'), entries: others },
      { id: 'errors', title: t('window.errors'), entries: errors },
    ];
  }, [entries]);
  const times = entries.map(({ atMs }) => atMs);
  const startMs = Math.min(...times);
  const endMs = Math.max(...times);
  const clock = (atMs: number) =>
    isSameDay(atMs, endMs) ? formatTime('clockToSecond', atMs) : clockWords(atMs, endMs);
  const summary = t('window.requests-in-duration-saves-errors', {
    requests: entries.length,
    duration: formatDuration(endMs - startMs),
    saves: lanes[0]?.entries.length ?? 0,
    errors: lanes[2]?.entries.length ?? 0,
  });
  return (
    <figure className="timeline">
      {endMs > startMs && (
        <div role="img" aria-label={summary} className="timeline-lanes">
          {lanes.map((lane) => (
            <div key={lane.id} className="timeline-lane">
              <span className="timeline-title">{lane.title}</span>
              <svg className={`timeline-marks timeline-${lane.id}`} width="100%" height="16">
                <line x1="0" x2="100%" y1="8" y2="8" />
                {marksOf(lane.entries, startMs, endMs).map((percent) => (
                  <rect key={percent} x={`${percent}%`} y="2" width="3" height="12" rx="1" />
                ))}
              </svg>
            </div>
          ))}
          <div className="timeline-axis">
            <span>{clock(startMs)}</span>
            <span>{clock(endMs)}</span>
          </div>
        </div>
      )}
      <figcaption className="muted">{summary}</figcaption>
    </figure>
  );
}

/** Marks at the same place are one. The last ones stay inside the drawing. */
function marksOf(entries: readonly Entry[], startMs: number, endMs: number): number[] {
  const span = Math.max(1, endMs - startMs);
  const places = new Set(entries.map(({ atMs }) => Math.round(((atMs - startMs) / span) * 196) / 2));
  return [...places];
}

const shownCount = 8;

/** @param changed another value whenever there may be newer requests */
export function DocumentRequests(props: { fileId: string; path: string; changed: unknown }) {
  const { fileId, changed } = props;
  const { go } = useNavigation();
  const { answer, problem } = useCommandResult(
    'activity.ofDocument',
    { fileId, count: shownCount },
    { reloadKey: changed },
  );
  const items = answer?.items;

  return (
    <DetailSection title={t('window.recent-requests')}>
      {problem !== null && <p className="muted">{problem.message}</p>}
      {problem === null && items === undefined && <Skeleton rows={3} />}
      {items?.length === 0 && <p className="muted">{t('window.no-requests-yet')}</p>}
      {items !== undefined && items.length > 0 && (
        <>
          <RequestList items={items} />
          <TextLink onPress={() => go('activity', props.path, fileId)}>
            {t('window.show-all-in-activity')}
          </TextLink>
        </>
      )}
    </DetailSection>
  );
}

/** Newest first: what, when, and what came of it. */
function RequestList(props: { items: readonly ActivityItem[] }) {
  const nowMs = hostTime();
  return (
    <ul className="request-list">
      {props.items.map((item) => (
        <li key={item.sequence}>
          <span className="cut">{requestWords(item.operation)}</span>
          <span
            className={
              isError(item) ? `request-status cell-alert tone-${statusTone(item)}` : 'request-status muted'
            }
          >
            {statusWords(item)}
          </span>
          <time className="muted" dateTime={new Date(item.atMs).toISOString()}>
            {isSameDay(item.atMs, nowMs)
              ? formatTime('clockToSecond', item.atMs)
              : clockWords(item.atMs, nowMs)}
          </time>
        </li>
      ))}
    </ul>
  );
}
