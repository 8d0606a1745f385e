// Sessions: who has which document open in which editor.

import { useCallback, useMemo } from 'react';
import { formatCount, formatSize } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { LockItem, SessionItem } from '../../../app/contract/state.ts';
import { DocumentRequests } from '../activity/activity.tsx';
import { lockStateText } from '../locks/words.ts';
import { useAction } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { ItemList, useConfirm } from '../../kit/dialog.tsx';
import { modeWords, splitPath } from '../parts/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { showOutcome, useToasts } from '../../kit/toast.tsx';
import { TextLink } from '../../kit/blocks.tsx';
import { DetailPanel, TimeFact, type DetailPanelFrame } from '../../kit/detail-panel.tsx';
import { DocumentCell, EditorCell, RowButton, View } from '../parts/view.tsx';
import { useNavigation, useReveal, useWindowState } from '../state/window-context.tsx';
import { DataTable } from '../table/data-table.tsx';
import { textWidth, type Column, type RowAction } from '../table/model.ts';

/** The lock that a session holds: that of its document, taken by its user. */
type LockOf = (session: SessionItem) => LockItem | undefined;
type StateOf = (session: SessionItem) => State;

function columnsOf(
  sessions: readonly SessionItem[],
  stateOf: StateOf,
  lockOf: LockOf,
  showLock: (lock: LockItem) => void,
): Column<SessionItem>[] {
  const tabs = tabsOf(sessions);
  return [
    {
      id: 'document',
      title: t('common.document'),
      value: ({ path }) => path,
      render: ({ path }) => <DocumentCell path={path} />,
      width: { min: 136, grow: 3 },
      isRowHeader: true,
    },
    {
      id: 'user',
      title: t('window.user'),
      value: ({ id, userName }) => {
        const number = tabs.get(id);
        return number === undefined ? userName : t('window.user-tab-number', { user: userName, number });
      },
      filterText: ({ user, userName }) => `${userName} ${user}`,
      width: { min: 106, grow: 1 },
      priority: 6,
      joinsBelow: true,
    },
    {
      id: 'editor',
      title: t('window.editor'),
      value: ({ editor }) => editor,
      render: ({ editor }) => <EditorCell name={editor} />,
      width: { min: 136, grow: 1 },
      priority: 4,
    },
    {
      id: 'state',
      title: t('window.state'),
      value: (session) => stateWords[stateOf(session)],
      // Stale ones first, then those of most recent activity.
      sortBy: (session) => stateRank[stateOf(session)] * largestTime - session.lastCallAtMs,
      render: (session) => (
        <SessionState state={stateOf(session)} lock={lockOf(session)} showLock={showLock} />
      ),
      width: { min: textWidth(longestState) + 36 },
      priority: 7,
      fallsBelow: 5,
    },
    {
      id: 'since',
      title: t('window.since'),
      value: ({ sinceMs }) => sinceMs,
      kind: 'time',
      width: { min: 92 },
      priority: 1,
    },
    {
      id: 'last-activity',
      title: t('window.last-activity'),
      value: ({ lastCallAtMs }) => lastCallAtMs,
      kind: 'time',
      width: { min: 98 },
      priority: 2,
      joinsBelow: true,
    },
  ];
}

/** Numbers, from the oldest on, of sessions that otherwise look the same: a user has the document open several times in one editor. */
function tabsOf(sessions: readonly SessionItem[]): ReadonlyMap<string, number> {
  const alike = Map.groupBy(sessions, ({ fileId, user, editor }) => [fileId, user, editor].join('\n'));
  const several = [...alike.values()].filter(({ length }) => length > 1);
  return new Map(
    several.flatMap((tabs) =>
      tabs.toSorted((a, b) => a.sinceMs - b.sinceMs).map(({ id }, index) => [id, index + 1] as const),
    ),
  );
}

/**
 * `lost`: its editor had the document's lock, which was force-cleared, taken over or has expired, so it may have unsaved changes.
 * `idle`: may edit, but its editor has released the lock or never asked for it. Usually, its page was closed.
 */
type State = 'stale' | 'lost' | 'editing' | 'viewing' | 'idle';

/** What it does, which may be less than its token allows. */
export function modeOf({ mode, lockState }: SessionItem): SessionItem['mode'] {
  return lockState === 'refused' || lockState === 'released' ? 'view' : mode;
}

const stateWords = {
  stale: t('window.stale'),
  lost: t('window.lock-lost'),
  editing: t('window.editing'),
  viewing: t('window.viewing'),
  idle: t('window.idle'),
} as const;
const longestState = Object.values(stateWords).reduce((a, b) => (b.length > a.length ? b : a));
const stateRank = { stale: 1, lost: 2, editing: 3, viewing: 4, idle: 5 } as const;
const stateIcons = {
  stale: 'warning',
  lost: 'unlock',
  editing: 'edit',
  viewing: 'eye',
  idle: 'clock',
} as const;
/** Beyond any time in ms. */
const largestTime = 1e14;

