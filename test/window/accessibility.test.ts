// Runs axe-core on the views in every color scheme, and checks that they fit a small window and 200 % zoom.

import { after, before, describe } from 'node:test';
import type { Page } from 'playwright';
import { startWindowLab, type WindowLab } from './open-window.ts';
import { itLooksRight, type LookedAt } from './look-over.ts';
import { tableOf } from './table-driver.ts';

const openView = (key: number) => async (page: Page) => {
  await page.keyboard.press(`Control+${key}`);
  await page.locator('main h1').waitFor();
};

const places: LookedAt[] = [
  {
    scenario: 'normal',
    view: 'overview',
    steps: [
      ['the overview of an ordinary day'],
      [
        'the list of keyboard shortcuts',
        async (page) => {
          await page.keyboard.press('F1');
          await page.getByRole('dialog').waitFor();
        },
      ],
    ],
  },
  {
    scenario: 'broken',
    view: 'overview',
    steps: [['the overview of a host that isn’t serving'], ['a journal that can’t be read', openView(6)]],
  },
  { scenario: 'paused', view: 'overview', steps: [['the overview of a paused host']] },
  {
    scenario: 'empty',
    view: 'overview',
    steps: [
      ['the empty overview'],
      ['no locks', openView(3)],
      ['no session', openView(4)],
      ['no token', openView(5)],
      ['no request', openView(6)],
    ],
  },
  {
    scenario: 'normal',
    view: 'locks',
    steps: [
      ['locks'],
      [
        'the menu of a lock',
        async (page) => {
          await tableOf(page).row('Minutes 2.ods').click({ button: 'right' });
          await page.getByRole('menu').waitFor();
        },
      ],
      [
        'locks, one of them selected',
        async (page) => {
          await page.keyboard.press('Escape');
          await page.getByRole('menu').waitFor({ state: 'detached' });
          await tableOf(page).row('Minutes 2.ods').click();
        },
      ],
      [
        'the question before a lock is force-cleared',
        async (page) => {
          await page.keyboard.press('Delete');
          await page.getByRole('alertdialog').waitFor();
        },
      ],
      [
        'the offer to undo',
        async (page) => {
          await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
          await page.getByText(/^Lock on .* cleared$/u).waitFor();
        },
      ],
    ],
  },
  {
    scenario: 'documents',
    view: 'overview',
    steps: [
      [
        'quick open',
        async (page) => {
          await page.keyboard.press('Control+K');
          await page.keyboard.type('let');
          await page.getByRole('menuitem', { name: 'letter.docx' }).waitFor();
        },
      ],
    ],
    mustFit: ['.quick', '.quick-list'],
  },
];

describe('the window’s accessibility', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  for (const place of places) itLooksRight(() => lab, place);
});
