// How parts and views call commands: `useAction` for what a button does, `useTask` for several commands in a row, `useCommandResult`
// for what is shown. Each has its pending state and its error, and nothing is thrown. And what every view builds on them: the copy button,
// and long work.

import { useCallback, useEffect, useRef, useState } from 'react';
import type { CommandArgs, CommandName, CommandResult } from '../../../app/commands/commands.ts';
import { capitalized, formatSize } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { JobItem } from '../../../app/contract/state.ts';
import { errorOf, isDeclined, type Call, type CallError } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import { IconButton, Button } from '../../kit/button.tsx';
import { useConfirm, type Question } from '../../kit/dialog.tsx';
import { useToasts } from '../../kit/toast.tsx';
import { ListRow, Progress } from '../../kit/blocks.tsx';

interface Task<Args, Result> {
  /** Undefined when it failed, wasn't confirmed or is running already. Its identity is stable. */
  run(args: Args): Promise<Result | undefined>;
  isPending: boolean;
  /** Why the last run failed. */
  problem: CallError | null;
  forget(): void;
}

interface TaskOptions<Args, Result> {
  /** The toast's first line when it fails: `Could not end the session`. Left out: no toast, the page shows `problem`. */
  failure?: string | ((args: Args) => string);
  /** The toast when it is done; left out: none. */
  success?: string | ((result: Result, args: Args) => string);
  /** Asked first; undefined: nothing. */
  question?: (args: Args) => Question | undefined;
  /** A second run starts although the first hasn't ended: no confirmation and no Undo may be lost. */
  canOverlap?: boolean;
}

/** @example const save = useTask(async (call, name: string) => (await call('documents.rename', { path, name })).path); */
export function useTask<Result, Args = void>(
  task: (call: Call, args: Args) => Promise<Result>,
  options: TaskOptions<Args, Result> = {},
): Task<Args, Result> {
  const call = useCall();
  const toasts = useToasts();
  const confirm = useConfirm();
  const [running, setRunning] = useState(0);
  const [problem, setProblem] = useState<CallError | null>(null);
  const isRunning = useRef(false);
  const latest = useRef({ task, ...options });
  latest.current = { task, ...options };

  const run = useCallback(
    async (args: Args) => {
      if (isRunning.current && latest.current.canOverlap !== true) return undefined;
      const question = latest.current.question?.(args);
      if (question !== undefined && !(await confirm(question))) return undefined;
      isRunning.current = true;
      setRunning((count) => count + 1);
      setProblem(null);
      const failureTitle = () => {
        const { failure } = latest.current;
        return typeof failure === 'function' ? failure(args) : failure;
      };
      try {
        const result = await latest.current.task(call, args);
        const { success, canOverlap } = latest.current;
        const failed = failureTitle();
        if (failed !== undefined && canOverlap !== true) toasts.closeFailures(failed);
        if (success !== undefined) {
          const title = typeof success === 'string' ? success : success(result, args);
          toasts.show({ tone: 'good', title });
        }
        return result;
      } catch (thrown) {
        const error = errorOf(thrown);
        setProblem(error);
        const title = failureTitle();
        if (title !== undefined && !isDeclined(error)) {
          toasts.closeFailures(title, error.message);
          toasts.show({ tone: 'bad', title, detail: error.message });
        }
        return undefined;
      } finally {
        isRunning.current = false;
        setRunning((count) => count - 1);
      }
    },
    [call, toasts, confirm],
  );
  return { run, isPending: running > 0, problem, forget: useCallback(() => setProblem(null), []) };
}

/**
 * One command.
 * @example
 * const copy = useAction('app.copyText', { failure: 'Could not copy', success: 'Address copied' });
 * <Button isPending={copy.isPending} onPress={() => void copy.run({ text })}>Copy</Button>
 */
export function useAction<Name extends CommandName>(
  name: Name,
  options?: TaskOptions<CommandArgs<Name>, CommandResult<Name>>,
): Task<CommandArgs<Name>, CommandResult<Name>> {
  return useTask(async (call, args: CommandArgs<Name>) => call(name, args), options);
}

interface Answer<Result> {
  /** Undefined until there is one for these arguments. The last one stays while a newer one is on its way. */
  answer: Result | undefined;
  /** Why the last call failed. */
  problem: CallError | null;
  /** Loads again. Its identity is stable for the same arguments. */
  reload(): void;
}

interface LoadOptions {
  /** Loads again when it changes. */
  reloadKey?: unknown;
  /** Also reloads at this interval. */
  everyMs?: number;
}

