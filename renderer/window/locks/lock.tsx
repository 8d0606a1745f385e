// A lock's state as a sentence: who is editing, or why it is stale. Force-clear: asks, clears, and offers Undo for as long as the host can
// restore the lock.

import { useCallback } from 'react';
import { staleSentence } from '../../../app/contract/attention.ts';
import { formatDuration } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { Outcome } from '../../../app/contract/results.ts';
import type { LockItem } from '../../../app/contract/state.ts';
import { useAction } from '../parts/action.tsx';
import { ItemList, Notice, useConfirm } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { useToasts, type Toasts } from '../parts/toast.tsx';
import { hostTime } from '../state/clock.ts';

/** The name others see; a lock may come without one. */
export function holderOf(lock: LockItem): string {
  return lock.userName ?? lock.user ?? t('another user');
}

/** `Editing: Ana`, `Stale: Ana, gone 22 min`, `Stale: Ana, token revoked`. */
export function lockWords(lock: LockItem, nowMs: number): string {
  return lock.stale?.kind === 'silent'
    ? t('Stale: {user}, gone {duration}', {
        user: holderOf(lock),
        duration: formatDuration(nowMs - lock.stale.quietSinceMs),
      })
    : lockStateText(lock);
}

/** For filtering and export: without a duration, which would change every minute. */
export function lockStateText(lock: LockItem): string {
  const user = holderOf(lock);
  switch (lock.stale?.kind) {
    case undefined:
      return t('Editing: {user}', { user });
    case 'silent':
      return t('Stale: {user}, editor gone', { user });
    case 'expired':
      return t('Stale: {user}, token expired', { user });
    case 'revoked':
      return t('Stale: {user}, token revoked', { user });
  }
}

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
                '{count, plural, one {# of these documents is being edited now.} other {# of these documents are being edited now.}}',
                { count: live.length },
              )}
        </Notice>
      )}
      <p>
        {firstLive === undefined && first?.stale != null && locks.length === 1 && (
          <>{staleSentence(first.stale, nowMs)} </>
        )}
        {firstLive === undefined
          ? t('If the editor reconnects, its next save goes to Recovered saves instead of the file.')
          : t('The editor’s next save is rejected with a message, and its content goes to Recovered saves.')}
      </p>
      <p className="muted">{t('You can undo this for 10 seconds.')}</p>
    </>
  );
}
