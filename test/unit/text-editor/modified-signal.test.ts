import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createModifiedSignal } from '../../../renderer/text-editor/modified-signal.ts';

test('the host page hears of a change 300 ms before its save at least', async (t) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  t.after(() => mock.timers.reset());
  const events: unknown[] = [];
  const signal = createModifiedSignal({
    host: { isEmbedded: true, post: (_name, values) => void events.push(values?.['Modified']) },
    hasUnsaved: () => true,
    now: Date.now,
  });
  signal.changed();
  const begun = signal.beforeSave().then(() => events.push('save'));
  mock.timers.tick(299);
  await Promise.resolve();
  assert.deepEqual(events, [true]);
  mock.timers.tick(1);
  await begun;
  assert.deepEqual(events, [true, 'save']);
});
