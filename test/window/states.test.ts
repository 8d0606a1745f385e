// The states of the window in the look with the least room: German, 900 pixels wide, and somewhat wider. Every night checks all looks, and all states with
// axe (states.ts); here, the tests of each view run axe.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startWindowLab, type WindowLab } from './open-window.ts';
import { faultsOf, layoutFaults, looks, reachState, windowStates } from './window-states.ts';

const tightest = looks.filter(({ name }) => name === 'german');
const justWide = { width: 1010, height: 680 };
/** These show the same as an ordinary day, or less of it. */
const others = ['stuck', 'empty', 'one', 'busy', 'broken', 'paused'];
const shown = windowStates.filter(({ scenario }) => !others.includes(scenario));

describe('no state has clipped text or scrolls sideways', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  for (const look of tightest) {
    for (const state of shown) {
      it(`${state.name} at ${look.name}`, async () => {
        const opened = await reachState(lab, state, look);
        try {
          assert.deepEqual(await layoutFaults(opened), []);
          // Just wide enough for the columns that 900 px shows on a second line.
          await opened.page.setViewportSize(justWide);
          assert.deepEqual(await layoutFaults(opened), []);
        } finally {
          await opened.close();
        }
      });
    }
  }

  it('finds a button whose words don’t fit, a broken word, a field without a name, and a part that scrolls sideways', async () => {
    const [look] = tightest;
    const [state] = windowStates;
    assert.ok(look !== undefined && state !== undefined);
    const opened = await reachState(lab, state, look);
    try {
      await opened.page.evaluate(() => {
        const button = document.createElement('button');
        button.textContent = 'Words that need more room';
        button.style.setProperty('width', '40px');
        button.style.setProperty('overflow', 'hidden');
        button.style.setProperty('white-space', 'nowrap');
        const wide = document.createElement('div');
        wide.style.setProperty('width', '2000px');
        wide.style.setProperty('height', '1px');
        const thin = document.createElement('div');
        thin.textContent = 'Guides';
        thin.style.setProperty('width', '20px');
        thin.style.setProperty('overflow-wrap', 'anywhere');
        document.querySelector('.view-content')?.append(button, document.createElement('input'), wide, thin);
      });
      const found = (await faultsOf(opened, look)).join('\n');
      assert.match(found, /^clipped: .*Words that need more room/m);
      assert.match(found, /^clipped: “Guides” is broken/m);
      assert.match(found, /^axe: label: /m);
      assert.match(found, /^too wide: view/m);
    } finally {
      await opened.close();
    }
  });
});
