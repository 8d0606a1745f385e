// Activity: the last 10,000 requests as they arrive, grouped by document and user or one by one. Never a body, never a token.

import { useCallback, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { isError } from '../../../app/contract/request-errors.ts';
import { TextLink } from '../../kit/blocks.tsx';
import { Button } from '../../kit/button.tsx';
import { DetailSection, type DetailPanelFrame } from '../../kit/detail-panel.tsx';
import { Notice } from '../../kit/dialog.tsx';
import { Select, Switch } from '../../kit/fields.tsx';
import { MenuButton } from '../../kit/menu.tsx';
import { columnsOf, FieldPanel, type ListAction } from '../lists/list.tsx';
import { useAction } from '../parts/action.tsx';
import { locale, splitPath } from '../parts/format.ts';
import { View } from '../parts/view.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall, useNavigation, usePush, useWindowState } from '../state/window-context.tsx';
import { DataTable } from '../table/data-table.tsx';
import { createMatcher, type Column } from '../table/model.ts';
import { toCsv, toJson } from './export.ts';
import { groupColumns, groupFields, groupTitle, requestFields, Status, useUserName } from './fields.tsx';
import { canExpand, createGrouping, isGroup, isSavedLater, type ActivityRow, type Group } from './groups.ts';
import { createJournal, type Entry } from './journal.ts';
import { RequestList, Timeline } from './panels.tsx';
import { isAct, problemSentence, recoveredOf, requestWords, settingOf } from './words.ts';
import './activity.css';

type Columns = Column<ActivityRow>[];

const everyOperation = '';
const noEntries: readonly Entry[] = [];
const nothingExpanded: ReadonlySet<string> = new Set();

function documentPathOf(row: ActivityRow): string | null {
  return (isGroup(row) ? row.entries[0]?.documentPath : row.documentPath) ?? null;
}

export function ActivityView() {
  const { journal, snapshot } = useJournal();
  const { place, go } = useNavigation();
  const userName = useUserName();
  const isAway = useWindowState((state) => state.host.problem !== null);
  const [operation, setOperation] = useState(everyOperation);
  const [isErrorsOnly, setIsErrorsOnly] = useState(false);
  const [isGrouped, setIsGrouped] = useState(true);
  const [filter, setFilter] = useState('');
  const [expanded, setExpanded] = useState(nothingExpanded);

  // Drawn when there is time: keys and presses come before rows, except the first ones.
  const entries = useDeferredValue(snapshot.entries) ?? snapshot.entries;
  const appliedFilter = useDeferredValue(filter);
  const fields = useMemo(() => requestFields(userName), [userName]);
  const requestColumns = useMemo(() => columnsOf(fields), [fields]);
  const matcher = useMemo(() => createMatcher(requestColumns), [requestColumns]);
  /** Undefined: every request. A group shows and counts only these. */
  const isShown = useMemo(() => {
    const matches = matcher(appliedFilter);
    if (operation === everyOperation && !isErrorsOnly) return matches;
    return (entry: Entry) =>
      (operation === everyOperation || requestWords(entry.operation) === operation) &&
      (!isErrorsOnly || isError(entry)) &&
      (matches === undefined || matches(entry));
  }, [operation, isErrorsOnly, matcher, appliedFilter]);
  const shown = useMemo(
    () => (isShown === undefined ? entries : entries?.filter(isShown)),
    [entries, isShown],
  );
  const [group] = useState(createGrouping);
  const rows = useMemo<readonly ActivityRow[] | undefined>(
    () => (isGrouped && entries !== undefined ? group(entries, isShown) : shown),
    [isGrouped, entries, isShown, shown, group],
  );
  const count = entries?.length ?? 0;
  const hasFailed = snapshot.problem !== undefined;

  const toggle = useCallback(({ id }: Group) => {
    setExpanded((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const childrenOf = useCallback(
    (row: ActivityRow): readonly ActivityRow[] =>
      isGroup(row) && expanded.has(row.id) ? row.entries : noEntries,
    [expanded],
  );
  const columns = useMemo(
    () => (isGrouped ? groupColumns(userName, expanded, toggle) : (requestColumns as Columns)),
    [isGrouped, userName, expanded, toggle, requestColumns],
  );
  const actions = useActions(expanded, toggle);
  const wantedId =
    place.view === 'activity' && place.id !== undefined
      ? rows?.findLast((row) => isGroup(row) && row.fileId === place.id)?.id
      : undefined;
  const reveal = useMemo(
    () => (wantedId === undefined ? undefined : { id: wantedId, step: place.step }),
    [wantedId, place.step],
  );

  const detail = (row: ActivityRow, frame: DetailPanelFrame) => {
    const path = documentPathOf(row);
    const user = userName(row.user);
    if (!isGroup(row))
      return (
        <FieldPanel
          key={row.id}
          {...{ row, fields, actions, frame }}
          title={requestWords(row.operation)}
          subtitle={<Status entry={row} />}
          notice={isError(row) && <Problem entry={row} />}
        >
          {isAct(row) && <p className="muted">{t('window.the-owner-did-this-in')}</p>}
        </FieldPanel>
      );
    const failed = row.entries.find(isError);
    const ofDocument =
      row.fileId === null ? row.entries : shown?.filter(({ fileId }) => fileId === row.fileId);
    return (
      <FieldPanel
        key={row.id}
        {...{ row, actions, frame }}
        fields={groupFields}
        title={path === null || row.isVersion ? groupTitle(row, userName) : splitPath(path).name}
        subtitle={
          user === null
            ? t('window.count-requests', { count: row.entries.length })
            : t('window.requests-by-user', { count: row.entries.length, user })
        }
        notice={failed !== undefined && !isSavedLater(row.entries, failed) && <Problem entry={failed} />}
      >
        <DetailSection title={t('window.timeline-of-the-document')}>
          <Timeline entries={ofDocument ?? noEntries} />
        </DetailSection>
        <DetailSection title={t('window.recent-requests')}>
          <RequestList items={row.entries.slice(0, 20)} />
        </DetailSection>
      </FieldPanel>
    );
  };

  const empty = () => {
    if (count === 0 && isAway)
      return { title: t('common.not-serving'), sentence: t('window.requests-appear-here-once-doctray') };
    if (count === 0)
      return {
        title: t('window.no-requests-yet'),
        sentence: t('window.they-appear-here-as-editors'),
        action: <Button onPress={() => go('documents')}>{t('window.show-documents')}</Button>,
      };
    const showAll = () => {
      setOperation(everyOperation);
      setIsErrorsOnly(false);
    };
    return {
      title: isErrorsOnly
        ? t('window.none-of-these-requests-failed')
        : t('window.no-requests-of-this-kind', { operation }),
      action: <Button onPress={showAll}>{t('window.show-all-requests')}</Button>,
    };
  };
  // The count is here, because the toolbar is full.
  const failed = shown?.length === count ? shown.filter(isError).length : 0;
  const subtitle =
    shown === undefined
      ? t('common.loading')
      : shown.length === count
        ? t('window.requests-on-documents', {
            count,
            documents: new Set(shown.flatMap(({ fileId }) => fileId ?? [])).size,
          })
        : t('window.shown-of-requests', { shown: shown.length, all: count });

  return (
    <View
      title={t('common.activity')}
      // An empty view says so itself.
      subtitle={
        !hasFailed &&
        (shown === undefined || count > 0) && (
          <>
            {subtitle}
            {failed > 0 && failed < count && (
              <span className="tone-bad">
                {' '}
                <TextLink onPress={() => setIsErrorsOnly(true)}>
                  {t('window.count-failed', { count: failed })}
                </TextLink>
              </span>
            )}
          </>
        )
      }
      isFilled
      actions={
        count > 0 && (
          <>
            <ExportButton entries={shown ?? noEntries} isAll={isShown === undefined} />
            {!isAway && <ClearButton count={count} onCleared={journal.clear} />}
          </>
        )
      }
    >
      <DataTable<ActivityRow>
        key={isGrouped ? 'grouped' : 'single'}
        label={t('common.activity')}
        count={(found) => t(isGrouped ? 'window.groups' : 'window.count-requests', { count: found })}
        isCountBrief
        filter={{ value: filter, onChange: setFilter }}
        filterLabel={t('window.filter-requests')}
        columns={columns}
        // Nothing to filter.
        rows={hasFailed ? noEntries : rows}
        {...(isGrouped && { childrenOf })}
        defaultSort={{ column: 'time', isDescending: true }}
        actions={actions}
        rowTone={(row) => ((isGroup(row) ? row.errorCount > 0 : isError(row)) ? 'bad' : undefined)}
        reveal={reveal}
        detail={detail}
        keepsDetail
        {...(hasFailed && {
          failure: {
            title: t('window.cant-read-the-activity'),
            sentence: sentenceOf(snapshot.problem),
            action: (
              <>
                <Button look="primary" onPress={() => void journal.read()}>
                  {t('common.try-again')}
                </Button>
                <Button onPress={() => go('settings', 'log')}>{t('window.show-log')}</Button>
              </>
            ),
          },
        })}
        toolbar={
          (count > 0 || (entries === undefined && !hasFailed)) && (
            <>
              <OperationSelect entries={entries ?? noEntries} value={operation} onChange={setOperation} />
              <Switch label={t('window.errors-only')} isOn={isErrorsOnly} onChange={setIsErrorsOnly} />
              <Switch label={t('window.grouped')} isOn={isGrouped} onChange={setIsGrouped} />
            </>
          )
        }
        empty={{ icon: count > 0 ? 'good' : 'activity', ...empty() }}
      />
    </View>
  );
}

/** Why a request failed, and what to do. */
function Problem({ entry }: { entry: Entry }) {
  const { go } = useNavigation();
  const kept = useWindowState(({ recovered }) => recoveredOf(entry, recovered));
  const restore = useAction('recovered.restore', {
    failure: t('window.couldnt-restore-the-save'),
    success: ({ path }) => t('common.restored-as-name', { name: splitPath(path).name }),
  });
  const setting = settingOf[entry.code ?? ''];
  const help = kept ? 'window.show-in-overview' : setting ? 'window.show-settings' : 'window.show-log';
  return (
    <Notice
      tone="bad"
      actions={
        kept?.isUnreadable === false ? (
          <Button isPending={restore.isPending} onPress={() => void restore.run({ id: kept.id })}>
            {t('common.restore-as-copy')}
          </Button>
        ) : (
          (kept !== undefined || setting !== undefined || entry.status >= 500) && (
            <Button onPress={() => (kept ? go('overview') : go('settings', setting ?? 'log'))}>
              {t(help)}
            </Button>
          )
        )
      }
    >
      {useWindowState((state) => problemSentence(entry, state))}
    </Notice>
  );
}

function useActions(expanded: ReadonlySet<string>, toggle: (group: Group) => void) {
  const { go } = useNavigation();
  const locks = useWindowState((state) => state.locks);
  const copy = useAction('app.copyText', {
    failure: t('window.cant-copy-the-request'),
    success: t('window.request-copied'),
  });
  return useMemo<ListAction<ActivityRow>[]>(
    () => [
      {
        id: 'expand',
        title: ([row]) =>
          row !== undefined && expanded.has(row.id) ? t('window.hide-requests') : t('window.show-requests'),
        icon: 'activity',
        takesMany: false,
        isFor: (row) => canExpand(row, expanded),
        run: ([row]) => void (row !== undefined && isGroup(row) && toggle(row)),
      },
      {
        id: 'copy',
        title: t('window.copy-as-json'),
        icon: 'copy',
        isInPanel: true,
        isFor: (row) => !isGroup(row),
        run: (rows) => void copy.run({ text: toJson(rows.filter((row): row is Entry => !isGroup(row))) }),
      },
      {
        id: 'document',
        title: t('window.show-in-documents'),
        icon: 'documents',
        takesMany: false,
        isInPanel: true,
        isFor: (row) => documentPathOf(row) !== null,
        run: ([row]) => row && go('documents', documentPathOf(row) ?? undefined, row.fileId ?? undefined),
      },
      {
        id: 'lock',
        title: t('window.show-lock'),
        icon: 'locks',
        takesMany: false,
        isInPanel: true,
        isFor: (row) => isGroup(row) && locks.some(({ id }) => id === row.fileId),
        run: ([row]) => row && go('locks', documentPathOf(row) ?? undefined),
      },
    ],
    [expanded, toggle, go, locks, copy.run],
  );
}

/** By their words, which several operations share. */
function OperationSelect(props: { entries: readonly Entry[]; value: string; onChange(value: string): void }) {
  const { entries } = props;
  const known = useMemo(
    () =>
      [...new Set(entries.map(({ operation }) => requestWords(operation)))]
        .toSorted((a, b) => a.localeCompare(b, locale))
        .join('\n'),
    [entries],
  );
  // The same list as long as no others arrive.
  const options = useMemo(
    () => [
      { id: everyOperation, title: t('window.all-operations') },
      ...known.split('\n').flatMap((title) => (title === '' ? [] : { id: title, title })),
    ],
    [known],
  );
  return (
    <Select
      label={t('window.operation')}
      isLabelHidden
      value={props.value}
      options={options}
      onChange={props.onChange}
    />
  );
}

function ClearButton(props: { count: number; onCleared(): void }) {
  const clear = useAction('activity.clear', {
    question: () => ({
      title: t('shared.clear-the-activity'),
      body: <p>{t('window.requests-are-removed-from-doctray', { count: props.count })}</p>,
      confirm: t('kit.clear'),
      isDanger: true,
    }),
    failure: t('window.cant-clear-the-activity'),
  });
  const ask = async () => {
    if ((await clear.run({})) !== undefined) props.onCleared();
  };
  return (
    <Button icon="trash" isPending={clear.isPending} onPress={() => void ask()}>
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
  const { length: count } = entries;
  const titles = {
    csv: t(isAll ? 'window.all-requests-as-csv' : 'window.these-requests-as-csv', { count }),
    json: t(isAll ? 'window.all-requests-as-json' : 'window.these-requests-as-json', { count }),
  };
  return (
    <MenuButton
      label={t('window.export')}
      icon="download"
      isDisabled={count === 0}
      entries={(['csv', 'json'] as const).map((kind) => ({
        id: kind,
        title: titles[kind],
        run: () => {
          const text = kind === 'csv' ? toCsv(entries) : toJson(entries);
          void save.run({ suggestedName: `activity.${kind}`, kind, text });
        },
      }))}
    />
  );
}

/** Watches while the view is shown and the window can be seen. */
function useJournal() {
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
  return { journal, snapshot: useSyncExternalStore(journal.subscribe, journal.snapshot) };
}
