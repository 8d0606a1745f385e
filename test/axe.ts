// Runs axe-core inside a page. A Playwright wrapper would inject axe again for each check and also fetch all passed rules, which takes
// three times as long.

import axe from 'axe-core';
import type { Frame, Page } from 'playwright';

export interface AxeOptions {
  /** Only these rules. */
  rules?: readonly string[];
  /** Selectors of what is above the page, such as a dialog: while there is one, the rest isn’t checked again. */
  overlays?: readonly string[];
  /** Selectors to exclude, besides frames and React Aria's announcements. */
  without?: readonly string[];
  /** Checks the contrast of each combination of colors and font only once for all checks of the page with this name. */
  newColorsIn?: string;
}

/** React Aria's announcements for screen readers, which stay for seven seconds, even after their button is gone. */
const liveAnnouncer = '[data-live-announcer]';

/** One line for each violated rule. Frames inside aren't checked; pass them as `place`. */
export async function axeFindings(
  place: Page | Frame,
  { rules, overlays = [], without = [], newColorsIn }: AxeOptions = {},
): Promise<string[]> {
  if (!(await place.evaluate(() => 'axe' in globalThis))) await place.evaluate(axe.source);
  return place.evaluate(
    async ({ above, exclude, runOnly, look }) => {
      // After a change of the color scheme, colors are the old ones until the page is drawn, and then may be in transition. The end of
      // one transition can start that of an element that inherits the color.
      for (let round = 0; round < 10; round += 1) {
        await new Promise<void>((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        });
        const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
        if (transitions.length === 0) break;
        for (const transition of transitions) transition.finish();
      }
      const { axe: inPage, checkedColors = new Set<string>() } = globalThis as unknown as {
        axe: typeof axe;
        checkedColors?: Set<string>;
      };
      Object.assign(globalThis, { checkedColors });
      /** The colors of a text, of what is behind it, and its font. */
      const colorsOf = (element: Element): string => {
        const { color, fontSize, fontWeight } = getComputedStyle(element);
        const behind: string[] = [];
        for (let box: Element | null = element; box !== null; box = box.parentElement) {
          const { backgroundColor, backgroundImage, opacity } = getComputedStyle(box);
          behind.push(`${backgroundColor} ${backgroundImage} ${opacity}`);
          if (backgroundColor.startsWith('rgb(')) break;
        }
        // axe doesn't check what is disabled.
        const isDisabled = element.closest(':disabled, [aria-disabled="true"]') !== null;
        return [look, color, fontSize, fontWeight, isDisabled, ...new Set(behind)].join();
      };
      const isNew = (element: Element): boolean => {
        const hasText =
          element.matches('input, textarea') ||
          [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
        if (!hasText || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
          return false;
        const colors = colorsOf(element);
        const isKnown = checkedColors.has(colors);
        checkedColors.add(colors);
        return !isKnown;
      };
      // A modal dialog hides the page, with its main part and title. axe knows that of some dialogs only, and of others by a guess.
      const isHidden =
        document.querySelector(
          'main:is([inert], [inert] *, [aria-hidden="true"], [aria-hidden="true"] *)',
        ) !== null;
      const open = above.filter((selector) => document.querySelector(selector) !== null);
      const places = open.length === 0 ? ['html'] : open;
      const texts = document.querySelectorAll(places.map((place) => `${place} *`).join());
      const fresh = look === undefined ? [] : [...texts].filter(isNew);
      if (runOnly !== undefined && look !== undefined && fresh.length === 0) return [];
      for (const text of fresh) text.setAttribute('data-new-colors', '');
      inPage.configure({
        rules: [{ id: 'color-contrast', selector: look === undefined ? '*' : '[data-new-colors]' }],
      });
      const pageRules = ['landmark-one-main', 'page-has-heading-one'];
      const { violations } = await inPage.run(
        { include: places.map((place) => [place]), exclude: exclude.map((selector) => [selector]) },
        {
          resultTypes: ['violations'],
          preload: false,
          iframes: false,
          ...(runOnly
            ? { runOnly }
            : { rules: Object.fromEntries(pageRules.map((id) => [id, { enabled: !isHidden }])) }),
        },
      );
      for (const text of fresh) text.removeAttribute('data-new-colors');
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
      );
    },
    {
      above: overlays,
      exclude: [liveAnnouncer, ...without],
      runOnly: rules && [...rules],
      look: newColorsIn,
    },
  );
}

export const looks = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'forced colors', media: { colorScheme: 'light', forcedColors: 'active' } },
] as const;

/**
 * Checks the page in light, dark and forced colors. Only colors differ between them, so the last two are checked only for contrast.
 * Contrast takes half of axe's time, so each combination of colors and font is checked only once as long as the page isn't loaded again.
 */
export async function axeFindingsInAllLooks(
  page: Page,
  { place = page, ...options }: Omit<AxeOptions, 'rules'> & { place?: Page | Frame } = {},
): Promise<string[]> {
  const findings: string[] = [];
  await page.emulateMedia({ ...looks[0].media, reducedMotion: 'reduce' });
  const restore = await stopTransitions(place);
  for (const { name, media } of looks) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    const given = { ...options, newColorsIn: name, ...(name !== 'light' && { rules: ['color-contrast'] }) };
    const found = await axeFindings(place, given);
    findings.push(...found.map((line) => `${name}: ${line}`));
  }
  await page.emulateMedia({ ...looks[0].media, reducedMotion: null });
  await restore();
  return findings;
}

/**
 * Otherwise, a change of the color scheme starts a transition on every element, which takes longer than axe. A constructed style sheet
 * isn't subject to the content security policy.
 * @returns a function that allows transitions again
 */
async function stopTransitions(place: Page | Frame): Promise<() => Promise<void>> {
  const sheet = await place.evaluateHandle(() => {
    const added = new CSSStyleSheet();
    added.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(added);
    return added;
  });
  return async () => {
    await sheet.evaluate((added) => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== added);
    });
    await sheet.dispose();
  };
}
