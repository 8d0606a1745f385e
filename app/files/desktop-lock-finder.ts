// Checks whether a desktop program has a document open. Loaded soon after the start, because an update of DocTray removes its files.

import type { DesktopLock } from './desktop-lock.ts';
import { type Jail } from './jail.ts';
import { parentOf, nameOf } from '../contract/names.ts';

const loadDelayMs = 2000;

/** @param path inside the hosted folder */
export type FindDesktopLock = (jail: Jail, path: string) => Promise<DesktopLock | undefined>;

export function createDesktopLockFinder(): FindDesktopLock {
  let loading: Promise<FindDesktopLock> | undefined;
  const load = async (): Promise<FindDesktopLock> => {
    const [{ findDesktopLock }, { lockFileNames }, { systemDesktopLockDeps }] = await Promise.all([
      import('./desktop-lock.ts'),
      import('./desktop-lock-format.ts'),
      import('./desktop-lock-system.ts'),
    ]);
    return async (jail, path) => {
      // Every Lock waits for this, and usually there is none.
      const beside = path.slice(0, path.lastIndexOf('/') + 1);
      if (lockFileNames(nameOf(path)).every((name) => jail.isFree(beside + name))) return undefined;
      const folder = await jail.openFolder(parentOf(path));
      if (folder === undefined) return undefined;
      const deps = systemDesktopLockDeps({ isRemote: jail.isRemote });
      return findDesktopLock(deps, folder, nameOf(path)).finally(folder.close);
    };
  };
  const loaded = (): Promise<FindDesktopLock> =>
    (loading ??= load().catch((error: unknown) => {
      // Don't cache a failure: a process short of descriptors can read its modules later.
      loading = undefined;
      throw error;
    }));
  setTimeout(() => void loaded().catch(() => undefined), loadDelayMs).unref();
  return async (jail, path) => (await loaded())(jail, path);
}
