import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createKeyedMutex } from '../../../app/files/keyed-mutex.ts';

test('runs work under one key in order, one at a time, and returns each result to its caller', async () => {
  const mutex = createKeyedMutex();
  const log: string[] = [];
  const work = (name: string, turns: number) => async (): Promise<string> => {
    log.push(`${name} begins`);
    for (let count = 0; count < turns; count += 1) await turn();
    log.push(`${name} ends`);
    return name;
  };
  const answers = await Promise.all([
    mutex.run('k', work('a', 5)),
    mutex.run('k', work('b', 1)),
    mutex.run('k', work('c', 0)),
  ]);
  assert.deepEqual(answers, ['a', 'b', 'c']);
  assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('work added after the first ended still waits for the second', async () => {
  const mutex = createKeyedMutex();
  const pending = Promise.withResolvers<void>();
  const log: string[] = [];
  const first = mutex.run('k', async () => undefined);
  const second = mutex.run('k', async () => {
    await pending.promise;
    log.push('second');
  });
  await first;
  await turn();
  const third = mutex.run('k', async () => void log.push('third'));
  await turn();
  pending.resolve();
  await Promise.all([second, third]);
  assert.deepEqual(log, ['second', 'third']);
});

test('work under another key doesn’t wait', async () => {
  const mutex = createKeyedMutex();
  const pending = Promise.withResolvers<void>();
  const held = mutex.run('a', () => pending.promise);
  assert.equal(await mutex.run('b', async () => 'done'), 'done');
  pending.resolve();
  await held;
});

test('rejects only the caller whose work failed', async () => {
  const mutex = createKeyedMutex();
  const failing = mutex.run('k', async () => {
    await turn();
    throw new Error('mine');
  });
  const next = mutex.run('k', async () => 'next');
  await assert.rejects(failing, /mine/);
  assert.equal(await next, 'next');
  assert.equal(await mutex.run('k', async () => 'later'), 'later');
});

test('work that throws synchronously rejects its caller and releases the key', async () => {
  const mutex = createKeyedMutex();
  const throwing = mutex.run('k', () => {
    throw new Error('at once');
  });
  await assert.rejects(throwing, /at once/);
  assert.equal(await mutex.run('k', async () => 'free'), 'free');
});

test('idle waits for running, queued and newly added work', async () => {
  const mutex = createKeyedMutex();
  const log: string[] = [];
  const step = (name: string) => async (): Promise<void> => {
    await turn();
    log.push(name);
  };
  const first = mutex.run('k', async () => {
    await turn();
    log.push('first');
    void mutex.run('other', async () => {
      for (let count = 0; count < 10; count += 1) await turn();
      log.push('came in');
    });
  });
  const second = mutex.run('k', step('second'));
  void mutex.run('bad', () => Promise.reject(new Error('bad'))).catch(() => log.push('failed'));
  await mutex.idle();
  assert.deepEqual(log.toSorted(), ['came in', 'failed', 'first', 'second']);
  await Promise.all([first, second]);
  await mutex.idle();
});
