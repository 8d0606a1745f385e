// Reads and clicks the tray, finds menu entries by their label and presses them, in the main process through Playwright.

import type { Menu, MenuItem } from 'electron';
import type { ElectronApplication } from 'playwright';
import type { StandInHooks } from './hooks.ts';

export interface MenuEntry {
  label: string;
  type: string;
  enabled: boolean;
  submenu: MenuEntry[] | undefined;
}

interface InMain {
  __standin: StandInHooks;
}

/** The tray's current menu. */
export function readMenu(application: ElectronApplication): Promise<MenuEntry[]> {
  return application.evaluate(() => {
    const read = (menu: Menu): MenuEntry[] =>
      menu.items.map(({ label, type, enabled, submenu }) => {
        return { label, type, enabled, submenu: submenu && read(submenu) };
      });
    const trays = (globalThis as unknown as InMain)['__standin'].trays();
    const menu = trays.findLast((tray) => !tray.isDestroyed)?.menu;
    return menu ? read(menu) : [];
  });
}

/** Presses the entry of the tray's menu at a path of labels, such as `['Pause', 'For 5 minutes']`. */
export function pressMenu(application: ElectronApplication, path: string[]): Promise<void> {
  return application.evaluate((_electron, labels) => {
    const trays = (globalThis as unknown as InMain)['__standin'].trays();
    let menu = trays.findLast((tray) => !tray.isDestroyed)?.menu;
    let found: MenuItem | undefined;
    for (const label of labels) {
      found = menu?.items.find((item) => item.label === label);
      const there = menu?.items.map((item) => item.label || item.type).join(' | ');
      if (found === undefined) throw new Error(`No menu entry “${label}” among: ${there}`);
      // On real Electron, click() also works for a disabled entry.
      if (!found.enabled) throw new Error(`The menu entry “${label}” is disabled`);
      menu = found.submenu;
    }
    found?.click();
  }, path);
}

/** What the tray shows; undefined without a tray. */
export function readTray(
  application: ElectronApplication,
): Promise<{ toolTip: string; image: string | undefined } | undefined> {
  return application.evaluate(() => {
    const trays = (globalThis as unknown as InMain)['__standin'].trays();
    const tray = trays.findLast((item) => !item.isDestroyed);
    return tray && { toolTip: tray.toolTip, image: tray.image };
  });
}

export function clickTray(application: ElectronApplication): Promise<void> {
  return application.evaluate(() => {
    const trays = (globalThis as unknown as InMain)['__standin'].trays();
    trays.findLast((item) => !item.isDestroyed)?.tray.emit('click', {});
  });
}
