// Opens a host page in Chromium, with a fake host and a fake editor.

import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import type { Browser, Frame, Page } from 'playwright';
import { launchBrowser, noteProblems } from '../browser.ts';
import { sharedInGroup } from '../group.ts';
import { until } from '../until.ts';
import { startTwoSites, type TwoSites } from './two-sites.ts';

export interface PageOptions {
  mode?: 'edit' | 'view';
  /** Of the browser. Default: `en-GB`. */
  locale?: string;
  size?: { width: number; height: number };
  /** Lets the test move the page's clock ahead; `paused`: time passes only then. */
  hasOwnClock?: 'running' | 'paused';
  /** What differs from the host's usual answers. */
  opened?: Partial<TwoSites['host']['opened']>;
  state?: Partial<TwoSites['host']['state']>;
  refuse?: TwoSites['host']['refuse'];
  /** Changes the two sites further before the page is opened. */
  given?: (sites: TwoSites) => unknown;
  path?: string;
  /** What the browser may complain of. */
  mayComplain?: RegExp;
}

export interface HeardMessage {
  MessageId: string;
  Values: Record<string, unknown>;
  origin: string;
}

export type OpenPage = Awaited<ReturnType<typeof openPage>>;

/** What the editor's page sets on its window. */
interface EditorWindow {
  heard: HeardMessage[];
  say(name: string, values: Record<string, unknown>): void;
}

/** Has the page ask the host now. */
export async function askHost(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('online')));
}

export const requestsOfState = ({ host }: TwoSites): number =>
  host.calls.filter(({ path }) => path.endsWith('/state')).length;

/**
 * Waits until the page has asked the host since its latest change: saves that the host counts later are newer. It takes two requests,
 * because the first one may have been sent before the change.
 */
export async function untilHostAsked(page: Page, sites: TwoSites): Promise<void> {
  const before = requestsOfState(sites);
  await until('two requests', async () => {
    await askHost(page);
    return requestsOfState(sites) >= before + 2 || undefined;
  });
}

/** Starts the browser, once for all test files of a process. */
const startPageLab = sharedInGroup(async () => {
  const browser = await launchBrowser({ withoutCompositing: process.env['PICTURES'] === undefined });
  const idle: IdlePages = new Map();
  return {
    open: async (options: PageOptions) => openPage(browser, idle, options),
    close: async () => browser.close(),
  };
});

/** For the tests of a `describe`: returns a function that opens the test's page, in which the browser may complain of nothing else. */
export function usingPages() {
  let lab: Awaited<ReturnType<typeof startPageLab>>;
  let opened: OpenPage | undefined;
  let expected: RegExp;
  before(async () => {
    lab = await startPageLab();
  });
  afterEach(async () => {
    const problems = opened?.problems ?? [];
    await opened?.close();
    opened = undefined;
    assert.deepEqual(
      problems.filter((problem) => !expected.test(problem)),
      [],
    );
  });
  after(async () => lab.close());
  return async (options: PageOptions = {}): Promise<OpenPage> => {
    expected = options.mayComplain ?? /^$/;
    opened = await lab.open(options);
    return opened;
  };
}

/**
 * Pages to reuse, each in a context of its own, because starting one takes longer than most tests. Every test has two new sites, so it
 * finds no storage of another test. By what a page keeps for good: its clock and its language.
 */
type IdlePages = Map<string, Page[]>;

async function newPage(browser: Browser, locale: string, hasOwnClock: boolean): Promise<Page> {
  const context = await browser.newContext({ locale });
  // No other limit: a busy computer takes seconds for what is usually at once.
  context.setDefaultTimeout(60_000);
  // Toasts stay, because a busy computer may look later than 8 s.
  if (!hasOwnClock)
    await context.addInitScript({
      content:
        '{ const real = setInterval; window.setInterval = (work, ms) => real(work, ms === 8000 ? 1e9 : ms); }',
    });
  return context.newPage();
}

/** Pauses the page's clock, which goes on meanwhile, and is ahead if an earlier test has advanced it. */
async function pause(page: Page): Promise<void> {
  await until('the clock to be paused', async () => {
    const nowMs = await page.evaluate(() => Date.now());
    return page.clock.pauseAt(nowMs + 1000).then(
      () => true,
      () => false,
    );
  });
}

