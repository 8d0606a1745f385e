// Force-clear: the button of a stale lock, what the host asks before it, and Undo after it.

import { useMemo } from 'react';
import { t } from '../../../app/contract/messages.ts';
import type { LockItem } from '../../../app/contract/state.ts';
import { ItemList, Notice } from '../../kit/dialog.tsx';
import { useBulkAction, type BulkWords } from '../lists/list.tsx';
import { splitPath } from '../parts/format.ts';
import { hostTime } from '../state/clock.ts';
import { useWindowState } from '../state/window-context.tsx';
import { holderOf, lockWords, staleWords } from './words.ts';

export function isStale({ state }: LockItem): boolean {
  return state === 'stale';
}

const restoring: BulkWords<'locks.undoForceClear', { id: string }> = {
  failure: t('window.cant-restore-the-lock'),
  done: ([first, ...others]) =>
    others.length === 0
      ? t('window.file-is-locked-again', { file: splitPath(first?.path ?? '').name })
      : t('window.locks-restored', { count: others.length + 1 }),
  failed: (count) => t('window.cant-restore-locks', { count }),
};

/** Asks, clears, and offers Undo for as long as the host can restore the lock. Never throws: failures are shown as messages. */
export function useForceClear(): (locks: readonly LockItem[]) => Promise<void> {
  const undo = useBulkAction('locks.undoForceClear', restoring);
  const words = useMemo<BulkWords<'locks.forceClear', LockItem>>(
    () => ({
      question: (locks) => ({
        title:
          locks.length === 1
            ? t('window.force-clear-the-lock-on', { file: splitPath(locks[0]?.path ?? '').name })
            : t('window.force-clear-locks', { count: locks.length }),
        body: <Consequences locks={locks} />,
        confirm: t('common.force-clear'),
        isDanger: !locks.every(isStale),
      }),
      failure: t('window.cant-clear-the-locks'),
      done: ([first, ...others]) =>
        others.length === 0
          ? t('common.lock-on-file-cleared', { file: splitPath(first?.path ?? '').name })
          : t('window.locks-cleared', { count: others.length + 1 }),
      failed: (count) => t('window.cant-clear-locks', { count }),
      more: ({ done, undoUntilMs }) =>
        undoUntilMs === null
          ? {}
          : { action: { label: t('common.undo'), run: () => void undo(done) }, untilMs: undoUntilMs },
    }),
    [undo],
  );
  return useBulkAction('locks.forceClear', words);
}

/** One sentence on what the holder will see; with more than one lock, which ones. */
function Consequences({ locks }: { locks: readonly LockItem[] }) {
  const nowMs = hostTime();
  // Only its page has the text: its refresh fails, so no save follows.
  const textEditor = useWindowState(
    ({ editors }) => editors.find(({ kind }) => kind === 'text-editor')?.name,
  );
  const owner = useWindowState(({ users }) => users.find(({ role }) => role === 'owner')?.login);
  const ofTextEditor = locks.filter(({ editor }) => editor !== null && editor === textEditor);
  const live = locks.filter((lock) => !isStale(lock));
  const [first] = locks;
  const [firstLive] = live;
  return (
    <>
      {locks.length > 1 && (
        <ItemList
          // Locks that an editor still holds come first: clearing them affects another user.
          items={[...live, ...locks.filter(isStale)].map((lock) => ({
            id: lock.id,
            name: splitPath(lock.path).name,
            detail: lockWords(lock, nowMs),
          }))}
        />
      )}
      {firstLive !== undefined && (
        <Notice tone="bad">
          {locks.length === 1
            ? firstLive.user === owner
              ? t('window.youre-editing-this-document')
              : t('window.user-is-editing-this-document', { user: holderOf(firstLive) })
            : t('window.documents-are-being-edited-now', { count: live.length })}
        </Notice>
      )}
      <p>
        {first !== undefined && locks.length === 1 && `${staleWords(first, nowMs)} `}
        {ofTextEditor.length < locks.length &&
          (firstLive === undefined
            ? t('window.if-the-editor-reconnects-its')
            : t('window.the-editors-next-save-will'))}{' '}
        {ofTextEditor.length > 0 && t('window.unsaved-text-stays-on-the')}
      </p>
      <p className="muted">{t('window.you-can-undo-this-for')}</p>
    </>
  );
}
