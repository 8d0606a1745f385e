// The browsers for tests. The headless shell is Chromium without its windows, which saves 80 % of the time to open a page; tests of
// browser behavior get the complete Chromium.

import { chromium, type Browser, type ConsoleMessage, type Page } from 'playwright';
import { sharedInGroup } from './group.ts';
import { findChromium, quickScripts } from './stand-in/chromium.ts';
import { findCommand } from './system-needs.ts';

/** Playwright waits 30 s, which is short on a busy computer. */
const patienceMs = 120_000;

export interface BrowserOptions {
  /** Uses the complete Chromium, even if the headless shell is installed. */
  isWhole?: boolean;
  /** The caller closes it after a signal; otherwise Playwright closes it and exits. */
  ignoresSignals?: boolean;
  /** With scrollbars and the optimizing compilers, as in the app. */
  isLikeApp?: boolean;
  /** For pages that many tests reuse: one of the optimizing compilers then saves a fifth. */
  isReused?: boolean;
  /** Saves another tenth. The mouse wheel doesn’t scroll then, and screenshots hang. */
  withoutCompositing?: boolean;
  args?: readonly string[];
}

export async function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const {
    isWhole = false,
    ignoresSignals = false,
    isLikeApp = false,
    isReused = false,
    withoutCompositing = false,
    args = [],
  } = options;
  const headlessShell = isWhole ? undefined : findCommand('chromium-headless-shell');
  const executablePath = headlessShell ?? findChromium();
  if (executablePath === undefined) throw new Error('The tests need Chromium: apt-get install -y chromium');
  const browser = await chromium.launch({
    executablePath,
    ...(ignoresSignals && { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }),
    ...(isLikeApp && { ignoreDefaultArgs: ['--hide-scrollbars'] }),
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      // One process for all pages of a context, which also keeps their compiled scripts: saves a third of the time to open a page.
      '--renderer-process-limit=1',
      ...(isLikeApp ? [] : [isReused ? quickScripts.replace('--no-maglev', '') : quickScripts]),
      ...(withoutCompositing ? ['--blink-settings=acceleratedCompositingEnabled=false'] : []),
      ...args,
    ],
  });
  const newContext = browser.newContext.bind(browser);
  // Also called for a page of its own.
  browser.newContext = async (given) => {
    const context = await newContext(given);
    context.setDefaultTimeout(patienceMs);
    return context;
  };
  return browser;
}

/** One browser for all files of a process. Every file closes its contexts. */
export const shareBrowser = sharedInGroup(async () => {
  const browser = await launchBrowser();
  return { browser, close: () => browser.close() };
});

/** Notes script errors, and warnings and errors of the browser, such as violations of the content security policy. */
export function noteProblems(page: Page, expected = /^$/u): { problems: string[]; stop(): void } {
  const problems: string[] = [];
  const noteMessage = (message: ConsoleMessage): void => {
    if (['error', 'warning'].includes(message.type()) && !expected.test(message.text()))
      problems.push(message.text());
  };
  const noteError = (error: Error) => problems.push(error.message);
  page.on('console', noteMessage).on('pageerror', noteError);
  return { problems, stop: () => void page.off('console', noteMessage).off('pageerror', noteError) };
}
