// One running app a data folder: Chromium's profile lies in it, and the lock lies in the profile. A second launch hands over
// what it was started with and ends. What arrives came from another process of this user, so only its shape is checked.

import type { App } from 'electron';
import type { Launch } from './launch-arguments.ts';

/** What a second launch asks of the running app. */
export type HandedOver = Pick<Launch, 'targets' | 'cwd' | 'isHidden'>;

/** `app.setPath('userData', …)` comes first. @returns false when another has the lock; it has been told by then */
export function claimSingleInstance(
  app: Pick<App, 'requestSingleInstanceLock' | 'on'>,
  own: HandedOver,
  onSecond: (other: HandedOver) => void,
): boolean {
  const { targets, cwd, isHidden } = own;
  // Chromium reorders and adds arguments; this reaches the other as it is
  if (!app.requestSingleInstanceLock({ targets, cwd, isHidden })) return false;
  app.on('second-instance', (_event, _argv, _cwd, data) => {
    onSecond(asHandedOver(data));
  });
  return true;
}

function asHandedOver(data: unknown): HandedOver {
  const { targets, cwd, isHidden } = (typeof data === 'object' && data !== null ? data : {}) as Record<
    string,
    unknown
  >;
  return {
    targets: Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : [],
    cwd: typeof cwd === 'string' ? cwd : '/',
    isHidden: isHidden === true,
  };
}
