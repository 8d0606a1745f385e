// Finds menu entries by their label and presses them. Called by the test, these functions work in the main process through
// `electronApp.evaluate`; a disabled or hidden entry can't be pressed.

import type { ElectronApplication } from 'playwright';

export type MenuPlace = 'tray' | 'application';

export interface MenuEntry {
  label: string;
  id: string;
  type: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  submenu: MenuEntry[] | undefined;
}

interface Item {
  label: string;
  id: string;
  type: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  submenu?: { items: Item[] };
  click(): void;
}

interface Hooks {
  trays(): {
    menu: { items: Item[] } | null;
    isDestroyed: boolean;
    toolTip: string;
    image: string | undefined;
  }[];
  applicationMenu(): { items: Item[] } | null;
}

/** The current menu. */
export function readMenu(application: ElectronApplication, place: MenuPlace = 'tray'): Promise<MenuEntry[]> {
  return application.evaluate((_electron, place) => {
    const hooks = (globalThis as unknown as { __standin: Hooks })['__standin'];
    const menu =
      place === 'tray' ? hooks.trays().findLast((tray) => !tray.isDestroyed)?.menu : hooks.applicationMenu();
    const read = (items: Item[]): MenuEntry[] =>
      items.map(({ label, id, type, enabled, visible, checked, submenu }) => ({
        label,
        id,
        type,
        enabled,
        visible,
        checked,
        submenu: submenu ? read(submenu.items) : undefined,
      }));
    return read(menu?.items ?? []);
  }, place);
}

/** Presses the entry at a path of labels, such as `['Pause', '5 minutes']`. A label is an exact text or a pattern. */
export function pressMenu(
  application: ElectronApplication,
  path: (string | RegExp)[],
  place: MenuPlace = 'tray',
): Promise<void> {
  const wanted = path.map((label) =>
    typeof label === 'string' ? { text: label } : { source: label.source, flags: label.flags },
  );
  return application.evaluate(
    (_electron, { wanted, place }) => {
      const hooks = (globalThis as unknown as { __standin: Hooks })['__standin'];
      const menu =
        place === 'tray'
          ? hooks.trays().findLast((tray) => !tray.isDestroyed)?.menu
          : hooks.applicationMenu();
      let items: Item[] = menu?.items ?? [];
      let found: Item | undefined;
      for (const label of wanted) {
        if (found && !found.enabled) throw new Error(`The menu "${found.label}" is disabled`);
        found = items.find((item) =>
          'text' in label
            ? item.label === label.text
            : new RegExp(label.source, label.flags).test(item.label),
        );
        if (!found) {
          const there = items.map((item) => item.label || item.type).join(' | ');
          throw new Error(`No menu entry ${JSON.stringify(label)} among: ${there}`);
        }
        items = found.submenu?.items ?? [];
      }
      // On real Electron, click() also works for a disabled entry.
      if (found && !found.enabled) throw new Error(`The menu entry "${found.label}" is disabled`);
      found?.click();
    },
    { wanted, place },
  );
}

/** What the tray shows; undefined without a tray. */
export function readTray(
  application: ElectronApplication,
): Promise<{ toolTip: string; image: string | undefined } | undefined> {
  return application.evaluate(() => {
    const hooks = (globalThis as unknown as { __standin: Hooks })['__standin'];
    const tray = hooks.trays().findLast((item) => !item.isDestroyed);
    return tray && { toolTip: tray.toolTip, image: tray.image };
  });
}

/** Emits an event of the tray, by default `click`. */
export function clickTray(application: ElectronApplication, event = 'click'): Promise<void> {
  return application.evaluate((_electron, event) => {
    const hooks = (
      globalThis as unknown as {
        __standin: { trays(): { tray: { emit(name: string, event: object): void }; isDestroyed: boolean }[] };
      }
    )['__standin'];
    hooks
      .trays()
      .findLast((item) => !item.isDestroyed)
      ?.tray.emit(event, {});
  }, event);
}
