// Moves documents, also to the trash, with what is shown afterwards: Undo, and why some stayed. And long work that is running or was
// started in the view: its progress, Cancel, and its result.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { parentOf } from '../../../app/contract/names.ts';
import type { Outcome } from '../../../app/contract/results.ts';
import type { JobItem } from '../../../app/contract/state.ts';
import { JobButton, jobAmount, jobMarks, JobProgress, jobResult } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { useToasts } from '../../kit/toast.tsx';
import { errorOf, sentenceOf, type Call } from '../state/call.ts';
import { hostTime } from '../state/clock.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';

/** Per command. */
const maxPaths = 1000;
const undoMs = 10_000;

interface Failures {
  title: string;
  failed: Outcome['failed'];
  /** For names that are taken in the target folder. */
  keepBoth?: () => void;
}

interface DocumentChanges {
  /** To another folder. */
  move(paths: readonly string[], folderPath: string, folderName: string): Promise<void>;
  trash(paths: readonly string[]): Promise<void>;
  failures: Failures | undefined;
  closeFailures(): void;
}

export function useDocumentChanges(onDone: () => void): DocumentChanges {
  const call = useCall();
  const toasts = useToasts();
  const [failures, setFailures] = useState<Failures>();

  const showFailed = useCallback(
    (one: string, many: string, failed: Outcome['failed'], keepBoth?: () => void) => {
      const [failure] = failed;
      if (failed.length !== 1 || failure === undefined || keepBoth !== undefined) {
        setFailures(
          failed.length === 0
            ? undefined
            : { title: failed.length === 1 ? one : many, failed, ...(keepBoth && { keepBoth }) },
        );
      } else toasts.show({ tone: 'bad', title: one, detail: failure.message });
    },
    [toasts],
  );

  const move = useCallback(
    async (paths: readonly string[], folderPath: string, folderName: string, keepsBoth = false) => {
      const outcome = await inParts(paths, (some) =>
        call('documents.move', { paths: some, folderPath, keepsBoth }),
      );
      onDone();
      const moved = outcome.done.filter(({ path, from }) => path !== from);
      const [first] = moved;
      if (first !== undefined) {
        toasts.show({
          tone: 'good',
          title: t('window.moved-items-to-folder', {
            count: moved.length,
            name: splitPath(first.path).name,
            folder: folderName,
          }),
          untilMs: hostTime() + undoMs,
          action: {
            label: t('common.undo'),
            run: () =>
              void moveBack(call, moved).then((failed) => {
                onDone();
                showFailed(
                  t('window.cant-move-name-back', { name: nameOf(failed) }),
                  t('window.items-cant-be-moved-back', {
                    count: failed.length,
                  }),
                  failed,
                );
              }),
          },
        });
      }
      const { failed } = outcome;
      const taken = failed.filter(({ code }) => code === 'target-taken').map(({ path }) => path);
      showFailed(
        t('window.cant-move-name', { name: nameOf(failed) }),
        t('window.items-werent-moved', { count: failed.length }),
        failed,
        taken.length === 0 ? undefined : () => void move(taken, folderPath, folderName, true),
      );
    },
    [call, onDone, showFailed, toasts],
  );

  const trash = useCallback(
    async (paths: readonly string[]) => {
      const undos: string[] = [];
      const gone: string[] = [];
      let untilMs = 0;
      const { done, failed } = await inParts(paths, async (some) => {
        const outcome = await call('documents.trash', { paths: some });
        gone.push(...outcome.gone);
        if (outcome.undo !== null) undos.push(outcome.undo.id);
        // The first one that expires.
        if (outcome.undo !== null && undos.length === 1) untilMs = outcome.undo.untilMs;
        return outcome;
      });
      onDone();
      const [first] = done;
      const undo = async () => {
        const stayed: Outcome['failed'] = [];
        const renamed: { path: string; from: string }[] = [];
        try {
          for (const id of undos.toReversed()) {
            const back = await call('documents.undoTrash', { id });
            stayed.push(...back.failed);
            renamed.push(...back.done.filter(({ path, from }) => path !== from));
          }
        } catch (error) {
          toasts.show({ tone: 'bad', title: t('window.cant-undo-this'), detail: sentenceOf(error) });
        }
        onDone();
        for (const { path, from } of renamed) {
          const [name, now] = [splitPath(from).name, splitPath(path).name];
          toasts.show({
            tone: 'info',
            title: t('window.name-is-back-as-now', { name, now }),
            detail: t('window.its-old-name-is-taken'),
          });
        }
        showFailed(
          t('window.cant-put-name-back', { name: nameOf(stayed) }),
          t('window.items-stayed-in-the-trash', { count: stayed.length }),
          stayed,
        );
      };
      if (first !== undefined) {
        toasts.show({
          tone: 'good',
          title: t('window.moved-items-to-the-trash', {
            count: done.length,
            name: splitPath(first.path).name,
          }),
          ...(gone.length > 0 && {
            detail: t('window.were-already-gone', {
              count: gone.length,
            }),
          }),
          ...(undos.length > 0 && { untilMs, action: { label: t('common.undo'), run: () => void undo() } }),
        });
      } else if (gone[0] !== undefined) {
        toasts.show({
          tone: 'info',
          title: t('window.items-were-already-gone', {
            count: gone.length,
            name: splitPath(gone[0]).name,
          }),
        });
      }
      showFailed(
        t('window.cant-move-name-to-the', { name: nameOf(failed) }),
        t('window.items-werent-moved-to-the', {
          count: failed.length,
        }),
        failed,
      );
    },
    [call, onDone, showFailed, toasts],
  );

  return { move, trash, failures, closeFailures: useCallback(() => setFailures(undefined), []) };
}

