// Long work, which the Overview and the documents show in rows of their own: how far it is, its result, and the button beside it.

import { formatSize } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { JobItem } from '../../../app/contract/state.ts';
import { useAction } from './action.tsx';
import { Button, IconButton } from './button.tsx';
import { Progress } from './view.tsx';

export const jobMarks = {
  running: { icon: 'refresh', tone: 'info' },
  done: { icon: 'good', tone: 'good' },
  failed: { icon: 'error', tone: 'bad' },
  canceled: { icon: 'dash', tone: 'muted' },
} as const;

/** `12 of 40 files`, `3 MB`. */
export function jobAmount({ done, total, unit }: JobItem): string {
  if (unit === 'bytes') {
    return total === null
      ? formatSize(done)
      : t('{done} of {total}', { done: formatSize(done), total: formatSize(total) });
  }
  return total === null
    ? t('{count, plural, one {# file} other {# files}}', { count: done })
    : t('{done, number} of {total, plural, one {# file} other {# files}}', { done, total });
}

/** Of one that isn't running any more. */
export function jobResult(job: JobItem): string {
  if (job.sentence !== null) return job.sentence;
  return job.state === 'canceled'
    ? t('Canceled after {progress}.', { progress: jobAmount(job) })
    : t('Done.');
}

export function JobProgress({ job }: { job: JobItem }) {
  const { title, done, total } = job;
  return (
    <Progress
      label={title}
      value={total === null || total === 0 ? null : Math.min(1, done / total)}
      valueText={jobAmount(job)}
    />
  );
}

/** Cancels it, or takes it off the list once it isn't running. */
export function JobButton({ job }: { job: JobItem }) {
  const cancel = useAction('jobs.cancel', { failure: t('Couldn’t cancel it') });
  const dismiss = useAction('jobs.dismiss', { failure: t('Couldn’t dismiss it') });
  return job.state === 'running' ? (
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
  );
}
