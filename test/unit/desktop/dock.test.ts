import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { followWindows, type DockDeps } from '../../../app/desktop/dock.ts';

test('macOS shows DocTray in the dock while a window is visible', async () => {
  const calls: string[] = [];
  const windows: (EventEmitter & { isVisible(): boolean })[] = [];
  const app = Object.assign(new EventEmitter(), {
    focus: () => void calls.push('focus'),
    dock: {
      hide: () => void calls.push('hide'),
      show: () => Promise.resolve(void calls.push('show')),
    },
  });
  followWindows({ app: app as unknown as DockDeps['app'], windows: () => windows });
  let visibleCount = 0;
  for (const _ of [1, 2]) {
    const window = Object.assign(new EventEmitter(), { isVisible: () => visibleCount > 0 });
    windows.push(window);
    app.emit('browser-window-created', {}, window);
  }
  const [first, second] = windows;
  visibleCount = 2;
  first?.emit('show');
  await Promise.resolve();
  assert.deepEqual(calls.splice(0), ['show', 'focus']);
  visibleCount = 1;
  first?.emit('hide');
  assert.deepEqual(calls, [], 'the other window is visible');
  visibleCount = 0;
  second?.emit('closed');
  assert.deepEqual(calls, ['hide']);
});
