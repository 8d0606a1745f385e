// Sessions: who has which document open in which editor.

import { useMemo } from 'react';
import type { LockItem, SessionItem } from '../../../app/contract/state.ts';
import { formatCount, formatSize } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { DocumentRequests } from '../activity/document-requests.tsx';
import { Button } from '../parts/button.tsx';
import { DetailPanel, TimeFact, type DetailPanelFrame } from '../parts/detail-panel.tsx';
import { DocumentCell, ModeCell, RowButton, TextLink } from '../parts/document-cell.tsx';
import { modeWords, splitPath } from '../parts/format.ts';
import { View } from '../parts/view.tsx';
import { useNavigation, useReveal } from '../state/navigation.tsx';
import { useWindowState } from '../state/window-context.tsx';
import type { Column, RowAction } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useEndSessions } from './end.tsx';

/** The lock that a session holds: that of its document, taken by its user. */
type LockOf = (session: SessionItem) => LockItem | undefined;

function columnsOf(lockOf: LockOf, showLock: (lock: LockItem) => void): Column<SessionItem>[] {
  return [
    {
      id: 'document',
      title: t('Document'),
      value: ({ path }) => path,
      render: ({ path }) => <DocumentCell path={path} />,
      width: { min: 150, grow: 3 },
      isRowHeader: true,
    },
    {
      id: 'user',
      title: t('User'),
      value: ({ userName }) => userName,
      filterText: ({ user, userName }) => `${userName} ${user}`,
      width: { min: 104, grow: 1 },
      priority: 6,
    },
    {
      id: 'editor',
      title: t('Editor'),
      value: ({ editor }) => editor,
      width: { min: 134, grow: 1 },
      priority: 3,
    },
    {
      id: 'mode',
      title: t('Mode'),
      value: ({ mode }) => modeWords[mode],
      render: ({ mode }) => <ModeCell mode={mode} />,
      width: { min: 96 },
      priority: 4,
    },
    {
      id: 'lock',
      title: t('Lock'),
      value: (session) => lockWordsOf(lockOf(session)),
      render: (session) => {
        const lock = lockOf(session);
        return lock === undefined ? (
          <span className="muted">–</span>
        ) : (
          <RowButton
            label={t('{state}: show the lock on {file}', {
              state: lockWordsOf(lock) ?? '',
              file: splitPath(lock.path).name,
            })}
            onPress={() => showLock(lock)}
          >
            {lockWordsOf(lock) ?? ''}
          </RowButton>
        );
      },
      width: { min: 96 },
      priority: 2,
    },
    {
      id: 'since',
      title: t('Since'),
      value: ({ sinceMs }) => sinceMs,
      kind: 'time',
      width: { min: 116 },
      priority: 1,
    },
    {
      id: 'last-activity',
      title: t('Last activity'),
      value: ({ lastCallAtMs }) => lastCallAtMs,
      kind: 'time',
      width: { min: 116 },
      priority: 5,
    },
  ];
}

function lockWordsOf(lock: LockItem | undefined): string | null {
  if (lock === undefined) return null;
  return lock.state === 'stale' ? t('Stale') : t('Held');
}

function exportColumnsOf(lockOf: LockOf): Column<SessionItem>[] {
  const column = (
    id: string,
    title: string,
    value: Column<SessionItem>['value'],
    kind?: 'time',
  ): Column<SessionItem> => ({ id, title, value, width: { min: 0 }, ...(kind && { kind }) });
  return [
    column('document', t('Document'), ({ path }) => path),
    column('user', t('User'), ({ userName }) => userName),
    column('editor', t('Editor'), ({ editor }) => editor),
    column('mode', t('Mode'), ({ mode }) => modeWords[mode]),
    column('lock', t('Lock'), (session) => lockWordsOf(lockOf(session))),
    column('since', t('Since'), ({ sinceMs }) => sinceMs, 'time'),
    column('last-activity', t('Last activity'), ({ lastCallAtMs }) => lastCallAtMs, 'time'),
    column('address', t('Address'), ({ address }) => address),
    column('requests', t('Requests'), ({ calls }) => calls),
    column('saves', t('Saves'), ({ saves }) => saves),
    column('read', t('Read'), ({ bytesRead }) => bytesRead),
    column('written', t('Written'), ({ bytesWritten }) => bytesWritten),
  ];
}

