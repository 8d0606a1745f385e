// Reads and clicks the tray, finds menu entries by their label and presses them. Called by the test, these functions work in the main process through
// `electronApp.evaluate`; a disabled entry can't be pressed.

import type { ElectronApplication } from 'playwright';

export interface MenuEntry {
  label: string;
  type: string;
  enabled: boolean;
  submenu: MenuEntry[] | undefined;
}

interface Item {
  label: string;
  type: string;
  enabled: boolean;
  submenu?: { items: Item[] };
  click(): void;
}

interface InMain {
  __standin: {
    trays(): {
      tray: { emit(name: string, event: object): void };
      menu: { items: Item[] } | null;
      isDestroyed: boolean;
      toolTip: string;
      image: string | undefined;
    }[];
  };
}

/** The tray's current menu. */
export function readMenu(application: ElectronApplication): Promise<MenuEntry[]> {
  return application.evaluate(() => {
    const trays = (globalThis as unknown as InMain)['__standin'].trays();
    const read = (items: Item[]): MenuEntry[] =>
      items.map(({ label, type, enabled, submenu }) => {
        return { label, type, enabled, submenu: submenu && read(submenu.items) };
      });
    return read(trays.findLast((tray) => !tray.isDestroyed)?.menu?.items ?? []);
  });
}

/** Presses the entry of the tray's menu at a path of labels, such as `['Pause', 'For 5 minutes']`. */
export function pressMenu(application: ElectronApplication, path: string[]): Promise<void> {
  return application.evaluate((_electron, labels) => {
    const trays = (globalThis as unknown as InMain)['__standin'].trays();
    let items = trays.findLast((tray) => !tray.isDestroyed)?.menu?.items ?? [];
    let found: Item | undefined;
    for (const label of labels) {
      found = items.find((item) => item.label === label);
      const there = items.map((item) => item.label || item.type).join(' | ');
      if (found === undefined) throw new Error(`No menu entry “${label}” among: ${there}`);
      // On real Electron, click() also works for a disabled entry.
      if (!found.enabled) throw new Error(`The menu entry “${label}” is disabled`);
      items = found.submenu?.items ?? [];
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
