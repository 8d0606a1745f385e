import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test, type TestContext } from 'node:test';
import type { Notification, NotificationConstructorOptions } from 'electron';
import type { Pushes } from '../../../app/contract/pushes.ts';
import type { WindowState } from '../../../app/contract/state.ts';
import { createNotifier, type Notifier } from '../../../app/desktop/notifications.ts';
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

interface Shown extends EventEmitter {
  title: string;
  body: string;
  buttons: (string | undefined)[];
  isClosed: boolean;
}

interface Bench {
  notifier: Notifier;
  shown: Shown[];
  titles(): string[];
  opened: Pushes['navigate'][];
  acted: unknown[];
  /** Sets the current state, like a push. */
  set(choice: StateChoice): void;
  tick(ms: number): void;
  isSeen: boolean;
  isSupported: boolean;
  nowMs: number;
}

function bench(t: TestContext, platform: NodeJS.Platform = 'linux'): Bench {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const shown: Shown[] = [];
  const opened: Pushes['navigate'][] = [];
  const acted: unknown[] = [];
  let state: WindowState = stateOf({ host: { status: 'starting', startedAtMs: null } });
  const self: Bench = {
    shown,
    opened,
    acted,
    titles: () => shown.map(({ title }) => title),
    isSeen: false,
    isSupported: true,
    nowMs: noonMs,
    set(choice) {
      state = stateOf(choice);
      self.notifier.refresh();
    },
    tick(ms) {
      self.nowMs += ms;
      t.mock.timers.tick(ms);
    },
    notifier: undefined as unknown as Notifier,
  };
  class FakeNotification extends EventEmitter {
    title: string;
    body: string;
    buttons: (string | undefined)[];
    isClosed = false;
    constructor(options: NotificationConstructorOptions) {
      super();
      this.title = options.title ?? '';
      this.body = options.body ?? '';
      this.buttons = options.actions?.map(({ text }) => text) ?? [];
    }
    static isSupported(): boolean {
      return self.isSupported;
    }
    show(): void {
      shown.push(this);
    }
    close(): void {
      this.isClosed = true;
    }
  }
  self.notifier = createNotifier({
    Notification: FakeNotification as unknown as typeof Notification,
    state: () => state,
    platform,
    clock: () => self.nowMs,
    isWindowFocused: () => self.isSeen,
    show: (to) => void opened.push(to),
    act: (action) => void acted.push(action),
    log: quietLog(),
  });
  t.after(() => self.notifier.close());
  return self;
}

const missing = { status: 'error' as const, problem: { code: 'folder-missing', message: 'Plug it in.' } };

test('notifies once of a lock that becomes stale; a click shows the lock', (t) => {
  const self = bench(t);
  self.set({ locks: [lock('x/a.odt')] });
  self.set({ locks: [staleLock('x/a.odt')] });
  self.set({ locks: [staleLock('x/a.odt')] });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['a.odt has a stale lock']);
  assert.equal(
    self.shown[0]?.body,
    'Its editor has been gone for 20\u{a0}min. Force-clear the lock so that others can edit the document.',
  );
  self.set({ locks: [staleLock('x/a.odt')] });
  self.tick(3_600_000);
  assert.equal(self.shown.length, 1);
  self.shown[0].emit('click');
  assert.deepEqual(self.opened, [{ view: 'locks', path: 'x/a.odt' }]);
});

test('the button of a stale lock force-clears it', (t) => {
  const self = bench(t);
  self.set({ locks: [lock('x/a.odt')] });
  const stale = staleLock('x/a.odt');
  self.set({ locks: [stale] });
  self.tick(1500);
  assert.deepEqual(self.shown[0]?.buttons, ['Force-clear']);
  self.shown[0].emit('action');
  assert.deepEqual([self.acted, self.opened], [[{ do: 'force-clear', lockId: stale.id }], []]);
});

