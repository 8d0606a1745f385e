// Sleep, battery, shutdown and the end of the session. test/e2e keeps the computer awake, and puts it to sleep, with a document open.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { BrowserWindow, PowerMonitor } from 'electron';
import { createPower } from '../../../app/desktop/power.ts';
import { lock, quietLog, staleLock, stateOf } from './desktop-fixture.ts';

function bench() {
  const self = { state: stateOf(), saves: 0, isOnBattery: false };
  const monitor = Object.assign(new EventEmitter(), { isOnBatteryPower: () => self.isOnBattery });
  const blockers = new Set<number>();
  const done: string[] = [];
  const power = createPower({
    powerMonitor: monitor as unknown as PowerMonitor,
    powerSaveBlocker: {
      start: () => blockers.add(blockers.size + 1).size,
      stop: (id) => blockers.delete(id),
    },
    state: () => self.state,
    noteWake: async () => void done.push('wake'),
    runningSaves: () => self.saves,
    screenUnlocked: () => void done.push('unlocked'),
    quitForShutdown: () => void done.push('end'),
    log: quietLog(),
  });
  power.start();
  const isAwake = (): boolean => {
    power.refresh();
    assert.ok(blockers.size <= 1);
    return blockers.size === 1;
  };
  return { power, monitor, isAwake, done, self };
}

test('keeps the computer awake while documents are edited, on battery only during a save', () => {
  const { power, monitor, isAwake, self } = bench();
  self.state = stateOf({ locks: [lock('a'), lock('b')] });
  assert.equal(isAwake(), true);
  self.isOnBattery = true;
  monitor.emit('on-battery');
  assert.equal(isAwake(), false);
  self.saves = 1;
  assert.equal(isAwake(), true);
  self.saves = 0;
  self.isOnBattery = false;
  monitor.emit('on-ac');
  assert.equal(isAwake(), true);
  self.state = stateOf({ locks: [staleLock('a')] });
  assert.equal(isAwake(), false);
  power.close();
});

test('reports that the screen was unlocked; delays a shutdown, and on Windows the end of a session only for open documents and running saves', () => {
  const { power, monitor, done, self } = bench();
  const window = new EventEmitter();
  power.watchWindow(window as unknown as BrowserWindow);
  monitor.emit('unlock-screen');
  assert.deepEqual(done.splice(0), ['unlocked']);
  const isDelayed = (emitter: EventEmitter, name: string): boolean => {
    let isPrevented = false;
    emitter.emit(name, { preventDefault: () => (isPrevented = true) });
    return isPrevented;
  };
  assert.equal(isDelayed(monitor, 'shutdown'), true);
  monitor.emit('shutdown');
  assert.deepEqual(done.splice(0), ['end', 'end']);
  assert.equal(isDelayed(window, 'query-session-end'), false);
  assert.deepEqual(done, []);
  self.saves = 1;
  assert.equal(isDelayed(window, 'query-session-end'), true);
  self.saves = 0;
  self.state = stateOf({ locks: [lock('a')] });
  assert.equal(isDelayed(window, 'query-session-end'), true);
  window.emit('session-end');
  assert.deepEqual(done, ['end', 'end', 'end']);
});
