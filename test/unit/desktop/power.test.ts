import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { BrowserWindow, PowerMonitor } from 'electron';
import type { WindowState } from '../../../app/contract/state.ts';
import { createPower, type Power } from '../../../app/desktop/power.ts';
import { lock, quietLog, settled, staleLock, stateOf } from './desktop-fixture.ts';

function bench(): {
  power: Power;
  monitor: EventEmitter;
  running: Set<number>;
  done: string[];
  log: ReturnType<typeof quietLog>;
  self: { state: WindowState; saves: number; wakeFails: boolean; isOnBattery: boolean };
} {
  const self = { state: stateOf(), saves: 0, wakeFails: false, isOnBattery: false };
  const monitor = new EventEmitter();
  const running = new Set<number>();
  const done: string[] = [];
  const log = quietLog();
  let lastId = 0;
  const power = createPower({
    powerMonitor: Object.assign(monitor, {
      isOnBatteryPower: () => self.isOnBattery,
    }) as unknown as PowerMonitor,
    powerSaveBlocker: {
      start(type) {
        assert.equal(type, 'prevent-app-suspension');
        running.add((lastId += 1));
        return lastId;
      },
      stop: (id) => running.delete(id),
    },
    state: () => self.state,
    async noteWake() {
      done.push('wake');
      if (self.wakeFails) throw new Error('no');
    },
    runningSaves: () => self.saves,
    screenUnlocked: () => void done.push('unlocked'),
    quitForShutdown: () => void done.push('end'),
    log,
  });
  power.start();
  return { power, monitor, running, done, log, self };
}

function sessionEvent(): { preventDefault(): void; isPrevented: boolean } {
  const event = { isPrevented: false, preventDefault: () => void (event.isPrevented = true) };
  return event;
}

test('keeps the computer awake only while documents are being edited', () => {
  const { power, running, self } = bench();
  power.refresh();
  assert.equal(running.size, 0);
  self.state = stateOf({ locks: [lock('a')] });
  power.refresh();
  self.state = stateOf({ locks: [lock('a'), lock('b')] });
  power.refresh();
  assert.equal(running.size, 1);
  self.state = stateOf({ locks: [staleLock('a')] });
  power.refresh();
  assert.equal(running.size, 0);
  self.state = stateOf({ locks: [lock('a')] });
  power.refresh();
  assert.equal(running.size, 1);
  power.close();
  assert.equal(running.size, 0);
});

test('on battery only a running save keeps the computer awake', () => {
  const { power, monitor, running, self } = bench();
  self.state = stateOf({ locks: [lock('a')] });
  power.refresh();
  self.isOnBattery = true;
  monitor.emit('on-battery');
  assert.equal(running.size, 0);
  self.saves = 1;
  power.refresh();
  assert.equal(running.size, 1);
  self.saves = 0;
  self.isOnBattery = false;
  monitor.emit('on-ac');
  assert.equal(running.size, 1);
});

test('checks the host after sleep, and only logs a failure', async () => {
  const { monitor, done, log, self } = bench();
  monitor.emit('resume');
  self.wakeFails = true;
  monitor.emit('resume');
  await settled();
  assert.deepEqual(done, ['wake', 'wake']);
  assert.deepEqual(log.lines, ['The host couldn’t be checked after waking up.']);
});

test('delays a shutdown and quits the app', () => {
  const { monitor, done } = bench();
  const event = sessionEvent();
  monitor.emit('shutdown', event);
  assert.equal(event.isPrevented, true);
  assert.deepEqual(done, ['end']);
  monitor.emit('shutdown');
  assert.deepEqual(done, ['end', 'end']);
});

test('on Windows, delays the end of the session while documents are open or saves are running', () => {
  const { power, done, self } = bench();
  const window = new EventEmitter();
  power.watchWindow(window as unknown as BrowserWindow);
  const ask = (): boolean => {
    const event = sessionEvent();
    window.emit('query-session-end', event);
    return event.isPrevented;
  };
  assert.equal(ask(), false);
  assert.deepEqual(done, []);
  self.saves = 1;
  assert.equal(ask(), true);
  self.saves = 0;
  self.state = stateOf({ locks: [lock('a')] });
  assert.equal(ask(), true);
  assert.deepEqual(done, ['end', 'end']);
});

test('quits when the session ends without waiting', () => {
  const { power, done } = bench();
  const window = new EventEmitter();
  power.watchWindow(window as unknown as BrowserWindow);
  window.emit('session-end', sessionEvent());
  assert.deepEqual(done, ['end']);
});

test('reports that the screen was unlocked', () => {
  const { monitor, done } = bench();
  monitor.emit('unlock-screen');
  assert.deepEqual(done, ['unlocked']);
});
