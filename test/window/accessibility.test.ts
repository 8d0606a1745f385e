// Runs axe-core on the views in every color scheme, and checks that they fit a small window and 200 % zoom.

import { after, before, describe, it } from 'node:test';
import { startWindowLab, type WindowLab } from './open-window.ts';
import { assertLooksRight, type LookedAt } from './look-over.ts';
import { tableOf } from './table-driver.ts';

type Place = LookedAt & { name: string };

const places: Place[] = [
  { name: 'the overview of an ordinary day', scenario: 'normal', view: 'overview' },
  { name: 'the overview of a host that isn’t serving', scenario: 'broken', view: 'overview' },
  { name: 'the overview of a paused host', scenario: 'paused', view: 'overview' },
  { name: 'the empty overview', scenario: 'empty', view: 'overview' },
  { name: 'locks', scenario: 'normal', view: 'locks' },
  { name: 'no locks', scenario: 'empty', view: 'locks' },
  {
    name: 'locks, one of them selected',
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
    name: 'the question before a lock is force-cleared',
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
      await page.getByText(/^Lock on .* cleared$/u).waitFor();
    },
  },
  {
    name: 'quick open',
    scenario: 'documents',
    view: 'overview',
    reach: async (page) => {
      await page.keyboard.press('Control+K');
      await page.keyboard.type('let');
      await page.getByRole('menuitem', { name: 'letter.docx' }).waitFor();
    },
    mustFit: ['.quick', '.quick-list'],
  },
  {
    name: 'the list of keyboard shortcuts',
    scenario: 'normal',
    view: 'overview',
    reach: async (page) => {
      await page.keyboard.press('F1');
      await page.getByRole('dialog').waitFor();
    },
  },
];

describe('the window’s accessibility', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  for (const place of places) {
    it(`${place.name}: passes axe in every color scheme and fits a small window and 200 % zoom`, async () =>
      assertLooksRight(lab, place));
  }
});
