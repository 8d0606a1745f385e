// Switches the window between light, dark and forced colors, as a user would in the settings and in the system.

import type { DeskApp } from './desk-app.ts';

export type Look = 'light' | 'dark' | 'forced colors';

export async function setLook(desk: DeskApp, look: Look): Promise<void> {
  const appearance = look === 'dark' ? 'dark' : 'light';
  await desk.call('settings.set', { key: 'appearance', value: appearance });
  await desk.page.emulateMedia({ forcedColors: look === 'forced colors' ? 'active' : 'none' });
  await desk.page.locator(`html[data-appearance="${appearance}"]`).waitFor();
}
