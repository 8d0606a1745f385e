// Which of the drawn tray images it is. macOS takes black shapes on a transparent ground and colours them itself; panels of Linux
// are 22 points high, the others 16. Screens of a higher density find the `@2x` image beside each by its name.

import { join } from 'node:path';
import type { TrayIcon } from './tray-model.ts';

export interface TrayImageDeps {
  /** Of the built app: out/tray. May lie inside the asar archive. */
  imageFolder: string;
  platform: NodeJS.Platform;
}

export function trayImagePath({ imageFolder, platform }: TrayImageDeps, icon: TrayIcon): string {
  const kind = platform === 'darwin' ? 'Template' : platform === 'linux' ? '-22' : '';
  return join(imageFolder, `${icon}${kind}.png`);
}
