// Opens the window's page in Chromium for a test: a scenario, a view, a theme, a size.

import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import type { Browser, Locator, Page } from 'playwright';
import { launchBrowser, noteProblems, type BrowserOptions } from '../browser.ts';
import { sharedInGroup } from '../group.ts';
import type { PushName, Pushes, ViewName } from '../../app/contract/pushes.ts';
import type { WindowState } from '../../app/contract/state.ts';
import type { Answers, FakeHost, StateChange, TableName } from './harness/fake-host.ts';
import { startHarnessSite } from './harness/build-harness.ts';
import { tableOf } from './table-driver.ts';

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

/** What a command returns instead of the scenario's answer; `hangs`: nothing. */
export interface GivenAnswer {
  gives?: unknown;
  refuses?: string;
  code?: string;
  hangs?: boolean;
  /** Only the next call; later ones get the answer of before. */
  isOnce?: boolean;
}

export type OpenWindow = Awaited<ReturnType<typeof openWindow>>;

export type WindowLab = Awaited<ReturnType<typeof openLab>>;

/** What harness/main.ts sets on the page's window. */
interface HarnessPage {
  harness: { host: FakeHost; answers: Answers; end(): void; beginAgain(address: string): void };
}

/** Once for all test files of a process. */
const startWindowLab = sharedInGroup(async () => openLab());

/**
 * For the tests of a `describe`, each of which fails if its page reported an error or violated its content security policy.
 * @param usual for every test, unless it says otherwise; its scenario is `normal` when left out
 */
export function windowTests(usual: Partial<OpenOptions> = {}) {
  let lab: WindowLab;
  let shown: OpenWindow | undefined;
  before(async () => {
    lab = await startWindowLab();
  });
  afterEach(async () => {
    const problems = shown?.problems;
    await shown?.close();
    shown = undefined;
    assert.deepEqual(problems ?? [], []);
  });
  after(async () => lab.close());
  return {
    /** Opens the test's window. @param given its scenario, or what differs from the usual options */
    async open(given: string | Partial<OpenOptions> = {}): Promise<OpenWindow> {
      const options = typeof given === 'string' ? { scenario: given } : given;
      shown = await lab.open({ scenario: 'normal', ...usual, ...options });
      return shown;
    },
    /** The window of the test that runs. */
    shown: () => shown ?? assert.fail('The test opened no window.'),
  };
}

