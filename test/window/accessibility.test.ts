// axe-core on what the views show, in every look; and the room that 200 % of zoom leaves. Each view adds itself to `places`.

import { after, before, describe, it } from 'node:test';
import { startWindowLab, type WindowLab } from './open-window.ts';
import { assertLooksRight, type LookedAt } from './look-over.ts';
import { tableOf } from './table-driver.ts';

type Place = LookedAt & { name: string };

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
    it(`${place.name}: axe finds nothing in any look, and it fits a small window and 200 %`, async () =>
      assertLooksRight(lab, place));
  }
});