/**
 * The result of one command, while the component is shown. An older answer never replaces a newer one.
 * @param args undefined loads nothing
 */
export function useCommandResult<Name extends CommandName>(
  name: Name,
  args: CommandArgs<Name> | undefined,
  options?: LoadOptions,
): Answer<CommandResult<Name>> {
  const key = args === undefined ? undefined : JSON.stringify(args);
  return useLoad(key, async (call) => call(name, args as CommandArgs<Name>), options);
}

/** The same for several commands. @param key a change loads again; undefined loads nothing */
export function useLoad<Result>(
  key: string | undefined,
  load: (call: Call) => Promise<Result>,
  { reloadKey, everyMs }: LoadOptions = {},
): Answer<Result> {
  const call = useCall();
  const [shown, setShown] = useState<{
    key: string;
    request: number;
    answer?: Result;
    problem: CallError | null;
  }>();
  const requests = useRef(0);
  const latest = useRef(load);
  latest.current = load;
  const start = useCallback(() => {
    if (key === undefined) return;
    requests.current += 1;
    const request = requests.current;
    const show = (next: { answer?: Result; problem: CallError | null }) =>
      setShown((before) => {
        if (before !== undefined && before.request > request) return before;
        return { ...(before?.key === key && before), ...next, key, request };
      });
    latest.current(call).then(
      (answer) => show({ answer, problem: null }),
      (error: unknown) => show({ problem: errorOf(error) }),
    );
  }, [call, key]);
  useEffect(start, [start, reloadKey]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(start, everyMs);
    return () => clearInterval(timer);
  }, [start, everyMs]);
  const reload = useCallback(() => {
    setShown((before) => before && { ...before, problem: null });
    start();
  }, [start]);
  const current = shown?.key === key ? shown : undefined;
  return { answer: current?.answer, problem: current?.problem ?? null, reload };
}

/** `what` completes `Copy …` and `… copied`: `address`. */
export function CopyButton(props: { text: string; what: string }) {
  const { what } = props;
  const copy = useAction('app.copyText', {
    failure: t('window.couldnt-copy-the-what', { what }),
    success: t('window.what-copied', { what: capitalized(what) }),
  });
  return (
    <IconButton
      icon="copy"
      label={t('window.copy-what', { what })}
      isPending={copy.isPending}
      onPress={() => void copy.run({ text: props.text })}
    />
  );
}

// Long work, in the Overview and the documents.

const jobMarks = {
  running: { icon: 'refresh', tone: 'info' },
  done: { icon: 'good', tone: 'good' },
  failed: { icon: 'error', tone: 'bad' },
  canceled: { icon: 'dash', tone: 'muted' },
} as const;

/** `12 of 40 files`, `3 MB`. */
function amountOf({ done, total, unit }: JobItem): string {
  if (unit === 'bytes') {
    return total === null
      ? formatSize(done)
      : t('window.done-of-total', { done: formatSize(done), total: formatSize(total) });
  }
  return total === null ? t('window.files', { count: done }) : t('window.done-of-files', { done, total });
}

/** How far it is or its result, and the button that cancels it, or takes it off the list once it isn't running. */
export function JobRow({ job }: { job: JobItem }) {
  const { state, title, done, total, sentence } = job;
  const amount = amountOf(job);
  const result =
    state === 'canceled'
      ? t('window.canceled-after-progress', { progress: amount })
      : t('window.job-is-done');
  return (
    <ListRow
      {...jobMarks[state]}
      title={title}
      detail={
        state === 'running' ? (
          <div className="job-progress">
            <Progress
              label={title}
              value={total === null || total === 0 ? null : Math.min(1, done / total)}
              valueText={amount}
            />
            <span className="job-amount">{amount}</span>
          </div>
        ) : (
          <div role="status">{sentence ?? result}</div>
        )
      }
      actions={<JobButton job={job} />}
    />
  );
}

function JobButton({ job }: { job: JobItem }) {
  const cancel = useAction('jobs.cancel', { failure: t('window.couldnt-cancel-it') });
  const dismiss = useAction('jobs.dismiss', { failure: t('window.couldnt-dismiss-it') });
  return job.state === 'running' ? (
    <Button
      isDisabled={!job.canCancel}
      isPending={cancel.isPending}
      aria-label={t('window.cancel-job', { job: job.title })}
      onPress={() => void cancel.run({ id: job.id })}
    >
      {t('common.cancel')}
    </Button>
  ) : (
    <IconButton
      icon="close"
      label={t('window.dismiss-job', { job: job.title })}
      onPress={() => void dismiss.run({ id: job.id })}
    />
  );
}
