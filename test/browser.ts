// The browsers that the tests drive. The headless shell is Chromium's engine without the window around a page, which takes four
// fifths of the time of opening one; a test whose story is the browser itself gets the whole Chromium.

import { chromium, type Browser } from 'playwright';
import { findChromium } from './stand-in/chromium.ts';
import { findCommand } from './system-needs.ts';

export interface BrowserOptions {
  /** The browser as users have it, also where the headless shell is installed. */
  isWhole?: boolean;
  args?: readonly string[];
}

export async function launchBrowser({ isWhole = false, args = [] }: BrowserOptions = {}): Promise<Browser> {
  const executablePath = (isWhole ? undefined : findCommand('chromium-headless-shell')) ?? findChromium();
  if (executablePath === undefined) throw new Error('The tests need Chromium: apt-get install -y chromium');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', ...args],
  });
}
