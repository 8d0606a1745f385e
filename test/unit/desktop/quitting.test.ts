import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test, type TestContext } from 'node:test';
import type { WindowState } from '../../../app/contract/state.ts';
import { createQuitting, quitTitle, type Quitting } from '../../../app/desktop/quitting.ts';
import { speaking } from '../../../app/languages.ts';
import { lock, questions, quietLog, settled, staleLock, stateOf } from './desktop-fixture.ts';

interface Bench {
  quitting: Quitting;
  /** Like Electron's app: asks the `before-quit` listeners and records how it ended. */
  app: EventEmitter & { quit(): void; exit(code?: number): void };
  log: ReturnType<typeof quietLog>;
  asked: ReturnType<typeof questions>;
  process: EventEmitter;
  calls: string[];
  shown: (number | undefined)[];
  tick(ms: number): Promise<void>;
  state: WindowState;
  saves: number;
  hasTray: boolean;
  hasHost: boolean;
  /** Finishes the stop of the host, as after its last request. */
  finishStop(): Promise<void>;
}

function bench(t: TestContext): Bench {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const asked = questions();
  const log = quietLog();
  const stopped = Promise.withResolvers<void>();
  const calls: string[] = [];
  const shown: (number | undefined)[] = [];
  const app = Object.assign(new EventEmitter(), {
    quit() {
      const event = { isPrevented: false, preventDefault: () => void (event.isPrevented = true) };
      app.emit('before-quit', event);
      if (!event.isPrevented) calls.push('quit');
    },
    exit: (code?: number) => void calls.push(`exit ${code}`),
  });
  const self: Bench = {
    app,
    asked,
    log,
    calls,
    shown,
    process: new EventEmitter(),
    state: stateOf(),
    saves: 0,
    hasTray: true,
    hasHost: true,
    async tick(ms) {
      t.mock.timers.tick(ms);
      await settled();
    },
    async finishStop() {
      stopped.resolve();
      await settled();
    },
    quitting: undefined as unknown as Quitting,
  };
  self.quitting = createQuitting({
    app,
    ask: asked.ask,
    state: () => self.state,
    host: () => (self.hasHost ? { runningSaves: () => self.saves } : undefined),
    stopHost(limitMs) {
      calls.push(`stop ${limitMs > 1e9 ? 'without limit' : limitMs}`);
      return stopped.promise;
    },
    hasTray: () => self.hasTray,
    onForcedEnd: () => undefined,
    onProgress: () => void shown.push(self.quitting.progress()?.saves),
    log,
    limits: { unattendedMs: 30_000, otherRequestsMs: 3000, closeMs: 5000, pollMs: 250 },
  });
  self.quitting.attach();
  self.quitting.attachSignals(self.process as unknown as NodeJS.Process);
  return self;
}

function closeEvent(): { preventDefault(): void; isPrevented: boolean } {
  const event = { isPrevented: false, preventDefault: () => void (event.isPrevented = true) };
  return event;
}

test('without open documents, stops the host and quits without a question', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [staleLock('a')] });
  self.quitting.request();
  await settled();
  assert.equal(self.quitting.isQuitting(), true);
  assert.deepEqual(self.calls, ['stop without limit', 'stop 3000']);
  await self.finishStop();
  assert.deepEqual(self.asked.open, []);
  assert.deepEqual(self.calls, ['stop without limit', 'stop 3000', 'quit']);
});

test('asks in this computer’s language, not in that of the terminal that quits', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [lock('a')] });
  speaking(['de'], () => self.quitting.request());
  await settled();
  assert.match(self.asked.open[0]?.message ?? '', /^Quit while/u);
});

test('an update isn’t installed while a document is being edited, unless the user quits anyway', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [lock('a.odt')] });
  const install = (): void => void self.calls.push('install');
  self.quitting.requestAndThen(install);
  await self.asked.answer(1);
  await self.finishStop();
  assert.deepEqual(self.calls, []);
  self.quitting.requestAndThen(install);
  await self.asked.answer(0);
  await self.finishStop();
  assert.deepEqual(self.calls, ['stop without limit', 'stop 3000', 'install']);
});

test('names the open documents, and makes Keep running the default and cancel button', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: ['a.odt', 'x/b.odt', 'c.odt', 'd.odt', 'e.odt'].map((path) => lock(path)) });
  self.quitting.request();
  const [question] = self.asked.open;
  assert.equal(question?.message, 'Quit while a.odt, b.odt, c.odt and 2 more are still open?');
  assert.deepEqual(question.buttons, ['Quit anyway', 'Keep running']);
  assert.deepEqual([question.defaultId, question.cancelId], [1, 1]);

  await self.asked.answer(1);
  assert.equal(self.quitting.isQuitting(), false);
  assert.deepEqual(self.calls, []);

  self.quitting.request();
  await self.asked.answer(0);
  await self.finishStop();
  assert.equal(self.calls.at(-1), 'quit');
});

test('asks only once while the question is open', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [lock('a')] });
  self.quitting.request();
  self.app.quit();
  self.quitting.windowClosing(closeEvent(), () => undefined);
  await settled();
  assert.equal(self.asked.open.length, 1);
});

test('delays a quit by the system or the dock until the host has stopped', async (t) => {
  const self = bench(t);
  self.app.quit();
  await settled();
  assert.deepEqual(self.calls, ['stop without limit', 'stop 3000']);
  await self.finishStop();
  assert.equal(self.calls.at(-1), 'quit');
});

