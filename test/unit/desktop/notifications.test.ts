// Which notifications are shown, and when. test/e2e/tray.test.ts clicks one, and presses its button.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test, type TestContext } from 'node:test';
import type { Notification, NotificationConstructorOptions } from 'electron';
import type { Pushes } from '../../../app/contract/pushes.ts';
import type { WindowState } from '../../../app/contract/state.ts';
import { createNotifier } from '../../../app/desktop/notifications.ts';
import {
  conflict,
  editor,
  lock,
  noonMs,
  quietLog,
  recovered,
  staleLock,
  stateOf,
  type StateChoice,
} from './desktop-fixture.ts';

/** A notifier of a host that starts. Notifications gather for 1.5 s, and pause for a minute. */
function bench(t: TestContext, platform: NodeJS.Platform = 'linux') {
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const shown: FakeNotification[] = [];
  const done: (Pushes['navigate'] | object)[] = [];
  const self = { isSeen: false, nowMs: noonMs };
  let state: WindowState = stateOf({ host: { status: 'starting', startedAtMs: null } });
  class FakeNotification extends EventEmitter {
    options: NotificationConstructorOptions;
    isClosed = false;
    constructor(options: NotificationConstructorOptions) {
      super();
      this.options = options;
    }
    static isSupported = (): boolean => true;
    show = () => shown.push(this);
    close = () => (this.isClosed = true);
  }
  const notifier = createNotifier({
    Notification: FakeNotification as unknown as typeof Notification,
    state: () => state,
    platform,
    clock: () => self.nowMs,
    isWindowFocused: () => self.isSeen,
    show: (to) => void done.push(to),
    act: (action) => void done.push(action),
    log: quietLog(),
  });
  t.after(() => notifier.close());
  const tick = (ms: number): void => {
    self.nowMs += ms;
    t.mock.timers.tick(ms);
  };
  return {
    self,
    notifier,
    shown,
    done,
    tick,
    /** The states that follow each other. */
    set(...choices: StateChoice[]) {
      for (const choice of choices) {
        state = stateOf(choice);
        notifier.refresh();
      }
    },
    /** The titles of those that are new after this time. */
    after(ms: number): (string | undefined)[] {
      const before = shown.length;
      tick(ms);
      return shown.slice(before).map(({ options }) => options.title);
    },
    lastBody: () => shown.at(-1)?.options.body ?? '',
  };
}

const problem = { code: 'folder-missing', message: 'Plug it in.' };
const missing = { host: { status: 'error' as const, problem } };
const unreachable = (sinceMs: number) => ({
  problem: { code: 'refused', sentence: 'The connection was refused.', remedy: 'Start it.', sinceMs },
});

test('notifies once of a lock that becomes stale, and says why', (t) => {
  const { set, after, lastBody } = bench(t);
  const stale = staleLock('x/a.odt');
  set({ locks: [lock('x/a.odt')] }, { locks: [stale] }, { locks: [stale] });
  assert.deepEqual(after(1500), ['a.odt has a stale lock']);
  assert.equal(
    lastBody(),
    'Its editor has been gone for 20\u{a0}min. Force-clear the lock so that others can edit the document.',
  );
  set({ locks: [stale] });
  assert.deepEqual(after(3_600_000), []);
  set({}, { locks: [staleLock('b', { stale: { kind: 'revoked' } })] });
  after(60_000);
  assert.match(lastBody(), /^Its token was revoked\. Force-clear/);
});

test('offers to undo a force-clear for as long as that works', (t) => {
  const { notifier, self, shown, done, tick } = bench(t);
  notifier.cleared({ id: 'lock1', path: 'x/a.odt' }, self.nowMs + 10_000);
  const [offer] = shown;
  assert.equal(offer?.options.title, 'Lock on a.odt cleared');
  offer.emit('action');
  assert.deepEqual(done, [{ do: 'undo-force-clear', lockId: 'lock1' }]);
  tick(9_999);
  assert.equal(offer.isClosed, false);
  tick(1);
  assert.equal(offer.isClosed, true);
});

test('notifies once of editors that become unreachable, again after one was reachable, not of those that were at the start', (t) => {
  const { set, after, lastBody } = bench(t);
  const away = (sinceMs: number, ...names: string[]) =>
    names.map((name) => editor(name, unreachable(sinceMs)));
  set({ editors: [...away(noonMs, 'Old'), editor('A'), editor('B'), editor('C')] });
  assert.deepEqual(after(5000), []);
  set({ editors: away(noonMs, 'A', 'B', 'C') }, { editors: [...away(noonMs, 'A', 'B'), editor('C')] });
  assert.deepEqual(after(1500), ['2 editors need attention']);
  assert.equal(lastBody(), 'A and B. Test the connections in the settings.');
  const later = noonMs + 60_000;
  set(
    { editors: [editor('A'), ...away(noonMs, 'B')] },
    { editors: [...away(later, 'A'), ...away(noonMs, 'B')] },
  );
  assert.deepEqual(after(60_000), ['A can’t be reached']);
  assert.equal(lastBody(), 'The connection was refused. Start it.');
  assert.deepEqual(after(120_000), []);
});

test('combines 5,000 locks in one notification', (t) => {
  const paths = Array.from({ length: 5000 }, (_, index) => `${index}.odt`);
  const { set, after, shown, done, lastBody } = bench(t);
  set({ locks: paths.map((path) => lock(path)) }, { locks: paths.map((path) => staleLock(path)) });
  assert.deepEqual(after(1500), ['5,000 locks need attention']);
  assert.match(lastBody(), /^\d+\.odt, \d+\.odt, \d+\.odt and 4,?997 more\. Force-clear/);
  shown[0]?.emit('click');
  assert.deepEqual(done, [{ view: 'locks' }]);
});

