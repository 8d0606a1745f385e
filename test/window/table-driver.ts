// Drives a table in a test; rows are found by the name in their row header.

import type { Locator, Page } from 'playwright';

export function tableOf(page: Page) {
  const grid = page.getByRole('grid');
  const row = (name: string) => grid.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  const texts = async (locator: Locator) =>
    locator.evaluateAll((rows) =>
      (rows as { ariaRowIndex: string; querySelector(selector: string): { textContent: string } | null }[])
        .map((element) => ({
          index: Number(element.ariaRowIndex),
          name: element.querySelector('[role="rowheader"]')?.textContent ?? '',
        }))
        .toSorted((a, b) => a.index - b.index)
        .map(({ name }) => name),
    );
  return {
    grid,
    row,
    /** Names of the drawn rows, from top to bottom. */
    names: async () => texts(grid.locator('[data-row]')),
    /** Names of the selected rows among them. */
    selected: async () => texts(grid.locator('[data-row][aria-selected="true"]')),
    /** The row that has the focus. */
    focused: async () => (await texts(grid.locator('[data-row]:focus')))[0] ?? '',
    /** Distance of a row from the top of the window, in px. */
    topOf: async (name: string) => (await row(name).boundingBox())?.y ?? Number.NaN,
    scrollTo: async (top: number) => {
      await page.locator('.table-scroller').evaluate((element: { scrollTop: number }, to) => {
        element.scrollTop = to;
      }, top);
      // two frames: one for the scroll event, one for drawing
      await page.evaluate(
        async () =>
          new Promise((resolve) => {
            const frame = (globalThis as unknown as { requestAnimationFrame(then: () => void): void })
              .requestAnimationFrame;
            frame(() => frame(() => resolve(undefined)));
          }),
      );
    },
  };
}
