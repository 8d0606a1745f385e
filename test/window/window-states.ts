// Every view of the window in every state, with who opens it: for pictures, and for checks that each of them must pass.

import type { Page } from 'playwright';
import { german } from '../../renderer/window/german.ts';
import type { ViewName } from '../../app/contract/pushes.ts';
import type { OpenOptions, WindowLab } from './open-window.ts';

export interface WindowState {
  name: string;
  scenario: string;
  view: ViewName;
  reach?(page: Page): Promise<void>;
}

/** Of the page's language. */
async function words(page: Page, message: string): Promise<string> {
  const isGerman = await page.evaluate(() => navigator.language.startsWith('de'));
  return isGerman ? (german[message] ?? message) : message;
}

async function press(page: Page, role: 'button' | 'menuitem', ...messages: string[]): Promise<void> {
  for (const message of messages) {
    const name = await words(page, message);
    await page.getByRole(role, { name, exact: true }).first().click();
  }
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

const views: ViewName[] = ['overview', 'documents', 'locks', 'sessions', 'tokens', 'activity', 'settings'];
/** What the views show, by scenario: nothing, an ordinary day, very much, a folder that is missing. */
const scenarios = { empty: 'empty', day: 'normal', many: 'busy', error: 'broken', paused: 'paused' };

export const windowStates: WindowState[] = [
  ...views.flatMap((view) =>
    Object.entries(scenarios).map(([state, scenario]) => ({ name: `${view}-${state}`, scenario, view })),
  ),
  { name: 'window-error', scenario: 'failing', view: 'overview' },
  { name: 'activity-unread', scenario: 'activity-broken', view: 'activity' },
  { name: 'overview-loading', scenario: 'stuck', view: 'overview' },
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
      await page.locator('.first-run-card-title').waitFor();
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
    reach: async (page) => press(page, 'button', 'Editors'),
  },
  {
    name: 'diagnostics',
    scenario: 'settings-port-taken',
    view: 'settings',
    reach: async (page) => {
      await press(page, 'button', 'About', 'Run check', 'Show log');
      await page.locator('.log-line').first().waitFor();
      await page.locator('.log').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'compare',
    scenario: 'documents',
    view: 'documents',
    reach: async (page) => {
      await page.locator('[data-row="notes.md"]').click({ button: 'right' });
      await press(page, 'menuitem', 'Versions');
      const panel = page.getByRole('region', { name: await words(page, 'Versions') });
      await panel.locator('[aria-haspopup="true"]').first().click();
      await press(page, 'menuitem', 'Compare with current');
      await page.getByRole('dialog').getByRole('row').nth(2).waitFor();
    },
  },
  {
    name: 'token-created',
    scenario: 'normal',
    view: 'tokens',
    reach: async (page) => {
      await page.getByRole('tab').nth(1).click();
      await press(page, 'button', 'Create API token', 'Create token');
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
  { name: 'forced-colors', options: { size: narrow, hasForcedColors: true } },
  { name: 'german', options: { size: narrow, locale: 'de-DE' } },
];

/** The window in a state, ready to be looked at. */
export async function reachState(lab: WindowLab, state: WindowState, look: Look) {
  const isNotReady = ['stuck', 'failing'].includes(state.scenario) || state.scenario.startsWith('first-');
  const opened = await lab.open({
    ...look.options,
    scenario: state.scenario,
    ...(!isNotReady && { view: state.view }),
  });
  await state.reach?.(opened.page);
  await opened.page.mouse.move(0, 0);
  return opened;
}
