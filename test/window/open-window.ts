// Opens the window's page in Chromium for a test: a scenario, a view, a theme, a size.

import type { Browser, ConsoleMessage, Page } from 'playwright';
import { launchBrowser, type BrowserOptions } from '../browser.ts';
import { sharedInGroup } from '../group.ts';
import type { PushName, Pushes, ViewName } from '../../app/contract/pushes.ts';
import type { Answers, FakeChange, FakeHost } from './harness/fake-host.ts';
import { startHarnessSite } from './harness/build-harness.ts';

export interface OpenOptions {
  scenario: string;
  view?: ViewName;
  theme?: 'light' | 'dark';
  hasForcedColors?: boolean;
  size?: { width: number; height: number };
  /** 2 is a zoom of 200 %: half the size, twice the pixels. */
  zoom?: number;
  /** `en-GB` when left out. */
  locale?: string;
}

export interface OpenWindow {
  page: Page;
  /** Commands that the page has called. */
  calls(): Promise<{ name: string; args: unknown }[]>;
  change(change: FakeChange): Promise<void>;
  push<Name extends PushName>(name: Name, payload: Pushes[Name]): Promise<void>;
  /** Content security policy violations and script errors so far. */
  problems: string[];
  close(): Promise<void>;
}

export interface WindowLab {
  open(options: OpenOptions): Promise<OpenWindow>;
  close(): Promise<void>;
}

/** What harness/main.ts sets on the page's window. */
interface HarnessPage {
  harness: { host: FakeHost; answers: Answers; end(): boolean; beginAgain(address: string): void };
}

/** Once for all test files of a process. */
export const startWindowLab = sharedInGroup(async () => openLab());

/** Builds the page and starts the browser. */
export async function openLab(options: BrowserOptions = {}): Promise<WindowLab> {
  const site = await startHarnessSite();
  let browser: Browser;
  try {
    // Only the scripts outside the runner take screenshots.
    browser = await launchBrowser({
      withoutCompositing: process.env['DOCTRAY_TEST_RUN'] !== undefined,
      ...options,
    });
  } catch (error) {
    await site.close();
    throw error;
  }
  const idle = new Map<string, Page[]>();
  return {
    open: async (options) => openWindow({ browser, idle, url: site.url }, options),
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}

const usualLocale = 'en-GB';

interface Lab {
  browser: Browser;
  /** Pages to reuse, by zoom and language, because a new page starts a process, and loading the window takes most of a short test. */
  idle: Map<string, Page[]>;
  url: string;
}

async function openWindow({ browser, idle, url }: Lab, options: OpenOptions): Promise<OpenWindow> {
  const { width, height } = options.size ?? { width: 1100, height: 720 };
  const zoom = options.zoom ?? 1;
  const locale = options.locale ?? usualLocale;
  const key = `${zoom} ${locale}`;
  const newPage = async () => {
    const context = await browser.newContext({ deviceScaleFactor: zoom, locale });
    return context.newPage();
  };
  const page = idle.get(key)?.pop() ?? (await newPage());
  await page.setViewportSize({ width: Math.round(width / zoom), height: Math.round(height / zoom) });
  await page.emulateMedia({
    colorScheme: options.theme ?? 'light',
    forcedColors: options.hasForcedColors === true ? 'active' : 'none',
    reducedMotion: null,
  });
  const problems: string[] = [];
  const noteMessage = (message: ConsoleMessage): void => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  };
  const noteError = (error: Error) => problems.push(error.message);
  page.on('console', noteMessage);
  page.on('pageerror', noteError);
  const { scenario, view = 'overview' } = options;
  const address = `${url}/?${new URLSearchParams({ scenario, ...(view !== 'overview' && { view }) })}`;
  if (page.url().startsWith(url))
    await page.evaluate((given) => {
      (globalThis as unknown as HarnessPage).harness.beginAgain(given);
    }, address);
  else await page.goto(address);
  // `stuck` never gets its state.
  const frame = scenario === 'stuck' ? '.app' : '.app:not([aria-busy="true"])';
  await page
    .locator(view === 'overview' ? '#root > *' : `${frame} main h1`)
    .first()
    .waitFor();
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
    async close() {
      page.off('console', noteMessage);
      page.off('pageerror', noteError);
      await page.mouse.move(0, 0);
      const isOver = await page.evaluate(() => {
        sessionStorage.clear();
        localStorage.clear();
        return (globalThis as unknown as HarnessPage).harness.end();
      });
      if (!isOver) await page.goto('about:blank');
      page.setDefaultTimeout(30_000);
      idle.set(key, [...(idle.get(key) ?? []), page]);
    },
  };
}
