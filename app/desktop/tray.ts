// The tray icon. Icon, tooltip and menu change together, in render(), and only when the model did; the menu is made anew each
// time, since Linux does not show changes to a menu that it was given before.

import { isDeepStrictEqual } from 'node:util';
import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
import type { Clock } from '../contract/clock.ts';
import type { WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import type { QuitProgress } from './quitting.ts';
import { trayImagePath } from './tray-images.ts';
import { trayModel, type TrayAction, type TrayIcon, type TrayItem, type TrayModel } from './tray-model.ts';
import type { TraySupport } from './tray-support.ts';

export interface TrayDeps {
  /** Of the module electron. */
  electron: {
    Tray: new (
      image: NativeImage,
    ) => Pick<Tray, 'setImage' | 'setToolTip' | 'setContextMenu' | 'on' | 'destroy'>;
    Menu: { buildFromTemplate(template: MenuItemConstructorOptions[]): Menu };
    nativeImage: { createFromPath(path: string): NativeImage };
  };
  platform: NodeJS.Platform;
  imageFolder: string;
  support: TraySupport;
  state(): WindowState;
  finishing(): QuitProgress | undefined;
  clock: Clock;
  act(action: TrayAction): void;
  log: Pick<Logger, 'info' | 'warn'>;
  /** `isThere` says something else than before. */
  onTrayChange(): void;
}

export interface AppTray {
  /** After Electron is ready. Never rejects. */
  start(): Promise<void>;
  /** False while nothing shows the icon: then closing the window asks. */
  isThere(): boolean;
  /** Looks at the state; cheap when nothing that the tray shows has changed. */
  refresh(): void;
  close(): void;
}

/** An app that starts with the session may be there before the panel is. */
const lookAgainMs = [3000, 10_000, 30_000, 120_000] as const;

export function createTray(deps: TrayDeps): AppTray {
  const { electron, platform, support, log } = deps;
  let icon: InstanceType<TrayDeps['electron']['Tray']> | undefined;
  let shown: TrayModel | undefined;
  let isThere = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const images = new Map<TrayIcon, NativeImage>();

  function image(name: TrayIcon): NativeImage {
    const known = images.get(name);
    if (known !== undefined) return known;
    const path = trayImagePath(deps, name);
    const made = electron.nativeImage.createFromPath(path);
    if (made.isEmpty()) log.warn({ image: name }, 'The tray image cannot be read.');
    if (platform === 'darwin') made.setTemplateImage(true);
    images.set(name, made);
    return made;
  }

  function render(): void {
    if (icon === undefined) return;
    const model = trayModel(deps.state(), deps.clock(), deps.finishing());
    if (model.icon !== shown?.icon) icon.setImage(image(model.icon));
    if (model.tooltip !== shown?.tooltip) icon.setToolTip(model.tooltip);
    if (!isDeepStrictEqual(model.menu, shown?.menu)) {
      icon.setContextMenu(electron.Menu.buildFromTemplate(model.menu.map(menuItem)));
    }
    shown = model;
  }

  function menuItem(item: TrayItem): MenuItemConstructorOptions {
    switch (item.kind) {
      case 'separator':
        return { type: 'separator' };
      case 'text':
        return { label: item.label, enabled: false };
      case 'action':
        return { label: item.label, enabled: item.isEnabled, click: () => deps.act(item.action) };
      case 'submenu':
        return { label: item.label, enabled: item.isEnabled, submenu: item.items.map(menuItem) };
    }
  }

  /** Made also where no panel is known to show it: an old X11 panel may, without a watcher on the bus. */
  function make(): void {
    icon?.destroy();
    shown = undefined;
    icon = undefined;
    try {
      icon = new electron.Tray(image(trayModel(deps.state(), deps.clock()).icon));
      // On macOS a click opens the menu.
      if (platform !== 'darwin') icon.on('click', () => deps.act({ do: 'open-window' }));
      render();
    } catch (error) {
      icon = undefined;
      log.warn({ err: error }, 'There is no tray icon: the desktop refused it.');
    }
  }

  async function look(round: number): Promise<void> {
    const found = await support.look();
    if (isClosed) return;
    // An icon of before the panel's time is not shown by it.
    if (icon === undefined || found) make();
    if (found && icon !== undefined) {
      isThere = true;
      if (round > 0) deps.onTrayChange();
      return;
    }
    if (round === 0) log.info({}, 'This desktop shows no tray icons; closing the window asks.');
    const pauseMs = lookAgainMs[round];
    if (pauseMs !== undefined) timer = setTimeout(() => void look(round + 1), pauseMs).unref();
  }

  return {
    start: () => look(0),
    isThere: () => isThere,
    refresh: render,
    close() {
      isClosed = true;
      clearTimeout(timer);
      icon?.destroy();
      icon = undefined;
      isThere = false;
    },
  };
}
