// Locks: one row per locked document, stale ones first, each with its Force-clear button.

import { useCallback, useMemo } from 'react';
import { formatDuration } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { LockItem, SessionItem } from '../../../app/contract/state.ts';
import { Message, TextLink } from '../../kit/blocks.tsx';
import { Button } from '../../kit/button.tsx';
import { DetailSection } from '../../kit/detail-panel.tsx';
import { Icon } from '../../kit/icon.tsx';
import { RelativeTime, useTimedText } from '../../kit/time.tsx';
import { DocumentRequests } from '../activity/panels.tsx';
import {
  documentField,
  editorField,
  ListTable,
  noFact,
  timeField,
  type Field,
  type ListAction,
  type RowLink,
} from '../lists/list.tsx';
import { useCommandResult } from '../parts/action.tsx';
import { splitPath } from '../parts/format.ts';
import { View } from '../parts/view.tsx';
import { stateNameOf, useEndSessions, useSessionNames } from '../sessions/sessions.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { textWidth } from '../table/model.ts';
import { isStale, useForceClear } from './force-clear.tsx';
import { holderOf, lockWords } from './words.ts';

/** A usual one of the longer ones. */
const longState = t('window.stale-lock-of-user', {
  user: 'Robin Vale',
  reason: t('window.editor-gone-duration', { duration: formatDuration(22 * 60_000) }),
});

const fields: Field<LockItem>[] = [
  documentField({ min: 146, grow: 2 }),
  {
    id: 'state',
    title: t('window.status'),
    value: (lock) => lockWords(lock),
    // In every language, stale ones come first.
    sortBy: (lock) => `${isStale(lock) ? 0 : 1} ${holderOf(lock)}`,
    render: (lock) => <LockState lock={lock} />,
    fact: noFact,
    width: { min: Math.max(222, textWidth(longState) + 46), grow: 1 },
    priority: 4,
    // Below its row it leaves room for Force-clear.
    fallsBelow: 2,
  },
  { id: 'user', title: t('window.user'), value: ({ user, userName }) => userName ?? user },
  editorField({ width: { min: 156, grow: 1 }, priority: 1 }),
  timeField('since', t('window.since'), ({ takenAtMs }) => takenAtMs, { width: { min: 86 }, priority: 2 }),
  timeField('refreshed', t('window.refreshed'), ({ refreshedAtMs }) => refreshedAtMs),
  timeField('expires', t('window.expiry'), ({ expiresAtMs }) => expiresAtMs),
  { id: 'lock-id', title: t('window.lock-id'), value: () => null, fact: (lock) => <LockId lock={lock} /> },
];

const toSessions: RowLink<LockItem> = {
  view: 'sessions',
  title: t('window.show-sessions'),
  target: ({ path }) => ({ path }),
};

export function LocksView() {
  const locks = useWindowState((state) => state.locks);
  const forceClear = useForceClear();
  const actions = useMemo<ListAction<LockItem>[]>(
    () => [
      {
        id: 'force-clear',
        title: (rows) =>
          rows.length > 1 ? t('window.force-clear-count', { count: rows.length }) : t('window.force-clear'),
        icon: 'unlock',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        isInPanel: true,
        rowButton: {
          title: t('common.force-clear'),
          label: ({ path }) => t('window.force-clear-name', { name: splitPath(path).name }),
          select: (count) => t('window.select-count-stale', { count }),
          isFor: isStale,
          priority: 3,
        },
        run: (rows) => void forceClear(rows),
      },
    ],
    [forceClear],
  );
  return (
    <View title={t('common.locks')} subtitle={summary(locks.length, locks.filter(isStale).length)} isFilled>
      <ListTable
        view="locks"
        label={t('common.locks')}
        count={(count) => t('window.locks', { count })}
        filterLabel={t('window.filter-locks')}
        fields={fields}
        rows={locks}
        sort={{ column: 'state', isDescending: false }}
        actions={actions}
        link={toSessions}
        empty={{
          title: t('window.no-document-is-locked'),
          sentence: t('window.locks-appear-here-when-an'),
          away: t('window.locks-appear-here-once-doctray'),
        }}
        panel={{
          subtitle: (lock) => <LockState lock={lock} />,
          children: (lock) => (
            <>
              <LockSessions lock={lock} />
              <DocumentRequests fileId={lock.id} path={lock.path} changed={lock.lastCallAtMs} />
            </>
          ),
        }}
      />
    </View>
  );
}

/** Nothing when the table is empty: that one says so. */
function summary(count: number, stale: number): string | undefined {
  if (count === 0) return undefined;
  return stale === 0
    ? t('window.documents-are-being-edited', { count })
    : t('window.documents-are-being-edited-locks', { held: count - stale, stale });
}

function LockState({ lock }: { lock: LockItem }) {
  const words = useTimedText(useCallback((nowMs: number) => lockWords(lock, nowMs), [lock]));
  return (
    <span className={`cell tone-${isStale(lock) ? 'warn' : 'info'}`} title={words} data-any-length="">
      <Icon name={isStale(lock) ? 'warning' : 'edit'} size={14} />
      <span className="cut">{words}</span>
    </span>
  );
}

function LockSessions({ lock }: { lock: LockItem }) {
  const sessions = useWindowState((state) => state.sessions);
  const own = useMemo(() => sessions.filter(({ fileId }) => fileId === lock.id), [sessions, lock.id]);
  return (
    <DetailSection title={t('common.sessions')}>
      {own.length === 0 ? (
        <p className="muted">{t('shared.no-editor-is-connected')}</p>
      ) : (
        <ul className="detail-list">
          {own.map((session) => (
            <LockSession key={session.id} session={session} lock={lock} />
          ))}
        </ul>
      )}
    </DetailSection>
  );
}

function LockSession({ session, lock }: { session: SessionItem; lock: LockItem }) {
  const { go } = useNavigation();
  const nameOf = useSessionNames();
  const endSessions = useEndSessions();
  return (
    <li>
      <div className="grow detail-list-words">
        <TextLink onPress={() => go('sessions', session.path, session.id)}>{nameOf(session)}</TextLink>
        <div className="muted">
          <Message
            of="window.state-active-when"
            values={{ state: stateNameOf(session, lock), when: <RelativeTime atMs={session.lastCallAtMs} /> }}
          />
        </div>
      </div>
      <Button onPress={() => void endSessions([session])}>{t('window.end-session', { count: 1 })}</Button>
    </li>
  );
}

/** The beginning of the lock id, read on demand: the window's state has none. */
function LockId({ lock }: { lock: LockItem }) {
  const { answer, problem } = useCommandResult(
    'locks.details',
    { fileId: lock.id },
    { reloadKey: `${lock.takenAtMs} ${lock.refreshedAtMs}` },
  );
  const lockId = problem === null ? answer?.lockId : null;
  if (lockId === undefined) return <span className="skeleton-bar" />;
  return lockId === null ? <span className="muted">–</span> : <span className="code">{lockId}</span>;
}
