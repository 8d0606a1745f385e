// `globalThis.__standin` in the main process: what a test uses in place of the desktop. The app never uses it. Documented in README.md.

import { notifications, power, type ShownNotification } from './desktop/small-modules.ts';
import { trays, type TrayLooks } from './desktop/tray.ts';
import { hub, type Deed } from './hub.ts';

export interface StandInHooks {
  deeds: Deed[];
  trays(): TrayLooks[];
  notifications: ShownNotification[];
  power: { emit(name: string): { isPrevented: boolean }; blockers(): { id: number }[] };
  setPathForFile(name: string, path: string): void;
  chromiumPid: number;
}

export function createHooks(chromiumPid: number): StandInHooks {
  return {
    deeds: hub.deeds,
    trays: () => trays,
    notifications,
    power,
    setPathForFile: (name, path) => void hub.filePaths.set(name, path),
    chromiumPid,
  };
}
