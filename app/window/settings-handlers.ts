// The commands about settings. What can take effect at once does; for what cannot the host's state says that its port must be
// opened again.

import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { assertApart } from '../files/apart.ts';
import { requireHost, type Handlers } from './handlers.ts';
import type { HostKeeper } from './host-keeper.ts';
import { isShownSetting, settingsState, type WindowSettings } from './live-state-settings.ts';

export type SettingsHandlers = Pick<Handlers, 'settings.check' | 'settings.set'>;

/** Serves that folder from now on; answers its path. @throws AppError folder-invalid, folder-missing, what keeps a host from starting */
export type UseFolder = (folder: string) => Promise<string>;

export interface SettingsHandlerDeps {
  keeper: HostKeeper;
  settings: Pick<WindowSettings, 'store'>;
  useFolder: UseFolder;
}

export function createUseFolder(deps: Pick<SettingsHandlerDeps, 'keeper' | 'settings'>): UseFolder {
  const { keeper, settings } = deps;
  return async (folder) => {
    const running = keeper.host();
    if (running === undefined) {
      const fault = await folderFault(folder, keeper.dataDir);
      if (fault !== undefined) throw new AppError('folder-invalid', { detail: fault });
      const store = await settings.store();
      await store.update({ folder: resolve(folder) });
      await keeper.restart();
    } else {
      await running.useFolder(folder);
    }
    return requireHost(keeper).services.folder()?.root ?? folder;
  };
}

export function createSettingsHandlers(deps: SettingsHandlerDeps): SettingsHandlers {
  const { keeper, settings } = deps;
  return {
    async 'settings.check'({ key, value }) {
      return { sentence: (await faultOf(key, asStored(key, value), keeper.dataDir)) ?? null };
    },

    async 'settings.set'({ key, value: given }) {
      const value = asStored(key, given);
      const fault = await faultOf(key, value, keeper.dataDir);
      if (fault !== undefined) throw new AppError('setting-invalid', { detail: fault });
      if (key === 'folder' && typeof value === 'string') {
        await deps.useFolder(value);
      } else {
        const store = await settings.store();
        await store.update({ [key]: value });
      }
      const store = await settings.store();
      return { settings: settingsState(store.current()) };
    },
  };
}

/** As a person may have typed it: an empty address is none, and a slash at its end means nothing. */
function asStored(key: string, value: unknown): unknown {
  if (key !== 'publicUrl' || typeof value !== 'string') return value;
  const url = value.trim().replace(/\/+$/u, '');
  return url === '' ? null : url;
}

async function faultOf(key: string, value: unknown, dataDir: string): Promise<string | undefined> {
  if (!isShownSetting(key)) return 'There is no such setting.';
  if (key === 'folder') {
    return typeof value === 'string' ? folderFault(value, dataDir) : 'Choose a folder.';
  }
  const { findSettingFault } = await import('../settings/settings-schema.ts');
  return findSettingFault({ [key]: value })?.sentence;
}

/** The host says more when it opens the folder; this much is known without one. */
async function folderFault(folder: string, dataDir: string): Promise<string | undefined> {
  if (!isAbsolute(folder) || folder.includes('\0')) return 'Give the absolute path of a folder.';
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) return 'There is no folder at this place.';
  try {
    await assertApart(folder, dataDir);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'folder-invalid') return apartSentence;
    throw error;
  }
}

const apartSentence =
  "DocTray keeps its own data there. Choose a folder that does not hold DocTray's data folder.";
