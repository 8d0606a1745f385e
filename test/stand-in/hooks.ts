// `globalThis.__standin` in the main process: what a test uses in place of the desktop. The app never uses it. Documented in README.md.

import { notifications, power } from './desktop/small-modules.ts';
import { trays } from './desktop/tray.ts';
import { hub } from './hub.ts';

export type StandInHooks = ReturnType<typeof createHooks>;

export function createHooks(chromiumPid: number) {
  return {
    deeds: hub.deeds,
    trays: () => trays,
    notifications,
    power,
    setPathForFile: (name: string, path: string) => void hub.filePaths.set(name, path),
    chromiumPid,
  };
}
