import assert from 'node:assert/strict';
import { setImmediate as settled } from 'node:timers/promises';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { createJobs, type JobProgress, type JobWork } from '../../../app/documents/jobs.ts';

function openJobs() {
  const time = { nowMs: 0 };
  const errors: unknown[] = [];
  let changes = 0;
  const jobs = createJobs({
    onChange: () => (changes += 1),
    clock: () => time.nowMs,
    onError: (error) => void errors.push(error),
  });
  const run = (work: JobWork) => jobs.run('Copying', 'bytes', work);
  return { jobs, run, time, errors, items: () => jobs.items('window'), changes: () => changes };
}

test('shows a job’s progress and result until it is dismissed, and doesn’t dismiss a running one', async () => {
  const { jobs, run, time, items } = openJobs();
  let progress: JobProgress = () => undefined;
  const { promise, resolve: end } = Promise.withResolvers<string>();
  const id = run((_signal, report) => {
    progress = report;
    return promise;
  });
  const started = { id, title: 'Copying', unit: 'bytes', canCancel: true, state: 'running', sentence: null };
  assert.deepEqual(items(), [{ ...started, done: 0, total: null }]);
  time.nowMs = 500;
  progress(7, 9);
  assert.deepEqual(items(), [{ ...started, done: 7, total: 9 }]);
  assert.throws(() => jobs.dismiss(id), { code: 'invalid-argument' });
  end('Done it.');
  await settled();
  const ended = { ...started, done: 7, total: 9, canCancel: false, state: 'done', sentence: 'Done it.' };
  jobs.dismiss('nobody');
  assert.deepEqual(items(), [ended]);
  jobs.dismiss(id);
  assert.deepEqual(items(), []);
});

test('reports progress at most ten times a second, and always shows the latest value', async () => {
  const { run, time, items, changes } = openJobs();
  run(async (_signal, progress) => {
    for (let done = 0; done < 1000; done += 1) {
      time.nowMs += 1;
      progress(done, 1000);
    }
    return 'Done.';
  });
  assert.equal(items()[0]?.done, 999);
  await settled();
  assert.ok(changes() <= 13, String(changes()));
});

test('shows the message of an expected error, and logs an unexpected one without showing its text', async () => {
  const { run, items, errors } = openJobs();
  run(() => Promise.reject(new AppError('disk-refused', { detail: 'The disk is full.' })));
  run(() => Promise.reject(new Error('/secret/path')));
  await settled();
  assert.deepEqual(
    items().map(({ state, sentence }) => [state, sentence]),
    [
      ['failed', 'The disk returned an error. Nothing was changed. The disk is full.'],
      ['failed', 'Something went wrong in DocTray. See its log for details.'],
    ],
  );
  assert.equal(errors.length, 1);
});

test('aborts a canceled job and shows it as canceled, whatever it throws', async () => {
  const { jobs, run, items, errors } = openJobs();
  const ended = Promise.withResolvers<never>();
  const id = run((signal) => {
    signal.addEventListener('abort', () => ended.reject(new Error('ended')));
    return ended.promise;
  });
  jobs.cancel('nobody');
  jobs.cancel(id);
  assert.deepEqual([items()[0]?.state, items()[0]?.canCancel], ['running', false]);
  await settled();
  assert.deepEqual([items()[0]?.state, items()[0]?.sentence, errors], ['canceled', null, []]);
});

test('keeps the latest twenty finished jobs and all running ones, which end with the host', async () => {
  const { jobs, run, items } = openJobs();
  const stopped = Promise.withResolvers<string>();
  run((signal) => {
    signal.addEventListener('abort', () => stopped.resolve('Stopped.'));
    return stopped.promise;
  });
  for (let index = 0; index < 25; index += 1) {
    run(async () => `Job ${index}`);
    await settled();
  }
  const sentences = items().map(({ sentence }) => sentence);
  assert.deepEqual(
    [sentences.length, ...sentences.slice(0, 2), sentences.at(-1)],
    [21, null, 'Job 5', 'Job 24'],
  );
  await jobs.close();
  assert.equal(items().find(({ sentence }) => sentence === 'Stopped.')?.state, 'canceled');
});
