// Asks whether a desktop program holds a document. Loaded with the first document that is asked for, not with the start.

import type { DesktopLock } from './desktop-lock.ts';

export type FindDesktopLock = (absolute: string) => Promise<DesktopLock | undefined>;

export function createDesktopLockFinder(isRemote: () => boolean): FindDesktopLock {
  let loading: Promise<FindDesktopLock> | undefined;
  const load = async (): Promise<FindDesktopLock> => {
    const [{ findDesktopLock }, { systemDesktopLockDeps }] = await Promise.all([
      import('./desktop-lock.ts'),
      import('./desktop-lock-system.ts'),
    ]);
    const deps = systemDesktopLockDeps({ isRemote: isRemote() });
    return (absolute) => findDesktopLock(deps, absolute);
  };
  return async (absolute) => {
    loading ??= load().catch((error: unknown) => {
      // Not for good: a process short of descriptors can read its modules again later.
      loading = undefined;
      throw error;
    });
    return (await loading)(absolute);
  };
}
