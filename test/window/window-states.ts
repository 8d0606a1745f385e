// Every view of the window in every state, with who opens it: for pictures, and for checks that each of them must pass.

import type { Page } from 'playwright';
import german from '../../locales/de.json' with { type: 'json' };
import english from '../../locales/en.json' with { type: 'json' };
import type { ViewName } from '../../app/contract/pushes.ts';
import { axeFindings } from '../axe.ts';
import { clippedTexts } from './clipped.ts';
import { tooWideAfterLayout } from './look-over.ts';
import type { OpenOptions, OpenWindow, WindowLab } from './open-window.ts';

export interface WindowState {
  name: string;
  scenario: string;
  view: ViewName;
  reach?(page: Page): Promise<void>;
}

const germanOf: Readonly<Record<string, string>> = german;
const inGerman = new Map(Object.entries(english).map(([key, message]) => [message, germanOf[key]]));

/** Of the page's language. */
async function words(page: Page, message: string): Promise<string> {
  const isGerman = await page.evaluate(() => navigator.language.startsWith('de'));
  return isGerman ? (inGerman.get(message) ?? message) : message;
}

async function press(page: Page, role: 'button' | 'menuitem', ...messages: string[]): Promise<void> {
  for (const message of messages) {
    const name = await words(page, message);
    // The name of a menu's entry ends with its key.
    await page
      .getByRole(role, { name, exact: role === 'button' })
      .first()
      .click();
  }
}

/** From the list, or from the menu that a narrow window has instead. */
async function openPane(page: Page, pane: string): Promise<void> {
  const name = await words(page, pane);
  const select = page.locator('.settings-panes .select-button');
  if ((await select.count()) === 0) return press(page, 'button', pane);
  await select.click();
  return page.getByRole('option', { name, exact: true }).click();
}

async function forceClear(page: Page, id: string): Promise<void> {
  await page.locator(`[data-row="${id}"]`).click({ button: 'right' });
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  // The focus returns from the menu in a later frame.
  await page.locator(`[data-row="${id}"]:focus`).waitFor();
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').waitFor();
}

/** Opens a row's menu and chooses an entry. */
async function chooseInMenu(page: Page, id: string, entry: string): Promise<void> {
  await page.locator(`[data-row="${id}"]`).click({ button: 'right' });
  await press(page, 'menuitem', entry);
}

/** Opens the details of a row from its menu, as in a narrow window. */
async function showDetails(page: Page, id: string): Promise<void> {
  await chooseInMenu(page, id, 'Details');
  await page.locator('.detail-panel').waitFor();
}

const showApiTokens = async (page: Page): Promise<void> => page.getByRole('tab').nth(1).click();

const views: ViewName[] = ['overview', 'documents', 'locks', 'sessions', 'tokens', 'activity', 'settings'];
/** What the views show, by scenario: nothing, one row, an ordinary day, very much, a folder that is missing. */
const scenarios = {
  starting: 'stuck',
  empty: 'empty',
  one: 'one',
  day: 'normal',
  many: 'busy',
  error: 'broken',
  paused: 'paused',
};

