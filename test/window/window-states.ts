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
  /** The way from the view to the state. */
  steps: Step[];
}

type Step = (page: Page) => Promise<void>;

const germanOf: Readonly<Record<string, string>> = german;
const inGerman = new Map(Object.entries(english).map(([key, message]) => [message, germanOf[key]]));

/** Of the page's language. */
async function words(page: Page, message: string): Promise<string> {
  const isGerman = await page.evaluate(() => navigator.language.startsWith('de'));
  return isGerman ? (inGerman.get(message) ?? message) : message;
}

const named = async (page: Page, role: 'button' | 'menuitem' | 'radio' | 'switch', message: string) =>
  // The name of a menu's entry ends with its key, that of a radio button with its hint.
  page.getByRole(role, { name: await words(page, message), exact: role === 'button' }).first();
const press =
  (message: string): Step =>
  async (page) =>
    (await named(page, 'button', message)).click();
const entry =
  (message: string): Step =>
  async (page) =>
    (await named(page, 'menuitem', message)).click();
const toggle =
  (role: 'radio' | 'switch', message: string): Step =>
  async (page) =>
    (await named(page, role, message)).press(' ');
/** The first element that matches. */
const seen =
  (selector: string): Step =>
  async (page) =>
    page.locator(selector).first().waitFor();
const click =
  (selector: string, ...modifiers: 'Control'[]): Step =>
  async (page) =>
    page.locator(selector).first().click({ modifiers });
/** The last button of a part, whose name has a document or an editor in it. */
const pressLast =
  (part: string): Step =>
  async (page) =>
    page.locator(`${part} .button`).last().click();
const fill =
  (field: string, text: string): Step =>
  async (page) =>
    page.locator(field).first().fill(text);
const key =
  (name: string, on?: string): Step =>
  async (page) =>
    on === undefined ? page.keyboard.press(name) : page.locator(on).first().press(name);
const type =
  (text: string): Step =>
  async (page) =>
    page.keyboard.type(text);
const menuOf =
  (row: string): Step =>
  async (page) =>
    page.locator(row).first().click({ button: 'right' });

const row = (id: string) => `[data-row="${id}"]`;
/** It has the focus. */
const dialog = seen('.dialog :focus');
/** From its menu, as in a narrow window. */
const detailsOf = (selector: string) => [menuOf(selector), entry('Details'), seen('.detail-panel')];
const check = (...ids: string[]) => ids.map((id) => click(`${row(id)} [data-check]`, 'Control'));
const clearLock = (id: string) => [...check(id), key('Delete', row(id)), dialog];
const apiTokens = click('role=tab >> nth=1');

/** Opens a pane of the settings from the list, or from the menu that a narrow window has instead. */
const pane =
  (title: string): Step =>
  async (page) => {
    const select = page.locator('.settings-panes .select-button');
    if ((await select.count()) === 0) return press(title)(page);
    await select.click();
    return page.getByRole('option', { name: await words(page, title), exact: true }).click();
  };

const views: ViewName[] = ['overview', 'documents', 'locks', 'sessions', 'tokens', 'activity', 'settings'];
/** What the views show, by scenario: nothing, an ordinary day, very much, a folder that is missing. */
const scenarios = {
  starting: 'stuck',
  empty: 'empty',
  day: 'normal',
  many: 'huge',
  error: 'broken',
  paused: 'paused',
};

const state = (name: string, scenario: string, view: ViewName, ...steps: Step[]): WindowState => ({
  name,
  scenario,
  view,
  steps,
});

