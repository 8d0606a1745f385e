// The settings for the window: the running host's, or those in the data folder if none is running, so that a setting that keeps the
// host from starting (a port in use, a missing folder) can be changed.

import { createKeyedMutex } from '../files/keyed-mutex.ts';
import { loadSettings, type SettingsStore } from '../settings/load-settings.ts';
import { defaultSettings, type SettingKey, type Settings } from '../settings/settings.ts';
import type { SettingsState } from '../contract/settings.ts';
import type { HostKeeper } from '../host/host-keeper.ts';

export interface WindowSettings {
  /** Undefined until first read. */
  current(): Settings | undefined;
  /** For changing them. @throws AppError settings-invalid, data-folder-invalid */
  store(): Promise<SettingsStore>;
  /** Reads them again if no host is running; a host reports its own changes. Never rejects. */
  refresh(): Promise<void>;
}

export function createWindowSettings(deps: {
  keeper: Pick<HostKeeper, 'host' | 'dataDir' | 'problem' | 'start' | 'whenStarted'>;
  /** Called after a change that no host reports. */
  onChange: () => void;
}): WindowSettings {
  const { keeper, onChange } = deps;
  let known: Settings | undefined;
  const updates = createKeyedMutex();

  /** A host that was starting may have read the file before it was changed; one that couldn't listen may be able to now. */
  const tellHost = async (change: Partial<Settings>): Promise<void> => {
    await keeper.whenStarted();
    if (keeper.problem() !== undefined && ('host' in change || 'port' in change)) await keeper.start();
    await keeper.host()?.services.settings.update({});
  };

  const loadOwn = async (): Promise<SettingsStore> => {
    const own = await loadSettings({
      dataDir: keeper.dataDir,
      onChange() {
        known = own.current();
        onChange();
      },
    });
    // Each change reads the file and then writes it: of two at the same time, one would undo the other.
    return {
      ...own,
      async update(change) {
        const updated = await updates.run('', () => own.update(change));
        // The change is saved: a host that can't read it now does so when it starts again.
        void tellHost(change).catch(() => undefined);
        return updated;
      },
    };
  };

  return {
    current() {
      const running = keeper.host()?.services.settings.current();
      known = running ?? known;
      return known;
    },
    async store() {
      return keeper.host()?.services.settings ?? loadOwn();
    },
    async refresh() {
      if (keeper.host() !== undefined) return;
      try {
        known = (await loadOwn()).current();
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
