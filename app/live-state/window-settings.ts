// The settings for the window: the running host's, or those in the data folder if none is running, so that a setting that keeps the
// host from starting (a port in use, a missing folder) can be changed.

import { createKeyedMutex } from '../files/keyed-mutex.ts';
import { loadSettings, type SettingsStore } from '../settings/load-settings.ts';
import { defaultSettings, type SettingKey, type Settings } from '../settings/settings.ts';
import type { SettingsState } from '../contract/state.ts';
import type { HostKeeper } from '../host/host-keeper.ts';

export interface WindowSettings {
  /** Undefined until first read. */
  current(): Settings | undefined;
  /**
   * For changing them. Waits while a host starts: it has read the file and would not know of a change made in the meantime.
   * @throws AppError settings-invalid, data-folder-invalid
   */
  store(): Promise<SettingsStore>;
  /** Reads them again if no host is running; a host reports its own changes. Never rejects. */
  refresh(): Promise<void>;
}

export function createWindowSettings(deps: {
  keeper: Pick<HostKeeper, 'host' | 'dataDir' | 'startEnded'>;
  /** Called after a change that no host reports. */
  onChange: () => void;
}): WindowSettings {
  const { keeper, onChange } = deps;
  let known: Settings | undefined;
  const updates = createKeyedMutex();

  const stored = async (): Promise<SettingsStore> => {
    const own = await loadSettings({
      dataDir: keeper.dataDir,
      onChange() {
        known = own.current();
        onChange();
      },
    });
    // Each change reads the file and then writes it: of two at the same time, one would undo the other.
    return { ...own, update: (change) => updates.run('', () => own.update(change)) };
  };

  return {
    current() {
      const running = keeper.host()?.services.settings.current();
      known = running ?? known;
      return known;
    },
    async store() {
      await keeper.startEnded();
      return keeper.host()?.services.settings ?? stored();
    },
    async refresh() {
      if (keeper.host() !== undefined) return;
      try {
        known = (await stored()).current();
      } catch {
        // The host can't start with these either, and its problem is shown.
        known ??= { ...defaultSettings, windowFirstRunDone: true };
      }
      onChange();
    },
  };
}

/** The settings that can be changed in the window. */
export function settingsState(settings: Settings): SettingsState {
  const { windowFirstRunDone: _windowFirstRunDone, ...shown } = settings;
  return shown;
}

export function isShownSetting(key: string): key is keyof SettingsState & SettingKey {
  return key !== 'windowFirstRunDone' && Object.hasOwn(defaultSettings, key);
}
