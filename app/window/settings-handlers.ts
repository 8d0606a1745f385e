// The commands about settings. What can take effect at once does; for what cannot the host's state says that its port must be
// opened again.

import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { findNewConflict } from '../settings/setting-conflicts.ts';
import { requireHost, type Handlers } from './handlers.ts';
import type { HostKeeper } from './host-keeper.ts';
import { findSettingFault } from '../settings/settings-schema.ts';
import { isShownSetting, settingsState, type WindowSettings } from './live-state-settings.ts';

export type SettingsHandlers = Pick<Handlers, 'settings.check' | 'settings.set'>;

/** Serves that folder from now on; answers its path. @throws AppError folder-invalid, folder-missing, what keeps a host from starting */
export type UseFolder = (folder: string) => Promise<string>;

export interface SettingsHandlerDeps {
  settings: Pick<WindowSettings, 'store'>;
}

export function createUseFolder(deps: { keeper: HostKeeper } & SettingsHandlerDeps): UseFolder {
  const { keeper, settings } = deps;
  return async (folder) => {
    if (!isPlainAbsolute(folder)) throw new AppError('folder-invalid', { detail: absoluteSentence });
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
  const { settings } = deps;
  const faultOf = async (key: string, value: unknown): Promise<string | undefined> => {
    if (!isShownSetting(key)) return 'There is no such setting.';
    // By the system's dialog alone: whoever broke into the window must not reach another folder by a message.
    if (key === 'folder') return 'Use the Choose folder button.';
    const fault = findSettingFault({ [key]: value });
    if (fault !== undefined) return fault.sentence;
    const current = (await settings.store()).current();
    return findNewConflict(current, { ...current, [key]: value })?.sentence;
  };
  return {
    async 'settings.check'({ key, value }) {
      return { sentence: (await faultOf(key, asStored(key, value))) ?? null };
    },

    async 'settings.set'({ key, value: given }) {
      const value = asStored(key, given);
      const fault = await faultOf(key, value);
      if (fault !== undefined) throw new AppError('setting-invalid', { detail: fault });
      const store = await settings.store();
      await store.update({ [key]: value });
      return { settings: settingsState(store.current()) };
    },
  };
}

/** As a person may have typed it: an empty address is none, and a slash at its end means nothing. */
function asStored(key: string, value: unknown): unknown {
  if ((key !== 'publicUrl' && key !== 'textEditorUrl') || typeof value !== 'string') return value;
  const url = value.trim().replace(/\/+$/u, '');
  return url === '' ? null : url;
}

/** The host says more when it opens the folder; this much is known without one. */
async function folderFault(folder: string, dataDir: string): Promise<string | undefined> {
  if (!isPlainAbsolute(folder)) return absoluteSentence;
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) return 'There is no folder at this place.';
  try {
    await assertDisjoint(folder, dataDir);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'folder-invalid') return apartSentence;
    throw error;
  }
}

/** Anything else would lead to wherever the app was started from. */
function isPlainAbsolute(folder: string): boolean {
  return isAbsolute(folder) && !folder.includes('\0');
}

const absoluteSentence = 'Give the absolute path of a folder.';
const apartSentence =
  "DocTray keeps its own data there. Choose a folder that does not hold DocTray's data folder.";