/** Builds the page and starts the browser. */
export async function openLab(options: BrowserOptions = {}) {
  const site = await startHarnessSite();
  let browser: Browser;
  try {
    // Only the scripts outside the runner take screenshots.
    browser = await launchBrowser({
      withoutCompositing: process.env['DOCTRAY_TEST_RUN'] !== undefined,
      isReused: true,
      ...options,
    });
  } catch (error) {
    await site.close();
    throw error;
  }
  const idle = new Map<string, Page[]>();
  return {
    open: async (options: OpenOptions) => openWindow({ browser, idle, url: site.url }, options),
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

async function openWindow({ browser, idle, url }: Lab, options: OpenOptions) {
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
  const { problems, stop } = noteProblems(page);
  const { scenario, view = 'overview' } = options;
  const address = `${url}/?${new URLSearchParams({ scenario, ...(view !== 'overview' && { view }) })}`;
  if (page.url().startsWith(url))
    await page.evaluate((given) => {
      (globalThis as unknown as HarnessPage).harness.beginAgain(given);
    }, address);
  else await page.goto(address);
  // `stuck` never gets its state.
  const frame = scenario === 'stuck' ? '#root > *' : '#root > :not([aria-busy="true"])';
  await page
    .locator(view === 'overview' ? frame : `${frame} main h1`)
    .first()
    .waitFor();
  const calls = async (names = /./u): Promise<[name: string, args: unknown][]> => {
    const all = await page.evaluate(() => (globalThis as unknown as HarnessPage).harness.host.calls);
    return all.filter(({ name }) => names.test(name)).map(({ name, args }) => [name, args]);
  };
  const ofHost = async (method: 'set' | 'upsert' | 'remove' | 'push', ...args: unknown[]): Promise<void> =>
    page.evaluate(
      ([name, given]) => {
        const { host } = (globalThis as unknown as HarnessPage).harness;
        (host[name] as (...all: unknown[]) => void)(...given);
      },
      [method, args] as const,
    );
  const table = tableOf(page);
  const button = (name: string | RegExp): Locator =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  return {
    page,
    table,
    /** Content security policy violations and script errors so far. */
    problems,
    /** Commands that the page has called, whose names match, with their arguments. */
    calls,
    /** Arguments of every call of a command. */
    sent: async (name: string) => (await calls()).filter((call) => call[0] === name).map(([, args]) => args),
    state: async () => page.evaluate(() => (globalThis as unknown as HarnessPage).harness.host.state),
    /** Changes parts of the host's state, and pushes them. */
    change: async (values: StateChange) => ofHost('set', values),
    upsert: async <Name extends TableName>(table: Name, ...rows: WindowState[Name]) =>
      ofHost('upsert', table, rows),
    remove: async (name: TableName, ...ids: string[]) => ofHost('remove', name, ids),
    push: async <Name extends PushName>(name: Name, payload: Pushes[Name]) => ofHost('push', name, payload),
    answer: async (command: string, given: GivenAnswer) =>
      page.evaluate(
        ([name, how]) => {
          const answers = (globalThis as unknown as HarnessPage).harness.answers as Record<string, unknown>;
          const before = answers[name];
          answers[name] = async () => {
            if (how.isOnce === true) answers[name] = before;
            if (how.hangs === true) await new Promise(() => undefined);
            if (how.refuses !== undefined)
              throw Object.assign(new Error(how.refuses), { code: how.code ?? 'internal' });
            return how.gives;
          };
        },
        [command, given] as const,
      ),
    /** Runs JavaScript in the page, where `answers` are the host's, by command, and `host` is the host. @returns what it returns */
    inPage: async <Result = void>(code: string): Promise<Result> =>
      page.evaluate(`(async () => { const { answers, host } = globalThis.harness; ${code} })()`),
    /** Waits for a text. */
    see: async (text: string | RegExp) => page.getByText(text).first().waitFor(),
    button,
    /** Presses buttons, one after the other. */
    press: async (...names: (string | RegExp)[]) => {
      for (const name of names) await button(name).first().click();
    },
    /** Waits until a part has the focus. */
    focused: async (part: Locator | string) =>
      (typeof part === 'string' ? page.locator(part) : part).and(page.locator(':focus')).waitFor(),
    /** Presses keys once something in a part has the focus: dialogs and menus take it after they are shown. */
    pressIn: async (part: Locator | string, ...keys: string[]) => {
      await (typeof part === 'string' ? page.locator(part) : part).locator(':focus').first().waitFor();
      for (const key of keys) await page.keyboard.press(key);
    },
    /** Opens the menu of a row, and chooses an entry, and then one of its submenu; a name ends with the entry's key. */
    choose: async (row: string | Locator, ...entries: (string | RegExp)[]) => {
      await (typeof row === 'string' ? table.row(row) : row).click({ button: 'right' });
      for (const [level, name] of entries.entries()) {
        const isNamed =
          typeof name === 'string'
            ? new RegExp(`^${name.replaceAll(/[.()]/gu, String.raw`\$&`)}\\s*(?:Enter|Del|F2)?$`, 'u')
            : name;
        const entry = page.getByRole('menuitem', { name: isNamed });
        if (level === entries.length - 1) await entry.click();
        else await entry.press('ArrowRight');
      }
    },
    async close() {
      stop();
      await page.mouse.move(0, 0);
      await page.evaluate(() => {
        sessionStorage.clear();
        localStorage.clear();
        (globalThis as unknown as HarnessPage).harness.end();
      });
      idle.set(key, [...(idle.get(key) ?? []), page]);
    },
  };
}
