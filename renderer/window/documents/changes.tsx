// Moves documents, also to the trash, with what is shown afterwards: Undo, and why some stayed. And long work that is running or was
// started in the view: its progress, Cancel, and its result.

import { useEffect, useMemo, useRef, useState } from 'react';
import { t, type MessageKey } from '../../../app/contract/messages.ts';
import { parentOf } from '../../../app/contract/names.ts';
import type { Outcome } from '../../../app/contract/results.ts';
import { JobRow } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { useToasts } from '../../kit/toast.tsx';
import { errorOf, sentenceOf, type Call } from '../state/call.ts';
import { hostTime } from '../state/clock.ts';
import { useCall, useNavigation, useWindowState } from '../state/window-context.tsx';

/** Per command. */
const maxPaths = 1000;
const undoMs = 10_000;

interface Failures {
  title: string;
  failed: Failed;
  /** For names that are taken in the target folder. */
  keepBoth?: () => void;
}

type Failed = Outcome['failed'];

const nameOf = (failed: readonly { path: string }[]) => splitPath(failed[0]?.path ?? '').name;

/** Moves and trashes documents, and shows the result. @param onDone what is shown may have changed */
export function useDocumentChanges(onDone: () => void) {
  const call = useCall();
  const toasts = useToasts();
  const [failures, setFailures] = useState<Failures>();

  /** `one` and `many` are titles: why one item wasn't changed, or several. */
  const showFailed = (one: MessageKey, many: MessageKey, failed: Failed, keepBoth?: () => void) => {
    const [failure] = failed;
    if (failure === undefined) return;
    const title = failed.length === 1 ? t(one, { name: nameOf(failed) }) : t(many, { count: failed.length });
    if (failed.length > 1 || keepBoth !== undefined)
      setFailures({ title, failed, ...(keepBoth && { keepBoth }) });
    else toasts.show({ tone: 'bad', title, detail: failure.message });
  };
  const undoAction = (run: () => Promise<void>) => ({
    label: t('common.undo'),
    run: () => void run().finally(onDone),
  });

  const move = async (
    paths: readonly string[],
    folderPath: string,
    folderName: string,
    keepsBoth = false,
  ): Promise<void> => {
    const { done, failed } = await inParts(paths, (some) =>
      call('documents.move', { paths: some, folderPath, keepsBoth }),
    );
    onDone();
    const moved = done.filter(({ path, from }) => path !== from);
    const undo = async () =>
      showFailed(
        'window.cant-move-name-back',
        'window.items-cant-be-moved-back',
        await moveBack(call, moved),
      );
    if (moved.length > 0)
      toasts.show({
        tone: 'good',
        title: t('window.moved-items-to-folder', {
          count: moved.length,
          name: nameOf(moved),
          folder: folderName,
        }),
        untilMs: hostTime() + undoMs,
        action: undoAction(undo),
      });
    const taken = failed.filter(({ code }) => code === 'target-taken').map(({ path }) => path);
    showFailed(
      'window.cant-move-name',
      'window.items-werent-moved',
      failed,
      taken.length === 0 ? undefined : () => void move(taken, folderPath, folderName, true),
    );
  };

  const undoTrash = async (ids: readonly string[]) => {
    const stayed: Failed = [];
    const renamed: { path: string; from: string }[] = [];
    try {
      for (const id of ids.toReversed()) {
        const back = await call('documents.undoTrash', { id });
        stayed.push(...back.failed);
        renamed.push(...back.done.filter(({ path, from }) => path !== from));
      }
    } catch (error) {
      toasts.show({ tone: 'bad', title: t('window.cant-undo-this'), detail: sentenceOf(error) });
    }
    for (const { path, from } of renamed)
      toasts.show({
        tone: 'info',
        title: t('window.name-is-back-as-now', { name: splitPath(from).name, now: splitPath(path).name }),
        detail: t('window.its-old-name-is-taken'),
      });
    showFailed('window.cant-put-name-back', 'window.items-stayed-in-the-trash', stayed);
  };

  const trash = async (paths: readonly string[]) => {
    const undos: { id: string; untilMs: number }[] = [];
    const gone: string[] = [];
    const { done, failed } = await inParts(paths, async (some) => {
      const outcome = await call('documents.trash', { paths: some });
      gone.push(...outcome.gone);
      if (outcome.undo !== null) undos.push(outcome.undo);
      return outcome;
    });
    onDone();
    // The first one that expires.
    const [undo] = undos;
    if (done.length > 0)
      toasts.show({
        tone: 'good',
        title: t('window.moved-items-to-the-trash', { count: done.length, name: nameOf(done) }),
        ...(gone.length > 0 && { detail: t('window.were-already-gone', { count: gone.length }) }),
        ...(undo !== undefined && {
          untilMs: undo.untilMs,
          action: undoAction(async () => undoTrash(undos.map(({ id }) => id))),
        }),
      });
    else if (gone.length > 0)
      toasts.show({
        tone: 'info',
        title: t('window.items-were-already-gone', {
          count: gone.length,
          name: splitPath(gone[0] ?? '').name,
        }),
      });
    showFailed('window.cant-move-name-to-the', 'window.items-werent-moved-to-the', failed);
  };

  return { move, trash, failures, closeFailures: () => setFailures(undefined) };
}

