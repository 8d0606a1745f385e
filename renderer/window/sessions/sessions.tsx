// Sessions: who has which document open in which editor.

import { useMemo, type ReactNode } from 'react';
import { formatCount, formatSize } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { LockItem, SessionItem } from '../../../app/contract/state.ts';
import { TextLink } from '../../kit/blocks.tsx';
import { ItemList } from '../../kit/dialog.tsx';
import { Icon } from '../../kit/icon.tsx';
import { DocumentRequests } from '../activity/panels.tsx';
import {
  countsOf,
  documentField,
  editorField,
  ListTable,
  noFact,
  timeField,
  useBulkAction,
  type BulkWords,
  type Field,
  type ListAction,
  type RowLink,
} from '../lists/list.tsx';
import { lockWords, staleReasons } from '../locks/words.ts';
import { modeWords, splitPath } from '../parts/format.ts';
import { RowButton, View } from '../parts/view.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { textWidth } from '../table/model.ts';

/**
 * `lost`: its editor had the document's lock, which was force-cleared, taken over or has expired, so it may have unsaved changes.
 * `idle`: may edit, but its editor has released the lock or never asked for it. Usually, its page was closed.
 */
type State = 'stale' | 'lost' | 'editing' | 'viewing' | 'idle';

/** In the order of the list. */
const states = {
  stale: { words: t('window.stale-lock'), counted: 'window.stale-stale', icon: 'warning', tone: 'warn' },
  lost: { words: t('window.lock-lost'), counted: 'window.lost-their-lock', icon: 'unlock', tone: 'warn' },
  editing: { words: t('window.editing'), counted: 'window.editing-editing', icon: 'edit', tone: 'info' },
  viewing: { words: t('window.viewing'), counted: 'window.viewing-viewing', icon: 'eye', tone: 'muted' },
  idle: { words: t('window.idle'), counted: 'window.idle-idle', icon: 'clock', tone: 'muted' },
} as const;
/** What its user does. */
const sentences = {
  stale: 'window.stale-lock',
  lost: 'window.user-lost-the-lock-and',
  editing: 'window.user-is-editing',
  viewing: 'window.user-is-viewing',
  idle: 'window.user-isnt-editing',
} as const;
const stateNames = Object.keys(states);
const isStale = ({ state }: SessionRow) => state === 'stale';

interface SessionRow extends SessionItem {
  /** With a number where one user has the document open several times. */
  name: string;
  state: State;
  /** The one that it holds: that of its document, taken by its user. */
  lock: LockItem | undefined;
}

const fields: Field<SessionRow>[] = [
  documentField({ min: 160, grow: 3 }),
  {
    id: 'user',
    title: t('window.user'),
    value: ({ name }) => name,
    filterText: ({ user, name }) => `${name} ${user}`,
    fact: noFact,
    width: { min: 106, grow: 1 },
    priority: 4,
    joinsBelow: true,
  },
  editorField({ width: { min: 156, grow: 1 }, priority: 3, joinsBelow: true }),
  {
    id: 'state',
    title: t('window.status'),
    value: ({ state }) => states[state].words,
    // Stale ones first, then those of most recent activity.
    sortBy: ({ state, lastCallAtMs }) => (stateNames.indexOf(state) + 1) * 1e14 - lastCallAtMs,
    render: (row) => <SessionState row={row} />,
    fact: noFact,
    width: { min: textWidth(t('window.stale-lock-reason', { reason: staleReasons.silent })) + 36 },
    priority: 7,
    // Below its row it leaves room for the user, also beside the side panel.
    fallsBelow: 0,
  },
  timeField('since', t('window.since'), ({ sinceMs }) => sinceMs, { width: { min: 92 }, priority: 1 }),
  timeField('last-activity', t('window.last-activity'), ({ lastCallAtMs }) => lastCallAtMs, {
    width: { min: 98 },
    priority: 5,
    joinsBelow: true,
  }),
  timeField('expires', t('window.token-expiry'), ({ expiresAtMs }) => expiresAtMs),
  {
    id: 'lock',
    title: t('window.lock'),
    value: () => null,
    fact: ({ lock }) => (lock === undefined ? null : <LockFact lock={lock} />),
  },
  { id: 'address', title: t('common.address'), value: ({ address }) => address },
  { id: 'calls', title: t('window.requests'), value: ({ calls }) => formatCount(calls) },
  { id: 'saves', title: t('window.saves'), value: ({ saves }) => formatCount(saves) },
  { id: 'read', title: t('window.read'), value: ({ bytesRead }) => formatSize(bytesRead) },
  { id: 'written', title: t('window.written'), value: ({ bytesWritten }) => formatSize(bytesWritten) },
];

