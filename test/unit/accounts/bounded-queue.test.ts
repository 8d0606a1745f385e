import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { createBoundedQueue } from '../../../app/accounts/bounded-queue.ts';

const from = { addressKey: '192.0.2.7', isLocal: false };
const limits = { running: 1, waiting: 1, waitingPerAddress: 10, waitingLocal: 1 };

test('runs every job that fits, and never more at a time than the limit', async () => {
  const queue = createBoundedQueue({ ...limits, running: 2, waiting: 10 });
  let running = 0;
  let most = 0;
  const job = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
  };
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 12 }, () => queue.run(from, job)));
    assert.equal(most, 2);
  }
});

test('rejects a job while the queue is full, with a time to retry', async () => {
  const queue = createBoundedQueue(limits);
  const running = queue.run(from, () => sleep(20));
  const waiting = queue.run(from, () => sleep(1));
  await assert.rejects(
    queue.run(from, () => sleep(1)),
    { code: 'too-busy', retryAfterSeconds: 2 },
  );
  await Promise.all([running, waiting]);
  await queue.run(from, () => sleep(1));
});

test('runs the next job after one fails', async () => {
  const queue = createBoundedQueue(limits);
  const failing = queue.run(from, () => Promise.reject(new Error('no')));
  const next = queue.run(from, () => Promise.resolve('done'));
  await assert.rejects(failing, /no/);
  assert.equal(await next, 'done');
});

test('limits waiting jobs per address, and has separate places for local jobs, which run first', async () => {
  const queue = createBoundedQueue({ ...limits, waiting: 3, waitingPerAddress: 2 });
  const order: string[] = [];
  const run = (name: string, addressKey: string, isLocal = false) =>
    queue.run({ addressKey, isLocal }, async () => {
      await sleep(5);
      order.push(name);
    });
  const all = [run('first', 'a'), run('second', 'a'), run('third', 'a')];
  await assert.rejects(run('too many of one', 'a'), { code: 'too-busy' });
  all.push(run('other', 'b'));
  await assert.rejects(run('too many together', 'c'), { code: 'too-busy' });
  all.push(run('local', 'a', true));
  await assert.rejects(run('too many here', 'a', true), { code: 'too-busy' });
  await Promise.all(all);
  assert.deepEqual(order, ['first', 'local', 'second', 'third', 'other']);
});
