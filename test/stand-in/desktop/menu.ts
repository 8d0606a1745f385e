// `Menu`: a tree that a test can read and press. Entries with a role have no label and can't be pressed.

import type { Menu, MenuItem, MenuItemConstructorOptions } from 'electron';

import { checkOptions, missing, strict } from '../strict.ts';

const itemKeys = 'acceleratorWorksWhenHidden accelerator click enabled label role submenu type visible';

class StandInMenuItem {
  readonly label: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly submenu: StandInMenu | undefined;
  readonly click: () => void;

  constructor(options: MenuItemConstructorOptions) {
    checkOptions('MenuItem', options, itemKeys);
    const { label = '', type, enabled = true, submenu, click } = options;
    this.label = label;
    this.type = type ?? (submenu === undefined ? 'normal' : 'submenu');
    this.enabled = enabled;
    this.submenu = Array.isArray(submenu) ? new StandInMenu(submenu) : undefined;
    this.click = () => {
      if (click === undefined) throw missing(`what the menu entry “${label}” does`);
      click(this as unknown as MenuItem, undefined, {});
    };
  }
}

class StandInMenu {
  readonly items: StandInMenuItem[];

  constructor(template: MenuItemConstructorOptions[]) {
    this.items = template.map((options) => strict(new StandInMenuItem(options), 'MenuItem'));
  }
}

export function createMenuModule(): Pick<typeof Menu, 'buildFromTemplate' | 'setApplicationMenu'> {
  return strict(
    {
      buildFromTemplate: (template) =>
        strict(new StandInMenu(template as MenuItemConstructorOptions[]), 'Menu') as unknown as Menu,
      setApplicationMenu: () => undefined,
    },
    'Menu',
  );
}