export const windowStates: WindowState[] = [
  ...views.flatMap((view) =>
    Object.entries(scenarios).map(([state, scenario]) => ({ name: `${view}-${state}`, scenario, view })),
  ),
  { name: 'window-error', scenario: 'failing', view: 'overview' },
  { name: 'activity-unread', scenario: 'activity-broken', view: 'activity' },
  ...(['overview', 'documents', 'activity'] as const).map((view) => ({
    name: `${view}-loading`,
    scenario: 'waiting',
    view,
  })),
  { name: 'documents-list', scenario: 'documents', view: 'documents' },
  { name: 'first-run', scenario: 'first-steps', view: 'overview' },
  {
    name: 'first-run-server',
    scenario: 'first-docker-ready',
    view: 'overview',
    reach: async (page) => press(page, 'button', 'Next'),
  },
  {
    name: 'first-run-done',
    scenario: 'first-steps',
    view: 'overview',
    reach: async (page) => {
      await press(page, 'button', 'Next', 'Skip');
      await page.locator('.first-run-card .status-name').first().waitFor();
    },
  },
  {
    name: 'quick-open',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await page.keyboard.press('Control+K');
      await page.locator('.quick-input:focus').waitFor();
      await page.keyboard.type('bud');
      await page.locator('.quick-item').first().waitFor();
    },
  },
  {
    name: 'keyboard',
    scenario: 'normal',
    view: 'overview',
    reach: async (page) => {
      await page.keyboard.press('F1');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'settings-editors',
    scenario: 'settings-editors',
    view: 'settings',
    reach: async (page) => openPane(page, 'Editors'),
  },
  {
    name: 'diagnostics',
    scenario: 'settings-port-taken',
    view: 'settings',
    reach: async (page) => {
      await openPane(page, 'About');
      await press(page, 'button', 'Run check', 'Show log');
      await page.locator('.log-line').first().waitFor();
      await page.locator('[data-setting="diagnostics"]').evaluate((row) => {
        row.closest('.section')?.scrollIntoView();
      });
    },
  },
  ...(['Users', 'Versions', 'Network & HTTPS', 'Advanced', 'About'] as const).map((pane) => ({
    name: `settings-${pane.toLowerCase().replace(/ .*/, '')}`,
    scenario: 'normal',
    view: 'settings' as const,
    reach: async (page: Page) => openPane(page, pane),
  })),
  {
    name: 'documents-menu',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await page.locator('[data-row="letter.docx"]').click({ button: 'right' });
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'documents-new-folder',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await press(page, 'button', 'New');
      await press(page, 'menuitem', 'Folder');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'documents-rename',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await chooseInMenu(page, 'letter.docx', 'Rename');
      await page.locator('.documents-rename').waitFor();
    },
  },
  {
    name: 'documents-colleague-link',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await chooseInMenu(page, 'letter.docx', 'Copy link for a colleague…');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'documents-move',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await chooseInMenu(page, 'letter.docx', 'Move to…');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'documents-search',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('offer');
      await page.locator('[data-row$="Offer 3.odt"]').waitFor();
    },
  },
  {
    name: 'documents-found-nothing',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('no such name');
      await page.locator('.empty').waitFor();
    },
  },
  {
    name: 'versions',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await chooseInMenu(page, 'letter.docx', 'Versions');
      await page.getByRole('list', { name: await words(page, 'Versions') }).waitFor();
    },
  },
  {
    name: 'compare',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await chooseInMenu(page, 'notes.md', 'Versions');
      const panel = page.getByRole('region', { name: await words(page, 'Versions') });
      // Open, then Compare.
      await panel.locator('.versions-actions > .button').nth(1).click();
      await press(page, 'button', 'Next change');
    },
  },
  {
    name: 'locks-detail',
    scenario: 'normal',
    view: 'locks',
    reach: async (page) => showDetails(page, 'file6'),
  },
  {
    name: 'locks-selected',
    scenario: 'normal',
    view: 'locks',
    reach: async (page) => {
      for (const id of ['file6', 'file7'])
        await page.locator(`[data-row="${id}"] [data-check]`).click({ modifiers: ['Control'] });
    },
  },
  {
    name: 'sessions-detail',
    scenario: 'normal',
    view: 'sessions',
    reach: async (page) => showDetails(page, 'session0'),
  },
  {
    name: 'tokens-detail',
    scenario: 'normal',
    view: 'tokens',
    reach: async (page) => showDetails(page, 'session0'),
  },
  { name: 'tokens-expired', scenario: 'token-life', view: 'tokens' },
  { name: 'tokens-api', scenario: 'normal', view: 'tokens', reach: showApiTokens },
  { name: 'tokens-api-empty', scenario: 'empty', view: 'tokens', reach: showApiTokens },
  {
    name: 'tokens-api-detail',
    scenario: 'normal',
    view: 'tokens',
    reach: async (page) => {
      await showApiTokens(page);
      await showDetails(page, 'token9');
    },
  },
  {
    name: 'activity-detail',
    scenario: 'activity-day',
    view: 'activity',
    reach: async (page) => {
      await page.locator('[data-row]').first().click({ button: 'right' });
      await press(page, 'menuitem', 'Details');
      await page.locator('.detail-panel').waitFor();
    },
  },
  {
    name: 'activity-requests',
    scenario: 'activity-day',
    view: 'activity',
    reach: async (page) => {
      await page.getByRole('switch', { name: await words(page, 'Grouped') }).press(' ');
      await page.getByRole('columnheader', { name: await words(page, 'Status') }).waitFor();
    },
  },
  {
    name: 'token-created',
    scenario: 'normal',
    view: 'tokens',
    reach: async (page) => {
      await showApiTokens(page);
      await press(page, 'button', 'Create API token');
      await page.keyboard.type('Nightly report');
      await page.keyboard.press('Enter');
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'locks-clear-live',
    scenario: 'normal',
    view: 'locks',
    reach: async (page) => forceClear(page, 'file3'),
  },
  {
    name: 'locks-undo',
    scenario: 'normal',
    view: 'locks',
    reach: async (page) => {
      await forceClear(page, 'file6');
      await page.getByRole('alertdialog').locator('.button').last().click();
      await page.locator('.toast').waitFor();
    },
  },
];

export interface Look {
  name: string;
  options: Omit<OpenOptions, 'scenario' | 'view'>;
}

const narrow = { width: 900, height: 620 };
const wide = { width: 1400, height: 900 };

export const looks: Look[] = [
  { name: '900-light', options: { size: narrow } },
  { name: '900-dark', options: { size: narrow, theme: 'dark' } },
  { name: '1400-light', options: { size: wide } },
  { name: '1400-dark', options: { size: wide, theme: 'dark' } },
  { name: '200-percent', options: { size: wide, zoom: 2 } },
  // The least room possible.
  { name: 'smallest', options: { size: narrow, zoom: 2, locale: 'de-DE' } },
  { name: 'forced-colors', options: { size: narrow, hasForcedColors: true } },
  { name: 'german', options: { size: narrow, locale: 'de-DE' } },
];

/** The window in a state, ready to be looked at. */
export async function reachState(lab: WindowLab, state: WindowState, look: Look) {
  const isFirstRun = state.scenario.startsWith('first-');
  const opened = await lab.open({
    ...look.options,
    scenario: state.scenario,
    ...(!isFirstRun && { view: state.view }),
  });
  await state.reach?.(opened.page);
  await opened.page.mouse.move(0, 0);
  return opened;
}

/** What doesn't fit in a state, and what the page reports: one line for each clipped text, part that scrolls sideways, and error. */
export async function layoutFaults({ page, problems }: OpenWindow): Promise<string[]> {
  const clipped = await clippedTexts(page);
  const tooWide = await tooWideAfterLayout(page);
  return [
    ...clipped.map((line) => `clipped: ${line}`),
    ...tooWide.map((line) => `too wide: ${line}`),
    ...problems.map((line) => `error: ${line}`),
  ];
}

/** Also one line for each rule of axe. */
export async function faultsOf(opened: OpenWindow, look: Look): Promise<string[]> {
  const { theme, hasForcedColors } = look.options;
  const differsInColors = theme === 'dark' || hasForcedColors === true;
  const axe = await axeFindings(opened.page, differsInColors ? { rules: ['color-contrast'] } : {});
  return [...axe.map((line) => `axe: ${line}`), ...(await layoutFaults(opened))];
}
