// Finds text that doesn't fit its place, by comparing scroll and client sizes, and words that are broken because their place is too narrow.

import type { Page } from 'playwright';

/** Only these may be cut, and only if the whole text is in a tooltip: names, paths and addresses can be of any length. */
const mayBeCut = '[role="rowheader"], [data-any-length], .rail-state';

/** Elements that can clip their descendants' text. */
const places =
  'button, a, label, h1, h2, h3, dt, dd, kbd, option, [role="tab"], [role="menuitem"], [role="columnheader"], [role="gridcell"], [role="rowheader"]';

/** One line for each clipped text: where it is, and how much of it is missing. */
export async function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(
    async ({ cuttable, places }) => {
      // In the second frame, it has its size.
      await new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      });
      const found: string[] = [];
      const isShown = (element: Element): boolean => {
        const { width, height } = element.getBoundingClientRect();
        return (
          width > 1 &&
          height > 1 &&
          element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        );
      };
      const hasOwnText = (element: Element): boolean =>
        [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
      /** Words of ordinary length that are on two lines without a hyphen. */
      const brokenWords = (element: Element): string[] => {
        if (element.closest('.code, code, pre, textarea, [data-any-length]') !== null) return [];
        const broken: string[] = [];
        for (const node of element.childNodes) {
          if (!(node instanceof Text)) continue;
          const whole = document.createRange();
          whole.selectNode(node);
          if (whole.getClientRects().length < 2) continue;
          for (const { 0: word, index } of node.data.matchAll(/\p{L}{2,14}/gu)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
            if (tops.size > 1) broken.push(`“${word}” is broken in “${element.textContent.slice(0, 60)}”`);
          }
        }
        return broken;
      };
      const scrolls = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';
      for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
        // A box of one pixel is hidden on purpose.
        if (!hasOwnText(element) || element.clientWidth <= 1 || !isShown(element)) continue;
        if (element.closest('.visually-hidden') !== null) continue;
        found.push(...brokenWords(element));
        // The text may have room in its element, which a cell or a button then cuts.
        const place = element.closest<HTMLElement>(places);
        const boxes = [element];
        for (let box = element; place !== null && box !== place && box.parentElement !== null;) {
          box = box.parentElement;
          boxes.push(box);
        }
        for (const box of boxes) {
          const isWide = box.scrollWidth > box.clientWidth;
          const isHigh = box.scrollHeight > box.clientHeight + 4;
          if (!isWide && !isHigh) continue;
          const { overflowX, overflowY } = getComputedStyle(box);
          const isCutSideways = isWide && overflowX !== 'visible';
          const isCutBelow = isHigh && overflowY !== 'visible' && !scrolls(overflowY);
          if (!isCutSideways && !isCutBelow) continue;
          if (element.closest(cuttable) !== null && element.closest('[title]:not([title=""])') !== null)
            continue;
          const text = box.textContent.trim().replaceAll(/\s+/gu, ' ').slice(0, 60);
          found.push(
            `${box.tagName.toLowerCase()} ${box.className} “${text}” ${box.scrollWidth}×${box.scrollHeight} in ${box.clientWidth}×${box.clientHeight}`,
          );
        }
      }
      return [...new Set(found)];
    },
    { cuttable: mayBeCut, places },
  );
}
