// The settings as the window needs them: those of the host that runs, and those of the data folder while none does, so that
// what keeps a host from starting (a taken port, a folder that is not there) can be changed.

import { createKeyedMutex } from '../files/keyed-mutex.ts';
import { loadSettings, type SettingsStore } from '../settings/load-settings.ts';
import { defaultSettings, type SettingKey, type Settings } from '../settings/settings.ts';
import type { SettingsState } from '../contract/state.ts';
import type { HostKeeper } from '../host/host-keeper.ts';

export interface WindowSettings {
  /** Undefined until they were read for the first time. */
  current(): Settings | undefined;
  /** To change them. @throws AppError settings-invalid, data-folder-invalid */
  store(): Promise<SettingsStore>;
  /** Reads them again while no host runs; a host says itself what changes. Never rejects. */
  refresh(): Promise<void>;
}

export function createWindowSettings(deps: {
  keeper: Pick<HostKeeper, 'host' | 'dataDir'>;
  /** Called after a change that no host tells of. */
  onChange: () => void;
}): WindowSettings {
  const { keeper, onChange } = deps;
  let known: Settings | undefined;
  const updates = createKeyedMutex();

  const store = async (): Promise<SettingsStore> => {
    const running = keeper.host()?.services.settings;
    if (running !== undefined) return running;
    const own = await loadSettings({
      dataDir: keeper.dataDir,
      onChange() {
        known = own.current();
        onChange();
      },
    });
    // Each reads the file again before it writes it; of two at once one would undo the other.
    return { ...own, update: (change) => updates.run('', () => own.update(change)) };
  };

  return {
    current() {
      const running = keeper.host()?.services.settings.current();
      known = running ?? known;
      return known;
    },
    store,
    async refresh() {
      if (keeper.host() !== undefined) return;
      try {
        known = (await store()).current();
      } catch {
        // The host does not start with these either, and its problem is what is shown.
        known ??= { ...defaultSettings, windowFirstRunDone: true };
      }
      onChange();
    },
  };
}

/** Those that a person can change in the window. */
export function settingsState(settings: Settings): SettingsState {
  const { windowFirstRunDone: _windowFirstRunDone, ...shown } = settings;
  return shown;
}

export function isShownSetting(key: string): key is keyof SettingsState & SettingKey {
  return key !== 'windowFirstRunDone' && Object.hasOwn(defaultSettings, key);
}
