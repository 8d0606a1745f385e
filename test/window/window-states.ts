// Every view of the window in every state, with who opens it: for pictures, and for checks that each of them must pass.

import type { Page } from 'playwright';
import german from '../../locales/de.json' with { type: 'json' };
import english from '../../locales/en.json' with { type: 'json' };
import type { ViewName } from '../../app/contract/pushes.ts';
import { axeFindings } from '../axe.ts';
import { clippedTexts } from './clipped.ts';
import type { OpenOptions, OpenWindow, WindowLab } from './open-window.ts';

export interface WindowState {
  name: string;
  scenario: string;
  view: ViewName;
  reach?: Reach;
}

type Reach = (page: Page) => Promise<void>;

const germanOf: Readonly<Record<string, string>> = german;
const inGerman = new Map(Object.entries(english).map(([key, message]) => [message, germanOf[key]]));

/** Of the page's language. */
async function words(page: Page, message: string): Promise<string> {
  const isGerman = await page.evaluate(() => navigator.language.startsWith('de'));
  return isGerman ? (inGerman.get(message) ?? message) : message;
}

async function press(page: Page, role: 'button' | 'menuitem' | 'radio', ...messages: string[]) {
  for (const message of messages) {
    const name = await words(page, message);
    // The name of a menu's entry ends with its key, that of a radio button with its hint.
    const pressed = page.getByRole(role, { name, exact: role === 'button' }).first();
    await (role === 'radio' ? pressed.press(' ') : pressed.click());
  }
}

/** Presses the last button of a part, whose name has a document or an editor in it. */
const pressLast = async (page: Page, part: string) => page.locator(`${part} .button`).last().click();

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
async function chooseInMenu(page: Page, id: string, ...entries: string[]): Promise<void> {
  await page.locator(`[data-row="${id}"]`).click({ button: 'right' });
  await press(page, 'menuitem', ...entries);
}

/** Opens the details of a row from its menu, as in a narrow window. */
const showDetails = (id: string) => async (page: Page) => {
  await chooseInMenu(page, id, 'Details');
  await page.locator('.detail-panel').waitFor();
};

const showApiTokens: Reach = async (page) => page.getByRole('tab').nth(1).click();

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

const state = (name: string, scenario: string, view: ViewName, reach?: Reach): WindowState => ({
  name,
  scenario,
  view,
  ...(reach !== undefined && { reach }),
});
const dialog = async (page: Page, role: 'dialog' | 'alertdialog' = 'dialog') =>
  page.getByRole(role).waitFor();

/** Of the folder `documents`. */
const inDocuments: [name: string, reach?: Reach][] = [
  ['list'],
  [
    'menu',
    async (page) => {
      await page.locator('[data-row="letter.docx"]').click({ button: 'right' });
      await page.getByRole('menu').waitFor();
    },
  ],
  [
    'open-with',
    async (page) => {
      await chooseInMenu(page, 'letter.docx', 'Open with');
      await page.getByRole('menu').nth(1).waitFor();
    },
  ],
  [
    'wopi',
    async (page) => {
      await chooseInMenu(page, 'letter.docx', 'Advanced', 'Show WOPI address…');
      await dialog(page, 'alertdialog');
    },
  ],
  [
    'new-folder',
    async (page) => {
      await press(page, 'button', 'New');
      await press(page, 'menuitem', 'Folder');
      await dialog(page);
    },
  ],
  [
    'rename',
    async (page) => {
      await chooseInMenu(page, 'letter.docx', 'Rename');
      await page.locator('input.documents-rename').fill('a:b');
      await page.locator('input.documents-rename[aria-invalid="true"]').waitFor();
    },
  ],
  [
    'colleague-link',
    async (page) => {
      await chooseInMenu(page, 'letter.docx', 'Copy link for a colleague…');
      await dialog(page);
    },
  ],
  [
    'move',
    async (page) => {
      await chooseInMenu(page, 'letter.docx', 'Move to…');
      await page.getByRole('option').first().waitFor();
    },
  ],
  [
    'trash-failed',
    async (page) => {
      for (const id of ['letter.docx', 'Roof plan.pptx', 'Budget 2026.xlsx'])
        await page.locator(`[data-row="${id}"] [data-check]`).click({ modifiers: ['Control'] });
      await page.locator('[data-row="letter.docx"]').press('Delete');
      await dialog(page);
      await page.locator('.toast').waitFor();
    },
  ],
  [
    'search',
    async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('offer');
      await page.locator('[data-row$="Offer 3.odt"]').waitFor();
    },
  ],
  [
    'found-nothing',
    async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('no such name');
      await page.locator('.empty').waitFor();
    },
  ],
  [
    'quick-open',
    async (page) => {
      await page.keyboard.press('Control+K');
      await page.locator('.quick-input:focus').waitFor();
      await page.keyboard.type('bud');
      await page.locator('.quick-item').first().waitFor();
    },
  ],
  [
    'versions',
    async (page) => {
      await chooseInMenu(page, 'letter.docx', 'Versions');
      await page.getByRole('list', { name: await words(page, 'Versions') }).waitFor();
    },
  ],
  [
    'versions-space',
    async (page) => {
      await press(page, 'button', 'Folder actions');
      await press(page, 'menuitem', 'Show disk space used by versions…');
      await press(page, 'button', 'Clean up now');
      await page.locator('.dialog .progress').waitFor();
    },
  ],
  [
    'compare',
    async (page) => {
      await chooseInMenu(page, 'notes.md', 'Versions');
      const panel = page.getByRole('region', { name: await words(page, 'Versions') });
      // Open, then Compare.
      await panel.locator('.versions-actions > .button').nth(1).click();
      await press(page, 'button', 'Next change');
    },
  ],
];