function StateCell({ state, children }: { state: State; children: ReactNode }) {
  const { icon, tone } = states[state];
  return (
    <span className={`cell tone-${tone}`}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  );
}

/** A link to its lock, where it holds one. */
function SessionState({ row: { state, lock } }: { row: SessionRow }) {
  const { go } = useNavigation();
  // Its last activity says since when.
  const words = lock?.stale
    ? t('window.stale-lock-reason', { reason: staleReasons[lock.stale.kind] })
    : states[state].words;
  return (
    <StateCell state={state}>
      {lock === undefined ? (
        words
      ) : (
        <RowButton
          isLink
          label={t('window.state-show-the-lock-on', { state: words, file: splitPath(lock.path).name })}
          onPress={() => go('locks', lock.path)}
        >
          {words}
        </RowButton>
      )}
    </StateCell>
  );
}

function LockFact({ lock }: { lock: LockItem }) {
  const { go } = useNavigation();
  return <TextLink onPress={() => go('locks', lock.path)}>{t('window.show-lock')}</TextLink>;
}

/** Of a stale one, what its lock says. */
function sentenceOf({ state, lock, name: user }: SessionRow): string {
  return state === 'stale' && lock !== undefined ? lockWords(lock) : t(sentences[state], { user });
}

/** What it does, which may be less than its token allows. */
function modeOf({ mode, lockState }: SessionItem): SessionItem['mode'] {
  return lockState === 'refused' || lockState === 'released' ? 'view' : mode;
}

function ownLock(session: SessionItem, lock: LockItem | undefined): LockItem | undefined {
  const isHolder = modeOf(session) === 'edit' && session.lockState !== 'lost';
  return isHolder && lock?.user === session.user ? lock : undefined;
}

/** @param lock that of its document */
function stateOf(session: SessionItem, lock: LockItem | undefined): State {
  const { mode, lockState, user, editor } = session;
  if (mode === 'edit' && lockState === 'released') return 'idle';
  if (modeOf(session) === 'view') return 'viewing';
  if (ownLock(session, lock)?.state === 'stale') return 'stale';
  if (lockState === 'lost') return 'lost';
  // Users who edit together in one editor share a lock. In doubt, a session counts as editing: an idle one looks safe to end.
  const isShared = lock?.editor === null || lock?.editor === editor;
  if (lock?.state === 'held' && (isShared || lock.user === user)) return 'editing';
  return lockState === 'held' ? 'lost' : 'idle';
}

/** `Editing` */
export const stateNameOf = (...of: Parameters<typeof stateOf>): string => states[stateOf(...of)].words;

/** `Ana Ruiz`; `Ana Ruiz · tab 2` where she has or had the document open more than once. */
export function useSessionNames(): (session: SessionItem) => string {
  const sessions = useWindowState((state) => state.sessions);
  return useMemo(() => {
    const keyOf = ({ fileId, user }: SessionItem) => `${fileId}\n${user}`;
    // The first of several has the number 1.
    const several = new Set(sessions.filter(({ tab }) => tab > 1).map(keyOf));
    return (session) =>
      session.tab > 1 || (several.size > 0 && several.has(keyOf(session)))
        ? t('window.user-tab-number', { user: session.userName, number: session.tab })
        : session.userName;
  }, [sessions]);
}

function useSessionRows(): SessionRow[] {
  const sessions = useWindowState((state) => state.sessions);
  const locks = useWindowState((state) => state.locks);
  const nameOf = useSessionNames();
  return useMemo(() => {
    const byFile = new Map(locks.map((lock) => [lock.id, lock]));
    return sessions.map((session) => {
      const lock = byFile.get(session.fileId);
      return {
        ...session,
        name: nameOf(session),
        state: stateOf(session, lock),
        lock: ownLock(session, lock),
      };
    });
  }, [sessions, locks, nameOf]);
}

