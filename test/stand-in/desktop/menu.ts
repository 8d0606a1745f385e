// `Menu` and `MenuItem`: a tree that a test can read and press. Roles work as far as the stand-in supports them.

import type { BrowserWindow, KeyboardEvent, Menu, MenuItem, MenuItemConstructorOptions } from 'electron';

import type { Hub } from '../hub.ts';
import { StrictEmitter, checkOptions, strict } from '../strict.ts';

type Accelerator = MenuItem['accelerator'];

const itemKeys: readonly (keyof MenuItemConstructorOptions)[] = [
  'click',
  'role',
  'type',
  'label',
  'sublabel',
  'toolTip',
  'accelerator',
  'icon',
  'enabled',
  'acceleratorWorksWhenHidden',
  'visible',
  'checked',
  'registerAccelerator',
  'submenu',
  'id',
  'before',
  'after',
];

const roleLabels: Record<string, string> = {
  about: 'About',
  close: 'Close Window',
  copy: 'Copy',
  cut: 'Cut',
  delete: 'Delete',
  editMenu: 'Edit',
  fileMenu: 'File',
  forceReload: 'Force Reload',
  help: 'Help',
  minimize: 'Minimize',
  paste: 'Paste',
  pasteAndMatchStyle: 'Paste and Match Style',
  quit: 'Quit',
  redo: 'Redo',
  reload: 'Reload',
  resetZoom: 'Actual Size',
  selectAll: 'Select All',
  toggleDevTools: 'Toggle Developer Tools',
  togglefullscreen: 'Toggle Full Screen',
  undo: 'Undo',
  viewMenu: 'View',
  window: 'Window',
  windowMenu: 'Window',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
};

