// A user's browser, outside the app: a host page with an editor's page in its frame, used as a user would.

import type { Page } from 'playwright';
import { launchBrowser, noteProblems } from '../browser.ts';

export type UserBrowser = Awaited<ReturnType<typeof startUserBrowser>>;
export type DocumentTab = Awaited<ReturnType<typeof tabOf>>;

export async function startUserBrowser() {
  const browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-GB' });
  return {
    open: async (url: string) => tabOf(await context.newPage(), url),
    close: () => browser.close(),
  };
}

async function tabOf(page: Page, url: string) {
  const { problems } = noteProblems(page);
  await page.goto(url);
  const editor = page.frameLocator('iframe[name="editor"]');
  const press = (name: string): Promise<void> => editor.getByRole('button', { name, exact: true }).click();
  const status = (text: string | RegExp): Promise<void> =>
    editor.getByRole('status').filter({ hasText: text }).waitFor();
  return {
    page,
    /** The editor's page in the frame. */
    editor,
    /** Warnings and errors of the browser. */
    problems,
    /** A button in the bar above the frame. */
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    /** Waits until the editor shows the document in that mode. */
    ready: (as: string | RegExp = 'Editing') => status(as),
    /** Types in the editor. */
    async type(text: string) {
      await editor.getByRole('textbox', { name: 'Text' }).fill(text);
      await press('Type');
      await editor.locator('#text').filter({ hasText: text }).waitFor();
    },
    /** Presses Save in the editor, and waits until it is done. */
    async save() {
      await press('Save');
      await status('Saved');
    },
    async rename(name: string) {
      await editor.getByRole('textbox', { name: 'Name' }).fill(name);
      await press('Rename');
      await status('Renamed to');
    },
  };
}
