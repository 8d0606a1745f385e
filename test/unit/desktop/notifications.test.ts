import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test, type TestContext } from 'node:test';
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
  isClosed: boolean;
}

interface Bench {
  notifier: Notifier;
  shown: Shown[];
  titles(): string[];
  opened: Pushes['navigate'][];
  /** The state of now, as a push brings it. */
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
  let state: WindowState = stateOf({ host: { status: 'starting', startedAtMs: null } });
  const self: Bench = {
    shown,
    opened,
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
    isClosed = false;
    constructor(options: { title?: string; body?: string }) {
      super();
      this.title = options.title ?? '';
      this.body = options.body ?? '';
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
    Notification: FakeNotification,
    state: () => state,
    platform,
    clock: () => self.nowMs,
    isWindowFocused: () => self.isSeen,
    open: (to) => void opened.push(to),
    log: quietLog(),
  });
  t.after(() => self.notifier.close());
  return self;
}

const missing = { status: 'error' as const, problem: { code: 'folder-missing', message: 'Plug it in.' } };

test('a lock that becomes stale is told once, and a press leads to it', (t) => {
  const self = bench(t);
  self.set({ locks: [lock('x/a.odt')] });
  self.set({ locks: [staleLock('x/a.odt')] });
  self.set({ locks: [staleLock('x/a.odt')] });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['The lock on a.odt became stale']);
  assert.equal(
    self.shown[0]?.body,
    'No call from Ana for 20 minutes. Force-clear the lock to free the document.',
  );
  self.set({ locks: [staleLock('x/a.odt')] });
  self.tick(3_600_000);
  assert.equal(self.shown.length, 1);
  self.shown[0].emit('click');
  assert.deepEqual(self.opened, [{ view: 'locks', path: 'x/a.odt' }]);
});

const gone = (sinceMs: number) => ({
  problem: { code: 'refused', sentence: 'The connection was refused. Start it.', sinceMs },
});

test('an editor that cannot be reached any more is told once, and a press leads to the settings', (t) => {
  const self = bench(t);
  self.set({ editors: [editor('Office server')] });
  self.set({ editors: [editor('Office server', gone(noonMs))] });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['Office server cannot be reached']);
  assert.equal(self.shown[0]?.body, 'The connection was refused. Start it.');
  self.shown[0].emit('click');
  assert.deepEqual(self.opened, [{ view: 'settings' }]);
  self.set({ editors: [editor('Office server', { ...gone(noonMs), name: 'Office' })] });
  self.tick(120_000);
  assert.equal(self.shown.length, 1);
  self.set({ editors: [editor('Office')] });
  self.set({ editors: [editor('Office server', gone(noonMs + 120_000))] });
  self.tick(60_000);
  assert.equal(self.shown.length, 2);
});

test('several editors that went away are one notification; one that is back is none, nor one that was away at the start', (t) => {
  const self = bench(t);
  self.set({ editors: [editor('Old', gone(noonMs)), editor('A'), editor('B'), editor('C')] });
  self.tick(5000);
  assert.deepEqual(self.titles(), []);
  self.set({ editors: ['A', 'B', 'C'].map((name) => editor(name, gone(noonMs + 1))) });
  self.set({ editors: [editor('A', gone(noonMs + 1)), editor('B', gone(noonMs + 1)), editor('C')] });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['2 editors cannot be reached']);
  assert.equal(self.shown[0]?.body, 'A and B. Test the connections in the settings.');
});

test('nothing is told of editors where the setting is off, also not once it is on again', (t) => {
  const self = bench(t);
  self.set({ editors: [editor('A')] });
  self.set({ editors: [editor('A', gone(noonMs))], settings: { notifyEditorUnreachable: false } });
  self.tick(1500);
  self.set({ editors: [editor('A', gone(noonMs))] });
  self.tick(60_000);
  assert.deepEqual(self.titles(), []);
});

test('5,000 locks that become stale in drips are a handful of notifications, each about many', (t) => {
  const self = bench(t);
  const paths = Array.from({ length: 5000 }, (_, index) => `${index}.odt`);
  self.set({ locks: paths.map((path) => lock(path)) });
  for (let done = 0; done <= 5000; done += 50) {
    self.set({ locks: paths.map((path, index) => (index < done ? staleLock(path) : lock(path))) });
    self.tick(100);
  }
  self.tick(120_000);
  assert.equal(self.shown.length, 2);
  assert.match(self.titles()[0]!, /^[0-9]+ locks became stale$/);
  assert.match(self.titles()[1]!, /^[0-9]+ locks became stale$/);
  assert.match(self.shown[1]!.body, /^\d+\.odt, \d+\.odt, \d+\.odt and \d+ more\. Force-clear/);
  const counts = self.titles().map((title) => Number.parseInt(title, 10));
  assert.equal(counts[0]! + counts[1]!, 5000);
});

test('all of 5,000 at once are one notification', (t) => {
  const self = bench(t);
  const paths = Array.from({ length: 5000 }, (_, index) => `${index}.odt`);
  self.set({ locks: paths.map((path) => lock(path)) });
  self.set({ locks: paths.map((path) => staleLock(path)) });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['5000 locks became stale']);
  self.shown[0]!.emit('click');
  assert.deepEqual(self.opened, [{ view: 'locks' }]);
});

