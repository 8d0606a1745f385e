// The shortcut that opens quick open from any program. The system may refuse it, because another program has it or because the
// desktop gives out none (some Wayland desktops).

import type { GlobalShortcut } from 'electron';
import type { Logger } from '../log/logger.ts';

export interface QuickOpenKey {
  /** Follows the setting; null: no shortcut. Cheap when it hasn't changed. */
  follow(shortcut: string | null): void;
  isRefused(): boolean;
  close(): void;
}

export function createQuickOpenKey(deps: {
  globalShortcut: Pick<GlobalShortcut, 'register' | 'unregister'>;
  open(): void;
  /** `isRefused` has changed. */
  onChange(): void;
  log: Pick<Logger, 'warn'>;
}): QuickOpenKey {
  const { globalShortcut, log } = deps;
  let wanted: string | null = null;
  let registered: string | null = null;
  let isRefused = false;

  const release = (): void => {
    if (registered !== null) globalShortcut.unregister(registered);
    registered = null;
  };

  const register = (shortcut: string): boolean => {
    try {
      return globalShortcut.register(shortcut, deps.open);
    } catch (error) {
      log.warn({ err: error }, 'The shortcut for quick open couldn’t be registered.');
      return false;
    }
  };

  return {
    follow(shortcut) {
      if (shortcut === wanted) return;
      wanted = shortcut;
      release();
      const wasRefused = isRefused;
      isRefused = shortcut !== null && !register(shortcut);
      if (shortcut !== null && !isRefused) registered = shortcut;
      if (isRefused !== wasRefused) deps.onChange();
    },
    isRefused: () => isRefused,
    close: release,
  };
}
