// The application menu. macOS shows it; on Windows and Linux it stays hidden and only provides keyboard shortcuts. Quitting and
// closing aren't roles, since both may have to ask first.

import type { MenuItemConstructorOptions } from 'electron';
import { viewNames, type Pushes, type ViewName } from '../contract/pushes.ts';
import { t } from '../contract/messages.ts';

export interface MenuDeps {
  platform: NodeJS.Platform;
  /** Running from its sources: the developer tools are available. */
  isDevelopment: boolean;
  /** The window, at that place. */
  show(to?: Pushes['navigate']): void;
  /** Like its close button. */
  closeWindow(): void;
  quit(): void;
}

export function applicationMenu(deps: MenuDeps): MenuItemConstructorOptions[] {
  return deps.platform === 'darwin' ? macMenu(deps) : hiddenMenu(deps);
}

function macMenu(deps: MenuDeps): MenuItemConstructorOptions[] {
  const goTo = (view: ViewName) => (): void => deps.show({ view });
  return [
    {
      label: 'DocTray',
      submenu: [
        { role: 'about' },
        { type: 'separator' },
        { label: t('desktop.settings'), accelerator: 'Command+,', click: goTo('settings') },
        { type: 'separator' },
        { role: 'services' },
        { type: 'separator' },
        { role: 'hide' },
        { role: 'hideOthers' },
        { role: 'unhide' },
        { type: 'separator' },
        { label: t('desktop.quit-doctray'), accelerator: 'Command+Q', click: deps.quit },
      ],
    },
    {
      label: t('desktop.file'),
      submenu: [
        { label: t('desktop.open-doctray'), accelerator: 'Command+N', click: () => deps.show() },
        { label: t('desktop.close-window'), accelerator: 'Command+W', click: deps.closeWindow },
      ],
    },
    { role: 'editMenu' },
    {
      label: t('desktop.view'),
      submenu: [
        ...viewNames.map((view, index): MenuItemConstructorOptions => {
          return { label: t(`common.${view}`), accelerator: `Command+${index + 1}`, click: goTo(view) };
        }),
        { type: 'separator' },
        ...zoom,
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...development(deps),
      ],
    },
    { role: 'windowMenu' },
  ];
}

function hiddenMenu(deps: MenuDeps): MenuItemConstructorOptions[] {
  return [
    {
      label: 'DocTray',
      submenu: [
        { label: t('desktop.close-window'), accelerator: 'Control+W', click: deps.closeWindow },
        { label: t('desktop.quit'), accelerator: 'Control+Q', click: deps.quit },
        ...zoom,
        ...development(deps),
      ],
    },
  ];
}

const zoom: MenuItemConstructorOptions[] = [
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  // Where the plus sign needs Shift, users press the key without it.
  { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false, acceleratorWorksWhenHidden: true },
  { role: 'zoomOut' },
];

function development({ isDevelopment }: MenuDeps): MenuItemConstructorOptions[] {
  if (!isDevelopment) return [];
  return [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }];
}