test('a lock that was freed in the meantime is not told', (t) => {
  const self = bench(t);
  self.set({ locks: [lock('a'), lock('b')] });
  self.set({ locks: [staleLock('a'), staleLock('b')] });
  self.set({ locks: [staleLock('b')] });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['The lock on b became stale']);
});

test('a lock whose editor came back in the meantime is not told', (t) => {
  const self = bench(t);
  self.set({ locks: [lock('a')] });
  self.set({ locks: [staleLock('a')] });
  self.set({ locks: [lock('a')] });
  self.tick(1500);
  assert.deepEqual(self.titles(), []);
});

test('a force-clear that was undone is no news; a lock refreshed and stale again is', (t) => {
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

test('what was there when the app started is not told', (t) => {
  const self = bench(t);
  self.set({ host: { status: 'starting' }, locks: [] });
  self.set({ locks: [staleLock('a')], recovered: [recovered('a')] });
  self.tick(60_000);
  assert.deepEqual(self.titles(), []);
});

test('a token that ended is told in the words of the host', (t) => {
  const self = bench(t);
  self.set({});
  const stale = { kind: 'token-ended' as const, sentence: 'Its token was revoked.' };
  self.set({ locks: [staleLock('a', { stale })] });
  self.tick(1500);
  assert.equal(self.shown[0]?.body, 'Its token was revoked. Force-clear the lock to free the document.');
});

test('a conflict copy is shown once, one from before the start never', (t) => {
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
  assert.deepEqual(self.titles(), ['a.odt was changed by two programs']);
  assert.match(self.shown[0]?.body ?? '', /Both contents were kept/);
  self.set({ conflicts: [at('a.odt'), at('b.odt'), at('c.odt')] });
  self.tick(120_000);
  assert.deepEqual(self.titles().slice(1), ['2 documents were changed by two programs']);
});

test('a recovered save is told, one that the folder chosen now had before is not', (t) => {
  const self = bench(t);
  self.set({});
  self.set({ recovered: [recovered('old', { receivedAtMs: noonMs - 3_600_000 })] });
  self.tick(1500);
  assert.deepEqual(self.titles(), []);
  self.set({ recovered: [recovered('a.odt'), recovered('b.odt')] });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['2 saves were recovered']);
  self.shown[0]!.emit('click');
  assert.deepEqual(self.opened, [{ view: 'overview' }]);
});

test('a problem of the host is told once, also while it is tried again, and anew after it was mended', (t) => {
  const self = bench(t);
  self.set({});
  self.set({ host: missing });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['DocTray is not serving']);
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

test('a problem that is there at the start is told; one that passes at once is not', (t) => {
  const self = bench(t);
  self.set({ host: missing });
  self.tick(1500);
  assert.equal(self.shown.length, 1);
  self.set({ host: { status: 'error', problem: { code: 'port-taken', message: 'Taken.' } } });
  self.set({});
  self.tick(120_000);
  assert.equal(self.shown.length, 1);
});

test('a problem does not wait for the pause after stale locks', (t) => {
  const self = bench(t);
  self.set({ locks: [lock('a'), lock('b')] });
  self.set({ locks: [staleLock('a'), lock('b')] });
  self.tick(1500);
  self.set({ locks: [staleLock('a'), staleLock('b')] });
  self.tick(1000);
  self.set({ locks: [staleLock('a'), staleLock('b')], host: missing });
  self.tick(1500);
  assert.deepEqual(self.titles(), ['The lock on a became stale', 'DocTray is not serving']);
  self.tick(60_000);
  assert.equal(self.titles()[2], 'The lock on b became stale');
});

test('each kind can be switched off', (t) => {
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
  assert.deepEqual(self.titles(), ['A save of b was recovered']);
});

test('what the window in view shows already is not told, then or later', (t) => {
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

test('a name that looks like markup stays text on Linux', (t) => {
  const self = bench(t);
  self.set({});
  self.set({ locks: [staleLock('a', { userName: '<b>Ana</b> & co' })] });
  self.tick(1500);
  assert.match(self.shown[0]!.body, /^No call from ‹b›Ana‹\/b› ＆ co for/);
});

test('elsewhere it is left as it is', (t) => {
  const self = bench(t, 'win32');
  self.set({});
  self.set({ locks: [staleLock('a', { userName: 'A & B' })] });
  self.tick(1500);
  assert.match(self.shown[0]!.body, /^No call from A & B for/);
});

test('a clock that is set back silences nothing for longer than a minute', (t) => {
  const self = bench(t);
  self.set({});
  self.set({ locks: [staleLock('a')] });
  self.tick(1500);
  self.nowMs -= 24 * 3_600_000;
  self.set({ locks: [staleLock('a'), staleLock('b')] });
  self.tick(60_000);
  assert.equal(self.shown.length, 2);
});

test('a system without notifications is left alone, and closing takes back what is shown', (t) => {
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
