// Quitting in cases whose timing test/e2e/ending.test.ts can't bring about: limits, signals, questions that overlap.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test, type TestContext } from 'node:test';
import { createQuitting } from '../../../app/desktop/quitting.ts';
import { speaking } from '../../../app/languages.ts';
import { lock, questions, quietLog, settled, stateOf } from './desktop-fixture.ts';

function bench(t: TestContext) {
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const asked = questions();
  const stopped = Promise.withResolvers<void>();
  /** What happened, in short: 'stop 3000', 'quit', … */
  const calls: string[] = [];
  const shown: (number | undefined)[] = [];
  const self = { state: stateOf(), saves: 0 };
  const app = Object.assign(new EventEmitter(), {
    /** Like Electron: asks the listeners first. */
    quit() {
      let isPrevented = false;
      app.emit('before-quit', { preventDefault: () => (isPrevented = true) });
      if (!isPrevented) calls.push('quit');
    },
    exit: (code?: number) => void calls.push(`exit ${code}`),
  });
  const quitting = createQuitting({
    app,
    ask: asked.ask,
    state: () => self.state,
    host: () => ({ runningSaves: () => self.saves }),
    stopHost(limitMs) {
      calls.push(`stop ${limitMs > 1e9 ? 'without limit' : limitMs}`);
      return stopped.promise;
    },
    hasTray: () => false,
    onForcedEnd: () => undefined,
    onProgress: () => void shown.push(quitting.progress()?.saves),
    log: quietLog(),
  });
  const process = new EventEmitter();
  quitting.attach();
  quitting.attachSignals(process as unknown as NodeJS.Process);
  const close = (): void => quitting.windowClosing({ preventDefault: () => undefined }, () => undefined);
  const tick = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms);
    await settled();
  };
  /** Finishes the stop of the host, as after its last request. */
  const finishStop = async (): Promise<void> => {
    stopped.resolve();
    await settled();
  };
  return { quitting, app, asked, calls, shown, self, process, close, tick, finishStop };
}

test('an update isn’t installed while a document is being edited, unless the user quits anyway', async (t) => {
  const { quitting, self, asked, calls, finishStop } = bench(t);
  self.state = stateOf({ locks: [lock('a.odt')] });
  const install = (): void => void calls.push('install');
  quitting.requestAndThen(install);
  await asked.answer(1);
  assert.deepEqual([calls, quitting.isQuitting()], [[], false]);
  quitting.requestAndThen(install);
  await asked.answer(0);
  await finishStop();
  assert.deepEqual(calls, ['stop without limit', 'stop 3000', 'install']);
});

test('asks only once at a time, in this computer’s language, not in that of the terminal that quits', async (t) => {
  const { quitting, app, self, asked, close } = bench(t);
  self.state = stateOf({ locks: ['a.odt', 'x/b.odt', 'c.odt', 'd.odt'].map((path) => lock(path)) });
  speaking(['de'], () => quitting.request());
  app.quit();
  close();
  await settled();
  assert.equal(asked.open.length, 1);
  assert.equal(asked.open[0]?.message, 'Quit while a.odt, b.odt, c.odt and 1 more are still open?');
});

test('waits for running saves and counts them; quitting again offers to quit at once', async (t) => {
  const { quitting, app, self, asked, calls, shown, tick, finishStop } = bench(t);
  self.saves = 2;
  quitting.request();
  await tick(30_000);
  assert.deepEqual(calls, ['stop without limit']);
  app.quit();
  assert.equal(asked.open[0]?.message, 'DocTray is finishing 2 saves.');
  assert.deepEqual([asked.open[0].defaultId, asked.open[0].cancelId], [0, 0]);
  await asked.answer(0);
  self.saves = 1;
  await tick(250);
  assert.deepEqual(calls, ['stop without limit']);
  app.quit();
  await asked.answer(1);
  assert.deepEqual(calls, ['stop without limit', 'stop 0']);
  await finishStop();
  assert.deepEqual([calls.at(-1), shown], ['quit', [2, 1, 0]]);
});

test('quits if the host doesn’t stop in time, and exits if that has no effect', async (t) => {
  const { quitting, calls, tick } = bench(t);
  quitting.request();
  await settled();
  await tick(7999);
  assert.deepEqual(calls, ['stop without limit', 'stop 3000']);
  await tick(1);
  assert.equal(calls.at(-1), 'quit');
  await tick(5000);
  assert.equal(calls.at(-1), 'exit 0');
});

test('a signal asks nothing and waits 30 s for saves, whatever is answered to an open question', async (t) => {
  const { quitting, process, self, asked, calls, tick, finishStop } = bench(t);
  self.state = stateOf({ locks: [lock('a')] });
  self.saves = 1;
  quitting.request();
  process.emit('SIGTERM');
  await settled();
  await asked.answer(1);
  await tick(29_999);
  assert.deepEqual([calls, asked.open], [['stop 30000'], []]);
  await tick(1);
  assert.deepEqual(calls, ['stop 30000', 'stop 0']);
  await finishStop();
  assert.equal(calls.at(-1), 'quit');
});

test('a shutdown limits the wait for saves to the same time, without another question', async (t) => {
  const { quitting, app, self, asked, calls, tick } = bench(t);
  self.saves = 1;
  quitting.request();
  await settled();
  quitting.end('shutdown');
  app.quit();
  await tick(30_000);
  assert.deepEqual([calls, asked.open], [['stop without limit', 'stop 0'], []]);
});

test('ignores the same signal repeated by npm; a later one stops the host immediately', async (t) => {
  const { process, self, calls } = bench(t);
  let nowMs = 1000;
  t.mock.method(performance, 'now', () => nowMs);
  self.saves = 1;
  process.emit('SIGINT');
  nowMs += 20;
  process.emit('SIGINT');
  await settled();
  assert.deepEqual(calls, ['stop 30000']);
  nowMs += 1000;
  process.emit('SIGINT');
  await settled();
  assert.deepEqual(calls, ['stop 30000', 'stop 0']);
});
