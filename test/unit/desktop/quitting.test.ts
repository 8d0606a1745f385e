import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test, type TestContext } from 'node:test';
import type { WindowState } from '../../../app/contract/state.ts';
import { createQuitting, quitTitle, type Quitting } from '../../../app/desktop/quitting.ts';
import { lock, questions, quietLog, settled, staleLock, stateOf } from './desktop-fixture.ts';

interface Bench {
  quitting: Quitting;
  /** Electron's: it asks its listeners, then the window, and remembers how it ended. */
  app: EventEmitter & { quit(): void; exit(code?: number): void };
  log: ReturnType<typeof quietLog>;
  asked: ReturnType<typeof questions>;
  process: EventEmitter;
  happened: string[];
  shown: (number | undefined)[];
  tick(ms: number): Promise<void>;
  state: WindowState;
  saves: number;
  hasTray: boolean;
  hasHost: boolean;
  /** Ends the stopping of the host, as when its last request is over. */
  finishStop(): Promise<void>;
}

function bench(t: TestContext): Bench {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const asked = questions();
  const log = quietLog();
  const stopped = Promise.withResolvers<void>();
  const happened: string[] = [];
  const shown: (number | undefined)[] = [];
  const app = Object.assign(new EventEmitter(), {
    quit() {
      const event = { isPrevented: false, preventDefault: () => void (event.isPrevented = true) };
      app.emit('before-quit', event);
      if (!event.isPrevented) happened.push('quit');
    },
    exit: (code?: number) => void happened.push(`exit ${code}`),
  });
  const self: Bench = {
    app,
    asked,
    log,
    happened,
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
      happened.push(`stop ${limitMs > 1e9 ? 'without limit' : limitMs}`);
      return stopped.promise;
    },
    hasTray: () => self.hasTray,
    onForcedEnd: () => undefined,
    onProgress: () => void shown.push(self.quitting.progress()?.saves),
    log,
    limits: { askAgainMs: 60_000, unaskedMs: 30_000, restMs: 3000, closeMs: 5000, pollMs: 250 },
  });
  self.quitting.attach();
  self.quitting.attachSignals(self.process as unknown as NodeJS.Process);
  return self;
}

function closeEvent(): { preventDefault(): void; isPrevented: boolean } {
  const event = { isPrevented: false, preventDefault: () => void (event.isPrevented = true) };
  return event;
}

test('with nothing open the host is stopped and the app quits, without a question', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [staleLock('a')] });
  self.quitting.request();
  await settled();
  assert.equal(self.quitting.isQuitting(), true);
  assert.deepEqual(self.happened, ['stop without limit', 'stop 3000']);
  await self.finishStop();
  assert.deepEqual(self.asked.open, []);
  assert.deepEqual(self.happened, ['stop without limit', 'stop 3000', 'quit']);
});

test('open documents are named, and keeping them is what Enter and Escape do', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: ['a.odt', 'x/b.odt', 'c.odt', 'd.odt', 'e.odt'].map((path) => lock(path)) });
  self.quitting.request();
  const [question] = self.asked.open;
  assert.equal(question?.message, 'Quit while a.odt, b.odt, c.odt and 2 more are still open?');
  assert.deepEqual(question.buttons, ['Quit anyway', 'Keep running']);
  assert.deepEqual([question.defaultId, question.cancelId], [1, 1]);

  await self.asked.answer(1);
  assert.equal(self.quitting.isQuitting(), false);
  assert.deepEqual(self.happened, []);

  self.quitting.request();
  await self.asked.answer(0);
  await self.finishStop();
  assert.equal(self.happened.at(-1), 'quit');
});

test('while the question is on the screen no second one comes', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [lock('a')] });
  self.quitting.request();
  self.app.quit();
  self.quitting.windowClosing(closeEvent(), () => undefined);
  await settled();
  assert.equal(self.asked.open.length, 1);
});

test('a quit of the system or the dock is held back until the host has stopped', async (t) => {
  const self = bench(t);
  self.app.quit();
  await settled();
  assert.deepEqual(self.happened, ['stop without limit', 'stop 3000']);
  await self.finishStop();
  assert.equal(self.happened.at(-1), 'quit');
});

test('a running save is waited for and counted', async (t) => {
  const self = bench(t);
  self.saves = 2;
  self.quitting.request();
  await settled();
  assert.deepEqual(self.quitting.progress(), { saves: 2 });
  await self.tick(30_000);
  assert.deepEqual(self.happened, ['stop without limit']);
  self.saves = 1;
  await self.tick(250);
  self.saves = 0;
  await self.tick(250);
  assert.deepEqual(self.shown, [2, 1, 0]);
  assert.deepEqual(self.happened, ['stop without limit', 'stop 3000']);
  await self.finishStop();
  assert.equal(self.happened.at(-1), 'quit');
});

test('a long wait asks again and again, and goes on as long as the answer is to wait', async (t) => {
  const self = bench(t);
  self.saves = 1;
  self.quitting.request();
  for (let round = 0; round < 3; round += 1) {
    await self.tick(60_000);
    assert.equal(self.asked.open[0]?.message, 'DocTray is finishing 1 save.');
    assert.deepEqual(self.asked.open[0].buttons, ['Wait longer', 'Quit now']);
    assert.deepEqual([self.asked.open[0].defaultId, self.asked.open[0].cancelId], [0, 0]);
    await self.asked.answer(0);
  }
  assert.deepEqual(self.happened, ['stop without limit']);
});

