import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { createBoundedQueue } from '../../../app/accounts/bounded-queue.ts';

const from = { addressKey: '192.0.2.7', isLocal: false };
const limits = { running: 1, waiting: 1, waitingPerAddress: 10, waitingLocal: 1 };

test('no more jobs run at once than allowed, and all that fit are done', async () => {
  const gate = createBoundedQueue({ ...limits, running: 2, waiting: 10 });
  let running = 0;
  let most = 0;
  const job = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
  };
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 12 }, () => gate.run(from, job)));
    assert.equal(most, 2);
  }
});

test('rejects what exceeds the queue, with a time to retry', async () => {
  const gate = createBoundedQueue(limits);
  const running = gate.run(from, () => sleep(20));
  const waiting = gate.run(from, () => sleep(1));
  await assert.rejects(
    gate.run(from, () => sleep(1)),
    { code: 'too-busy', retryAfterSeconds: 2 },
  );
  await Promise.all([running, waiting]);
  await gate.run(from, () => sleep(1));
});

test('a job that fails leaves its place to the next', async () => {
  const gate = createBoundedQueue(limits);
  const failing = gate.run(from, () => Promise.reject(new Error('no')));
  const next = gate.run(from, () => Promise.resolve('done'));
  await assert.rejects(failing, /no/);
  assert.equal(await next, 'done');
});

test('an address has a few places in the queue, and this computer has its own, which go first', async () => {
  const gate = createBoundedQueue({ ...limits, waiting: 3, waitingPerAddress: 2 });
  const order: string[] = [];
  const run = (name: string, addressKey: string, isLocal = false) =>
    gate.run({ addressKey, isLocal }, async () => {
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
