// Prints what the window showed when a test failed, because a timeout only says what was missing. Also closes an open dialog before the
// next test.

import { afterEach } from 'node:test';
import type { DeskApp } from './desk-app.ts';

const longest = 3000;

export function showFailures(deskOf: () => DeskApp | undefined): void {
  afterEach(async (context) => {
    const desk = deskOf();
    if (desk === undefined || ('passed' in context && context.passed)) return;
    try {
      const text = await desk.page.locator('body').innerText({ timeout: 2000 });
      console.error(`The window showed:\n${text.slice(0, longest)}\n`);
      const asked = await desk.dialogs.asked();
      if (asked.length > 0)
        console.error(`The app asked: ${asked.map(({ message }) => message).join(' / ')}`);
      console.error(`The app's log ended with:\n${desk.log().slice(-longest)}`);
      await desk.page.keyboard.press('Escape');
    } catch (error) {
      console.error(`The window showed nothing: ${String(error)}`);
    }
  });
}