const toLock: RowLink<SessionRow> = {
  view: 'locks',
  title: t('window.show-lock'),
  target: ({ lock }) => lock && { path: lock.path },
};

export function SessionsView() {
  const rows = useSessionRows();
  const endSessions = useEndSessions();
  const actions = useMemo<ListAction<SessionRow>[]>(
    () => [
      {
        id: 'end',
        title: ({ length: count }) => t('window.end-session', { count }),
        icon: 'close',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        isInPanel: true,
        rowButton: {
          title: t('window.end-sessions-button', { count: 1 }),
          label: ({ name: user, path }) =>
            t('window.end-session-of-user-in-file', { user, file: splitPath(path).name }),
          select: (count) => t('window.select-count-stale-sessions', { count }),
          isFor: isStale,
          priority: 6,
        },
        run: (ended) => void endSessions(ended),
      },
    ],
    [endSessions],
  );
  return (
    <View
      title={t('common.sessions')}
      // Those with a stale lock don't count as editing, as in Locks and Overview.
      subtitle={useMemo(() => countsOf(rows, ({ state }) => state, states), [rows])}
      isFilled
    >
      <ListTable
        view="sessions"
        label={t('common.sessions')}
        count={(count) => t('window.sessions', { count })}
        filterLabel={t('window.filter-sessions')}
        fields={fields}
        rows={rows}
        sort={{ column: 'state', isDescending: false }}
        actions={actions}
        link={toLock}
        empty={{
          title: t('window.no-document-is-open'),
          sentence: t('window.a-session-starts-when-an'),
          away: t('window.sessions-appear-here-once-doctray'),
        }}
        panel={{
          subtitle: (row) => <StateCell state={row.state}>{sentenceOf(row)}</StateCell>,
          children: ({ fileId, path, calls }) => (
            <DocumentRequests fileId={fileId} path={path} changed={calls} />
          ),
        }}
      />
    </View>
  );
}

/** Asks, then ends. Never throws: failures are shown as messages. */
export function useEndSessions(): (sessions: readonly SessionItem[]) => Promise<void> {
  const nameOf = useSessionNames();
  const words = useMemo<BulkWords<'sessions.end', SessionItem>>(
    () => ({
      question: (sessions) => ({
        title: questionOf(sessions, nameOf),
        body: <Consequences sessions={sessions} nameOf={nameOf} />,
        confirm: t('window.end-sessions-button', { count: sessions.length }),
        isDanger: true,
      }),
      failure: t('window.cant-end-the-sessions'),
      done: ({ length: count }) => t('window.sessions-ended', { count }),
      failed: (count) => t('window.cant-end-sessions', { count }),
    }),
    [nameOf],
  );
  return useBulkAction('sessions.end', words);
}

type NameOf = (session: SessionItem) => string;

function questionOf(sessions: readonly SessionItem[], nameOf: NameOf): string {
  const [first] = sessions;
  if (first === undefined || sessions.length > 1) return t('window.end-sessions', { count: sessions.length });
  const values = { user: first.userName, file: splitPath(first.path).name };
  return nameOf(first) === first.userName
    ? t('window.end-user-s-session-in', values)
    : t('window.end-tab-number-of-user', { ...values, number: first.tab });
}

function Consequences({ sessions, nameOf }: { sessions: readonly SessionItem[]; nameOf: NameOf }) {
  const editing = sessions.filter(({ mode }) => mode === 'edit');
  return (
    <>
      {sessions.length > 1 && (
        <ItemList
          items={[...editing, ...sessions.filter(({ mode }) => mode === 'view')].map((session) => ({
            id: session.id,
            name: splitPath(session.path).name,
            detail: t('window.user-mode', { user: nameOf(session), mode: modeWords[modeOf(session)] }),
          }))}
        />
      )}
      <p>{t('window.the-editor-loses-access-immediately')}</p>
      {editing.length > 0 && <p>{t('window.unsaved-changes-stay-in-the')}</p>}
    </>
  );
}
