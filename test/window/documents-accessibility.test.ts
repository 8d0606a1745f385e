// Runs axe-core on the Documents view and its dialogs in every color scheme, and checks that they fit small windows.

import { after, before, describe } from 'node:test';
import type { Page } from 'playwright';
import { startWindowLab, type WindowLab } from './open-window.ts';
import { itLooksRight, type LookedAt } from './look-over.ts';
import { tableOf } from './table-driver.ts';

const menuOf = async (page: Page, name: string, entry: string) => {
  await tableOf(page).row(name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: entry }).click();
};
const leave = async (page: Page, role: 'dialog' | 'alertdialog' | 'menu' | 'textbox', name?: string) => {
  await page.keyboard.press('Escape');
  await page.getByRole(role, name === undefined ? {} : { name }).waitFor({ state: 'detached' });
};

const places: Omit<LookedAt, 'view'>[] = [
  {
    scenario: 'documents',
    steps: [
      [
        'a folder with documents being edited and stale locks',
        async (page) => tableOf(page).row('Opening speech.docx').click(),
      ],
      [
        'the WOPI address and the token',
        async (page) => {
          await tableOf(page).row('letter.docx').click({ button: 'right' });
          await page.getByRole('menuitem', { name: 'Advanced' }).press('ArrowRight');
          await page.getByRole('menuitem', { name: 'Show WOPI address…' }).click();
          await page.getByRole('button', { name: 'Show the access token' }).click();
        },
      ],
      [
        'the menu of editors',
        async (page) => {
          await leave(page, 'alertdialog');
          await menuOf(page, 'letter.docx', 'Open with');
          await page.getByRole('menu', { name: 'Open with' }).waitFor();
        },
      ],
      [
        'an invalid name',
        async (page) => {
          await page.keyboard.press('Escape');
          await leave(page, 'menu');
          await menuOf(page, 'letter.docx', 'Rename');
          await page.getByRole('textbox', { name: 'New name' }).fill('a:b');
          await page.getByText('A name can’t contain').waitFor();
        },
      ],
      [
        'the folders to move to',
        async (page) => {
          await leave(page, 'textbox', 'New name');
          await menuOf(page, 'letter.docx', 'Move to…');
          await page.getByRole('option', { name: 'Finance' }).waitFor();
        },
      ],
      [
        'documents that stayed when others were moved to the trash',
        async (page) => {
          await leave(page, 'dialog');
          await tableOf(page).row('letter.docx').click();
          await tableOf(page)
            .row('Roof plan.pptx')
            .click({ modifiers: ['Control'] });
          await page.keyboard.press('Delete');
          await page.getByText('Moved “letter.docx” to the trash').waitFor();
        },
      ],
    ],
  },
  {
    scenario: 'documents',
    steps: [
      [
        'search results',
        async (page) => {
          await tableOf(page).row('letter.docx').waitFor();
          await page.keyboard.press('/');
          await page.keyboard.type('offer');
          await tableOf(page).row('Offer 3.odt').waitFor();
        },
      ],
      [
        'the disk that versions use',
        async (page) => {
          await page.keyboard.press('Escape');
          await page.getByRole('button', { name: 'Folder actions' }).click();
          await page.getByRole('menuitem', { name: 'Show disk space used by versions…' }).click();
          await page.getByRole('button', { name: 'Clean up now' }).click();
          await page.getByRole('dialog').getByText('310 of 1,204 files').waitFor();
        },
      ],
      [
        'the versions of a document',
        async (page) => {
          await leave(page, 'dialog');
          await menuOf(page, 'letter.docx', 'Versions');
          await page.getByRole('img', { name: /^Sizes of 8 versions/u }).waitFor();
        },
      ],
      [
        'two versions of a text side by side',
        async (page) => {
          await menuOf(page, 'notes.md', 'Versions');
          await page.getByText(/^notes\.md, \d+ earlier version/u).waitFor();
          await page.getByRole('button', { name: /^Compare the version/u }).click();
          await page.getByText('the bridge is old.').waitFor();
        },
      ],
    ],
  },
  {
    scenario: 'documents-empty',
    steps: [['an empty folder', async (page) => page.getByText('This folder is empty.').waitFor()]],
  },
  {
    scenario: 'idle',
    steps: [['no folder', async (page) => page.getByText('No folder is chosen').waitFor()]],
  },
];

describe('accessibility of the Documents view', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  for (const place of places)
    itLooksRight(() => lab, { ...place, view: 'documents', mustFit: ['.table-scroller'] });
});
