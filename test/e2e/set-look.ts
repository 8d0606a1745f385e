// Switches the window between light, dark and forced colors, as a user would in the settings and in the system.

import type { Page } from 'playwright';
import type { DeskApp } from './desk-app.ts';

export type Look = 'light' | 'dark' | 'forced colors';

/** @param page the window, or the dashboard */
export async function setLook(desk: Pick<DeskApp, 'call'>, page: Page, look: Look): Promise<void> {
  const appearance = look === 'dark' ? 'dark' : 'light';
  await desk.call('settings.set', { key: 'appearance', value: appearance });
  await page.emulateMedia({ forcedColors: look === 'forced colors' ? 'active' : 'none' });
  await page.locator(`html[data-appearance="${appearance}"]`).waitFor();
}