/** Of the folder `documents`. */
const inDocuments: Record<string, Step[]> = {
  list: [],
  menu: [menuOf(row('letter.docx')), seen('role=menu')],
  'open-with': [menuOf(row('letter.docx')), entry('Open with'), seen('role=menu >> nth=1')],
  wopi: [menuOf(row('letter.docx')), entry('Advanced'), entry('Show WOPI address…'), dialog],
  'new-folder': [press('New'), entry('Folder'), dialog],
  rename: [
    menuOf(row('letter.docx')),
    entry('Rename'),
    fill('input.documents-rename', 'a:b'),
    seen('input.documents-rename[aria-invalid="true"]'),
  ],
  'colleague-link': [menuOf(row('letter.docx')), entry('Copy link for a colleague…'), dialog],
  move: [menuOf(row('letter.docx')), entry('Move to…'), seen('role=option')],
  'trash-failed': [
    ...check('letter.docx', 'Roof plan.pptx', 'Budget 2026.xlsx'),
    key('Delete', row('letter.docx')),
    dialog,
    seen('.toast'),
  ],
  search: [key('/'), type('offer'), seen('[data-row$="Offer 3.odt"]')],
  'found-nothing': [key('/'), type('no such name'), seen('.empty')],
  'quick-open': [key('Control+K'), seen('.quick-input:focus'), type('bud'), seen('.quick-item')],
  versions: [menuOf(row('letter.docx')), entry('Versions'), seen('.versions-actions')],
  compare: [
    menuOf(row('notes.md')),
    entry('Versions'),
    // Open, then Compare.
    click('.versions-actions > .button >> nth=1'),
    press('Next change'),
  ],
};

const inSettings: Record<string, [scenario: string, pane: string, ...steps: Step[]]> = {
  users: ['normal', 'Users'],
  versions: ['normal', 'Versions'],
  'versions-space': ['settings-day', 'Versions', press('Clean up now'), seen('.progress')],
  network: ['normal', 'Network & HTTPS'],
  advanced: ['normal', 'Advanced'],
  about: ['normal', 'About'],
  diagnostics: [
    'settings-port-taken',
    'About',
    press('Run check'),
    press('Show log'),
    seen('.log-line'),
    async (page) =>
      page
        .locator('[data-setting="diagnostics"]')
        .evaluate((setting) => setting.closest('.section')?.scrollIntoView()),
  ],
  'add-user': [
    'settings-day',
    'Users',
    press('Add user…'),
    dialog,
    key('Enter'),
    seen('.dialog [aria-invalid="true"]'),
  ],
  'bind-address': ['settings-day', 'Network & HTTPS', toggle('radio', 'A specific address')],
  https: ['settings-day', 'Network & HTTPS', toggle('radio', 'Your own certificate')],
  error: [
    'settings-poor',
    'Network & HTTPS',
    fill('[data-setting="port"] input', '99999'),
    seen('[data-setting="port"] [aria-invalid="true"]'),
  ],
  search: ['settings-day', 'General', fill('role=searchbox', 'port'), seen('role=region >> role=button')],
  editors: ['settings-editors', 'Editors'],
  'editor-details': [
    'settings-editors',
    'Editors',
    click('article [aria-controls]'),
    click('article [aria-controls] >> nth=1'),
  ],
  'editors-poor': ['editors-poor', 'Editors'],
  'editor-address': [
    'editors-poor',
    'Editors',
    click('article [aria-haspopup]'),
    entry('Choose address…'),
    key(' ', 'role=radio >> nth=2'),
  ],
  'editor-connect': [
    'settings-editors',
    'Editors',
    press('Connect document server…'),
    fill('.dialog input', 'http://other.example.org'),
    key('Enter'),
    seen('.dialog [role="alert"]'),
  ],
  'servers-found': ['editors-two-found', 'Editors', press('Find document servers')],
  'server-unreached': ['editors-no-way-back', 'Editors'],
  'server-removed': [
    'editors-started',
    'Editors',
    pressLast('[role="listitem"]:has-text("ONLYOFFICE"), li:has-text("ONLYOFFICE")'),
    key(' ', 'role=checkbox'),
  ],
};

const startedServers =
  'looking nothing-found two-found docker-stopped docker-ready downloading waiting failed-start no-way-back started';

