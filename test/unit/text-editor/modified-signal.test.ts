import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createModifiedSignal } from '../../../renderer/text-editor/modified-signal.ts';

test('the host page hears of a change 300 ms before its save at least', async (t) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  t.after(() => mock.timers.reset());
  const heard: unknown[] = [];
  const signal = createModifiedSignal({
    host: { isEmbedded: true, post: (_name, values) => void heard.push(values?.['Modified']) },
    hasUnsaved: () => true,
    now: Date.now,
  });
  const mayBegin = async (): Promise<boolean> => {
    let may = false;
    void signal.beforeSave().then(() => (may = true));
    mock.timers.tick(299);
    await Promise.resolve();
    const early = may;
    mock.timers.tick(1);
    await Promise.resolve();
    await Promise.resolve();
    assert.ok(may);
    return early;
  };
  signal.changed();
  assert.deepEqual(heard, [true]);
  assert.equal(await mayBegin(), false);
  assert.equal(await mayBegin(), true, 'it has known for longer');
  signal.saved();
  assert.deepEqual(heard, [true, true], 'there is still something unsaved');
  assert.equal(await mayBegin(), false);
});
