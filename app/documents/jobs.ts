// Long work with progress and a result, which the user can cancel. The last twenty finished jobs stay until the user dismisses them.

import { randomUUID } from 'node:crypto';
import { AppError, messageFor, type CallerName } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { JobItem } from '../contract/state.ts';

/** `total`: null if it isn't known yet. */
export type JobProgress = (done: number, total: number | null) => void;

/** Resolves with a sentence that says what was done. Must end soon after an abort; what it throws then isn't a failure. */
export type JobWork = (signal: AbortSignal, progress: JobProgress) => Promise<string | PartialResult>;

/** Not everything could be done, or is surely on the disk; the sentence says what. */
export interface PartialResult {
  sentence: string;
  isPartial: boolean;
}

export interface Jobs {
  /** Starts immediately. @returns the job's id */
  run(title: string, unit: JobItem['unit'], work: JobWork): string;
  /** Oldest first. `by` words the sentence of a failed one. */
  items(by: CallerName): JobItem[];
  /** Does nothing to one that has ended or is unknown. */
  cancel(id: string): void;
  /** Removes one that has ended from the list. @throws AppError invalid-argument while it runs */
  dismiss(id: string): void;
  /** Cancels all running jobs, and resolves when they have ended. */
  close(): Promise<void>;
}

export interface JobsDeps {
  /** A job was added, changed or removed; for progress, at most ten times a second. */
  onChange: () => void;
  /** Receives unexpected errors: everything that isn't an AppError. */
  onError?: (error: unknown) => void;
}

interface Job {
  item: JobItem;
  /** Why it failed. */
  error?: unknown;
  ending: AbortController;
  ended: Promise<void>;
}

const maxEnded = 20;
const progressEveryMs = 100;

export function createJobs(deps: JobsDeps): Jobs {
  const jobs = new Map<string, Job>();
  let isClosed = false;

  const dropOld = (): void => {
    const ended = [...jobs.values()].filter(({ item }) => item.state !== 'running');
    for (const { item } of ended.slice(0, -maxEnded)) jobs.delete(item.id);
  };

  const work = async (job: Job, run: JobWork): Promise<void> => {
    const { signal } = job.ending;
    let reportedAtMs = -Infinity;
    const progress: JobProgress = (done, total) => {
      job.item = { ...job.item, done, total };
      if (performance.now() - reportedAtMs < progressEveryMs) return;
      reportedAtMs = performance.now();
      deps.onChange();
    };
    let end: Pick<JobItem, 'state' | 'sentence' | 'isPartial'>;
    try {
      const result = await run(signal, progress);
      const done = typeof result === 'string' ? { sentence: result } : result;
      end = { state: signal.aborted ? 'canceled' : 'done', ...done };
    } catch (error) {
      const isOurs = signal.aborted && !(error instanceof AppError);
      if (!isOurs && !(error instanceof AppError)) deps.onError?.(error);
      end = { state: isOurs ? 'canceled' : 'failed', sentence: null };
      if (!isOurs) job.error = error;
    }
    job.item = { ...job.item, ...end, canCancel: false };
    // Moves it to the end, so that the jobs that finished first are dropped first.
    jobs.delete(job.item.id);
    jobs.set(job.item.id, job);
    dropOld();
    deps.onChange();
  };

  return {
    run(title, unit, run) {
      // Unique across restarts of the host: the window may still have ids of the previous one.
      const id = randomUUID();
      const ending = new AbortController();
      if (isClosed) ending.abort();
      const job: Job = {
        item: { id, title, done: 0, total: null, unit, canCancel: true, state: 'running', sentence: null },
        ending,
        ended: Promise.resolve(),
      };
      jobs.set(id, job);
      job.ended = work(job, run);
      deps.onChange();
      return id;
    },

    items: (by) =>
      [...jobs.values()].map(({ item, error }) =>
        item.state === 'failed' ? { ...item, sentence: messageFor(by, error) } : item,
      ),

    cancel(id) {
      const job = jobs.get(id);
      if (job?.item.state !== 'running' || job.ending.signal.aborted) return;
      job.item = { ...job.item, canCancel: false };
      job.ending.abort();
      deps.onChange();
    },

    dismiss(id) {
      const job = jobs.get(id);
      if (job === undefined) return;
      if (job.item.state === 'running') {
        throw new AppError('invalid-argument', { detail: () => t('host.job-is-still-running') });
      }
      jobs.delete(id);
      deps.onChange();
    },

    async close() {
      isClosed = true;
      for (const { ending } of jobs.values()) ending.abort();
      await Promise.all([...jobs.values()].map(({ ended }) => ended));
    },
  };
}
