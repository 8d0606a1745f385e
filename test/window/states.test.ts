// Every state of the window in the look with the least room, German at 900 pixels, and somewhat wider and narrower, with axe in light,
// dark or forced colors by turns: states share their colors. Every night checks each in all looks (states.ts).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { axeFindings, looks as schemes } from '../axe.ts';
import { windowTests } from './open-window.ts';
import { faultsOf, layoutFaults, looks, reach, windowStates, type WindowState } from './window-states.ts';

const german = looks.find(({ name }) => name === 'german') ?? assert.fail();
/** These show the same in every view, or less of an ordinary day. */
const alike = /-(?:starting|many)$|^(?!overview).*-(?:paused|error)$|^settings-empty$/u;
const shown = windowStates.filter(({ name }) => !alike.test(name));
/** Just wide enough for the columns that 900 px shows on a second line; the smallest window; 200 % zoom. */
const [forColumns, smallest, zoomed] = [
  { width: 1010, height: 680 },
  { width: 760, height: 560 },
  { width: 450, height: 310 },
] as const;
const withoutTable = new Set(['overview', 'settings']);
/** The view behind them has a state of its own. */
const overlays = ['.dialog-veil', '.popover', '.toasts'];
const optionsOf = ({ scenario, view }: WindowState) => ({
  scenario,
  ...(!scenario.startsWith('first-') && { view }),
});

describe('passes axe, cuts off no text and scrolls nothing sideways', () => {
  const { open } = windowTests(german.options);
  for (const [index, state] of shown.entries()) {
    const { name: scheme, media } = schemes[index % schemes.length] ?? assert.fail();
    it(`${state.name}, ${scheme}`, async () => {
      const colors = { theme: media.colorScheme, hasForcedColors: media.forcedColors === 'active' };
      const opened = await open({ ...optionsOf(state), ...colors });
      const { page } = opened;
      await reach(page, state);
      assert.deepEqual(await axeFindings(page, { overlays, newColorsIn: scheme }), []);
      assert.deepEqual(await layoutFaults(opened), []);
      // What is over a view has the room that it needs at 900 px down to its own width.
      const isOver = (await page.locator(overlays.join()).count()) > 0;
      const roomy = isOver ? [] : withoutTable.has(state.view) ? [smallest] : [forColumns, smallest];
      for (const size of [...roomy, zoomed]) {
        await page.setViewportSize(size);
        assert.deepEqual(await layoutFaults(opened), [], `${size.width} px`);
      }
    });
  }

  it('finds a button whose words don’t fit, a broken word, a field without a name, and a part that scrolls sideways', async () => {
    const opened = await open('normal');
    await opened.inPage(`
        const add = (tag, text, style) => {
          const element = document.createElement(tag);
          element.textContent = text;
          Object.assign(element.style, style);
          document.querySelector('.view-content').append(element);
        };
        add('button', 'Words that need more room', { width: '40px', overflow: 'hidden', whiteSpace: 'nowrap' });
        add('div', 'Guides', { width: '20px', overflowWrap: 'anywhere' });
        add('div', '', { width: '2000px', height: '1px' });
        add('input', '', {});`);
    const found = (await faultsOf(opened, german)).join('\n');
    assert.match(found, /^clipped: .*Words that need more room/m);
    assert.match(found, /^clipped: “Guides” is broken/m);
    assert.match(found, /^axe: label: /m);
    assert.match(found, /^too wide: view/m);
  });
});
