import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { createGate } from '../../../app/accounts/gate.ts';

test('no more jobs run at once than allowed, and all that fit are done', async () => {
  const gate = createGate({ maxRunning: 2, maxWaiting: 10 });
  let running = 0;
  let most = 0;
  const job = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
  };
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 12 }, () => gate.run(job)));
    assert.equal(most, 2);
  }
});

test('what does not fit the queue is turned away with a time to come back', async () => {
  const gate = createGate({ maxRunning: 1, maxWaiting: 1 });
  const running = gate.run(() => sleep(20));
  const waiting = gate.run(() => sleep(1));
  await assert.rejects(
    gate.run(() => sleep(1)),
    { code: 'too-busy', retryAfterSeconds: 2 },
  );
  await Promise.all([running, waiting]);
  await gate.run(() => sleep(1));
});

test('a job that fails leaves its place to the next', async () => {
  const gate = createGate({ maxRunning: 1, maxWaiting: 1 });
  const failing = gate.run(() => Promise.reject(new Error('no')));
  const next = gate.run(() => Promise.resolve('done'));
  await assert.rejects(failing, /no/);
  assert.equal(await next, 'done');
});
