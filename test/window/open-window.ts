// Opens the window's page in Chromium for a test: a scenario, a view, a theme, a size.

import type { Browser, BrowserContext, Page } from 'playwright';
import { launchBrowser } from '../browser.ts';
import type { PushName, Pushes, ViewName } from '../../app/contract/pushes.ts';
import type { StateChange } from '../../app/contract/state.ts';
import type { Answers, FakeHost } from './harness/fake-host.ts';
import { startHarnessSite } from './harness/build-harness.ts';

export interface OpenOptions {
  scenario: string;
  view?: ViewName;
  theme?: 'light' | 'dark';
  hasForcedColors?: boolean;
  size?: { width: number; height: number };
  /** 2 is a zoom of 200 %: half the room, twice the pixels. */
  zoom?: number;
}

export interface OpenWindow {
  page: Page;
  /** Commands the page has called. */
  calls(): Promise<{ name: string; args: unknown }[]>;
  change(change: Omit<StateChange, 'revision'>): Promise<void>;
  push<Name extends PushName>(name: Name, payload: Pushes[Name]): Promise<void>;
  /** Content security violations and script errors so far. */
  problems: string[];
  close(): Promise<void>;
}

export interface WindowLab {
  open(options: OpenOptions): Promise<OpenWindow>;
  close(): Promise<void>;
}

/** What harness/main.ts leaves on the page. */
interface HarnessPage {
  harness: { host: FakeHost; answers: Answers };
}

/** Builds the page and starts the browser: once a test file. */
export async function startWindowLab(): Promise<WindowLab> {
  const site = await startHarnessSite();
  let browser: Browser;
  try {
    browser = await launchBrowser();
  } catch (error) {
    await site.close();
    throw error;
  }
  return {
    open: async (options) => openWindow(browser, site.url, options),
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}

async function openWindow(browser: Browser, url: string, options: OpenOptions): Promise<OpenWindow> {
  const { width, height } = options.size ?? { width: 1100, height: 720 };
  const zoom = options.zoom ?? 1;
  const context: BrowserContext = await browser.newContext({
    viewport: { width: Math.round(width / zoom), height: Math.round(height / zoom) },
    deviceScaleFactor: zoom,
    colorScheme: options.theme ?? 'light',
    forcedColors: options.hasForcedColors === true ? 'active' : 'none',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`${url}/?scenario=${options.scenario}`);
  await page.locator('#root > *').first().waitFor();
  if (options.view !== undefined && options.view !== 'overview') {
    await page.locator('.rail').waitFor();
    await page.evaluate((view) => {
      (globalThis as unknown as HarnessPage).harness.host.push('navigate', { view });
    }, options.view);
    await page.locator('main h1').first().waitFor();
  }
  return {
    page,
    problems,
    calls: async () => page.evaluate(() => (globalThis as unknown as HarnessPage).harness.host.calls),
    change: async (change) =>
      page.evaluate((given) => (globalThis as unknown as HarnessPage).harness.host.change(given), change),
    push: async (name, payload) =>
      page.evaluate(
        (given) =>
          (globalThis as unknown as HarnessPage).harness.host.push(given.name, given.payload as never),
        { name, payload },
      ),
    close: async () => context.close(),
  };
}