test('a second request while a save is waited for offers to quit at once', async (t) => {
  const self = bench(t);
  self.saves = 1;
  self.quitting.request();
  await settled();
  self.app.quit();
  assert.equal(self.asked.open.length, 1);
  await self.asked.answer(1);
  assert.deepEqual(self.happened, ['stop without limit', 'stop 0']);
  await self.finishStop();
  assert.deepEqual(self.happened, ['stop without limit', 'stop 0', 'quit']);
});

test('the question is taken back when the save is done, and its answer counts no more', async (t) => {
  const self = bench(t);
  self.saves = 1;
  self.quitting.request();
  await settled();
  self.quitting.request();
  assert.equal(self.asked.open.length, 1);
  self.saves = 0;
  await self.tick(250);
  assert.equal(self.asked.open.length, 0);
  await self.finishStop();
  assert.equal(self.happened.at(-1), 'quit');
});

test('a host that does not stop does not keep the app', async (t) => {
  const self = bench(t);
  self.quitting.request();
  await settled();
  await self.tick(7999);
  assert.deepEqual(self.happened, ['stop without limit', 'stop 3000']);
  await self.tick(1);
  assert.equal(self.happened.at(-1), 'quit');
  await self.tick(5000);
  assert.equal(self.happened.at(-1), 'exit 0');
});

test('a host that is not there, or fails to stop, is no reason to stay', async (t) => {
  const self = bench(t);
  self.hasHost = false;
  self.quitting.request();
  await settled();
  await self.finishStop();
  assert.equal(self.happened.at(-1), 'quit');
});

test('a signal asks nobody and finishes saves for a bounded time', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [lock('a')] });
  self.saves = 1;
  self.process.emit('SIGTERM');
  await settled();
  assert.deepEqual(self.asked.open, []);
  assert.deepEqual(self.happened, ['stop 30000']);
  await self.tick(29_999);
  assert.deepEqual(self.happened, ['stop 30000']);
  await self.tick(1);
  assert.deepEqual(self.happened, ['stop 30000', 'stop 0']);
  await self.finishStop();
  assert.equal(self.happened.at(-1), 'quit');
});

test('the end of the session ends a person’s wait after the same time, with no further question', async (t) => {
  const self = bench(t);
  self.saves = 1;
  self.quitting.request();
  await settled();
  self.quitting.end('shutdown');
  self.app.quit();
  assert.deepEqual(self.asked.open, []);
  await self.tick(30_000);
  assert.deepEqual(self.happened, ['stop without limit', 'stop 0']);
});

test('a signal while the question is open ends the app, whatever is answered later', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [lock('a')] });
  self.quitting.request();
  self.process.emit('SIGINT');
  await settled();
  await self.asked.answer(1);
  await self.finishStop();
  assert.deepEqual(self.happened, ['stop 30000', 'stop 3000', 'quit']);
});

test('the same signal passed on by npm does not count twice; a later one cuts', async (t) => {
  const self = bench(t);
  let nowMs = 1000;
  t.mock.method(performance, 'now', () => nowMs);
  self.saves = 1;
  self.process.emit('SIGINT');
  nowMs += 20;
  self.process.emit('SIGINT');
  await settled();
  assert.deepEqual(self.happened, ['stop 30000']);
  nowMs += 1000;
  self.process.emit('SIGINT');
  await settled();
  assert.deepEqual(self.happened, ['stop 30000', 'stop 0']);
});

test('closing the window hides it where there is a tray', (t) => {
  const self = bench(t);
  const event = closeEvent();
  let hidden = 0;
  self.quitting.windowClosing(event, () => (hidden += 1));
  assert.equal(event.isPrevented, true);
  assert.equal(hidden, 1);
  assert.deepEqual(self.asked.open, []);
});

test('without a tray closing asks: to go on hidden, to quit, or neither', async (t) => {
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
  assert.equal(self.happened.at(-1), 'quit');
});

test('a window closes freely once the app ends', async (t) => {
  const self = bench(t);
  self.quitting.request();
  await settled();
  await self.finishStop();
  const event = closeEvent();
  self.quitting.windowClosing(event, () => assert.fail('hidden'));
  assert.equal(event.isPrevented, false);
});

test('a dialog that cannot be shown is not taken for a yes', async (t) => {
  const self = bench(t);
  self.state = stateOf({ locks: [lock('a')] });
  const quitting = createQuitting({
    app: self.app,
    ask: () => Promise.reject(new Error('no display')),
    state: () => self.state,
    host: () => undefined,
    stopHost: () => Promise.resolve(assert.fail('stopped')),
    hasTray: () => true,
    onForcedEnd: () => undefined,
    onProgress: () => undefined,
    log: self.log,
  });
  quitting.request();
  await settled();
  assert.equal(quitting.isQuitting(), false);
  assert.deepEqual(self.log.lines, ['A question could not be shown.']);
});

test('the title of the window says what is waited for', () => {
  assert.equal(quitTitle(undefined), undefined);
  assert.equal(quitTitle({ saves: 0 }), undefined);
  assert.equal(quitTitle({ saves: 1 }), 'DocTray – finishing 1 save…');
  assert.equal(quitTitle({ saves: 2 }), 'DocTray – finishing 2 saves…');
});
