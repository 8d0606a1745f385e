import assert from 'node:assert/strict';
import { mock, test, type TestContext } from 'node:test';
import { autosaveMs, createAutosave, type SaveOutcome } from '../../../renderer/text-editor/autosave.ts';

/** A text of which `written` letters are saved. */
function desk(t: TestContext) {
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
  const settle = async (): Promise<void> => {
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
    takeBack() {
      typed -= 1;
      autosave.changed();
    },
    async pass(ms: number) {
      mock.timers.tick(ms);
      await settle();
    },
    async answer(outcome: SaveOutcome) {
      answer(outcome);
      await settle();
    },
    unsaved: () => typed - written,
  };
}

test('saves within two seconds of the first change, also while somebody goes on typing', async (t) => {
  const { type, pass, answer, saves } = desk(t);
  for (let turn = 0; turn < 60; turn += 1) {
    type();
    await pass(100);
    if (saves.length > 0) await answer('saved');
  }
  assert.ok(autosaveMs < 2000);
  assert.ok(saves.length >= 3, `${saves.length} saves in 6 s`);
  assert.equal(saves[0]?.atMs, autosaveMs);
  for (let index = 1; index < saves.length; index += 1)
    assert.ok((saves[index]?.atMs ?? 0) - (saves[index - 1]?.atMs ?? 0) <= 2000);
});

test('changes made during a save stay unsaved until the next', async (t) => {
  const { type, pass, answer, saves, states, unsaved } = desk(t);
  type();
  await pass(autosaveMs);
  type();
  await answer('saved');
  assert.equal(unsaved(), 1);
  assert.equal(states.at(-1), 'unsaved');
  await pass(autosaveMs);
  await answer('saved');
  assert.equal(unsaved(), 0);
  assert.equal(saves.length, 2);
  assert.equal(states.at(-1), 'saved');
});

test('a change that is taken back is not saved', async (t) => {
  const { type, takeBack, pass, saves, states } = desk(t);
  type();
  takeBack();
  await pass(10_000);
  assert.equal(saves.length, 0);
  assert.equal(states.at(-1), 'saved');
});

test('a change that is taken back while it is being saved is saved again', async (t) => {
  const { type, takeBack, pass, answer, saves, unsaved } = desk(t);
  type();
  await pass(autosaveMs);
  takeBack();
  await answer('saved');
  assert.equal(unsaved(), -1);
  await pass(autosaveMs);
  await answer('saved');
  assert.equal(saves.length, 2);
  assert.equal(unsaved(), 0);
});

test('saving now waits for the save that runs, and saves what it lacks', async (t) => {
  const { autosave, type, pass, answer, saves, unsaved } = desk(t);
  type();
  await pass(autosaveMs);
  type();
  const done = autosave.saveNow();
  await answer('saved');
  assert.equal(saves.length, 2);
  await answer('saved');
  assert.equal(await done, 'saved');
  assert.equal(unsaved(), 0);
});

test('a failed save is tried again, less and less often, and at once when its reason is over', async (t) => {
  const { autosave, type, pass, answer, saves, states } = desk(t);
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

test('nothing is saved while it is paused', async (t) => {
  const { autosave, type, pass, saves, answer } = desk(t);
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
