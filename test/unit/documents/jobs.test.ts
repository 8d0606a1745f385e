import assert from 'node:assert/strict';
import { setImmediate as settled } from 'node:timers/promises';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { createJobs, type JobWork } from '../../../app/documents/jobs.ts';

function openJobs() {
  const errors: unknown[] = [];
  let changes = 0;
  const jobs = createJobs({ onChange: () => (changes += 1), onError: (error) => void errors.push(error) });
  const run = (work: JobWork) => jobs.run('Copying', 'bytes', work);
  return { jobs, run, errors, items: () => jobs.items('window'), changes: () => changes };
}

test('shows a job’s latest progress, announced at most ten times a second, and its result until it is dismissed', async (t) => {
  const { jobs, run, items, changes } = openJobs();
  const { promise, resolve: end } = Promise.withResolvers<string>();
  let nowMs = 0;
  t.mock.method(performance, 'now', () => (nowMs += 1));
  const id = run((_signal, progress) => {
    for (let done = 0; done < 500; done += 1) progress(done, 500);
    return promise;
  });
  const started = { id, title: 'Copying', unit: 'bytes', total: 500, done: 499 };
  assert.deepEqual(items(), [{ ...started, canCancel: true, state: 'running', sentence: null }]);
  assert.ok(changes() > 3 && changes() <= 12, String(changes()));
  assert.throws(() => jobs.dismiss(id), { code: 'invalid-argument' });
  end('Done it.');
  await settled();
  jobs.dismiss('nobody');
  assert.deepEqual(items(), [{ ...started, canCancel: false, state: 'done', sentence: 'Done it.' }]);
  jobs.dismiss(id);
  assert.deepEqual(items(), []);
});

test('shows the message of an expected error, a canceled job as canceled, and logs an unexpected error without showing its text', async () => {
  const { jobs, run, items, errors } = openJobs();
  run(() => Promise.reject(new AppError('disk-refused', { detail: 'The disk is full.' })));
  run(() => Promise.reject(new Error('/secret/path')));
  const ended = Promise.withResolvers<never>();
  const id = run((signal) => {
    signal.addEventListener('abort', () => ended.reject(new Error('ended')));
    return ended.promise;
  });
  jobs.cancel('nobody');
  jobs.cancel(id);
  assert.equal(items().find((item) => item.id === id)?.canCancel, false);
  await settled();
  assert.deepEqual(
    items().map(({ state, sentence }) => [state, sentence]),
    [
      ['failed', 'The disk returned an error. Nothing was changed. The disk is full.'],
      ['failed', 'Something went wrong in DocTray. See its log for details.'],
      ['canceled', null],
    ],
  );
  assert.equal(errors.length, 1);
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
  assert.equal(sentences.length, 21);
  assert.deepEqual([...sentences.slice(0, 2), sentences.at(-1)], [null, 'Job 5', 'Job 24']);
  await jobs.close();
  assert.equal(items().find(({ sentence }) => sentence === 'Stopped.')?.state, 'canceled');
});
