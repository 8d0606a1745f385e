// Long work that is running or was started in this view: its progress, Cancel, and its result.

import { useEffect, useMemo, useRef } from 'react';
import type { JobItem } from '../../../app/contract/state.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { formatSize } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { Icon } from '../parts/icon.tsx';
import { Progress } from '../parts/view.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';

const signs = { running: 'refresh', done: 'good', failed: 'error', cancelled: 'dash' } as const;
const tones = { running: 'info', done: 'good', failed: 'bad', cancelled: 'muted' } as const;

/** `12 of 40 files`, `3 MB`. */
function progressText({ done, total, unit }: Pick<JobItem, 'done' | 'total' | 'unit'>): string {
  if (unit === 'bytes') {
    return total === null
      ? formatSize(done)
      : t('{done} of {total}', { done: formatSize(done), total: formatSize(total) });
  }
  return total === null
    ? t('{count, plural, one {# file} other {# files}}', { count: done })
    : t('{done, number} of {total, plural, one {# file} other {# files}}', { done, total });
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
  const cancel = useAction('jobs.cancel', { failure: t('Can’t cancel this') });
  const dismiss = useAction('jobs.dismiss', { failure: t('Can’t remove this from the list') });
  const text = progressText(job);
  const isRunning = job.state === 'running';
  return (
    <div className={`documents-job tone-${tones[job.state]}`}>
      <Icon name={signs[job.state]} />
      <div className="documents-job-words" role={isRunning ? undefined : 'status'}>
        <span>{job.title}</span>{' '}
        <span className="muted">
          {isRunning
            ? text
            : (job.sentence ??
              (job.state === 'cancelled' ? t('Canceled after {progress}.', { progress: text }) : ''))}
        </span>
        {isRunning && (
          <Progress
            label={job.title}
            value={job.total === null ? null : job.total === 0 ? 1 : job.done / job.total}
            valueText={text}
          />
        )}
      </div>
      {isRunning ? (
        <Button
          isDisabled={!job.canCancel}
          isPending={cancel.isPending}
          aria-label={t('Cancel: {job}', { job: job.title })}
          onPress={() => void cancel.run({ id: job.id })}
        >
          {t('Cancel')}
        </Button>
      ) : (
        <IconButton
          icon="close"
          label={t('Dismiss: {job}', { job: job.title })}
          onPress={() => void dismiss.run({ id: job.id })}
        />
      )}
    </div>
  );
}
