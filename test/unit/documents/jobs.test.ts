import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { createJobs, type JobProgress } from '../../../app/documents/jobs.ts';
import { nothing, refused } from '../files/files-fixture.ts';

function openJobs() {
  const time = { nowMs: 0 };
  const errors: unknown[] = [];
  let changes = 0;
  const jobs = createJobs({
    onChange: () => (changes += 1),
    clock: () => time.nowMs,
    onError: (error) => void errors.push(error),
  });
  return { jobs, time, errors, changes: () => changes };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('shows the progress of a job, and its result at the end', async () => {
  const { jobs, time } = openJobs();
  let progress: JobProgress = nothing;
  let end: (sentence: string) => void = nothing;
  const id = jobs.run('Copying', 'bytes', (_signal, report) => {
    progress = report;
    return new Promise((resolve) => (end = resolve));
  });
  const started = { id, title: 'Copying', unit: 'bytes', canCancel: true, state: 'running', sentence: null };
  assert.deepEqual(jobs.items('window'), [{ ...started, done: 0, total: null }]);
  time.nowMs = 500;
  progress(7, 9);
  assert.deepEqual(jobs.items('window'), [{ ...started, done: 7, total: 9 }]);
  end('Done it.');
  await settled();
  assert.deepEqual(jobs.items('window'), [
    { ...started, done: 7, total: 9, canCancel: false, state: 'done', sentence: 'Done it.' },
  ]);
});

test('reports progress at most ten times a second, and always shows the latest value', async () => {
  const { jobs, time, changes } = openJobs();
  const id = jobs.run('Copying', 'bytes', async (_signal, progress) => {
    for (let done = 0; done < 1000; done += 1) {
      time.nowMs += 1;
      progress(done, 1000);
    }
    return 'Done.';
  });
  assert.equal(jobs.items('window')[0]?.done, 999);
  await settled();
  assert.ok(changes() <= 13, String(changes()));
  assert.equal(jobs.items('window')[0]?.id, id);
});

test('shows the message of an expected error, and logs an unexpected one without showing its text', async () => {
  const { jobs, errors } = openJobs();
  jobs.run('One', 'files', async () => {
    throw new AppError('disk-refused', { detail: 'The disk is full.' });
  });
  jobs.run('Two', 'files', async () => {
    throw new Error('/secret/path');
  });
  await settled();
  const [one, two] = jobs.items('window');
  assert.deepEqual(
    [one?.state, one?.sentence],
    ['failed', 'The disk returned an error. Nothing was changed. The disk is full.'],
  );
  assert.deepEqual(
    [two?.state, two?.sentence],
    ['failed', 'Something went wrong in DocTray. See its log for details.'],
  );
  assert.equal(errors.length, 1);
});

test('aborts a canceled job and shows it as canceled, whatever it throws', async () => {
  const { jobs, errors } = openJobs();
  const id = jobs.run(
    'One',
    'files',
    (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('ended')));
      }),
  );
  jobs.cancel('nobody');
  jobs.cancel(id);
  assert.deepEqual([jobs.items('window')[0]?.state, jobs.items('window')[0]?.canCancel], ['running', false]);
  await settled();
  assert.deepEqual([jobs.items('window')[0]?.state, jobs.items('window')[0]?.sentence], ['canceled', null]);
  jobs.cancel(id);
  assert.deepEqual(errors, []);
});

test('keeps a finished job until it is dismissed, and doesn’t dismiss a running one', async () => {
  const { jobs } = openJobs();
  let end: (sentence: string) => void = nothing;
  const id = jobs.run('One', 'files', () => new Promise((resolve) => (end = resolve)));
  assert.throws(() => jobs.dismiss(id), refused('invalid-argument'));
  end('Done.');
  await settled();
  jobs.dismiss('nobody');
  assert.equal(jobs.items('window').length, 1);
  jobs.dismiss(id);
  assert.deepEqual(jobs.items('window'), []);
});

test('keeps the latest twenty finished jobs and all running ones', async () => {
  const { jobs } = openJobs();
  const running = jobs.run(
    'Long',
    'files',
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('Stopped.'))),
  );
  for (let index = 0; index < 25; index += 1) {
    jobs.run(`Job ${index}`, 'files', async () => 'Done.');
    await settled();
  }
  const titles = jobs.items('window').map(({ title }) => title);
  assert.equal(titles.length, 21);
  assert.deepEqual([titles[0], titles[1], titles.at(-1)], ['Long', 'Job 5', 'Job 24']);
  await jobs.close();
  assert.equal(jobs.items('window').find(({ id }) => id === running)?.state, 'canceled');
});
