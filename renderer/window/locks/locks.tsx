// Locks: who holds which document, in words; stale ones are freed by hand.

import { useCallback, useMemo } from 'react';
import { t } from '../../../app/contract/messages.ts';
import type { LockItem } from '../../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../table/data-table.tsx';
import { countOf } from '../../../app/contract/format.ts';
import { Icon } from '../parts/icon.tsx';
import type { Column, RowAction } from '../table/column.ts';
import { useTimedText } from '../parts/ticker.tsx';
import { View } from '../parts/view.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { holderOf, lockStanding, lockWords } from './lock-words.ts';
import { DocumentCell } from '../sessions/cells.tsx';
import { useForceClear } from './use-force-clear.tsx';

const columns: Column<LockItem>[] = [
  {
    id: 'document',
    title: 'Document',
    value: (lock) => lock.path,
    render: (lock) => <DocumentCell path={lock.path} />,
    width: { min: 150, grow: 2 },
    isRowHeader: true,
  },
  {
    id: 'state',
    title: 'State',
    value: lockStanding,
    render: (lock) => <LockState lock={lock} />,
    width: { min: 206, grow: 2 },
    priority: 6,
  },
  { id: 'editor', title: 'Editor', value: (lock) => lock.editor, width: { min: 96, grow: 1 }, priority: 4 },
  { id: 'user', title: 'User', value: holderOf, width: { min: 88, grow: 1 }, priority: 3 },
  {
    id: 'since',
    title: 'Since',
    value: (lock) => lock.takenAtMs,
    kind: 'time',
    width: { min: 116 },
    priority: 5,
  },
  {
    id: 'refreshed',
    title: 'Refreshed',
    value: (lock) => lock.refreshedAtMs,
    kind: 'time',
    width: { min: 92 },
    priority: 1,
  },
  {
    id: 'ends',
    title: 'Ends',
    value: (lock) => lock.expiresAtMs,
    kind: 'time',
    width: { min: 78 },
    priority: 2,
  },
];

export function LocksView() {
  const locks = useWindowState((state) => state.locks);
  const { place, go } = useNavigation();
  const forceClear = useForceClear();
  const stale = useMemo(() => locks.filter((lock) => lock.state === 'stale'), [locks]);

  const actions = useMemo<RowAction<LockItem>[]>(
    () => [
      {
        id: 'force-clear',
        title: (rows) => (rows.length > 1 ? `Force-clear ${rows.length}…` : 'Force-clear…'),
        icon: 'unlock',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        run: (rows) => void forceClear(rows),
      },
      {
        id: 'show',
        title: 'Show document',
        icon: 'documents',
        takesMany: false,
        isPrimary: true,
        run: ([lock]) => {
          if (lock !== undefined) go('documents', lock.path);
        },
      },
    ],
    [forceClear, go],
  );
  const wanted =
    place.view === 'locks' && place.path !== undefined
      ? locks.find((lock) => lock.path === place.path)
      : undefined;
  const wantedId = wanted?.id;
  const reveal = useMemo(
    () => (wantedId === undefined ? undefined : { id: wantedId, step: place.step }),
    [wantedId, place.step],
  );

  return (
    <View
      title="Locks"
      subtitle={summary(locks.length, stale.length)}
      isFilled
      actions={
        stale.length > 0 && (
          <Button icon="unlock" onPress={() => void forceClear(stale)}>
            {stale.length === 1 ? 'Force-clear the stale one…' : `Force-clear all ${stale.length} stale…`}
          </Button>
        )
      }
    >
      <DataTable
        label="Locks"
        count={(count) => t('{count, plural, one {# lock} other {# locks}}', { count })}
        columns={columns}
        rows={locks}
        defaultSort={{ column: 'state', isDescending: true }}
        actions={actions}
        reveal={reveal}
        exportName="locks"
        empty={{
          icon: 'locks',
          sentence: 'No document is being edited. Locks appear here as soon as an editor takes one.',
          action: <Button onPress={() => go('documents')}>Show documents</Button>,
        }}
      />
    </View>
  );
}

function summary(count: number, stale: number): string {
  if (count === 0) return 'Nobody holds a document.';
  const held = countOf(count - stale, 'document is being edited', 'documents are being edited');
  if (stale === 0) return `${held}.`;
  const staleWords = countOf(stale, 'lock is stale', 'locks are stale');
  return count === stale ? `${staleWords}.` : `${held}, ${staleWords}.`;
}

function LockState({ lock }: { lock: LockItem }) {
  const words = useTimedText(useCallback((nowMs: number) => lockWords(lock, nowMs), [lock]));
  const isStale = lock.state === 'stale';
  return (
    <span className={`cell tone-${isStale ? 'warn' : 'info'}`} title={words}>
      <Icon name={isStale ? 'warning' : 'edit'} size={14} />
      <span className={isStale ? 'cut cell-alert' : 'cut'}>{words}</span>
    </span>
  );
}
