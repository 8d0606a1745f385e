// Locks: one row per locked document, stale ones first, each with its Force-clear button.

import { useCallback, useMemo, useState } from 'react';
import { staleSentence } from '../../../app/contract/attention.ts';
import { formatDuration } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { Outcome } from '../../../app/contract/results.ts';
import type { LockItem, SessionItem } from '../../../app/contract/state.ts';
import { DocumentRequests } from '../activity/activity.tsx';
import { useCommandResult, useAction } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { ItemList, Notice, useConfirm } from '../../kit/dialog.tsx';
import { modeWords, splitPath } from '../parts/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { RelativeTime, useTimedText } from '../../kit/time.tsx';
import { useToasts, type Toasts } from '../../kit/toast.tsx';
import { TextLink, Message } from '../../kit/blocks.tsx';
import { DetailPanel, DetailSection, TimeFact, type DetailPanelFrame } from '../../kit/detail-panel.tsx';
import { DocumentCell, EditorCell, RowButton, View } from '../parts/view.tsx';
import { modeOf, useEndSessions } from '../sessions/sessions.tsx';
import { hostTime } from '../state/clock.ts';
import { useNavigation, useReveal, useWindowState } from '../state/window-context.tsx';
import { DataTable } from '../table/data-table.tsx';
import { textWidth, type Column, type RowAction } from '../table/model.ts';
import type { RowTone } from '../table/rows.tsx';
import { holderOf, lockStateText, lockWords } from './words.ts';

/** A usual one of the longer ones. */
function longState(): string {
  return t('window.stale-user-gone-duration', { user: 'Robin Vale', duration: formatDuration(22 * 60_000) });
}