function nameOf([first]: Outcome['failed']): string {
  return first === undefined ? '' : splitPath(first.path).name;
}

/** Doesn't throw: what fails as a whole is one failure for each path. */
async function inParts<Part extends Outcome>(
  paths: readonly string[],
  run: (some: string[]) => Promise<Part>,
): Promise<{ done: Part['done']; failed: Outcome['failed'] }> {
  const all: { done: Part['done']; failed: Outcome['failed'] } = { done: [], failed: [] };
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
async function moveBack(
  call: Call,
  moved: readonly { path: string; from: string }[],
): Promise<Outcome['failed']> {
  const failed: Outcome['failed'] = [];
  for (const [folderPath, some] of Map.groupBy(moved, ({ from }) => parentOf(from))) {
    const paths = some.map(({ path }) => path);
    failed.push(
      ...(await inParts(paths, (part) => call('documents.move', { paths: part, folderPath }))).failed,
    );
  }
  return failed;
}

/** What couldn't be done with several, each with its reason. */
export function FailuresDialog({ failures, onClose }: { failures: Failures | undefined; onClose(): void }) {
  const keepBoth = failures?.keepBoth;
  return (
    <Dialog
      title={failures?.title ?? ''}
      isOpen={failures !== undefined}
      onClose={onClose}
      width="wide"
      footer={
        <>
          <Button look={keepBoth === undefined ? 'primary' : 'plain'} onPress={onClose} autoFocus>
            {t('common.close')}
          </Button>
          {keepBoth !== undefined && (
            <Button
              look="primary"
              onPress={() => {
                onClose();
                keepBoth();
              }}
            >
              {t('window.keep-both')}
            </Button>
          )}
        </>
      }
    >
      <ul className="documents-failures">
        {failures?.failed.map(({ id, path, message }) => (
          <li key={id}>
            <div className="documents-failure-path">{path}</div>
            <div className="muted">{message}</div>
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
    <div className="documents-jobs">
      {jobs.map((job) => (
        <Job key={job.id} job={job} />
      ))}
    </div>
  );
}

function Job({ job }: { job: JobItem }) {
  const { icon, tone } = jobMarks[job.state];
  const isRunning = job.state === 'running';
  return (
    <div className={`documents-job tone-${tone}`}>
      <Icon name={icon} />
      <div className="documents-job-words" role={isRunning ? undefined : 'status'}>
        <span>{job.title}</span> <span className="muted">{isRunning ? jobAmount(job) : jobResult(job)}</span>
        {isRunning && <JobProgress job={job} />}
      </div>
      <JobButton job={job} />
    </div>
  );
}
