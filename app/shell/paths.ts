// Where the parts of the built app lie, from the bundled entry `out/main/main.js` on, unpacked as in an asar.

import { join } from 'node:path';

export interface AppPaths {
  preload: string;
  rendererFolder: string;
  trayFolder: string;
  /** The app's picture. */
  icon: string;
}

/** `mainFolder` is the folder of the entry. */
export function appPaths(mainFolder: string): AppPaths {
  return {
    preload: join(mainFolder, '..', 'preload', 'preload.cjs'),
    rendererFolder: join(mainFolder, '..', 'renderer'),
    trayFolder: join(mainFolder, '..', 'tray'),
    icon: join(mainFolder, '..', 'icon.png'),
  };
}