function columnsOf(forceClear: (locks: readonly LockItem[]) => Promise<void>): Column<LockItem>[] {
  return [
    {
      id: 'document',
      title: t('common.document'),
      value: (lock) => lock.path,
      render: (lock) => <DocumentCell path={lock.path} />,
      width: { min: 146, grow: 2 },
      isRowHeader: true,
    },
    {
      id: 'state',
      title: t('window.state'),
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
      title: t('window.editor'),
      value: (lock) => lock.editor,
      render: ({ editor }) => <EditorCell name={editor} />,
      width: { min: 156, grow: 1 },
      priority: 1,
    },
    {
      id: 'since',
      title: t('window.since'),
      value: (lock) => lock.takenAtMs,
      kind: 'time',
      width: { min: 86 },
      priority: 2,
    },
    {
      id: 'clear',
      title: t('common.force-clear'),
      value: () => null,
      render: (lock) =>
        lock.state === 'stale' && (
          <RowButton
            label={t('window.force-clear-file', { file: splitPath(lock.path).name })}
            onPress={() => void forceClear([lock])}
          >
            {t('window.force-clear')}
          </RowButton>
        ),
      width: { min: textWidth(t('window.force-clear')) + 46 },
      priority: 3,
      isInPanel: true,
      isTitleHidden: true,
      isSortable: false,
    },
  ];
}

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
          rows.length > 1 ? t('window.force-clear-count', { count: rows.length }) : t('window.force-clear'),
        icon: 'unlock',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        run: (rows) => void forceClear(rows),
      },
      {
        id: 'sessions',
        title: t('window.show-sessions'),
        icon: 'sessions',
        takesMany: false,
        run: ([lock]) => {
          if (lock !== undefined) go('sessions', lock.path);
        },
      },
      {
        id: 'show',
        title: t('window.show-in-documents'),
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
    <View title={t('common.locks')} subtitle={summary(locks.length, stale.length)} isFilled>
      <DataTable
        label={t('common.locks')}
        count={(count) => t('window.locks', { count })}
        isCountBrief
        filterLabel={t('window.filter-locks')}
        columns={columns}
        rows={locks}
        defaultSort={{ column: 'state', isDescending: false }}
        actions={actions}
        selection={selection}
        toolbar={
          stale.some(({ id }) => !selected.has(id)) &&
          stale.length > 1 && (
            <Button onPress={() => setSelected(new Set(stale.map(({ id }) => id)))}>
              {t('window.select-count-stale', { count: stale.length })}
            </Button>
          )
        }
        reveal={useReveal('locks', locks)}
        detail={(lock, frame) => (
          <LockDetail key={lock.id} lock={lock} frame={frame} onForceClear={() => void forceClear([lock])} />
        )}
        empty={
          isAway
            ? { icon: 'locks', sentence: t('window.locks-appear-here-once-doctray') }
            : {
                icon: 'locks',
                sentence: t('window.no-document-is-locked-locks'),
                action: <Button onPress={() => go('documents')}>{t('window.show-documents')}</Button>,
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
    return t('window.documents-are-being-edited', {
      count,
    });
  return t('window.documents-are-being-edited-locks', { held: count - stale, stale });
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
        name !== lock.path && { name: t('common.document'), value: lock.path },
        { name: t('window.user'), value: lock.userName ?? lock.user },
        { name: t('window.editor'), value: lock.editor },
        { name: t('window.since'), value: <TimeFact atMs={lock.takenAtMs} /> },
        { name: t('window.refreshed'), value: <TimeFact atMs={lock.refreshedAtMs} /> },
        { name: t('window.expires'), value: <TimeFact atMs={lock.expiresAtMs} /> },
        { name: t('window.lock-id'), value: <LockId lock={lock} /> },
      ]}
      actions={
        <>
          <Button look={lock.state === 'stale' ? 'primary' : 'plain'} onPress={props.onForceClear}>
            {t('window.force-clear')}
          </Button>
          <Button onPress={() => go('documents', lock.path, lock.id)}>{t('window.show-in-documents')}</Button>
        </>
      }
    >
      <DetailSection title={t('common.sessions')}>
        {own.length === 0 ? (
          <p className="muted">{t('window.no-editor-is-connected')}</p>
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
            of="window.mode-active-when"
            values={{ mode: modeWords[modeOf(session)], when: <RelativeTime atMs={session.lastCallAtMs} /> }}
          />
        </div>
      </div>
      <Button look="quiet" onPress={() => void endSessions([session])}>
        {t('window.end-session')}
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
  const forceClear = useAction('locks.forceClear', {
    failure: t('window.cant-clear-the-locks'),
    canOverlap: true,
  });
  const undoForceClear = useAction('locks.undoForceClear', {
    failure: t('window.cant-restore-the-lock'),
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
              ? t('window.file-is-locked-again', { file: nameOf(first) })
              : t('window.locks-restored', {
                  count: outcome.done.length,
                }),
        });
      }
      showFailures(toasts, outcome, (count) => t('window.cant-restore-locks', { count }));
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
            ? t('window.force-clear-the-lock-on', { file: nameOf(first) })
            : t('window.force-clear-locks', {
                count: locks.length,
              }),
        body: <Consequences locks={locks} />,
        confirm: t('common.force-clear'),
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
              ? t('common.lock-on-file-cleared', { file: nameOf(done[0]) })
              : t('window.locks-cleared', { count: done.length }),
          ...(undoUntilMs === null
            ? {}
            : { action: { label: t('common.undo'), run: () => void undo(done) }, untilMs: undoUntilMs }),
        });
      }
      showFailures(toasts, result, (count) => t('window.cant-clear-locks', { count }));
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
          ? t('window.file-reason', values)
          : t('window.file-reason-and-more', values),
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
            ? t('window.user-is-editing-this-document', { user: holderOf(firstLive) })
            : t('window.documents-are-being-edited-now', { count: live.length })}
        </Notice>
      )}
      <p>
        {firstLive === undefined && first?.stale != null && locks.length === 1 && (
          <>{staleSentence(first.stale, nowMs)} </>
        )}
        {ofTextEditor.length < locks.length &&
          (firstLive === undefined
            ? t('window.if-the-editor-reconnects-its')
            : t('window.the-editors-next-save-is'))}{' '}
        {ofTextEditor.length > 0 && t('window.unsaved-text-stays-on-the')}
      </p>
      <p className="muted">{t('window.you-can-undo-this-for')}</p>
    </>
  );
}