test('offers to undo a force-clear for as long as that works', (t) => {
  const self = bench(t);
  self.notifier.cleared({ id: 'lock1', path: 'x/a.odt' }, self.nowMs + 10_000);
  const [offer] = self.shown;
  assert.deepEqual([offer?.title, offer?.buttons], ['Lock on a.odt cleared', ['Undo']]);
  offer?.emit('action');
  assert.deepEqual(self.acted, [{ do: 'undo-force-clear', lockId: 'lock1' }]);
  self.tick(9_999);
  assert.equal(offer?.isClosed, false);
  self.tick(1);
  assert.equal(offer?.isClosed, true);
});

const unreachable = (sinceMs: number) => ({
  problem: { code: 'refused', sentence: 'The connection was refused.', remedy: 'Start it.', sinceMs },
});

test('notifies once of an editor that becomes unreachable; a click shows it in the settings', (t) => {
  const self = bench(t);
  self.set({ editors: [editor('Office server')] });
  self.set({ editors: [editor('Office server', unreachable(noonMs))] });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['Office server can’t be reached']);
  assert.equal(self.shown[0]?.body, 'The connection was refused. Start it.');
  self.shown[0].emit('click');
  assert.deepEqual(self.opened, [{ view: 'settings', path: 'editors/id-Office server' }]);
  self.set({ editors: [editor('Office server', { ...unreachable(noonMs), name: 'Office' })] });
  self.tick(120_000);
  assert.equal(self.shown.length, 1);
  self.set({ editors: [editor('Office')] });
  self.set({ editors: [editor('Office server', unreachable(noonMs + 120_000))] });
  self.tick(60_000);
  assert.equal(self.shown.length, 2);
});

test('combines unreachable editors in one notification, without those that are back or were unreachable at the start', (t) => {
  const self = bench(t);
  self.set({ editors: [editor('Old', unreachable(noonMs)), editor('A'), editor('B'), editor('C')] });
  self.tick(5000);
  assert.deepEqual(self.titles(), []);
  self.set({ editors: ['A', 'B', 'C'].map((name) => editor(name, unreachable(noonMs + 1))) });
  self.set({
    editors: [editor('A', unreachable(noonMs + 1)), editor('B', unreachable(noonMs + 1)), editor('C')],
  });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['2 editors need attention']);
  assert.equal(self.shown[0]?.body, 'A and B. Test the connections in the settings.');
});

test('doesn’t notify of editors while the setting is off, nor of the same problem once it is on', (t) => {
  const self = bench(t);
  self.set({ editors: [editor('A')] });
  self.set({ editors: [editor('A', unreachable(noonMs))], settings: { notifyEditorUnreachable: false } });
  self.tick(1500);
  self.set({ editors: [editor('A', unreachable(noonMs))] });
  self.tick(60_000);
  assert.deepEqual(self.titles(), []);
});

test('combines 5,000 locks that become stale over time in two notifications', (t) => {
  const self = bench(t);
  const paths = Array.from({ length: 5000 }, (_, index) => `${index}.odt`);
  self.set({ locks: paths.map((path) => lock(path)) });
  for (let done = 0; done <= 5000; done += 50) {
    self.set({ locks: paths.map((path, index) => (index < done ? staleLock(path) : lock(path))) });
    self.tick(100);
  }
  self.tick(120_000);
  assert.equal(self.shown.length, 2);
  assert.match(self.titles()[0]!, /^[\d,]+ locks need attention$/);
  assert.match(self.titles()[1]!, /^[\d,]+ locks need attention$/);
  assert.match(self.shown[1]!.body, /^\d+\.odt, \d+\.odt, \d+\.odt and \d+ more\. Force-clear/);
  const counts = self.titles().map((title) => Number.parseInt(title.replace(',', ''), 10));
  assert.equal(counts[0]! + counts[1]!, 5000);
});

