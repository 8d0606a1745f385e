import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createLogger } from '../../../app/log/logger.ts';
import { createPushHub, type PushHub } from '../../../app/live-state/push-hub.ts';

const log = createLogger({ destination: 'stderr', pretty: false, level: 'silent' });
let hub: PushHub;
beforeEach(() => {
  hub = createPushHub({ log });
});
afterEach(() => hub.close());

test('who listens to a name is told of that name until it stops', () => {
  const told: string[] = [];
  const stop = hub.on('navigate', ({ view }) => told.push(view));
  hub.on('folder-changed', ({ path }) => told.push(path));
  hub.push('navigate', { view: 'locks' });
  stop();
  hub.push('navigate', { view: 'tokens' });
  assert.deepEqual(told, ['locks']);
});

test('a listener that throws keeps nobody else from being told', () => {
  let told = 0;
  hub.on('navigate', () => {
    throw new Error('gone');
  });
  hub.on('navigate', () => (told += 1));
  hub.push('navigate', { view: 'locks' });
  assert.equal(told, 1);
});
