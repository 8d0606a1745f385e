// What every view must pass: axe in light, dark and forced colors, and no horizontal scrolling except in tables, in a small window and
// at 200 % zoom.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright';
import { axeFindingsInAllLooks } from '../axe.ts';
import type { ViewName } from '../../app/contract/pushes.ts';
import type { WindowLab } from './open-window.ts';

export interface LookedAt {
  scenario: string;
  view: ViewName;
  /** States of one page to check, each with how to get there from the one before. */
  steps: [name: string, reach?: (page: Page) => Promise<void>][];
  /** Selectors of more elements that must not scroll horizontally. */
  mustFit?: string[];
}

/** Runs both checks on the page in its current state. */
export async function lookOver(page: Page, ...without: string[]): Promise<void> {
  await page.mouse.move(0, 0);
  assert.deepEqual(await axeFindingsInAllLooks(page, { without }), []);
  await assertFits(page);
}

/** @param more selectors of more elements that must not scroll horizontally */
async function assertFits(page: Page, more: readonly string[] = [], name = ''): Promise<void> {
  const whole = page.viewportSize();
  assert.ok(whole !== null);
  // 200 % zoom halves the size
  for (const size of [
    { width: Math.round(whole.width / 2), height: Math.round(whole.height / 2) },
    { width: 760, height: 560 },
  ]) {
    await page.setViewportSize(size);
    assert.deepEqual(await tooWideAfterLayout(page, more), [], `${name} ${size.width} px`);
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

/** Waits for the page to apply its new size, which takes a while on a busy computer. */
export async function tooWideAfterLayout(page: Page, more: readonly string[] = []): Promise<string[]> {
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

/** A test of all states in one page, because opening it takes as long as checking it. */
export function itLooksRight(lab: () => WindowLab, place: LookedAt): void {
  const names = place.steps.map(([name]) => name).join(', ');
  it(`passes axe in every color scheme and fits a small window and 200 % zoom: ${names}`, async () => {
    const window = await lab().open({ scenario: place.scenario, view: place.view });
    try {
      for (const [name, reach] of place.steps) {
        await reach?.(window.page);
        assert.deepEqual(await axeFindingsInAllLooks(window.page), [], name);
        await assertFits(window.page, place.mustFit, name);
      }
      assert.deepEqual(window.problems, []);
    } finally {
      await window.close();
    }
  });
}