test('waits for running saves and counts them', async (t) => {
  const self = bench(t);
  self.saves = 2;
  self.quitting.request();
  await settled();
  assert.deepEqual(self.quitting.progress(), { saves: 2 });
  await self.tick(30_000);
  assert.deepEqual(self.calls, ['stop without limit']);
  self.saves = 1;
  await self.tick(250);
  self.saves = 0;
  await self.tick(250);
  assert.deepEqual(self.shown, [2, 1, 0]);
  assert.deepEqual(self.calls, ['stop without limit', 'stop 3000']);
  await self.finishStop();
  assert.equal(self.calls.at(-1), 'quit');
});

test('a second request during the wait for a save offers to quit now', async (t) => {
  const self = bench(t);
  self.saves = 1;
  self.quitting.request();
  await settled();
  self.app.quit();
  assert.equal(self.asked.open[0]?.message, 'DocTray is finishing 1 save.');
  assert.deepEqual(self.asked.open[0].buttons, ['Wait longer', 'Quit now']);
  assert.deepEqual([self.asked.open[0].defaultId, self.asked.open[0].cancelId], [0, 0]);
  await self.asked.answer(0);
  assert.deepEqual(self.calls, ['stop without limit']);
  self.app.quit();
  await self.asked.answer(1);
  assert.deepEqual(self.calls, ['stop without limit', 'stop 0']);
  await self.finishStop();
  assert.deepEqual(self.calls, ['stop without limit', 'stop 0', 'quit']);
});

test('quits if the host doesn’t stop in time, and exits if that has no effect', async (t) => {
  const self = bench(t);
  self.quitting.request();
  await settled();
  await self.tick(7999);
  assert.deepEqual(self.calls, ['stop without limit', 'stop 3000']);
  await self.tick(1);
  assert.equal(self.calls.at(-1), 'quit');
  await self.tick(5000);
  assert.equal(self.calls.at(-1), 'exit 0');
});

test('quits without a host', async (t) => {
  const self = bench(t);
  self.hasHost = false;
  self.quitting.request();
  await settled();
  await self.finishStop();
  assert.equal(self.calls.at(-1), 'quit');
});

test('a signal quits without a question, and waits for saves for a limited time', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [lock('a')] });
  self.saves = 1;
  self.process.emit('SIGTERM');
  await settled();
  assert.deepEqual(self.asked.open, []);
  assert.deepEqual(self.calls, ['stop 30000']);
  await self.tick(29_999);
  assert.deepEqual(self.calls, ['stop 30000']);
  await self.tick(1);
  assert.deepEqual(self.calls, ['stop 30000', 'stop 0']);
  await self.finishStop();
  assert.equal(self.calls.at(-1), 'quit');
});

test('a shutdown limits the wait for saves to the same time, without another question', async (t) => {
  const self = bench(t);
  self.saves = 1;
  self.quitting.request();
  await settled();
  self.quitting.end('shutdown');
  self.app.quit();
  assert.deepEqual(self.asked.open, []);
  await self.tick(30_000);
  assert.deepEqual(self.calls, ['stop without limit', 'stop 0']);
});

test('a signal while the question is open quits the app, whatever the answer', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [lock('a')] });
  self.quitting.request();
  self.process.emit('SIGINT');
  await settled();
  await self.asked.answer(1);
  await self.finishStop();
  assert.deepEqual(self.calls, ['stop 30000', 'stop 3000', 'quit']);
});

test('ignores the same signal repeated by npm; a later one stops the host immediately', async (t) => {
  const self = bench(t);
  let nowMs = 1000;
  t.mock.method(performance, 'now', () => nowMs);
  self.saves = 1;
  self.process.emit('SIGINT');
  nowMs += 20;
  self.process.emit('SIGINT');
  await settled();
  assert.deepEqual(self.calls, ['stop 30000']);
  nowMs += 1000;
  self.process.emit('SIGINT');
  await settled();
  assert.deepEqual(self.calls, ['stop 30000', 'stop 0']);
});

test('closing the window hides it if there is a tray', (t) => {
  const self = bench(t);
  const event = closeEvent();
  let hidden = 0;
  self.quitting.windowClosing(event, () => (hidden += 1));
  assert.equal(event.isPrevented, true);
  assert.equal(hidden, 1);
  assert.deepEqual(self.asked.open, []);
});

test('without a tray, closing the window asks to keep running, quit or cancel', async (t) => {
  const self = bench(t);
  self.hasTray = false;
  let hidden = 0;
  const close = async (answer: number): Promise<void> => {
    self.quitting.windowClosing(closeEvent(), () => (hidden += 1));
    assert.deepEqual(self.asked.open[0]?.buttons, ['Keep running', 'Quit', 'Cancel']);
    await self.asked.answer(answer);
  };
  await close(2);
  assert.equal(hidden, 0);
  await close(0);
  assert.equal(hidden, 1);
  self.state = stateOf({ locks: [lock('a.odt')] });
  await close(1);
  assert.equal(self.asked.open[0]?.message, 'Quit while a.odt is still open?');
  await self.asked.answer(0);
  await self.finishStop();
  assert.equal(self.calls.at(-1), 'quit');
});

test('doesn’t prevent a window from closing while the app is quitting', async (t) => {
  const self = bench(t);
  self.quitting.request();
  await settled();
  await self.finishStop();
  const event = closeEvent();
  self.quitting.windowClosing(event, () => assert.fail('hidden'));
  assert.equal(event.isPrevented, false);
});

test('the window title shows the number of pending saves', () => {
  assert.equal(quitTitle(undefined), undefined);
  assert.equal(quitTitle({ saves: 0 }), undefined);
  assert.equal(quitTitle({ saves: 1 }), 'DocTray – finishing 1 save…');
  assert.equal(quitTitle({ saves: 2 }), 'DocTray – finishing 2 saves…');
});
