// axe-core on what the views show, in every look; and the room that 200 % of zoom leaves. Each view adds itself to `places`.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright';
import type { ViewName } from '../../app/contract/pushes.ts';
import { startWindowLab, type WindowLab } from './open-window.ts';
import { axeFindingsInAllLooks } from './look-over.ts';
import { tableOf } from './table-driver.ts';

interface Place {
  name: string;
  scenario: string;
  view: ViewName;
  /** Leads there. */
  reach?(page: Page): Promise<void>;
}

const places: Place[] = [
  { name: 'the overview of an ordinary day', scenario: 'normal', view: 'overview' },
  { name: 'the overview of a host that does not serve', scenario: 'broken', view: 'overview' },
  { name: 'the overview of a paused host', scenario: 'paused', view: 'overview' },
  { name: 'the overview where nothing is', scenario: 'empty', view: 'overview' },
  { name: 'locks', scenario: 'normal', view: 'locks' },
  { name: 'no locks', scenario: 'empty', view: 'locks' },
  {
    name: 'locks, one of which is selected',
    scenario: 'normal',
    view: 'locks',
    reach: async (page) => tableOf(page).row('Minutes 2.ods').click(),
  },
  {
    name: 'the menu of a lock',
    scenario: 'normal',
    view: 'locks',
    reach: async (page) => {
      await tableOf(page).row('Minutes 2.ods').click({ button: 'right' });
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'the question before a lock is cleared',
    scenario: 'normal',
    view: 'locks',
    reach: async (page) => {
      await tableOf(page).row('Minutes 2.ods').click();
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'the offer to undo',
    scenario: 'normal',
    view: 'locks',
    reach: async (page) => {
      await tableOf(page).row('Minutes 2.ods').click();
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
      await page.getByText('is free').waitFor();
    },
  },
  {
    name: 'the list of keys',
    scenario: 'normal',
    view: 'overview',
    reach: async (page) => {
      await page.keyboard.press('F1');
      await page.getByRole('dialog').waitFor();
    },
  },
];

describe('what assistive technology meets', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  for (const place of places) {
    it(`axe finds nothing in ${place.name}, in light, dark and forced colours`, async () => {
      const window = await lab.open({ scenario: place.scenario, view: place.view });
      try {
        await place.reach?.(window.page);
        assert.deepEqual(await axeFindingsInAllLooks(window.page), []);
      } finally {
        await window.close();
      }
    });

    it(`${place.name} needs no sideways scrolling at 200 %, nor in a small window`, async () => {
      for (const options of [{ zoom: 2 }, { size: { width: 760, height: 560 } }]) {
        const window = await lab.open({ scenario: place.scenario, view: place.view, ...options });
        try {
          await place.reach?.(window.page);
          const wide = await window.page.evaluate(() => {
            interface Box {
              scrollWidth: number;
              clientWidth: number;
              className: string;
              matches(selector: string): boolean;
            }
            const { document } = globalThis as unknown as {
              document: { documentElement: Box; querySelectorAll(selector: string): Iterable<Box> };
            };
            // a table of many columns may scroll sideways in itself; nothing else may
            return [
              document.documentElement,
              ...document.querySelectorAll('.main, .view, .rail, .dialog-body, .dialog'),
            ]
              .filter((box) => box.scrollWidth > box.clientWidth)
              .map((box) => `${box.className} ${box.scrollWidth} > ${box.clientWidth}`);
          });
          assert.deepEqual(wide, []);
        } finally {
          await window.close();
        }
      }
    });
  }
});