const roleMenus: Record<string, string[]> = {
  editMenu: ['undo', 'redo', 'cut', 'copy', 'paste', 'delete', 'selectAll'],
  fileMenu: ['quit'],
  viewMenu: ['reload', 'forceReload', 'toggleDevTools', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'],
  windowMenu: ['minimize', 'close'],
};

type ItemSurface = Pick<
  MenuItem,
  | 'id'
  | 'label'
  | 'sublabel'
  | 'toolTip'
  | 'type'
  | 'role'
  | 'accelerator'
  | 'icon'
  | 'enabled'
  | 'visible'
  | 'checked'
  | 'registerAccelerator'
  | 'click'
  | 'commandId'
  | 'menu'
  | 'userAccelerator'
> & { submenu?: Menu };

export interface MenuModule {
  Menu: typeof Menu;
  MenuItem: typeof MenuItem;
}

export function createMenuModule(deps: { hub: Hub; quit: () => void; nextId: () => number }): MenuModule {
  const { hub } = deps;
  let applicationMenu: Menu | null = null;

  function doRole(role: string, window: BrowserWindow | undefined): void {
    const contents = window?.webContents;
    switch (role) {
      case 'quit':
        deps.quit();
        return;
      case 'close':
        window?.close();
        return;
      case 'minimize':
        window?.minimize();
        return;
      case 'reload':
      case 'forceReload':
        contents?.reload();
        return;
      case 'toggleDevTools':
        contents?.toggleDevTools();
        return;
      case 'togglefullscreen':
        window?.setFullScreen(!window.isFullScreen());
        return;
      case 'resetZoom':
        contents?.setZoomLevel(0);
        return;
      case 'zoomIn':
        contents?.setZoomLevel(contents.getZoomLevel() + 0.5);
        return;
      case 'zoomOut':
        contents?.setZoomLevel(contents.getZoomLevel() - 0.5);
        return;
      case 'copy':
      case 'cut':
      case 'paste':
      case 'selectAll':
      case 'undo':
      case 'redo':
        contents?.[role]();
        return;
      default:
        throw new Error(`stand-in cannot do the menu role ${role}; write it in test/stand-in or do without`);
    }
  }

  class StandInMenuItem implements ItemSurface {
    id: string;
    commandId: number;
    label: string;
    sublabel: string;
    toolTip: string;
    type: MenuItem['type'];
    role?: NonNullable<MenuItem['role']>;
    accelerator: Accelerator;
    icon?: NonNullable<MenuItem['icon']>;
    enabled: boolean;
    visible: boolean;
    registerAccelerator: boolean;
    userAccelerator: Accelerator = null;
    submenu?: Menu;
    menu!: Menu;
    click: () => void;
    declare checked: boolean;

    constructor(options: MenuItemConstructorOptions) {
      checkOptions('MenuItem', options, itemKeys);
      const self = strict(this, 'MenuItem');
      const neighbours = (): MenuItem[] => {
        const items = (this.menu as Menu | undefined)?.items ?? [];
        const at = items.indexOf(self as unknown as MenuItem);
        let first = at;
        while (first > 0 && items[first - 1]?.type === 'radio') first--;
        let last = at;
        while (items[last + 1]?.type === 'radio') last++;
        return at < 0 ? [] : items.slice(first, last + 1);
      };
      const role = options.role as string | undefined;
      if (role !== undefined && !(role in roleLabels)) {
        throw new Error(
          `stand-in does not know the menu role ${role}; write it in test/stand-in or do without`,
        );
      }
      this.commandId = deps.nextId();
      this.id = options.id ?? '';
      this.type =
        options.type ?? (options.submenu || (role !== undefined && role in roleMenus) ? 'submenu' : 'normal');
      this.label = options.label ?? (role === undefined ? '' : (roleLabels[role] ?? ''));
      this.sublabel = options.sublabel ?? '';
      this.toolTip = options.toolTip ?? '';
      this.enabled = options.enabled ?? true;
      this.visible = options.visible ?? true;
      this.registerAccelerator = options.registerAccelerator ?? true;
      this.role = options.role as NonNullable<MenuItem['role']>;
      this.accelerator = options.accelerator ?? null;
      this.icon = options.icon as NonNullable<MenuItem['icon']>;
      let isChecked = options.checked ?? false;
      const isRadio = this.type === 'radio';
      Object.defineProperty(this, 'checked', {
        enumerable: true,
        get: () => isChecked,
        set: (value: boolean) => {
          isChecked = value;
          if (!isRadio || !value) return;
          for (const other of neighbours()) {
            if (other !== (self as unknown as MenuItem)) other.checked = false;
          }
        },
      });
      if (this.type === 'submenu' && !options.submenu && !(role !== undefined && role in roleMenus)) {
        throw new Error('Invalid submenu');
      }
      const submenu =
        options.submenu ??
        (role === undefined
          ? undefined
          : roleMenus[role]?.map((name) => ({
              role: name as NonNullable<MenuItemConstructorOptions['role']>,
            })));
      if (submenu) {
        this.submenu = Array.isArray(submenu) ? StandInMenu.buildFromTemplate(submenu) : submenu;
      } else this.submenu = undefined as unknown as Menu;
      const chosen = options.click;
      this.click = (event?: KeyboardEvent, window?: BrowserWindow) => {
        if (!this.enabled) throw new Error(`The menu item "${this.label}" is disabled`);
        if (!this.visible) throw new Error(`The menu item "${this.label}" is not shown`);
        if (this.type === 'checkbox') this.checked = !this.checked;
        if (this.type === 'radio') this.checked = true;
        const target = window ?? (hub.focused as unknown as BrowserWindow | undefined);
        if (chosen) chosen(self as unknown as MenuItem, target, event ?? {});
        else if (role !== undefined) doRole(role, target);
      };
      return self;
    }
  }

  class StandInMenu
    extends StrictEmitter
    implements Pick<Menu, 'items' | 'append' | 'insert' | 'getMenuItemById'>
  {
    items: MenuItem[] = [];

    constructor() {
      super('Menu', []);
    }
    static buildFromTemplate(template: (MenuItemConstructorOptions | MenuItem)[]): Menu {
      if (!Array.isArray(template))
        throw new TypeError('Invalid template for Menu: Menu template must be an array');
      const menu = new StandInMenu() as unknown as Menu;
      for (const entry of template) {
        menu.append(
          entry instanceof StandInMenuItem
            ? (entry as unknown as MenuItem)
            : (new StandInMenuItem(entry as MenuItemConstructorOptions) as unknown as MenuItem),
        );
      }
      return menu;
    }
    static setApplicationMenu(menu: Menu | null): void {
      applicationMenu = menu;
    }
    static getApplicationMenu(): Menu | null {
      return applicationMenu;
    }
    append(item: MenuItem): void {
      this.insert(this.items.length, item);
    }
    insert(position: number, item: MenuItem): void {
      this.items.splice(position, 0, item);
      item.menu = this as unknown as Menu;
    }
    getMenuItemById(id: string): MenuItem | null {
      for (const item of this.items) {
        const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
        if (found) return found;
      }
      return null;
    }
  }

  return {
    Menu: strict(StandInMenu, 'Menu') as unknown as typeof Menu,
    MenuItem: StandInMenuItem as unknown as typeof MenuItem,
  };
}