/** Doesn't throw: what fails as a whole is one failure for each path. */
async function inParts<Part extends Outcome>(
  paths: readonly string[],
  run: (some: string[]) => Promise<Part>,
): Promise<{ done: Part['done']; failed: Failed }> {
  const all: { done: Part['done']; failed: Failed } = { done: [], failed: [] };
  for (let start = 0; start < paths.length; start += maxPaths) {
    const some = paths.slice(start, start + maxPaths);
    try {
      const { done, failed } = await run(some);
      all.done.push(...done);
      all.failed.push(...failed);
    } catch (error) {
      const { code, message } = errorOf(error);
      all.failed.push(...some.map((path) => ({ id: path, path, message, code })));
    }
  }
  return all;
}

/** Each to the folder it came from. */
async function moveBack(call: Call, moved: readonly { path: string; from: string }[]): Promise<Failed> {
  const failed: Failed = [];
  for (const [folderPath, some] of Map.groupBy(moved, ({ from }) => parentOf(from))) {
    const paths = some.map(({ path }) => path);
    const back = await inParts(paths, (part) => call('documents.move', { paths: part, folderPath }));
    failed.push(...back.failed);
  }
  return failed;
}

/** What couldn't be done with several, each with its reason. */
export function FailuresDialog({ failures, onClose }: { failures: Failures | undefined; onClose(): void }) {
  const keepBoth = failures?.keepBoth;
  const { go } = useNavigation();
  return (
    <Dialog
      title={failures?.title ?? ''}
      isOpen={failures !== undefined}
      onClose={onClose}
      width="wide"
      close={t('common.close')}
      focusesClose
      buttons={
        failures?.failed.some(({ code }) => code === 'file-locked') === true && (
          <Button onPress={() => go('locks')}>{t('window.show-locks')}</Button>
        )
      }
      confirm={
        keepBoth && {
          label: t('window.keep-both'),
          onPress: () => {
            onClose();
            keepBoth();
          },
        }
      }
    >
      <ul className="section-body">
        {failures?.failed.map(({ id, path, message }) => (
          <li key={id} className="line list-row">
            <div className="grow list-words">
              <div className="item-name">{path}</div>
              <div className="muted">{message}</div>
            </div>
          </li>
        ))}
      </ul>
      {keepBoth !== undefined && <p className="muted">{t('window.keep-both-adds-a-number')}</p>}
    </Dialog>
  );
}

/** `onEnd` is called once for each that ended. */
export function DocumentJobs(props: { ids: readonly string[]; onEnd(): void }) {
  const { ids, onEnd } = props;
  const all = useWindowState((state) => state.jobs);
  const jobs = useMemo(
    () => all.filter(({ id, state }) => ids.includes(id) || state === 'running'),
    [all, ids],
  );
  const reported = useRef(new Set<string>());
  useEffect(() => {
    for (const { id, state } of jobs) {
      if (state === 'running' || reported.current.has(id)) continue;
      reported.current.add(id);
      onEnd();
    }
  }, [jobs, onEnd]);
  return jobs.length === 0 ? null : (
    <div className="stack documents-jobs">
      {jobs.map((job) => (
        <div key={job.id} className="section-body">
          <JobRow job={job} />
        </div>
      ))}
    </div>
  );
}
