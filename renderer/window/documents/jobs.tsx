// Long work that runs or was started in this view: how far it is, a way to stop it, and what came of it.

import { useEffect, useMemo, useRef } from 'react';
import type { JobItem } from '../../../app/contract/state.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { formatCount, formatSize } from '../../../app/contract/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Progress } from '../parts/view.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';

const signs = { running: 'refresh', done: 'good', failed: 'error', cancelled: 'dash' } as const;
const tones = { running: 'info', done: 'good', failed: 'bad', cancelled: 'muted' } as const;

/** `12 of 40 files`, `3 MiB`. */
function jobWords({ done, total, unit }: Pick<JobItem, 'done' | 'total' | 'unit'>): string {
  const words = unit === 'bytes' ? formatSize : formatCount;
  const suffix = unit === 'bytes' ? '' : ' files';
  return total === null ? `${words(done)}${suffix}` : `${words(done)} of ${words(total)}${suffix}`;
}

/** `onEnd` is told once of each that ended. */
export function DocumentJobs(props: { ids: readonly string[]; onEnd(): void }) {
  const { ids, onEnd } = props;
  const all = useWindowState((state) => state.jobs);
  const jobs = useMemo(
    () => all.filter(({ id, state }) => ids.includes(id) || state === 'running'),
    [all, ids],
  );
  const told = useRef(new Set<string>());
  useEffect(() => {
    for (const { id, state } of jobs) {
      if (state === 'running' || told.current.has(id)) continue;
      told.current.add(id);
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
  const cancel = useAction('jobs.cancel', { failure: 'Could not stop it' });
  const dismiss = useAction('jobs.dismiss', { failure: 'Could not remove it from the list' });
  const words = jobWords(job);
  const isRunning = job.state === 'running';
  return (
    <div className={`documents-job tone-${tones[job.state]}`}>
      <Icon name={signs[job.state]} />
      <div className="documents-job-words" role={isRunning ? undefined : 'status'}>
        <span>{job.title}</span>{' '}
        <span className="muted">
          {isRunning ? words : (job.sentence ?? (job.state === 'cancelled' ? `Stopped after ${words}.` : ''))}
        </span>
        {isRunning && (
          <Progress
            label={job.title}
            value={job.total === null ? null : job.total === 0 ? 1 : job.done / job.total}
            valueText={words}
          />
        )}
      </div>
      {isRunning ? (
        <Button
          isDisabled={!job.canCancel}
          isPending={cancel.isPending}
          aria-label={`Cancel: ${job.title}`}
          onPress={() => void cancel.run({ id: job.id })}
        >
          Cancel
        </Button>
      ) : (
        <IconButton
          icon="close"
          label={`Dismiss: ${job.title}`}
          onPress={() => void dismiss.run({ id: job.id })}
        />
      )}
    </div>
  );
}
