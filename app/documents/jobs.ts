// Long work with progress, a result and a way to cancel it. Finished jobs stay until the user has dismissed them, the last twenty.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../contract/clock.ts';
import { AppError, describeError, inWindowWords } from '../contract/errors.ts';
import type { JobItem } from '../contract/state.ts';

/** Reports progress; a total of null is not known yet. */
export type JobProgress = (done: number, total: number | null) => void;

/** Resolves with a sentence that says what was done. Ends soon after the signal; what it throws then isn't a failure. */
export type JobWork = (signal: AbortSignal, progress: JobProgress) => Promise<string | PartialResult>;

/** Not everything could be done; the sentence names the rest. */
export interface PartialResult {
  sentence: string;
  isPartial: boolean;
}

export interface Jobs {
  /** Starts immediately. @returns the job's id */
  run(title: string, unit: JobItem['unit'], work: JobWork): string;
  /** Oldest first. */
  items(): JobItem[];
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
  clock: Clock;
  /** Called with what a job threw that isn't an AppError. */
  onError?: (error: unknown) => void;
}

interface Job {
  item: JobItem;
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
      const now = deps.clock();
      // A clock that was set back must not silence it.
      if (now >= reportedAtMs && now - reportedAtMs < progressEveryMs) return;
      reportedAtMs = now;
      deps.onChange();
    };
    let end: Pick<JobItem, 'state' | 'sentence' | 'isPartial'>;
    try {
      const result = await run(signal, progress);
      const done = typeof result === 'string' ? { sentence: result } : result;
      end = { state: signal.aborted ? 'cancelled' : 'done', ...done };
    } catch (error) {
      const isOurs = signal.aborted && !(error instanceof AppError);
      if (!isOurs && !(error instanceof AppError)) deps.onError?.(error);
      end = isOurs
        ? { state: 'cancelled', sentence: null }
        : { state: 'failed', sentence: inWindowWords(describeError(error)).message };
    }
    job.item = { ...job.item, ...end, canCancel: false };
    // Those that ended last are the last to go.
    jobs.delete(job.item.id);
    jobs.set(job.item.id, job);
    dropOld();
    deps.onChange();
  };

  return {
    run(title, unit, run) {
      // Never one of an earlier host: the window may still hold that.
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

    items: () => [...jobs.values()].map(({ item }) => item),

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
        throw new AppError('invalid-argument', { detail: 'This job is still running. Cancel it first.' });
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
