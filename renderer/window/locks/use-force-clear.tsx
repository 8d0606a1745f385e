// Force-clear: asks with everything the user must know, clears, and offers the way back for as long as the host keeps it.

import { useCallback } from 'react';
import type { Outcome } from '../../../app/contract/results.ts';
import type { LockItem } from '../../../app/contract/state.ts';
import { Notice, useConfirm } from '../parts/dialog.tsx';
import { countOf, formatDuration } from '../../../app/contract/format.ts';
import { splitPath } from '../parts/format.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import { holderOf, staleSentence } from './lock-words.ts';
import { hostTime } from '../state/host-clock.ts';

/** Asks, then clears. Never throws: what goes wrong is a message. */
export function useForceClear(): (locks: readonly LockItem[]) => Promise<void> {
  const call = useCall();
  const confirm = useConfirm();
  const toasts = useToasts();

  const undo = useCallback(
    async (wanted: readonly { id: string; path: string }[]) => {
      try {
        const outcome = await call('locks.undoForceClear', { ids: wanted.map(({ id }) => id) });
        if (outcome.done.length > 0) {
          const holds = wanted.length === 1 ? `${nameOf(wanted[0])} is locked again, as it was` : undefined;
          toasts.show({
            tone: 'good',
            title: holds ?? `${countOf(outcome.done.length, 'lock')} put back, as they were`,
          });
        }
        tellFailures(toasts, outcome, 'not put back');
      } catch (error) {
        toasts.show({ tone: 'bad', title: 'Could not put the lock back', detail: sentenceOf(error) });
      }
    },
    [call, toasts],
  );

  return useCallback(
    async (locks) => {
      const [first] = locks;
      if (first === undefined) return;
      const isOne = locks.length === 1;
      const isSure = await confirm({
        title: isOne
          ? `Force-clear the lock on ${nameOf(first)}?`
          : `Force-clear ${countOf(locks.length, 'lock')}?`,
        body: <Consequences locks={locks} />,
        confirm: isOne ? 'Force-clear' : `Force-clear ${locks.length}`,
        isDanger: true,
        width: 'wide',
      });
      if (!isSure) return;
      try {
        const result = await call('locks.forceClear', { ids: locks.map(({ id }) => id) });
        const { undoUntilMs, done } = result;
        if (done.length > 0) {
          toasts.show({
            tone: 'info',
            title:
              done.length === 1
                ? `${nameOf(done[0])} is free`
                : `${countOf(done.length, 'document')} are free`,
            detail: done.length === 1 ? 'Its lock was force-cleared.' : 'Their locks were force-cleared.',
            ...(undoUntilMs === null
              ? {}
              : { action: { label: 'Undo', run: () => void undo(done) }, untilMs: undoUntilMs }),
          });
        }
        tellFailures(toasts, result, 'not cleared');
      } catch (error) {
        toasts.show({ tone: 'bad', title: 'Could not clear the locks', detail: sentenceOf(error) });
      }
    },
    [call, confirm, toasts, undo],
  );
}

function nameOf(item: { path: string } | undefined): string {
  return item === undefined ? '' : splitPath(item.path).name;
}

function tellFailures(toasts: ReturnType<typeof useToasts>, outcome: Outcome, what: string) {
  const [first] = outcome.failed;
  if (first === undefined) return;
  const others = outcome.failed.length - 1;
  toasts.show({
    tone: 'bad',
    title:
      outcome.failed.length === 1
        ? `${nameOf(first)}: ${what}`
        : `${countOf(outcome.failed.length, 'lock')} ${what}`,
    detail: others === 0 ? first.message : `${nameOf(first)}: ${first.message} And ${others} more.`,
  });
}

const shownAtMost = 8;

/** File, holder and age of each lock, and what its holder will meet. */
function Consequences(props: { locks: readonly LockItem[] }) {
  const { locks } = props;
  const nowMs = hostTime();
  const live = locks.filter((lock) => lock.state === 'held');
  const holders = [...new Set(live.map(holderOf))];
  const whose = holders.length === 1 ? holders[0] : `${holders.length} people`;
  // the ones somebody is at are the ones to think about
  const listed = [...live, ...locks.filter((lock) => lock.state === 'stale')];
  return (
    <>
      <ul className="item-list">
        {listed.slice(0, shownAtMost).map((lock) => (
          <li key={lock.id}>
            <div className="item-name">{lock.path}</div>
            <div className="muted">
              Held by {holderOf(lock)}
              {lock.editor !== null && ` in ${lock.editor}`} for {formatDuration(nowMs - lock.takenAtMs)}.{' '}
              {lock.state === 'stale' ? (
                staleSentence(lock, nowMs)
              ) : (
                <>
                  Last call <RelativeTime atMs={lock.lastCallAtMs} />.
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
      {locks.length > shownAtMost && <p className="muted">And {locks.length - shownAtMost} more.</p>}
      {live.length > 0 && (
        <Notice tone="warn">
          {live.length === 1 && locks.length === 1
            ? `${whose} is editing this document right now.`
            : `${whose} ${holders.length === 1 ? 'is' : 'are'} editing ${countOf(live.length, 'of these documents', 'of these documents')} right now.`}
        </Notice>
      )}
      <p>
        {live.length > 0
          ? 'Their editor’s next save is refused, with a message that the lock is gone. What it sent is kept here as a recovered save, so nothing that reached DocTray is lost. Others can open the document at once.'
          : 'Should the editor come back after all, its next save is refused and kept here as a recovered save. Others can open the document at once.'}
      </p>
      <p className="muted">You can undo this for 10 seconds.</p>
    </>
  );
}
