// What every view is held to: axe finds nothing in light, dark and forced colours, and nothing but a table needs to be
// scrolled sideways, in a small window or at 200 %.

import assert from 'node:assert/strict';
import type { Page } from 'playwright';
import { axeFindingsInAllLooks } from '../axe.ts';
import type { ViewName } from '../../app/contract/pushes.ts';
import type { WindowLab } from './open-window.ts';

export interface LookedAt {
  scenario: string;
  view: ViewName;
  /** Leads to what is looked at. */
  reach?(page: Page): Promise<void>;
  /** Selectors of what must not be scrolled sideways, besides what never may. */
  mustFit?: string[];
}

/** Both of what views are held to, on one page as it is. */
export async function lookOver(page: Page, ...without: string[]): Promise<void> {
  await page.mouse.move(0, 0);
  assert.deepEqual(await axeFindingsInAllLooks(page, { without }), []);
  await assertFits(page);
}

/** @param more what else must not be scrolled sideways */
async function assertFits(page: Page, more: readonly string[] = []): Promise<void> {
  const whole = page.viewportSize();
  assert.ok(whole !== null);
  // 200 % of zoom is half the room
  for (const size of [
    { width: Math.round(whole.width / 2), height: Math.round(whole.height / 2) },
    { width: 760, height: 560 },
  ]) {
    await page.setViewportSize(size);
    assert.deepEqual(await tooWideInTheEnd(page, more), [], `${size.width} px`);
  }
  await page.setViewportSize(whole);
}

const mustFit = [
  '.main',
  '.view',
  '.view-content',
  '.rail',
  '.dialog-body',
  '.dialog',
  '.section-body',
  '.first-run',
  '.first-run-page',
];

/** The page learns of its new size in a frame of its own, which comes late on a busy computer. */
async function tooWideInTheEnd(page: Page, more: readonly string[]): Promise<string[]> {
  const endMs = Date.now() + 3000;
  let found = await tooWide(page, more);
  while (found.length > 0 && Date.now() < endMs) {
    await page.waitForTimeout(100);
    found = await tooWide(page, more);
  }
  return found;
}

async function tooWide(page: Page, more: readonly string[]): Promise<string[]> {
  return page.evaluate(
    (selector) =>
      [document.documentElement, ...document.querySelectorAll(selector)]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => `${box.className} ${box.scrollWidth} > ${box.clientWidth}`),
    [...mustFit, ...more].join(', '),
  );
}

/** One page for all looks and sizes: opening and reaching takes most of the time. */
export async function assertLooksRight(lab: WindowLab, place: LookedAt): Promise<void> {
  const window = await lab.open({ scenario: place.scenario, view: place.view });
  try {
    await place.reach?.(window.page);
    assert.deepEqual(await axeFindingsInAllLooks(window.page), []);
    await assertFits(window.page, place.mustFit);
    assert.deepEqual(window.problems, []);
  } finally {
    await window.close();
  }
}
