// What every view is held to: axe finds nothing in light, dark and forced colours, and nothing but a table needs to be
// scrolled sideways, in a small window or at 200 %.

import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';
import type { ViewName } from '../../app/contract/pushes.ts';
import type { OpenOptions, WindowLab } from './open-window.ts';

export interface LookedAt {
  scenario: string;
  view: ViewName;
  /** Leads to what is looked at. */
  reach?(page: Page): Promise<void>;
}

const looks: { name: string; options: Partial<OpenOptions> }[] = [
  { name: 'light', options: { theme: 'light' } },
  { name: 'dark', options: { theme: 'dark' } },
  { name: 'forced colours', options: { hasForcedColors: true } },
];

/**
 * What axe finds, a line each. What changes with the look is colour, so the dark and the forced ones are asked about that alone:
 * the tree is the same, and all other rules take most of the time.
 */
export async function axeFindings(page: Page, look: string, without?: string): Promise<string[]> {
  let axe = new AxeBuilder({ page });
  if (without !== undefined) axe = axe.exclude(without);
  if (look !== 'light') axe = axe.withRules(['color-contrast']);
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) => `${look}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

export async function assertAxeFindsNothing(lab: WindowLab, place: LookedAt): Promise<void> {
  for (const look of looks) {
    const window = await lab.open({ scenario: place.scenario, view: place.view, ...look.options });
    try {
      await place.reach?.(window.page);
      assert.deepEqual(await axeFindings(window.page, look.name), []);
      assert.deepEqual(window.problems, []);
    } finally {
      await window.close();
    }
  }
}

export async function assertFitsSideways(lab: WindowLab, place: LookedAt): Promise<void> {
  for (const options of [{ zoom: 2 }, { size: { width: 760, height: 560 } }]) {
    const window = await lab.open({ scenario: place.scenario, view: place.view, ...options });
    try {
      await place.reach?.(window.page);
      const wide = await window.page.evaluate(() =>
        [
          document.documentElement,
          ...document.querySelectorAll(
            '.main, .view, .view-content, .rail, .dialog-body, .dialog, .section-body',
          ),
        ]
          .filter((box) => box.scrollWidth > box.clientWidth)
          .map((box) => `${box.className} ${box.scrollWidth} > ${box.clientWidth}`),
      );
      assert.deepEqual(wide, []);
    } finally {
      await window.close();
    }
  }
}