test('combines 5,000 locks that become stale at once in one notification', (t) => {
  const self = bench(t);
  const paths = Array.from({ length: 5000 }, (_, index) => `${index}.odt`);
  self.set({ locks: paths.map((path) => lock(path)) });
  self.set({ locks: paths.map((path) => staleLock(path)) });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['5,000 locks need attention']);
  self.shown[0]!.emit('click');
  assert.deepEqual(self.opened, [{ view: 'locks' }]);
});

test('doesn’t notify of a stale lock that was cleared before the notification', (t) => {
  const self = bench(t);
  self.set({ locks: [lock('a'), lock('b')] });
  self.set({ locks: [staleLock('a'), staleLock('b')] });
  self.set({ locks: [staleLock('b')] });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['b has a stale lock']);
});

test('doesn’t notify of a stale lock whose editor reconnected before the notification', (t) => {
  const self = bench(t);
  self.set({ locks: [lock('a')] });
  self.set({ locks: [staleLock('a')] });
  self.set({ locks: [lock('a')] });
  self.tick(1500);
  assert.deepEqual(self.titles(), []);
});

test('doesn’t notify again after an undone force-clear, but does if a refreshed lock becomes stale again', (t) => {
  const self = bench(t);
  self.set({ locks: [] });
  self.set({ locks: [staleLock('a')] });
  self.tick(60_000);
  self.set({ locks: [] });
  self.set({ locks: [staleLock('a')] });
  self.tick(60_000);
  assert.equal(self.shown.length, 1);
  self.set({ locks: [lock('a', { refreshedAtMs: noonMs + 1 })] });
  self.set({ locks: [staleLock('a', { refreshedAtMs: noonMs + 1 })] });
  self.tick(60_000);
  assert.equal(self.shown.length, 2);
});

test('doesn’t notify of stale locks and recovered saves from before the start', (t) => {
  const self = bench(t);
  self.set({ host: { status: 'starting' }, locks: [] });
  self.set({ locks: [staleLock('a')], recovered: [recovered('a')] });
  self.tick(60_000);
  assert.deepEqual(self.titles(), []);
});

test('explains a stale lock whose token was revoked', (t) => {
  const self = bench(t);
  self.set({});
  const stale = { kind: 'revoked' as const };
  self.set({ locks: [staleLock('a', { stale })] });
  self.tick(1500);
  assert.equal(
    self.shown[0]?.body,
    'Its token was revoked. Force-clear the lock so that others can edit the document.',
  );
});

test('notifies once of a conflict copy, and never of one from before the start', (t) => {
  const self = bench(t);
  const at = (path: string, madeAtMs = noonMs) => ({ ...conflict(path), madeAtMs });
  self.set({});
  self.set({ conflicts: [at('old', noonMs - 3_600_000)] });
  self.tick(120_000);
  assert.deepEqual(self.titles(), []);
  self.set({ conflicts: [at('a.odt')] });
  self.tick(120_000);
  self.set({ conflicts: [at('a.odt')] });
  self.tick(120_000);
  assert.deepEqual(self.titles(), ['Two programs changed a.odt']);
  assert.match(self.shown[0]?.body ?? '', /Both contents are kept/);
  self.set({ conflicts: [at('a.odt'), at('b.odt'), at('c.odt')] });
  self.tick(120_000);
  assert.deepEqual(self.titles().slice(1), ['2 conflict copies']);
});

test('notifies of recovered saves, but not of older ones of a newly chosen folder', (t) => {
  const self = bench(t);
  self.set({});
  self.set({ recovered: [recovered('old', { receivedAtMs: noonMs - 3_600_000 })] });
  self.tick(1500);
  assert.deepEqual(self.titles(), []);
  self.set({ recovered: [recovered('a.odt'), recovered('b.odt')] });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['2 recovered saves']);
  self.shown[0]!.emit('click');
  assert.deepEqual(self.opened, [{ view: 'overview' }]);
});

test('says of a save that isn’t a readable document what the file has, and offers what the window does', (t) => {
  const self = bench(t);
  self.set({});
  self.set({ recovered: [recovered('a.odt', { isUnreadable: true })] });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['A save of a.odt isn’t a readable document']);
  assert.match(
    self.shown[0]?.body ?? '',
    /^The file still has the last readable content\. Open what was saved/,
  );
});

