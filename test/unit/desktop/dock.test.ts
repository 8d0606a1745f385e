import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { hideDockIconWithoutWindows, type DockDeps } from '../../../app/desktop/dock.ts';

test('macOS shows DocTray in the dock while a window is visible', async () => {
  const calls: string[] = [];
  const windows: (EventEmitter & { isVisible(): boolean; isMinimized(): boolean })[] = [];
  const app = Object.assign(new EventEmitter(), {
    focus: () => void calls.push('focus'),
    dock: {
      hide: () => void calls.push('hide'),
      show: () => Promise.resolve(void calls.push('show')),
    },
  });
  hideDockIconWithoutWindows({ app: app as unknown as DockDeps['app'], windows: () => windows });
  let visibleCount = 0;
  let isMinimized = false;
  for (const _ of [1, 2]) {
    const window = Object.assign(new EventEmitter(), {
      isVisible: () => visibleCount > 0,
      isMinimized: () => isMinimized,
    });
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
  isMinimized = true;
  first?.emit('hide');
  assert.deepEqual(calls, [], 'the other window is minimized');
  isMinimized = false;
  second?.emit('closed');
  assert.deepEqual(calls, ['hide']);
});
