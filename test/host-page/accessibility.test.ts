// Runs axe-core on the page in every color scheme, and checks that it fits a narrow window. PICTURES=FOLDER in the environment keeps
// what it looks like, wide and narrow.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright';
import { axeFindingsInAllLooks } from '../axe.ts';
import { usingPages, type OpenPage, type PageOptions } from './open-page.ts';

const longName = 'Quarterly report of the northern branch, third revision with comments (final).docx';

/** Closes what is open beside the editor, or above it. */
const leave = async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.locator('[role="dialog"], .detail-panel').first().waitFor({ state: 'detached' });
};

/** States of one page to check, each with how to get there from the one before. */
type Steps = Record<string, (opened: OpenPage) => Promise<void>>;

const lines = Array.from({ length: 20 }, (_, index) => `Line ${index}`);

const places: [PageOptions, Steps][] = [
  [
    {
      opened: { name: longName },
      state: {
        name: longName,
        copies: [{ fileId: 'file-2', name: `copy of ${longName}`, path: '', madeAtMs: 1, isOpen: false }],
        conflicts: [{ fileId: 'file-3', name: `conflict of ${longName}`, path: '', madeAtMs: 1 }],
        recovered: [{ id: 'r1', receivedAtMs: 1, isUnreadable: false }],
      },
      given: ({ host }) => (host.state.holder!.isThisEditor = false),
    },
    {
      async 'a document with notices'({ load, say, page }) {
        await load();
        await say('Doc_ModifiedStatus', { Modified: true });
        await say('Session_Closed', { Reason: 'OwnerTermination' });
        const next = page.getByRole('button', { name: /^Next notice, \d of \d$/ });
        const restore = page.getByRole('button', { name: 'Restore as copy' });
        await next.filter({ hasText: 'of 5' }).waitFor();
        for (let press = 0; press < 6 && !(await restore.isVisible()); press += 1) await next.click();
        await restore.waitFor();
      },
    },
  ],
  [
    {
      given: ({ host }) => {
        host.comparison = {
          old: ['We meet on Monday.', ...lines, 'removed'].join('\n'),
          now: ['We meet on Friday.', ...lines].join('\n'),
        };
      },
    },
    {
      async 'the versions of a document'({ load, say, page }) {
        await load();
        await say('UI_FileVersions');
        await page.getByRole('link', { name: /^Open the version from/u }).waitFor();
      },
      async 'a version of a text document beside its current content'({ page }) {
        await page.getByRole('button', { name: /^Compare the version/u }).click();
        await page.getByRole('button', { name: 'Next change' }).click();
        await page.getByText('Change 1 of 2').waitFor();
      },
      async 'the dialog with the link to share'({ say, page }) {
        await page.getByRole('dialog').press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await leave(page);
        await say('UI_Share');
        await page.getByRole('dialog').waitFor();
      },
      async 'the dialog for the name of a copy'({ say, page }) {
        await leave(page);
        await say('UI_SaveAs');
        await page.getByLabel('Name of the copy').fill(' ');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').filter({ hasText: 'Enter a name' }).waitFor();
      },
    },
  ],
  [
    { opened: { kind: 'onlyoffice', editorName: 'ONLYOFFICE Docs' } },
    {
      async 'a closed document that is still being saved'({ load, say, page }) {
        await load();
        await say('Edit_Notification');
        await say('UI_Close');
        await page.getByText('Saving letter.docx').waitFor();
      },
    },
  ],
  [
    {
      given: ({ host, editorUrl }) =>
        Object.assign(host.opened, { canEdit: false, convertAction: editorUrl }),
    },
    {
      'the question about an older format': async ({ page }) =>
        page.getByRole('button', { name: 'Open read-only' }).waitFor(),
      async 'an editor that fails'({ say, page }) {
        await page.getByRole('button', { name: 'Open read-only' }).click();
        await say('App_LoadingStatus', { Status: 'Failed' });
        await page.getByRole('alert').waitFor();
      },
    },
  ],
];

describe('a host page', () => {
  const open = usingPages();
  for (const [options, steps] of places)
    it(`is accessible in every color scheme and fits 320 pixels: ${Object.keys(steps).join(', ')}`, async () => {
      const opened = await open(options);
      const { page } = opened;
      const size = page.viewportSize();
      const { PICTURES: folder } = process.env;
      const keep = async (name: string) =>
        folder === undefined ? undefined : page.screenshot({ path: join(folder, `${name}.png`) });
      for (const [name, reach] of Object.entries(steps)) {
        await reach(opened);
        assert.deepEqual(await axeFindingsInAllLooks(page), [], name);
        await keep(name);
        await page.setViewportSize({ width: 320, height: 560 });
        await keep(`${name}, narrow`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, name);
        for (const button of await page.locator('button:visible').all()) {
          const box = await button.boundingBox();
          assert.ok(
            box !== null && box.x >= 0 && box.x + box.width <= 320,
            `${name}: ${await button.innerText()}`,
          );
        }
        if (size !== null) await page.setViewportSize(size);
      }
    });
});
