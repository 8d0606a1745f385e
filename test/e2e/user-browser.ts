// A user's browser, outside the app: a host page with an editor's page in its frame, used as a user would.

import type { TestContext } from 'node:test';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright';
import { launchBrowser } from '../browser.ts';
import { patienceMs } from './window-of.ts';

export interface DocumentTab {
  page: Page;
  /** The editor's page in the frame. */
  editor: FrameLocator;
  /** A button in the bar above the frame. */
  button(name: string): Locator;
  /** Waits until the editor shows the document in that mode. */
  ready(as?: string | RegExp): Promise<void>;
  /** Types in the editor. */
  type(text: string): Promise<void>;
  /** Presses Save in the editor, and waits until it is done. */
  save(): Promise<void>;
  rename(name: string): Promise<void>;
  /** Warnings and errors of the browser. */
  problems: string[];
}

export interface UserBrowser {
  open(url: string): Promise<DocumentTab>;
  /** The browser of another user, with separate cookies. Its tabs are closed without a question when the test ends. */
  another(context: TestContext): Promise<UserBrowser>;
  close(): Promise<void>;
}

export async function startUserBrowser(): Promise<UserBrowser> {
  const browser = await launchBrowser();
  const userOf = async (context: BrowserContext): Promise<UserBrowser> => {
    context.setDefaultTimeout(patienceMs);
    return {
      open: async (url) => tabOf(await context.newPage(), url),
      async another(test) {
        const other = await browser.newContext({ locale: 'en-GB' });
        test.after(() => other.close());
        return userOf(other);
      },
      close: () => browser.close(),
    };
  };
  return userOf(await browser.newContext({ locale: 'en-GB' }));
}

async function tabOf(page: Page, url: string): Promise<DocumentTab> {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(url);
  const editor = page.frameLocator('iframe[name="editor"]');
  const press = (name: string): Promise<void> => editor.getByRole('button', { name, exact: true }).click();
  const status = (text: string | RegExp): Promise<void> =>
    editor.getByRole('status').filter({ hasText: text }).waitFor();
  return {
    page,
    editor,
    problems,
    button: (name) => page.getByRole('button', { name, exact: true }),
    ready: (as = 'Editing') => status(as),
    async type(text) {
      await editor.getByRole('textbox', { name: 'Text' }).fill(text);
      await press('Type');
      await editor.locator('#text').filter({ hasText: text }).waitFor();
    },
    async save() {
      await press('Save');
      await status('Saved');
    },
    async rename(name) {
      await editor.getByRole('textbox', { name: 'Name' }).fill(name);
      await press('Rename');
      await status('Renamed to');
    },
  };
}
