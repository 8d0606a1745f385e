// Sessions: which editor is at which document for whom, and how much it has called, read and saved.

import { useMemo } from 'react';
import { t } from '../../../app/contract/messages.ts';
import type { SessionItem } from '../../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../table/data-table.tsx';
import { countOf, formatCount, formatSize } from '../../../app/contract/format.ts';
import type { Column, RowAction } from '../table/column.ts';
import { View } from '../parts/view.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { DocumentCell, ModeCell } from './cells.tsx';
import { useEndSessions } from './end.tsx';
import { modeWords } from './words.ts';

const columns: Column<SessionItem>[] = [
  {
    id: 'document',
    title: 'Document',
    value: ({ path }) => path,
    render: ({ path }) => <DocumentCell path={path} />,
    width: { min: 140, grow: 2 },
    isRowHeader: true,
  },
  {
    id: 'user',
    title: 'User',
    value: ({ userName }) => userName,
    filterText: ({ user, userName }) => `${userName} ${user}`,
    width: { min: 92, grow: 1 },
  },
  {
    id: 'mode',
    title: 'Mode',
    value: ({ mode }) => modeWords[mode],
    render: ({ mode }) => <ModeCell mode={mode} />,
    width: { min: 68 },
  },
  { id: 'editor', title: 'Editor', value: ({ editor }) => editor, width: { min: 90, grow: 1 } },
  { id: 'since', title: 'Since', value: ({ sinceMs }) => sinceMs, kind: 'time', width: { min: 116 } },
  {
    id: 'last-call',
    title: 'Last call',
    value: ({ lastCallAtMs }) => lastCallAtMs,
    kind: 'time',
    width: { min: 116 },
  },
  { id: 'saves', title: 'Saves', value: ({ saves }) => saves, kind: 'number', width: { min: 56 } },
  {
    id: 'read',
    title: 'Read',
    value: ({ bytesRead }) => bytesRead,
    render: ({ bytesRead }) => <Bytes bytes={bytesRead} />,
    kind: 'number',
    width: { min: 68 },
  },
  {
    id: 'written',
    title: 'Written',
    value: ({ bytesWritten }) => bytesWritten,
    render: ({ bytesWritten }) => <Bytes bytes={bytesWritten} />,
    kind: 'number',
    width: { min: 74 },
  },
];

export function SessionsView() {
  const sessions = useWindowState((state) => state.sessions);
  const locks = useWindowState((state) => state.locks);
  const { place, go } = useNavigation();
  const endSessions = useEndSessions();
  const locked = useMemo(() => new Set(locks.map(({ id }) => id)), [locks]);

  const actions = useMemo<RowAction<SessionItem>[]>(
    () => [
      {
        id: 'end',
        title: (rows) => (rows.length > 1 ? `End ${rows.length} sessions…` : 'End session…'),
        icon: 'stop',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        run: (rows) => void endSessions(rows),
      },
      {
        id: 'document',
        title: 'Show document',
        icon: 'documents',
        takesMany: false,
        isPrimary: true,
        run: ([session]) => {
          if (session !== undefined) go('documents', session.path);
        },
      },
      {
        id: 'lock',
        title: 'Show lock',
        icon: 'locks',
        takesMany: false,
        isFor: ({ fileId }) => locked.has(fileId),
        run: ([session]) => {
          if (session !== undefined) go('locks', session.path);
        },
      },
    ],
    [endSessions, go, locked],
  );
  const wantedId =
    place.view === 'sessions' && place.path !== undefined
      ? sessions.find(({ path }) => path === place.path)?.id
      : undefined;
  const reveal = useMemo(
    () => (wantedId === undefined ? undefined : { id: wantedId, step: place.step }),
    [wantedId, place.step],
  );
  const editing = useMemo(() => sessions.filter(({ mode }) => mode === 'edit').length, [sessions]);

  return (
    <View title="Sessions" subtitle={summary(sessions.length, editing)} isFilled>
      <DataTable
        label="Sessions"
        count={(count) => t('{count, plural, one {# session} other {# sessions}}', { count })}
        columns={columns}
        rows={sessions}
        defaultSort={{ column: 'last-call', isDescending: true }}
        actions={actions}
        reveal={reveal}
        exportName="sessions"
        empty={{
          icon: 'sessions',
          sentence: 'No editor is here. A session begins with an editor’s first call for a document.',
          action: <Button onPress={() => go('documents')}>Show documents</Button>,
        }}
      />
    </View>
  );
}

function summary(count: number, editing: number): string {
  if (count === 0) return 'No editor uses a document.';
  const viewing = count - editing;
  if (viewing === 0) return `${countOf(editing, 'session')} to edit.`;
  if (editing === 0) return `${countOf(viewing, 'session')} to view.`;
  return `${countOf(editing, 'session')} to edit, ${formatCount(viewing)} to view.`;
}

/** Nothing is said of nothing: the eye finds those that saved. */
function Bytes({ bytes }: { bytes: number }) {
  return bytes === 0 ? <span className="muted">–</span> : formatSize(bytes);
}
