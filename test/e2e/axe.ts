// What axe-core finds in the window as it stands.

import { AxeBuilder } from '@axe-core/playwright';
import type { DeskApp } from './desk-app.ts';

/** One line for each rule that is broken. */
export async function axeFinds({ page }: DeskApp): Promise<string[]> {
  // a page of its own, which the usual mode makes, is no window of this app
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    // React Aria's announcements stay for seven seconds, also of a button that is gone by then
    .exclude('[data-live-announcer]');
  const { violations } = await axe.options({ resultTypes: ['violations'], preload: false }).analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
}

export type Look = 'light' | 'dark' | 'forced colours';

export async function setLook(desk: DeskApp, look: Look): Promise<void> {
  const appearance = look === 'dark' ? 'dark' : 'light';
  await desk.call('settings.set', { key: 'appearance', value: appearance });
  await desk.page.emulateMedia({ forcedColors: look === 'forced colours' ? 'active' : 'none' });
  await desk.page.locator(`html[data-appearance="${appearance}"]`).waitFor();
}
