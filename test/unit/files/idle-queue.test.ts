import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createIdleQueue } from '../../../app/files/idle-queue.ts';

function open() {
  const errors: unknown[] = [];
  return { errors, queue: createIdleQueue({ onError: (error) => void errors.push(error) }) };
}

async function turns(count = 20): Promise<void> {
  for (let done = 0; done < count; done += 1) await turn();
}

test('runs work one piece at a time, after the caller’s own code', async () => {
  const { queue, errors } = open();
  const log: string[] = [];
  for (const name of ['a', 'b']) {
    queue.add(name, async () => {
      log.push(`${name} begins`);
      await turns(3);
      log.push(`${name} ends`);
    });
  }
  log.push('caller');
  await turns();
  assert.deepEqual(log, ['caller', 'a begins', 'a ends', 'b begins', 'b ends']);
  assert.deepEqual(errors, []);
});

test('ignores work whose key is queued or running, and accepts it again afterwards', async () => {
  const { queue, errors } = open();
  let runs = 0;
  const add = (): void =>
    queue.add('k', async () => {
      runs += 1;
      add();
      await turn();
      add();
    });
  add();
  queue.add('k', () => Promise.reject(new Error('instead of what waits')));
  await turns();
  assert.equal(runs, 1);
  assert.deepEqual(errors, []);
  queue.add('k', async () => {
    runs += 1;
  });
  await turns();
  assert.equal(runs, 2);
});

test('runs work that was added by running work', async () => {
  const { queue } = open();
  const log: string[] = [];
  queue.add('a', async () => {
    queue.add('b', async () => void log.push('b'));
    await turn();
  });
  await turns();
  assert.deepEqual(log, ['b']);
});

test('reports a failure and runs the next piece', async () => {
  const { queue, errors } = open();
  const log: string[] = [];
  queue.add('bad', () => Promise.reject(new Error('bad')));
  queue.add('good', async () => void log.push('good'));
  await turns();
  assert.deepEqual(log, ['good']);
  assert.deepEqual(errors.map(String), ['Error: bad']);
});

test('aborts and awaits running work on close, and drops the rest', async () => {
  const { queue, errors } = open();
  const log: string[] = [];
  queue.add('running', async (signal) => {
    while (!signal.aborted) await turn();
    await turns(3);
    log.push('ended');
    signal.throwIfAborted();
  });
  queue.add('waiting', async () => void log.push('waiting'));
  await turns(5);
  await queue.close();
  assert.deepEqual(log, ['ended']);
  queue.add('late', async () => void log.push('late'));
  await turns();
  assert.deepEqual(log, ['ended']);
  assert.deepEqual(errors, [], 'an abort isn’t a failure');
});

test('close drops work that hasn’t started, and can be called again', async () => {
  const { queue } = open();
  const log: string[] = [];
  queue.add('a', async () => void log.push('a'));
  await queue.close();
  await queue.close();
  await turns();
  assert.deepEqual(log, []);
});
