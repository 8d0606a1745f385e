import assert from 'node:assert/strict';
import { mock, test, type TestContext } from 'node:test';
import { autosaveMs, createAutosave, type SaveOutcome } from '../../../renderer/text-editor/autosave.ts';

/** A text of `typed` letters, of which `written` are saved. */
function openAutosave(t: TestContext) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  t.after(() => {
    mock.timers.reset();
  });
  let typed = 0;
  let written = 0;
  let running = 0;
  let answer: (outcome: SaveOutcome) => void = () => undefined;
  const saves: { atMs: number; isAutosave: boolean }[] = [];
  const states: string[] = [];
  const autosave = createAutosave({
    hasUnsaved: () => typed !== written,
    async write({ isAutosave }) {
      saves.push({ atMs: Date.now() - 1_000_000, isAutosave });
      running += 1;
      assert.equal(running, 1, 'no save overlaps another');
      const letters = typed;
      const outcome = await new Promise<SaveOutcome>((resolve) => {
        answer = resolve;
      });
      running -= 1;
      if (outcome === 'saved') written = letters;
      return outcome;
    },
    onState: (state) => states.push(state),
    now: Date.now,
  });
  const flushPromises = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return {
    autosave,
    saves,
    states,
    type() {
      typed += 1;
      autosave.changed();
    },
    revert() {
      typed -= 1;
      autosave.changed();
    },
    async pass(ms: number) {
      mock.timers.tick(ms);
      await flushPromises();
    },
    async answer(outcome: SaveOutcome) {
      answer(outcome);
      await flushPromises();
    },
    unsaved: () => typed - written,
  };
}

test('saves a letter within two seconds, also during continuous typing, and one at a time', async (t) => {
  const { autosave, type, pass, answer, saves, unsaved } = openAutosave(t);
  for (let letter = 0; letter < 60; letter += 1) {
    type();
    await pass(100);
    await answer('saved');
    assert.ok(unsaved() <= 16, `${unsaved()} letters are older than 1.6 s`);
  }
  const before = saves.length;
  void autosave.saveNow();
  await pass(0);
  type();
  // It waits for the one that runs, which lacks the letter.
  void autosave.saveNow();
  await pass(0);
  assert.equal(saves.length, before + 1);
  await answer('saved');
  assert.equal(saves.length, before + 2);
  await answer('saved');
  assert.equal(unsaved(), 0);
});

test('saves again if a change is reverted while it is being saved', async (t) => {
  const { type, revert, pass, answer, saves, unsaved } = openAutosave(t);
  type();
  await pass(autosaveMs);
  revert();
  await answer('saved');
  assert.equal(unsaved(), -1);
  await pass(autosaveMs);
  await answer('saved');
  assert.equal(saves.length, 2);
  assert.equal(unsaved(), 0);
});

test('retries a failed save with growing delays, and immediately after retrySoon', async (t) => {
  const { autosave, type, pass, answer, saves, states } = openAutosave(t);
  type();
  await pass(autosaveMs);
  for (const waitMs of [1000, 2000, 4000, 8000, 15_000, 15_000]) {
    await answer('failed');
    assert.equal(states.at(-1), 'failed');
    const before = saves.length;
    await pass(waitMs - 1);
    assert.equal(saves.length, before);
    await pass(1);
    assert.equal(saves.length, before + 1);
  }
  await answer('failed');
  autosave.retrySoon();
  await pass(0);
  await answer('saved');
  assert.equal(states.at(-1), 'saved');
});

test('saves nothing while it is paused', async (t) => {
  const { autosave, type, pass, saves, answer } = openAutosave(t);
  autosave.pause();
  type();
  await pass(60_000);
  assert.equal(await autosave.saveNow(), 'stopped');
  assert.equal(saves.length, 0);
  autosave.resume();
  await pass(autosaveMs);
  await answer('saved');
  assert.equal(saves.length, 1);
});