export const windowStates: WindowState[] = [
  ...views.flatMap((view) =>
    Object.entries(scenarios).map(([name, scenario]) => state(`${view}-${name}`, scenario, view)),
  ),
  state('window-error', 'failing', 'overview'),
  state('activity-unread', 'activity-broken', 'activity'),
  ...(['documents', 'activity'] as const).map((view) => state(`${view}-loading`, 'waiting', view)),
  state('first-run', 'first-steps', 'overview'),
  state('first-run-broken', 'first-steps-broken', 'overview'),
  ...startedServers
    .split(' ')
    .map((name) => state(`first-run-${name}`, `first-${name}`, 'overview', press('Next'))),
  state(
    'first-run-done',
    'first-steps',
    'overview',
    press('Next'),
    press('Skip'),
    seen('.first-run-card .status-name'),
  ),
  state('keyboard', 'normal', 'overview', key('F1'), dialog),
  state('overview-editors', 'editors-poor', 'overview', click('.host-line')),
  ...Object.entries(inDocuments).map(([name, steps]) =>
    state(`documents-${name}`, 'documents', 'documents', ...steps),
  ),
  state('documents-no-folder', 'idle', 'documents'),
  ...Object.entries(inSettings).map(([name, [scenario, title, ...steps]]) =>
    state(`settings-${name}`, scenario, 'settings', pane(title), ...steps),
  ),
  state('locks-detail', 'normal', 'locks', ...detailsOf(row('file6'))),
  state('locks-selected', 'normal', 'locks', ...check('file6', 'file7')),
  state('locks-clear-live', 'normal', 'locks', ...clearLock('file3')),
  state(
    'locks-undo',
    'normal',
    'locks',
    ...clearLock('file6'),
    pressLast('[role="alertdialog"]'),
    seen('.toast'),
  ),
  state('sessions-detail', 'normal', 'sessions', ...detailsOf(row('session0'))),
  state('tokens-detail', 'normal', 'tokens', ...detailsOf(row('session0'))),
  state('tokens-expired', 'token-life', 'tokens'),
  state('tokens-api', 'normal', 'tokens', apiTokens),
  state('tokens-api-empty', 'empty', 'tokens', apiTokens),
  state('tokens-api-detail', 'normal', 'tokens', apiTokens, ...detailsOf(row('token9'))),
  state(
    'token-created',
    'normal',
    'tokens',
    apiTokens,
    press('Create API token…'),
    dialog,
    type('Nightly report'),
    key('Enter'),
    seen('role=alertdialog'),
  ),
  state('activity-detail', 'activity-day', 'activity', ...detailsOf('[data-row]')),
  state(
    'activity-requests',
    'activity-day',
    'activity',
    toggle('switch', 'Group requests'),
    seen('.activity-status'),
  ),
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

export async function reach(page: Page, { steps }: WindowState): Promise<void> {
  for (const step of steps) await step(page);
  await page.mouse.move(0, 0);
}

/** The window in a state, ready to be looked at. */
export async function reachState(lab: Pick<WindowLab, 'open'>, shown: WindowState, look: Look) {
  const isFirstRun = shown.scenario.startsWith('first-');
  const opened = await lab.open({
    ...look.options,
    scenario: shown.scenario,
    ...(!isFirstRun && { view: shown.view }),
  });
  await reach(opened.page, shown);
  return opened;
}

/** Parts that never scroll sideways; a table's scroller may. */
const mustFit =
  'html, .main, .view, .view-content, .rail, .dialog-body, .dialog, .section-body, .first-run, .first-run-page, .quick, .quick-list';

async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(
    (selector) =>
      [...document.querySelectorAll(selector)]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => `${box.className} ${box.scrollWidth} > ${box.clientWidth}`),
    mustFit,
  );
}

/** A page applies its new size within some frames, which take a while on a busy computer. */
const layoutLimitMs = 10_000;

/** What doesn't fit in a state, and what the page reports: one line for each clipped text, part that scrolls sideways, and error. */
export async function layoutFaults({ page, problems }: OpenWindow): Promise<string[]> {
  const endMs = Date.now() + layoutLimitMs;
  for (;;) {
    const faults = [
      ...(await clippedTexts(page)).map((line) => `clipped: ${line}`),
      ...(await tooWide(page)).map((line) => `too wide: ${line}`),
      ...problems.map((line) => `error: ${line}`),
    ];
    if (faults.length === 0 || problems.length > 0 || Date.now() > endMs) return faults;
    await page.waitForTimeout(100);
  }
}

/** Also one line for each rule of axe. */
export async function faultsOf(opened: OpenWindow, look: Look): Promise<string[]> {
  const { theme, hasForcedColors } = look.options;
  const differsInColors = theme === 'dark' || hasForcedColors === true;
  const axe = await axeFindings(opened.page, differsInColors ? { rules: ['color-contrast'] } : {});
  return [...axe.map((line) => `axe: ${line}`), ...(await layoutFaults(opened))];
}
