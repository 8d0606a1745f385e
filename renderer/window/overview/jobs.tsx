// Long work that runs or has ended, with its progress and a way to stop it.

import type { JobItem } from '../../../app/contract/state.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { formatCount, formatSize } from '../../../app/contract/format.ts';
import { ListRow, Progress, Section } from '../parts/view.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';

export function Jobs() {
  const jobs = useWindowState((state) => state.jobs);
  if (jobs.length === 0) return null;
  return (
    <Section title="Work in progress">
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </Section>
  );
}

function JobRow({ job }: { job: JobItem }) {
  const cancel = useAction('jobs.cancel', { failure: 'Could not stop it' });
  const dismiss = useAction('jobs.dismiss', { failure: 'Could not remove it from the list' });
  const isRunning = job.state === 'running';
  return (
    <ListRow
      {...marks[job.state]}
      title={job.title}
      detail={
        isRunning ? (
          <div className="job-progress">
            <Progress
              label={job.title}
              value={job.total === null || job.total === 0 ? null : Math.min(1, job.done / job.total)}
              valueText={amount(job)}
            />
            <span className="job-amount">{amount(job)}</span>
          </div>
        ) : (
          (job.sentence ?? (job.state === 'cancelled' ? 'Stopped.' : 'Done.'))
        )
      }
      actions={
        isRunning ? (
          job.canCancel && (
            <Button
              isPending={cancel.isPending}
              aria-label={`Cancel: ${job.title}`}
              onPress={() => void cancel.run({ id: job.id })}
            >
              Cancel
            </Button>
          )
        ) : (
          <IconButton
            icon="close"
            label={`Dismiss: ${job.title}`}
            onPress={() => void dismiss.run({ id: job.id })}
          />
        )
      }
    />
  );
}

const marks = {
  running: { icon: 'refresh', tone: 'info' },
  done: { icon: 'good', tone: 'good' },
  failed: { icon: 'error', tone: 'bad' },
  cancelled: { icon: 'info', tone: 'muted' },
} as const;

function amount(job: JobItem): string {
  const words = (value: number) => (job.unit === 'bytes' ? formatSize(value) : formatCount(value));
  const unit = job.unit === 'files' ? ' files' : '';
  return job.total === null
    ? `${words(job.done)}${unit}`
    : `${words(job.done)} of ${words(job.total)}${unit}`;
}
