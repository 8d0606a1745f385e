// What axe-core finds on a page. axe runs inside the page, so the page is asked once for each state: a driver from outside injects
// axe again for every question and fetches all that is right, too, which takes three times as long.

import axe from 'axe-core';
import type { Frame, Page } from 'playwright';

export interface AxeOptions {
  /** Only these rules. */
  rules?: readonly string[];
  /** Selectors of what isn't examined, besides frames and React Aria's announcements. */
  without?: readonly string[];
}

/** React Aria's, which only screen readers get; they stay for seven seconds, also those of a button that is gone by then. */
const liveAnnouncer = '[data-live-announcer]';

/** One line for each broken rule. Frames inside aren't examined: pass them. */
export async function axeFindings(
  place: Page | Frame,
  { rules, without = [] }: AxeOptions = {},
): Promise<string[]> {
  if (!(await place.evaluate(() => 'axe' in globalThis))) await place.evaluate(axe.source);
  return place.evaluate(
    async ({ exclude, runOnly }) => {
      // After a change of the look, colors are the old ones until the page has been drawn, and then on their way to the new ones.
      // The end of one transition can start that of what inherits the color.
      for (let round = 0; round < 10; round += 1) {
        await new Promise<void>((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        });
        const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
        if (transitions.length === 0) break;
        for (const transition of transitions) transition.finish();
      }
      const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
      const { violations } = await inPage.run(
        { include: [['html']], exclude: exclude.map((selector) => [selector]) },
        { resultTypes: ['violations'], preload: false, iframes: false, ...(runOnly && { runOnly }) },
      );
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
      );
    },
    { exclude: [liveAnnouncer, ...without], runOnly: rules && [...rules] },
  );
}

export const looks = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'forced colors', media: { colorScheme: 'light', forcedColors: 'active' } },
] as const;

/**
 * The page in light, dark and forced colors, one after the other. Only colors differ between them, so the later two are asked for
 * contrast alone.
 */
export async function axeFindingsInAllLooks(
  page: Page,
  { place = page, without = [] }: { place?: Page | Frame; without?: readonly string[] } = {},
): Promise<string[]> {
  const findings: string[] = [];
  for (const { name, media } of looks) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    const rules = name === 'light' ? {} : { rules: ['color-contrast'] };
    const found = await axeFindings(place, { ...rules, without });
    findings.push(...found.map((line) => `${name}: ${line}`));
  }
  await page.emulateMedia({ ...looks[0].media, reducedMotion: null });
  return findings;
}
