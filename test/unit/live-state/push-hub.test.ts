import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createLogger } from '../../../app/log/logger.ts';
import { createPushHub, type PushHub } from '../../../app/live-state/push-hub.ts';

const log = createLogger([]);
let hub: PushHub;
beforeEach(() => {
  hub = createPushHub({ log });
});
afterEach(() => hub.close());

test('notifies a listener of pushes with its name until it stops', () => {
  const received: string[] = [];
  const stop = hub.on('navigate', ({ view }) => received.push(view));
  hub.on('folder-changed', ({ path }) => received.push(path));
  hub.push('navigate', { view: 'locks' });
  stop();
  hub.push('navigate', { view: 'tokens' });
  assert.deepEqual(received, ['locks']);
});

test('notifies the other listeners if one throws', () => {
  let received = 0;
  hub.on('navigate', () => {
    throw new Error('gone');
  });
  hub.on('navigate', () => (received += 1));
  hub.push('navigate', { view: 'locks' });
  assert.equal(received, 1);
});