export function SessionsView() {
  const sessions = useWindowState((state) => state.sessions);
  const locks = useWindowState((state) => state.locks);
  const { go } = useNavigation();
  const endSessions = useEndSessions();
  const lockOf = useMemo<LockOf>(() => {
    const byFile = new Map(locks.map((lock) => [lock.id, lock]));
    return (session) => {
      const lock = session.mode === 'edit' ? byFile.get(session.fileId) : undefined;
      return lock?.user === session.user ? lock : undefined;
    };
  }, [locks]);
  const columns = useMemo(() => columnsOf(lockOf, (lock) => go('locks', lock.path)), [lockOf, go]);
  const exportColumns = useMemo(() => exportColumnsOf(lockOf), [lockOf]);

  const actions = useMemo<RowAction<SessionItem>[]>(
    () => [
      {
        id: 'end',
        title: (rows) =>
          rows.length > 1 ? t('End {count, number} sessions…', { count: rows.length }) : t('End session…'),
        icon: 'stop',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        run: (rows) => void endSessions(rows),
      },
      {
        id: 'lock',
        title: t('Show lock'),
        icon: 'locks',
        takesMany: false,
        isFor: (session) => lockOf(session) !== undefined,
        run: ([session]) => {
          if (session !== undefined) go('locks', session.path);
        },
      },
      {
        id: 'document',
        title: t('Show in Documents'),
        icon: 'documents',
        takesMany: false,
        run: ([session]) => {
          if (session !== undefined) go('documents', session.path);
        },
      },
    ],
    [endSessions, go, lockOf],
  );
  const editing = useMemo(() => sessions.filter(({ mode }) => mode === 'edit').length, [sessions]);

  return (
    <View title={t('Sessions')} subtitle={summary(sessions.length, editing)} isFilled>
      <DataTable
        label={t('Sessions')}
        count={(count) => t('{count, plural, one {# session} other {# sessions}}', { count })}
        filterLabel={t('Filter sessions')}
        columns={columns}
        exportColumns={exportColumns}
        rows={sessions}
        defaultSort={{ column: 'last-activity', isDescending: true }}
        actions={actions}
        reveal={useReveal('sessions', sessions)}
        detail={(session, frame) => (
          <SessionDetail
            key={session.id}
            session={session}
            lock={lockOf(session)}
            frame={frame}
            onEnd={() => void endSessions([session])}
          />
        )}
        exportName="sessions"
        empty={{
          icon: 'sessions',
          sentence: t('No document is open. A session starts when an editor opens one.'),
          action: <Button onPress={() => go('documents')}>{t('Show documents')}</Button>,
        }}
      />
    </View>
  );
}

function summary(count: number, editing: number): string {
  if (count === 0) return t('No document is open.');
  const viewing = count - editing;
  if (viewing === 0) return t('{editing, number} editing.', { editing });
  if (editing === 0) return t('{viewing, number} viewing.', { viewing });
  return t('{editing, number} editing, {viewing, number} viewing.', { editing, viewing });
}

function SessionDetail(props: {
  session: SessionItem;
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
        session.mode === 'edit'
          ? t('{user} is editing', { user: session.userName })
          : t('{user} is viewing', { user: session.userName })
      }
      facts={[
        name !== session.path && { name: t('Document'), value: session.path },
        { name: t('Editor'), value: session.editor },
        { name: t('Since'), value: <TimeFact atMs={session.sinceMs} /> },
        { name: t('Last activity'), value: <TimeFact atMs={session.lastCallAtMs} /> },
        { name: t('Expires'), value: <TimeFact atMs={session.expiresAtMs} /> },
        {
          name: t('Lock'),
          value:
            lock === undefined ? null : (
              <TextLink onPress={() => go('locks', lock.path)}>{lockWordsOf(lock) ?? ''}</TextLink>
            ),
        },
        { name: t('Address'), value: session.address },
        { name: t('Requests'), value: formatCount(session.calls) },
        { name: t('Saves'), value: formatCount(session.saves) },
        { name: t('Read'), value: formatSize(session.bytesRead) },
        { name: t('Written'), value: formatSize(session.bytesWritten) },
      ]}
      actions={
        <>
          <Button icon="stop" onPress={props.onEnd}>
            {t('End session…')}
          </Button>
          <Button onPress={() => go('documents', session.path)}>{t('Show in Documents')}</Button>
        </>
      }
    >
      <DocumentRequests fileId={session.fileId} path={session.path} changed={session.calls} />
    </DetailPanel>
  );
}
