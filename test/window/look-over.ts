// What every view is held to: axe finds nothing in light, dark and forced colours, and nothing but a table needs to be
// scrolled sideways, in a small window or at 200 %.

import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';
import type { ViewName } from '../../app/contract/pushes.ts';
import type { WindowLab } from './open-window.ts';

export interface LookedAt {
  scenario: string;
  view: ViewName;
  /** Leads to what is looked at. */
  reach?(page: Page): Promise<void>;
}

const looks = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'forced colours', media: { colorScheme: 'light', forcedColors: 'active' } },
] as const;

/** React Aria's, of which axe does not know that it is seen by screen readers alone. */
const liveAnnouncer = '[data-live-announcer]';

/**
 * What axe finds, a line each. What changes with the look is colour, so the dark and the forced ones are asked about that alone:
 * the tree is the same, and all other rules take most of the time.
 */
async function axeFindings(page: Page, look: string, ...without: string[]): Promise<string[]> {
  let axe = new AxeBuilder({ page });
  for (const place of [liveAnnouncer, ...without]) axe = axe.exclude(place);
  if (look !== 'light') axe = axe.withRules(['color-contrast']);
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) => `${look}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

/** What axe finds in every look, on one page that is shown in each of them: a page for each takes far longer. */
export async function axeFindingsInAllLooks(page: Page, ...without: string[]): Promise<string[]> {
  const findings: string[] = [];
  for (const { name, media } of looks) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    // colours are those of before until it was drawn
    await page.evaluate(
      async () =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        }),
    );
    findings.push(...(await axeFindings(page, name, ...without)));
  }
  await page.emulateMedia({ ...looks[0].media, reducedMotion: null });
  return findings;
}

/** Both of what views are held to, on one page as it is. */
export async function lookOver(page: Page, ...without: string[]): Promise<void> {
  const whole = page.viewportSize();
  assert.ok(whole !== null);
  await page.mouse.move(0, 0);
  assert.deepEqual(await axeFindingsInAllLooks(page, ...without), []);
  // 200 % of zoom is half the room
  for (const size of [
    { width: Math.round(whole.width / 2), height: Math.round(whole.height / 2) },
    { width: 760, height: 560 },
  ]) {
    await page.setViewportSize(size);
    assert.deepEqual(await tooWide(page), [], `${size.width} px`);
  }
  await page.setViewportSize(whole);
}

async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      document.documentElement,
      ...document.querySelectorAll(
        '.main, .view, .view-content, .rail, .dialog-body, .dialog, .section-body, .first-run, .first-run-page',
      ),
    ]
      .filter((box) => box.scrollWidth > box.clientWidth)
      .map((box) => `${box.className} ${box.scrollWidth} > ${box.clientWidth}`),
  );
}

export async function assertAxeFindsNothing(lab: WindowLab, place: LookedAt): Promise<void> {
  const window = await lab.open({ scenario: place.scenario, view: place.view });
  try {
    await place.reach?.(window.page);
    assert.deepEqual(await axeFindingsInAllLooks(window.page), []);
    assert.deepEqual(window.problems, []);
  } finally {
    await window.close();
  }
}

export async function assertFitsSideways(lab: WindowLab, place: LookedAt): Promise<void> {
  for (const options of [{ zoom: 2 }, { size: { width: 760, height: 560 } }]) {
    const window = await lab.open({ scenario: place.scenario, view: place.view, ...options });
    try {
      await place.reach?.(window.page);
      assert.deepEqual(await tooWide(window.page), []);
    } finally {
      await window.close();
    }
  }
}
