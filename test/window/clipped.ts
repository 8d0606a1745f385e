// Finds text that doesn't fit its place, by comparing scroll and client sizes.

import type { Page } from 'playwright';

/** Only these may be cut, and only if the whole text is in a tooltip: names, paths and addresses can be of any length. */
const mayBeCut = '[role="rowheader"], [data-any-length], .rail-state';

/** One line for each clipped text: where it is, and how much of it is missing. */
export async function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate((cuttable) => {
    const selector =
      'button, a, label, h1, h2, h3, dt, dd, kbd, option, [role="tab"], [role="menuitem"], [role="columnheader"], [role="gridcell"], [role="rowheader"]';
    const found: string[] = [];
    const isShown = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect();
      return (
        width > 1 &&
        height > 1 &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      );
    };
    for (const place of document.querySelectorAll<HTMLElement>(selector)) {
      if (!isShown(place) || place.closest('.visually-hidden') !== null) continue;
      const hasWhole = (element: Element): boolean => element.closest('[title]:not([title=""])') !== null;
      for (const element of [place, ...place.querySelectorAll<HTMLElement>('*')]) {
        // A box of one pixel is hidden on purpose.
        if (element.clientWidth <= 1 || element.textContent.trim() === '') continue;
        const { overflowX, overflowY } = getComputedStyle(element);
        const isTooWide = overflowX !== 'visible' && element.scrollWidth > element.clientWidth;
        const isTooHigh =
          overflowY !== 'visible' && overflowY !== 'auto' && element.scrollHeight > element.clientHeight + 4;
        if (!isTooWide && !isTooHigh) continue;
        if (element.closest(cuttable) !== null && hasWhole(element)) continue;
        const text = element.textContent.trim().replaceAll(/\s+/gu, ' ').slice(0, 60);
        found.push(
          `${place.tagName.toLowerCase()} ${place.getAttribute('role') ?? ''} “${text}” ${element.scrollWidth}×${element.scrollHeight} in ${element.clientWidth}×${element.clientHeight}`,
        );
      }
    }
    return [...new Set(found)];
  }, mayBeCut);
}
