// Every view of the window in every state, with who opens it: for pictures, and for checks that each of them must pass.

import type { Page } from 'playwright';
import type { ViewName } from '../../app/contract/pushes.ts';
import type { OpenOptions, WindowLab } from './open-window.ts';

export interface WindowState {
  name: string;
  scenario: string;
  view: ViewName;
  reach?(page: Page): Promise<void>;
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