async function openPage(browser: Browser, idle: IdlePages, options: PageOptions) {
  const sites = await startTwoSites();
  for (const part of ['opened', 'state', 'refuse'] as const) Object.assign(sites.host[part], options[part]);
  options.given?.(sites);
  const { hasOwnClock, locale = 'en-GB' } = options;
  const kind = `${locale} ${hasOwnClock !== undefined}`;
  const reusable = idle.get(kind) ?? [];
  idle.set(kind, reusable);
  const page = reusable.pop() ?? (await newPage(browser, locale, hasOwnClock !== undefined));
  const context = page.context();
  await page.setViewportSize(options.size ?? { width: 1100, height: 720 });
  await page.emulateMedia({ colorScheme: 'light' });
  const { problems, stop } = noteProblems(page);
  if (hasOwnClock !== undefined) {
    await page.clock.install();
    if (hasOwnClock === 'paused') await pause(page);
    // A page that is reused may have been paused.
    else await page.clock.resume();
  }
  await page.goto(`${sites.hostUrl}${sites.host.base}/${options.path ?? `${options.mode ?? 'edit'}/file-1`}`);

  const editor = async (): Promise<Frame> => {
    const frame = await until('a page in the editor’s frame', async () => {
      const inFrame = page.frame({ name: 'editor' });
      return inFrame?.url().startsWith(sites.editorUrl) === true ? inFrame : undefined;
    });
    await frame.waitForFunction(() => 'heard' in globalThis);
    return frame;
  };
  const say = async (name: string, values: Record<string, unknown> = {}): Promise<void> => {
    const frame = await editor();
    await frame
      .evaluate((message) => (globalThis as unknown as EditorWindow).say(message.name, message.values), {
        name,
        values,
      })
      // The page may leave at once.
      .catch((error: Error) => assert.match(error.message, /detached|destroyed|navigation/u));
  };
  const editorReceived = async (name: string, count = 1): Promise<HeardMessage> => {
    const frame = await editor();
    return until(`a message ${name}`, async () => {
      const heard = await frame.evaluate(() => (globalThis as unknown as EditorWindow).heard);
      const named = heard.filter(({ MessageId }) => MessageId === name);
      return named.length < count ? undefined : named.at(-1);
    });
  };

  return {
    page,
    sites,
    /** The frame with the editor's page. */
    editor,
    say,
    /** Waits for a message to the editor with that name. @param count wait for that many, and return the last one */
    editorReceived,
    /** Sends the messages of an editor that has loaded the document, and waits for the page's own bar: the server's is replaced. */
    load: async () => {
      await (
        await editor()
      ).evaluate(() => {
        const { say } = globalThis as unknown as EditorWindow;
        for (const Status of ['Frame_Ready', 'Document_Loaded']) say('App_LoadingStatus', { Status });
      });
      await page.locator('body[data-phase="ready"]').waitFor();
      await page.locator('header > .fold').waitFor();
    },
    /** Waits until the bar shows that status; for one that must stay, after what could have changed it. */
    shows: async (status: string | RegExp, why?: string) => {
      let shown = '';
      const isShown = async (): Promise<true | undefined> => {
        shown = await page.locator('header [role="status"]').innerText();
        return (typeof status === 'string' ? shown === status : status.test(shown)) || undefined;
      };
      await until('', isShown).catch(() => {
        assert.fail(`The bar shows “${shown}”, not “${status}”${why === undefined ? '' : `: ${why}`}`);
      });
    },
    /** Errors and warnings of the browser. */
    problems,
    close: async () => {
      try {
        stop();
        page.removeAllListeners('dialog');
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        for (const other of context.pages()) if (other !== page) await other.close();
        await context.clearPermissions();
        await context.clearCookies();
        // Playwright accepts that unsaved changes are lost.
        await page.goto('about:blank');
        reusable.push(page);
      } catch {
        await context.close();
      } finally {
        // servers that stay open would keep a failed test file running
        await sites.close();
      }
    },
  };
}