const inSettings: [name: string, scenario: string, pane: string, reach?: Reach][] = [
  ['users', 'normal', 'Users'],
  ['versions', 'normal', 'Versions'],
  ['network', 'normal', 'Network & HTTPS'],
  ['advanced', 'normal', 'Advanced'],
  ['about', 'normal', 'About'],
  [
    'diagnostics',
    'settings-port-taken',
    'About',
    async (page) => {
      await press(page, 'button', 'Run check', 'Show log');
      await page.locator('.log-line').first().waitFor();
      await page.locator('[data-setting="diagnostics"]').evaluate((row) => {
        row.closest('.section')?.scrollIntoView();
      });
    },
  ],
  [
    'add-user',
    'settings-day',
    'Users',
    async (page) => {
      await press(page, 'button', 'Add user…');
      await dialog(page);
      await page.keyboard.press('Enter');
      await page.locator('.dialog [aria-invalid="true"]').first().waitFor();
    },
  ],
  [
    'bind-address',
    'settings-day',
    'Network & HTTPS',
    async (page) => press(page, 'radio', 'A specific address'),
  ],
  ['https', 'settings-day', 'Network & HTTPS', async (page) => press(page, 'radio', 'Your own certificate')],
  [
    'error',
    'settings-poor',
    'Network & HTTPS',
    async (page) => {
      await page.locator('[data-setting="port"] input').fill('99999');
      await page.locator('[data-setting="port"] [aria-invalid="true"]').waitFor();
    },
  ],
  [
    'search',
    'settings-day',
    'General',
    async (page) => {
      await page.getByRole('searchbox').fill('port');
      await page.getByRole('region').getByRole('button').first().waitFor();
    },
  ],
  ['editors', 'settings-editors', 'Editors'],
  [
    'editor-details',
    'settings-editors',
    'Editors',
    async (page) => {
      for (const details of await page.locator('article [aria-controls]').all()) await details.click();
    },
  ],
  ['editors-poor', 'editors-poor', 'Editors'],
  [
    'editor-address',
    'editors-poor',
    'Editors',
    async (page) => {
      await page.locator('article [aria-haspopup]').first().click();
      await press(page, 'menuitem', 'Choose address…');
      await page.getByRole('radio').nth(2).press(' ');
    },
  ],
  [
    'editor-connect',
    'settings-editors',
    'Editors',
    async (page) => {
      await press(page, 'button', 'Connect an editor…');
      await page.locator('.dialog input').first().fill('http://other.example.org');
      await page.keyboard.press('Enter');
      await page.locator('.dialog [role="alert"]').waitFor();
    },
  ],
  [
    'servers-found',
    'editors-two-found',
    'Editors',
    async (page) => press(page, 'button', 'Find document servers'),
  ],
  ['server-unreached', 'editors-no-way-back', 'Editors'],
  [
    'server-removed',
    'editors-started',
    'Editors',
    async (page) => {
      await pressLast(page, '[role="listitem"]:has-text("ONLYOFFICE"), li:has-text("ONLYOFFICE")');
      await page.getByRole('switch').last().press(' ');
    },
  ],
];

const startedServers = [
  'looking',
  'nothing-found',
  'two-found',
  'docker-stopped',
  'docker-ready',
  'downloading',
  'waiting',
  'failed-start',
  'no-way-back',
  'started',
];

