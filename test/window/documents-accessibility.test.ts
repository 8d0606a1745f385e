// Runs axe-core on the Documents view and its dialogs in every color scheme, and checks that they fit small windows.

import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright';
import { startWindowLab, type WindowLab } from './open-window.ts';
import { assertLooksRight } from './look-over.ts';
import { tableOf } from './table-driver.ts';

interface Place {
  name: string;
  scenario: string;
  reach(page: Page): Promise<void>;
}

const menuOf = async (page: Page, entry: string) => {
  await tableOf(page).row('letter.docx').click({ button: 'right' });
  await page.getByRole('menuitem', { name: entry }).click();
};

const places: Place[] = [
  {
    name: 'a folder with documents being edited and stale locks',
    scenario: 'documents',
    reach: async (page) => tableOf(page).row('Opening speech.docx').click(),
  },
  {
    name: 'an empty folder',
    scenario: 'documents-empty',
    reach: async (page) => page.getByText('This folder is empty.').waitFor(),
  },
  {
    name: 'search results',
    scenario: 'documents',
    reach: async (page) => {
      await tableOf(page).row('letter.docx').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('offer');
      await tableOf(page).row('Offer 3.odt').waitFor();
    },
  },
  {
    name: 'the WOPI address and the token',
    scenario: 'documents',
    reach: async (page) => {
      await tableOf(page).row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Advanced' }).press('ArrowRight');
      await page.getByRole('menuitem', { name: 'Show WOPI address…' }).click();
      await page.getByRole('button', { name: 'Show the access token' }).click();
    },
  },
  {
    name: 'the menu of editors',
    scenario: 'documents',
    reach: async (page) => {
      await menuOf(page, 'Open with');
      await page.getByRole('menu', { name: 'Open with' }).waitFor();
    },
  },
  {
    name: 'an invalid name',
    scenario: 'documents',
    reach: async (page) => {
      await menuOf(page, 'Rename');
      await page.getByRole('textbox', { name: 'New name' }).fill('a:b');
      await page.getByText('A name can’t contain').waitFor();
    },
  },
  {
    name: 'the versions of a document',
    scenario: 'documents',
    reach: async (page) => {
      await menuOf(page, 'Versions');
      await page.getByRole('img', { name: /^Sizes of 8 versions/u }).waitFor();
    },
  },
  {
    name: 'two versions of a text side by side',
    scenario: 'documents',
    reach: async (page) => {
      await tableOf(page).row('notes.md').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Versions' }).click();
      await page
        .getByRole('button', { name: /^More for/u })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Compare with current' }).click();
      await page.getByText('the bridge is old.').waitFor();
    },
  },
  {
    name: 'the disk that versions use',
    scenario: 'documents',
    reach: async (page) => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Show disk space used by versions…' }).click();
      await page.getByRole('button', { name: 'Clean up now' }).click();
      await page.getByRole('dialog').getByText('310 of 1,204 files').waitFor();
    },
  },
  {
    name: 'the folders to move to',
    scenario: 'documents',
    reach: async (page) => {
      await menuOf(page, 'Move to…');
      await page.getByRole('option', { name: 'Finance' }).waitFor();
    },
  },
  {
    name: 'documents that stayed when others were moved to the trash',
    scenario: 'documents',
    reach: async (page) => {
      await tableOf(page).row('letter.docx').click();
      await tableOf(page)
        .row('Roof plan.pptx')
        .click({ modifiers: ['Control'] });
      await page.keyboard.press('Delete');
      await page.getByText('Moved “letter.docx” to the trash').waitFor();
    },
  },
  {
    name: 'no folder',
    scenario: 'idle',
    reach: async (page) => page.getByText('No folder is chosen').waitFor(),
  },
];

describe('accessibility of the Documents view', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  for (const place of places) {
    it(`${place.name}: passes axe in every color scheme and fits a small window and 200 % zoom`, async () =>
      assertLooksRight(lab, { ...place, view: 'documents', mustFit: ['.table-scroller'] }));
  }
});