test('doesn’t notify of a lock that was cleared, or whose editor reconnected, before the notification', (t) => {
  const { set, after } = bench(t);
  set({ locks: [lock('a'), lock('b'), lock('c')] });
  set({ locks: [staleLock('a'), staleLock('b'), staleLock('c')] }, { locks: [staleLock('b'), lock('c')] });
  assert.deepEqual(after(1500), ['b has a stale lock']);
});

test('doesn’t notify again after an undone force-clear, but does if a refreshed lock becomes stale again', (t) => {
  const { set, after } = bench(t);
  const stale = { locks: [staleLock('a')] };
  set({}, stale);
  assert.equal(after(60_000).length, 1);
  set({}, stale);
  assert.equal(after(60_000).length, 0);
  const refreshedAtMs = noonMs + 1;
  set({ locks: [lock('a', { refreshedAtMs })] }, { locks: [staleLock('a', { refreshedAtMs })] });
  assert.equal(after(60_000).length, 1);
});

test('doesn’t notify of what was there at the start, or belongs to a folder chosen later', (t) => {
  const { set, after } = bench(t);
  const old = noonMs - 3_600_000;
  set({ host: { status: 'starting' } }, { locks: [staleLock('a')], recovered: [recovered('a')] });
  set({
    conflicts: [{ ...conflict('b'), madeAtMs: old }],
    recovered: [recovered('c', { receivedAtMs: old })],
  });
  assert.deepEqual(after(120_000), []);
});

test('notifies of conflict copies and recovered saves', (t) => {
  const { set, after, lastBody, shown, done } = bench(t);
  set({}, { conflicts: [conflict('a.odt')] });
  assert.deepEqual(after(120_000), ['Two programs changed a.odt']);
  assert.match(lastBody(), /Both contents are kept/);
  set({ conflicts: ['a.odt', 'b.odt', 'c.odt'].map(conflict) });
  assert.deepEqual(after(120_000), ['2 conflict copies']);
  set({ recovered: [recovered('a.odt'), recovered('b.odt')] });
  assert.deepEqual(after(120_000), ['2 recovered saves']);
  shown.at(-1)?.emit('click');
  assert.deepEqual(done, [{ view: 'overview' }]);
  set({ recovered: [recovered('c.odt', { isUnreadable: true })] });
  assert.deepEqual(after(120_000), ['A save of c.odt isn’t a readable document']);
  assert.match(lastBody(), /^The file still has the last readable content\. Open what was saved/);
});

test('notifies once of a host’s problem across retries, also at the start, and again after it was resolved', (t) => {
  const { set, after, lastBody } = bench(t);
  set(missing);
  assert.deepEqual(after(1500), ['DocTray isn’t serving']);
  assert.equal(lastBody(), 'Plug it in.');
  set({ host: { status: 'starting' } }, missing);
  assert.deepEqual(after(120_000), []);
  set({}, missing);
  assert.equal(after(120_000).length, 1);
  set({ host: { status: 'error', problem: { code: 'port-taken', message: 'Taken.' } } }, {});
  assert.deepEqual(after(120_000), [], 'it is resolved immediately');
});

test('doesn’t delay a problem by the pause after a stale lock', (t) => {
  const { set, after } = bench(t);
  set({ locks: [lock('a'), lock('b')] }, { locks: [staleLock('a'), lock('b')] });
  assert.deepEqual(after(1500), ['a has a stale lock']);
  const locks = [staleLock('a'), staleLock('b')];
  set({ locks });
  assert.deepEqual(after(1000), []);
  set({ locks, ...missing });
  assert.deepEqual(after(1500), ['DocTray isn’t serving']);
  assert.deepEqual(after(60_000), ['b has a stale lock']);
});

test('each kind can be switched off, and isn’t made up for when it is switched on', (t) => {
  const { set, after } = bench(t);
  const off = { notifyErrors: false, notifyStaleLocks: false, notifyEditorUnreachable: false };
  const rows = { locks: [staleLock('a')], recovered: [recovered('a')] };
  const all = { ...missing, ...rows, editors: [editor('A', unreachable(noonMs))] };
  set({ settings: off, editors: [editor('A')] }, { settings: off, ...all });
  assert.deepEqual(after(60_000), []);
  set(all);
  assert.deepEqual(after(60_000), []);
  set({ settings: { notifyStaleLocks: false }, locks: [staleLock('b')], recovered: [recovered('b')] });
  assert.deepEqual(after(60_000), ['b wasn’t saved']);
});

test('doesn’t notify of what happened while the window had focus, then or later', (t) => {
  const { self, set, after } = bench(t);
  set({});
  self.isSeen = true;
  set({ locks: [staleLock('a')], ...missing });
  assert.deepEqual(after(1500), []);
  self.isSeen = false;
  set({ locks: [staleLock('a')], ...missing });
  assert.deepEqual(after(120_000), []);
});

test('replaces markup characters in names on Linux only', (t) => {
  for (const [platform, name] of [
    ['linux', 'a ＆ ‹b›'],
    ['win32', 'a & <b>'],
  ] as const) {
    const { set, after, lastBody } = bench(t, platform);
    set({}, { conflicts: [conflict('a & <b>')] });
    after(1500);
    assert.ok(lastBody().startsWith(`Both contents are kept. Compare the document with ${name}`), lastBody());
  }
});