/** A link to its lock, where it holds one. */
function SessionState(props: { state: State; lock: LockItem | undefined; showLock(lock: LockItem): void }) {
  const { state, lock } = props;
  const words = stateWords[state];
  const tone = { stale: 'warn', lost: 'warn', editing: 'info', viewing: 'muted', idle: 'muted' }[state];
  const icon = stateIcons[state];
  return (
    <span className={`cell tone-${tone}`}>
      <Icon name={icon} size={14} />
      {lock === undefined ? (
        words
      ) : (
        <RowButton
          isLink
          label={t('window.state-show-the-lock-on', { state: words, file: splitPath(lock.path).name })}
          onPress={() => props.showLock(lock)}
        >
          {words}
        </RowButton>
      )}
    </span>
  );
}

export function SessionsView() {
  const sessions = useWindowState((state) => state.sessions);
  const locks = useWindowState((state) => state.locks);
  const isAway = useWindowState((state) => state.host.problem !== null);
  const { go } = useNavigation();
  const endSessions = useEndSessions();
  const { lockOf, stateOf } = useMemo((): { lockOf: LockOf; stateOf: StateOf } => {
    const byFile = new Map(locks.map((lock) => [lock.id, lock]));
    const own: LockOf = (session) => {
      const isHolder = modeOf(session) === 'edit' && session.lockState !== 'lost';
      const lock = isHolder ? byFile.get(session.fileId) : undefined;
      return lock?.user === session.user ? lock : undefined;
    };
    return {
      lockOf: own,
      stateOf(session) {
        const { mode, lockState, user, editor } = session;
        if (mode === 'edit' && lockState === 'released') return 'idle';
        if (modeOf(session) === 'view') return 'viewing';
        if (own(session)?.state === 'stale') return 'stale';
        if (lockState === 'lost') return 'lost';
        const lock = byFile.get(session.fileId);
        // Users who edit together in one editor share a lock. In doubt, a session counts as editing: an idle one looks safe to end.
        const isShared = lock?.editor === null || lock?.editor === editor;
        if (lock?.state === 'held' && (isShared || lock.user === user)) return 'editing';
        return lockState === 'held' ? 'lost' : 'idle';
      },
    };
  }, [locks]);
  const columns = useMemo(
    () => columnsOf(sessions, stateOf, lockOf, (lock) => go('locks', lock.path)),
    [sessions, stateOf, lockOf, go],
  );

  const actions = useMemo<RowAction<SessionItem>[]>(
    () => [
      {
        id: 'end',
        title: (rows) =>
          rows.length > 1 ? t('window.end-count-sessions', { count: rows.length }) : t('window.end-session'),
        icon: 'close',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        run: (rows) => void endSessions(rows),
      },
      {
        id: 'lock',
        title: t('window.show-lock'),
        icon: 'locks',
        takesMany: false,
        isFor: (session) => lockOf(session) !== undefined,
        run: ([session]) => {
          const lock = session && lockOf(session);
          if (lock !== undefined) go('locks', lock.path);
        },
      },
      {
        id: 'document',
        title: t('window.show-in-documents'),
        icon: 'documents',
        takesMany: false,
        run: ([session]) => {
          if (session !== undefined) go('documents', session.path, session.fileId);
        },
      },
    ],
    [endSessions, go, lockOf],
  );
  const counts = useMemo(() => {
    const all = { editing: 0, stale: 0, lost: 0, viewing: 0, idle: 0 };
    for (const session of sessions) all[stateOf(session)] += 1;
    return all;
  }, [sessions, stateOf]);

  return (
    <View title={t('common.sessions')} subtitle={summary(counts)} isFilled>
      <DataTable
        label={t('common.sessions')}
        count={(count) => t('window.sessions', { count })}
        filterLabel={t('window.filter-sessions')}
        columns={columns}
        rows={sessions}
        defaultSort={{ column: 'state', isDescending: false }}
        actions={actions}
        reveal={useReveal('sessions', sessions)}
        detail={(session, frame) => (
          <SessionDetail
            key={session.id}
            session={session}
            state={stateOf(session)}
            lock={lockOf(session)}
            frame={frame}
            onEnd={() => void endSessions([session])}
          />
        )}
        empty={
          isAway
            ? { icon: 'sessions', sentence: t('window.sessions-appear-here-once-doctray') }
            : {
                icon: 'sessions',
                sentence: t('window.no-document-is-open-a'),
                action: <Button onPress={() => go('documents')}>{t('window.show-documents')}</Button>,
              }
        }
        rowTone={(session) => (stateOf(session) === 'stale' ? 'warn' : undefined)}
      />
    </View>
  );
}