test('notifies once of a host problem across retries, and again after it was resolved', (t) => {
  const self = bench(t);
  self.set({});
  self.set({ host: missing });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['DocTray isn’t serving']);
  assert.equal(self.shown[0]?.body, 'Plug it in.');
  self.set({ host: { status: 'starting' } });
  self.set({ host: missing });
  self.tick(120_000);
  assert.equal(self.shown.length, 1);
  self.set({});
  self.set({ host: missing });
  self.tick(120_000);
  assert.equal(self.shown.length, 2);
});

test('notifies of a problem at the start, but not of one that is resolved immediately', (t) => {
  const self = bench(t);
  self.set({ host: missing });
  self.tick(1500);
  assert.equal(self.shown.length, 1);
  self.set({ host: { status: 'error', problem: { code: 'port-taken', message: 'Taken.' } } });
  self.set({});
  self.tick(120_000);
  assert.equal(self.shown.length, 1);
});

test('doesn’t delay a problem by the pause after a stale lock', (t) => {
  const self = bench(t);
  self.set({ locks: [lock('a'), lock('b')] });
  self.set({ locks: [staleLock('a'), lock('b')] });
  self.tick(1500);
  self.set({ locks: [staleLock('a'), staleLock('b')] });
  self.tick(1000);
  self.set({ locks: [staleLock('a'), staleLock('b')], host: missing });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['a has a stale lock', 'DocTray isn’t serving']);
  self.tick(60_000);
  assert.equal(self.titles()[2], 'b has a stale lock');
});

test('each kind of notification can be switched off', (t) => {
  const self = bench(t);
  const settings = { notifyErrors: false, notifyStaleLocks: false };
  self.set({ settings });
  self.set({ settings, host: missing, locks: [staleLock('a')], recovered: [recovered('a')] });
  self.tick(60_000);
  self.set({ host: missing, locks: [staleLock('a')], recovered: [recovered('a')] });
  self.tick(60_000);
  assert.deepEqual(self.titles(), []);
  const errorsOnly = { notifyStaleLocks: false };
  self.set({ settings: errorsOnly, locks: [staleLock('b')], recovered: [recovered('b')] });
  self.tick(60_000);
  assert.deepEqual(self.titles(), ['A failed save of b was recovered']);
});

test('doesn’t notify of what happened while the window had focus, then or later', (t) => {
  const self = bench(t);
  self.set({});
  self.isSeen = true;
  self.set({ locks: [staleLock('a')], host: missing });
  self.tick(1500);
  self.isSeen = false;
  self.set({ locks: [staleLock('a')], host: missing });
  self.tick(120_000);
  assert.deepEqual(self.titles(), []);
});

test('on Linux, replaces markup characters in names', (t) => {
  const self = bench(t);
  self.set({});
  self.set({ conflicts: [conflict('a & <b>')] });
  self.tick(1500);
  assert.match(self.shown[0]!.body, /^Both contents are kept. Compare the document with a ＆ ‹b›/);
});

test('on Windows, leaves names unchanged', (t) => {
  const self = bench(t, 'win32');
  self.set({});
  self.set({ conflicts: [conflict('A & B')] });
  self.tick(1500);
  assert.match(self.shown[0]!.body, /^Both contents are kept. Compare the document with A & B/);
});

test('shows nothing if notifications aren’t supported, and close removes those that are shown', (t) => {
  const self = bench(t);
  self.set({});
  self.isSupported = false;
  self.set({ locks: [staleLock('a')] });
  self.tick(1500);
  assert.equal(self.shown.length, 0);
  self.isSupported = true;
  self.set({ host: missing });
  self.tick(60_000);
  self.notifier.close();
  assert.deepEqual(
    self.shown.map(({ isClosed }) => isClosed),
    [true],
  );
});
