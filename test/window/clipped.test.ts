import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clippedTexts } from './clipped.ts';
import { startWindowLab, type WindowLab } from './open-window.ts';
import { looks, reachState, windowStates } from './window-states.ts';

/** The looks with the least room; the others only differ in color. */
const tightest = looks.filter(({ name }) => ['900-light', 'german'].includes(name));
const shown = windowStates.filter(({ scenario }) =>
  ['normal', 'first-steps', 'documents'].includes(scenario),
);

describe('no text of the window is clipped', () => {
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
          assert.deepEqual(await clippedTexts(opened.page), []);
        } finally {
          await opened.close();
        }
      });
    }
  }

  it('finds a button whose words don’t fit', async () => {
    const [look] = looks;
    const [state] = windowStates;
    assert.ok(look !== undefined && state !== undefined);
    const opened = await reachState(lab, state, look);
    try {
      await opened.page.evaluate(() => {
        const button = document.createElement('button');
        button.textContent = 'Words that need more room';
        button.className = 'cut';
        document.body.append(button);
        button.style.setProperty('width', '40px');
        button.style.setProperty('overflow', 'hidden');
        button.style.setProperty('white-space', 'nowrap');
      });
      assert.match((await clippedTexts(opened.page)).join(), /Words that need more room/);
    } finally {
      await opened.close();
    }
  });
});