/**
 * Those with a stale lock don't count as editing, as in Locks and Overview.
 * Nothing when the table is empty: that one says so.
 */
function summary({ editing, stale, lost, viewing, idle }: Record<State, number>): string | undefined {
  const parts = [
    editing > 0 && t('window.editing-editing', { editing }),
    viewing > 0 && t('window.viewing-viewing', { viewing }),
    stale > 0 && t('window.stale-stale', { stale }),
    lost > 0 && t('window.lost-their-lock', { lost }),
    idle > 0 && t('window.idle-idle', { idle }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}

function SessionDetail(props: {
  session: SessionItem;
  state: State;
  lock: LockItem | undefined;
  frame: DetailPanelFrame;
  onEnd(): void;
}) {
  const { session, lock } = props;
  const { go } = useNavigation();
  const { name } = splitPath(session.path);
  return (
    <DetailPanel
      {...props.frame}
      title={name}
      subtitle={
        props.state === 'idle'
          ? t('window.user-isnt-editing', { user: session.userName })
          : props.state === 'viewing'
            ? t('window.user-is-viewing', { user: session.userName })
            : props.state === 'lost'
              ? t('window.user-lost-the-lock-and', { user: session.userName })
              : t('window.user-is-editing', { user: session.userName })
      }
      facts={[
        name !== session.path && { name: t('common.document'), value: session.path },
        { name: t('window.editor'), value: session.editor },
        { name: t('window.since'), value: <TimeFact atMs={session.sinceMs} /> },
        { name: t('window.last-activity'), value: <TimeFact atMs={session.lastCallAtMs} /> },
        { name: t('window.expires'), value: <TimeFact atMs={session.expiresAtMs} /> },
        {
          name: t('window.lock'),
          value:
            lock === undefined ? null : (
              <>
                <TextLink onPress={() => go('locks', lock.path)}>{t('window.show-lock')}</TextLink>
                <div className="fact-exact">{lockStateText(lock)}</div>
              </>
            ),
        },
        { name: t('window.address'), value: session.address },
        { name: t('window.requests'), value: formatCount(session.calls) },
        { name: t('window.saves'), value: formatCount(session.saves) },
        { name: t('window.read'), value: formatSize(session.bytesRead) },
        { name: t('window.written'), value: formatSize(session.bytesWritten) },
      ]}
      actions={
        <>
          <Button onPress={props.onEnd}>{t('window.end-session')}</Button>
          <Button onPress={() => go('documents', session.path, session.fileId)}>
            {t('window.show-in-documents')}
          </Button>
        </>
      }
    >
      <DocumentRequests fileId={session.fileId} path={session.path} changed={session.calls} />
    </DetailPanel>
  );
}

/** Asks, then ends. Never throws: failures are shown as messages. */
export function useEndSessions(): (sessions: readonly SessionItem[]) => Promise<void> {
  const end = useAction('sessions.end', { failure: t('window.cant-end-the-sessions'), canOverlap: true });
  const confirm = useConfirm();
  const toasts = useToasts();

  return useCallback(
    async (sessions) => {
      const [first] = sessions;
      if (first === undefined) return;
      const isSure = await confirm({
        title:
          sessions.length === 1
            ? t('window.end-user-s-session-in', { user: first.userName, file: splitPath(first.path).name })
            : t('window.end-sessions', { count: sessions.length }),
        body: <Consequences sessions={sessions} />,
        confirm: t('window.end-sessions-2', { count: sessions.length }),
        isDanger: true,
      });
      if (!isSure) return;
      const outcome = await end.run({ ids: sessions.map(({ id }) => id) });
      if (outcome === undefined) return;
      showOutcome(toasts, outcome, {
        done: (count) => t('window.sessions-ended', { count }),
        failed: (count) => t('window.cant-end-sessions', { count }),
      });
    },
    [end.run, confirm, toasts],
  );
}

function Consequences({ sessions }: { sessions: readonly SessionItem[] }) {
  const editing = sessions.filter(({ mode }) => mode === 'edit');
  const listed = [...editing, ...sessions.filter(({ mode }) => mode === 'view')];
  return (
    <>
      {sessions.length > 1 && (
        <ItemList
          items={listed.map((session) => ({
            id: session.id,
            name: splitPath(session.path).name,
            detail: t('window.user-mode', { user: session.userName, mode: modeWords[modeOf(session)] }),
          }))}
        />
      )}
      <p>{t('window.the-editor-loses-access-immediately')}</p>
      {editing.length > 0 && <p>{t('window.unsaved-changes-stay-in-the')}</p>}
    </>
  );
}