export const windowStates: WindowState[] = [
  ...views.flatMap((view) =>
    Object.entries(scenarios).map(([name, scenario]) => state(`${view}-${name}`, scenario, view)),
  ),
  state('window-error', 'failing', 'overview'),
  state('activity-unread', 'activity-broken', 'activity'),
  ...(['overview', 'documents', 'activity'] as const).map((view) =>
    state(`${view}-loading`, 'waiting', view),
  ),
  state('first-run', 'first-steps', 'overview'),
  state('first-run-broken', 'first-steps-broken', 'overview'),
  ...startedServers.map((name) =>
    state(`first-run-${name}`, `first-${name}`, 'overview', async (page) => press(page, 'button', 'Next')),
  ),
  state('first-run-done', 'first-steps', 'overview', async (page) => {
    await press(page, 'button', 'Next', 'Skip');
    await page.locator('.first-run-card .status-name').first().waitFor();
  }),
  state('keyboard', 'normal', 'overview', async (page) => {
    await page.keyboard.press('F1');
    await dialog(page);
  }),
  state('overview-editors', 'editors-poor', 'overview', async (page) => page.locator('.host-line').click()),
  ...inDocuments.map(([name, reach]) => state(`documents-${name}`, 'documents', 'documents', reach)),
  state('documents-no-folder', 'idle', 'documents'),
  state('documents-no-editor', 'documents-empty', 'documents'),
  ...inSettings.map(([name, scenario, pane, reach]) =>
    state(`settings-${name}`, scenario, 'settings', async (page) => {
      await openPane(page, pane);
      await reach?.(page);
    }),
  ),
  state('locks-detail', 'normal', 'locks', showDetails('file6')),
  state('locks-selected', 'normal', 'locks', async (page) => {
    for (const id of ['file6', 'file7'])
      await page.locator(`[data-row="${id}"] [data-check]`).click({ modifiers: ['Control'] });
  }),
  state('locks-clear-live', 'normal', 'locks', async (page) => forceClear(page, 'file3')),
  state('locks-undo', 'normal', 'locks', async (page) => {
    await forceClear(page, 'file6');
    await pressLast(page, '[role="alertdialog"]');
    await page.locator('.toast').waitFor();
  }),
  state('sessions-detail', 'normal', 'sessions', showDetails('session0')),
  state('tokens-detail', 'normal', 'tokens', showDetails('session0')),
  state('tokens-expired', 'token-life', 'tokens'),
  state('tokens-api', 'normal', 'tokens', showApiTokens),
  state('tokens-api-empty', 'empty', 'tokens', showApiTokens),
  state('tokens-api-detail', 'normal', 'tokens', async (page) => {
    await showApiTokens(page);
    await showDetails('token9')(page);
  }),
  state('token-created', 'normal', 'tokens', async (page) => {
    await showApiTokens(page);
    await press(page, 'button', 'Create API token');
    await page.keyboard.type('Nightly report');
    await page.keyboard.press('Enter');
    await dialog(page, 'alertdialog');
  }),
  state('activity-detail', 'activity-day', 'activity', async (page) => {
    await page.locator('[data-row]').first().click({ button: 'right' });
    await press(page, 'menuitem', 'Details');
    await page.locator('.detail-panel').waitFor();
  }),
  state('activity-requests', 'activity-day', 'activity', async (page) => {
    await page.getByRole('switch', { name: await words(page, 'Grouped') }).press(' ');
    await page.getByRole('columnheader', { name: await words(page, 'Status') }).waitFor();
  }),
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
export async function reachState(lab: Pick<WindowLab, 'open'>, shown: WindowState, look: Look) {
  const isFirstRun = shown.scenario.startsWith('first-');
  const opened = await lab.open({
    ...look.options,
    scenario: shown.scenario,
    ...(!isFirstRun && { view: shown.view }),
  });
  await shown.reach?.(opened.page);
  await opened.page.mouse.move(0, 0);
  return opened;
}

/** Parts that never scroll sideways; a table's scroller may. */
const mustFit =
  'html, .main, .view, .view-content, .rail, .dialog-body, .dialog, .section-body, .first-run, .first-run-page, .quick, .quick-list';

/** Waits for the page to apply its new size, which takes a while on a busy computer. */
async function tooWideAfterLayout(page: Page): Promise<string[]> {
  const endMs = Date.now() + 3000;
  for (;;) {
    const found = await page.evaluate(
      (selector) =>
        [...document.querySelectorAll(selector)]
          .filter((box) => box.scrollWidth > box.clientWidth)
          .map((box) => `${box.className} ${box.scrollWidth} > ${box.clientWidth}`),
      mustFit,
    );
    if (found.length === 0 || Date.now() > endMs) return found;
    await page.waitForTimeout(100);
  }
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
