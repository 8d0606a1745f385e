import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQuickOpenKey } from '../../../app/desktop/quick-open-key.ts';

function createKey(refused: string[] = []) {
  const done: string[] = [];
  const key = createQuickOpenKey({
    globalShortcut: {
      register(shortcut) {
        done.push(`register ${shortcut}`);
        if (shortcut === 'broken') throw new TypeError('conversion failure');
        return !refused.includes(shortcut);
      },
      unregister: (shortcut) => void done.push(`unregister ${shortcut}`),
    },
    open: () => undefined,
    onChange: () => void done.push('changed'),
    log: { warn: () => undefined },
  });
  return { key, done };
}

test('follows the setting, and gives the old shortcut back', () => {
  const { key, done } = createKey();
  key.follow(null);
  key.follow('A');
  key.follow('A');
  key.follow('B');
  key.follow(null);
  assert.deepEqual(done, ['register A', 'unregister A', 'register B', 'unregister B']);
  assert.equal(key.isRefused(), false);
});

test('reports a shortcut that the system refused until another one is chosen', () => {
  const { key, done } = createKey(['A']);
  key.follow('A');
  assert.equal(key.isRefused(), true);
  key.follow('broken');
  assert.equal(key.isRefused(), true);
  key.follow('B');
  assert.equal(key.isRefused(), false);
  key.close();
  assert.deepEqual(done, [
    'register A',
    'changed',
    'register broken',
    'register B',
    'changed',
    'unregister B',
  ]);
});
