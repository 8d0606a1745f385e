// Locks: one row per locked document, stale ones first, each with its Force-clear button.

import { useCallback, useMemo, useState } from 'react';
import { staleSentence } from '../../../app/contract/attention.ts';
import { formatDuration } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { Outcome } from '../../../app/contract/results.ts';
import type { LockItem, SessionItem } from '../../../app/contract/state.ts';
import { DocumentRequests } from '../activity/activity.tsx';
import { useCommandResult, useAction } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { ItemList, Notice, useConfirm } from '../parts/dialog.tsx';
import { modeWords, splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { RelativeTime, useTimedText } from '../parts/time.tsx';
import { useToasts, type Toasts } from '../parts/toast.tsx';
import {
  DocumentCell,
  EditorCell,
  RowButton,
  TextLink,
  DetailPanel,
  DetailSection,
  TimeFact,
  Message,
  View,
  type DetailPanelFrame,
} from '../parts/view.tsx';
import { modeOf, useEndSessions } from '../sessions/sessions.tsx';
import { hostTime } from '../state/clock.ts';
import { useNavigation, useReveal, useWindowState } from '../state/window-context.tsx';
import { DataTable } from '../table/data-table.tsx';
import { textWidth, type Column, type RowAction } from '../table/model.ts';
import type { RowTone } from '../table/rows.tsx';
import { holderOf, lockStateText, lockWords } from './words.ts';

/** A usual one of the longer ones. */
function longState(): string {
  return t('Stale: {user}, gone {duration}', { user: 'Robin Vale', duration: formatDuration(22 * 60_000) });
}

function columnsOf(forceClear: (locks: readonly LockItem[]) => Promise<void>): Column<LockItem>[] {
  return [
    {
      id: 'document',
      title: t('Document'),
      value: (lock) => lock.path,
      render: (lock) => <DocumentCell path={lock.path} />,
      width: { min: 146, grow: 2 },
      isRowHeader: true,
    },
    {
      id: 'state',
      title: t('State'),
      value: lockStateText,
      // In every language, stale ones come first.
      sortBy: (lock) => `${lock.state === 'stale' ? 0 : 1} ${holderOf(lock)}`,
      render: (lock) => <LockState lock={lock} />,
      width: { min: Math.max(222, textWidth(longState()) + 34), grow: 1 },
      priority: 4,
      // Below its row it leaves room for Force-clear.
      fallsBelow: 2,
    },
    {
      id: 'editor',
      title: t('Editor'),
      value: (lock) => lock.editor,
      render: ({ editor }) => <EditorCell name={editor} />,
      width: { min: 156, grow: 1 },
      priority: 1,
    },
    {
      id: 'since',
      title: t('Since'),
      value: (lock) => lock.takenAtMs,
      kind: 'time',
      width: { min: 86 },
      priority: 2,
    },
    {
      id: 'clear',
      title: t('Force-clear'),
      value: () => null,
      render: (lock) =>
        lock.state === 'stale' && (
          <RowButton
            label={t('Force-clear {file}', { file: splitPath(lock.path).name })}
            onPress={() => void forceClear([lock])}
          >
            {t('Force-clear…')}
          </RowButton>
        ),
      width: { min: textWidth(t('Force-clear…')) + 46 },
      priority: 3,
      isInPanel: true,
      isTitleHidden: true,
      isSortable: false,
      isExported: false,
    },
  ];
}

/** In files: also what the side panel shows. */
const exportColumns: Column<LockItem>[] = [
  { id: 'document', title: t('Document'), value: ({ path }) => path, width: { min: 0 } },
  { id: 'state', title: t('State'), value: lockStateText, width: { min: 0 } },
  { id: 'editor', title: t('Editor'), value: ({ editor }) => editor, width: { min: 0 } },
  { id: 'user', title: t('User'), value: holderOf, width: { min: 0 } },
  { id: 'since', title: t('Since'), value: ({ takenAtMs }) => takenAtMs, kind: 'time', width: { min: 0 } },
  {
    id: 'refreshed',
    title: t('Refreshed'),
    value: ({ refreshedAtMs }) => refreshedAtMs,
    kind: 'time',
    width: { min: 0 },
  },
  {
    id: 'expires',
    title: t('Expires'),
    value: ({ expiresAtMs }) => expiresAtMs,
    kind: 'time',
    width: { min: 0 },
  },
];

function toneOf({ state }: LockItem): RowTone | undefined {
  return state === 'stale' ? 'warn' : undefined;
}

const noIds: ReadonlySet<string> = new Set();

export function LocksView() {
  const locks = useWindowState((state) => state.locks);
  const isAway = useWindowState((state) => state.host.problem !== null);
  const { go } = useNavigation();
  const forceClear = useForceClear();
  const columns = useMemo(() => columnsOf(forceClear), [forceClear]);
  const [selected, setSelected] = useState(noIds);
  const selection = useMemo(() => ({ ids: selected, onChange: setSelected }), [selected]);
  const stale = useMemo(() => locks.filter((lock) => lock.state === 'stale'), [locks]);

  const actions = useMemo<RowAction<LockItem>[]>(
    () => [
      {
        id: 'force-clear',
        title: (rows) =>
          rows.length > 1 ? t('Force-clear {count, number}…', { count: rows.length }) : t('Force-clear…'),
        icon: 'unlock',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        run: (rows) => void forceClear(rows),
      },
      {
        id: 'sessions',
        title: t('Show sessions'),
        icon: 'sessions',
        takesMany: false,
        run: ([lock]) => {
          if (lock !== undefined) go('sessions', lock.path);
        },
      },
      {
        id: 'show',
        title: t('Show in Documents'),
        icon: 'documents',
        takesMany: false,
        run: ([lock]) => {
          if (lock !== undefined) go('documents', lock.path, lock.id);
        },
      },
    ],
    [forceClear, go],
  );

  return (
    <View title={t('Locks')} subtitle={summary(locks.length, stale.length)} isFilled>
      <DataTable
        label={t('Locks')}
        count={(count) => t('{count, plural, one {# lock} other {# locks}}', { count })}
        isCountBrief
        filterLabel={t('Filter locks')}
        columns={columns}
        exportColumns={exportColumns}
        rows={locks}
        defaultSort={{ column: 'state', isDescending: false }}
        actions={actions}
        selection={selection}
        toolbar={
          stale.some(({ id }) => !selected.has(id)) &&
          stale.length > 1 && (
            <Button onPress={() => setSelected(new Set(stale.map(({ id }) => id)))}>
              {t('Select {count, number} stale', { count: stale.length })}
            </Button>
          )
        }
        reveal={useReveal('locks', locks)}
        detail={(lock, frame) => (
          <LockDetail key={lock.id} lock={lock} frame={frame} onForceClear={() => void forceClear([lock])} />
        )}
        exportName="locks"
        empty={
          isAway
            ? { icon: 'locks', sentence: t('Locks appear here once DocTray serves again.') }
            : {
                icon: 'locks',
                sentence: t('No document is locked. Locks appear here when an editor opens a document.'),
                action: <Button onPress={() => go('documents')}>{t('Show documents')}</Button>,
              }
        }
        rowTone={toneOf}
      />
    </View>
  );
}

/** Nothing when the table is empty: that one says so. */
function summary(count: number, stale: number): string | undefined {
  if (count === 0) return undefined;
  if (stale === 0)
    return t('{count, plural, one {# document is being edited.} other {# documents are being edited.}}', {
      count,
    });
  return t(
    '{held, plural, =0 {} one {# document is being edited, } other {# documents are being edited, }}{stale, plural, one {# lock is stale.} other {# locks are stale.}}',
    { held: count - stale, stale },
  );
}

function LockState({ lock }: { lock: LockItem }) {
  const words = useTimedText(useCallback((nowMs: number) => lockWords(lock, nowMs), [lock]));
  const isStale = lock.state === 'stale';
  return (
    <span className={`cell tone-${isStale ? 'warn' : 'info'}`} title={words} data-any-length="">
      <Icon name={isStale ? 'warning' : 'edit'} size={14} />
      <span className={isStale ? 'cut cell-alert' : 'cut'}>{words}</span>
    </span>
  );
}

function LockDetail(props: { lock: LockItem; frame: DetailPanelFrame; onForceClear(): void }) {
  const { lock, frame } = props;
  const { go } = useNavigation();
  const sessions = useWindowState((state) => state.sessions);
  const own = useMemo(() => sessions.filter(({ fileId }) => fileId === lock.id), [sessions, lock.id]);
  const { name } = splitPath(lock.path);
  return (
    <DetailPanel
      {...frame}
      title={name}
      subtitle={<LockState lock={lock} />}
      facts={[
        name !== lock.path && { name: t('Document'), value: lock.path },
        { name: t('User'), value: lock.userName ?? lock.user },
        { name: t('Editor'), value: lock.editor },
        { name: t('Since'), value: <TimeFact atMs={lock.takenAtMs} /> },
        { name: t('Refreshed'), value: <TimeFact atMs={lock.refreshedAtMs} /> },
        { name: t('Expires'), value: <TimeFact atMs={lock.expiresAtMs} /> },
        { name: t('Lock ID'), value: <LockId lock={lock} /> },
      ]}
      actions={
        <>
          <Button look={lock.state === 'stale' ? 'primary' : 'plain'} onPress={props.onForceClear}>
            {t('Force-clear…')}
          </Button>
          <Button onPress={() => go('documents', lock.path, lock.id)}>{t('Show in Documents')}</Button>
        </>
      }
    >
      <DetailSection title={t('Sessions')}>
        {own.length === 0 ? (
          <p className="muted">{t('No editor is connected.')}</p>
        ) : (
          <ul className="detail-list">
            {own.map((session) => (
              <LockSession key={session.id} session={session} />
            ))}
          </ul>
        )}
      </DetailSection>
      <DocumentRequests fileId={lock.id} path={lock.path} changed={lock.lastCallAtMs} />
    </DetailPanel>
  );
}

function LockSession({ session }: { session: SessionItem }) {
  const { go } = useNavigation();
  const endSessions = useEndSessions();
  return (
    <li>
      <div className="detail-list-words">
        <TextLink onPress={() => go('sessions', session.path, session.id)}>{session.userName}</TextLink>
        <div className="muted">
          <Message
            of="{mode}, active {when}"
            values={{ mode: modeWords[modeOf(session)], when: <RelativeTime atMs={session.lastCallAtMs} /> }}
          />
        </div>
      </div>
      <Button look="quiet" onPress={() => void endSessions([session])}>
        {t('End session…')}
      </Button>
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
  if (lockId === undefined) return <span className="table-pending" />;
  return lockId === null ? <span className="muted">–</span> : <span className="code">{lockId}</span>;
}

// Force-clear: asks, clears, and offers Undo for as long as the host can restore the lock.

/** Asks, then clears. Never throws: failures are shown as messages. */
export function useForceClear(): (locks: readonly LockItem[]) => Promise<void> {
  const forceClear = useAction('locks.forceClear', { failure: t('Can’t clear the locks'), canOverlap: true });
  const undoForceClear = useAction('locks.undoForceClear', {
    failure: t('Can’t restore the lock'),
    canOverlap: true,
  });
  const confirm = useConfirm();
  const toasts = useToasts();

  const undo = useCallback(
    async (wanted: readonly { id: string; path: string }[]) => {
      const outcome = await undoForceClear.run({ ids: wanted.map(({ id }) => id) });
      if (outcome === undefined) return;
      const [first] = outcome.done;
      if (first !== undefined) {
        toasts.show({
          tone: 'good',
          title:
            outcome.done.length === 1
              ? t('{file} is locked again', { file: nameOf(first) })
              : t('{count, plural, one {# lock restored} other {# locks restored}}', {
                  count: outcome.done.length,
                }),
        });
      }
      showFailures(toasts, outcome, (count) =>
        t('{count, plural, one {Can’t restore # lock} other {Can’t restore # locks}}', { count }),
      );
    },
    [undoForceClear.run, toasts],
  );

  return useCallback(
    async (locks) => {
      const [first] = locks;
      if (first === undefined) return;
      const isLive = locks.some(({ state }) => state === 'held');
      const isSure = await confirm({
        title:
          locks.length === 1
            ? t('Force-clear the lock on {file}?', { file: nameOf(first) })
            : t('{count, plural, one {Force-clear # lock?} other {Force-clear # locks?}}', {
                count: locks.length,
              }),
        body: <Consequences locks={locks} />,
        confirm: t('Force-clear'),
        isDanger: isLive,
      });
      if (!isSure) return;
      const result = await forceClear.run({ ids: locks.map(({ id }) => id) });
      if (result === undefined) return;
      const { undoUntilMs, done } = result;
      if (done.length > 0) {
        toasts.show({
          tone: 'good',
          title:
            done.length === 1
              ? t('Lock on {file} cleared', { file: nameOf(done[0]) })
              : t('{count, plural, one {# lock cleared} other {# locks cleared}}', { count: done.length }),
          ...(undoUntilMs === null
            ? {}
            : { action: { label: t('Undo'), run: () => void undo(done) }, untilMs: undoUntilMs }),
        });
      }
      showFailures(toasts, result, (count) =>
        t('{count, plural, one {Can’t clear # lock} other {Can’t clear # locks}}', { count }),
      );
    },
    [forceClear.run, confirm, toasts, undo],
  );
}

function nameOf(item: { path: string } | undefined): string {
  return item === undefined ? '' : splitPath(item.path).name;
}

function showFailures(toasts: Toasts, outcome: Outcome, title: (count: number) => string) {
  const [first, ...others] = outcome.failed;
  if (first === undefined) return;
  const values = { file: nameOf(first), reason: first.message, count: others.length };
  toasts.show({
    tone: 'bad',
    title: title(outcome.failed.length),
    detail:
      first.path === ''
        ? first.message
        : others.length === 0
          ? t('{file}: {reason}', values)
          : t('{file}: {reason} {count, plural, one {And # more.} other {And # more.}}', values),
  });
}

/** One sentence on what the holder will see; with more than one lock, which ones. */
function Consequences(props: { locks: readonly LockItem[] }) {
  const { locks } = props;
  const nowMs = hostTime();
  // Only its page has the text: its refresh fails, so no save follows.
  const textEditor = useWindowState(
    ({ editors }) => editors.find(({ kind }) => kind === 'text-editor')?.name,
  );
  const ofTextEditor = locks.filter(({ editor }) => editor !== null && editor === textEditor);
  const live = locks.filter((lock) => lock.state === 'held');
  const [first] = locks;
  const [firstLive] = live;
  // Locks that an editor still holds come first: clearing them affects another user.
  const listed = [...live, ...locks.filter((lock) => lock.state === 'stale')];
  return (
    <>
      {locks.length > 1 && (
        <ItemList
          items={listed.map((lock) => ({
            id: lock.id,
            name: splitPath(lock.path).name,
            detail: lockWords(lock, nowMs),
          }))}
        />
      )}
      {firstLive !== undefined && (
        <Notice tone="bad">
          {locks.length === 1
            ? t('{user} is editing this document now.', { user: holderOf(firstLive) })
            : t(
                '{count, plural, one {# document is being edited now.} other {# documents are being edited now.}}',
                { count: live.length },
              )}
        </Notice>
      )}
      <p>
        {firstLive === undefined && first?.stale != null && locks.length === 1 && (
          <>{staleSentence(first.stale, nowMs)} </>
        )}
        {ofTextEditor.length < locks.length &&
          (firstLive === undefined
            ? t('If the editor reconnects, its next save goes to Recovered saves instead of the file.')
            : t(
                'The editor’s next save is rejected with a message, and its content goes to Recovered saves.',
              ))}{' '}
        {ofTextEditor.length > 0 &&
          t('Unsaved text stays on the text editor’s page, where it can be saved as a copy.')}
      </p>
      <p className="muted">{t('You can undo this for 10 seconds.')}</p>
    </>
  );
}
