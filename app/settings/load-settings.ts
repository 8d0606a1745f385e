// settings.json in the data folder: read once at startup, saved whole with every change. Users edit it by hand, so it is
// validated on every read, read again before every save, and never overwritten while it contains an error.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { writePrivateFile } from '../secrets/private-file.ts';
import { findNewConflict } from './setting-conflicts.ts';
import { findSettingFault } from './settings-schema.ts';
import { defaultSettings, isSettingKey, type SettingKey, type Settings } from './settings.ts';

export interface SettingsStore {
  /** The folder of the settings file. */
  readonly dataDir: string;
  /** Frozen. */
  current(): Settings;
  /** Keys of the file, when it was last read, that aren't settings: mistyped, or of another version. */
  unknownKeys(): string[];
  /**
   * Saves, then reports what changed.
   * @param apply called with a valid change before it is saved; if it throws, nothing is saved
   * @throws AppError setting-unknown or setting-invalid for the change; settings-invalid if the file has become invalid
   */
  update(change: Partial<Settings>, apply?: () => Promise<void>): Promise<Settings>;
}

/** The file's content: known keys, and keys of another version, which are kept as they are. */
type Stored = Record<string, unknown>;

/**
 * @param deps.onChange called with the keys whose values changed
 * @throws AppError settings-invalid naming the key; the file stays as it is
 */
export async function loadSettings(deps: {
  dataDir: string;
  onChange?: (keys: SettingKey[]) => void;
}): Promise<SettingsStore> {
  const path = join(deps.dataDir, 'settings.json');
  const first = await read(path);
  let current = withDefaults(first);
  let unknownKeys = unknownKeysOf(first);
  let lastUpdate: Promise<unknown> = Promise.resolve();

  async function save(change: Partial<Settings>, apply?: () => Promise<void>): Promise<Settings> {
    const unknownKey = Object.keys(change).find((key) => !isSettingKey(key));
    if (unknownKey !== undefined) throw new AppError('setting-unknown', { detail: unknownKey });
    const fault = findSettingFault(change);
    if (fault !== undefined)
      throw new AppError('setting-invalid', { detail: `${fault.key}: ${fault.sentence}` });

    const storedBefore = await read(path);
    const stored = { ...storedBefore, ...change };
    const conflict = findNewConflict(withDefaults(storedBefore), withDefaults(stored));
    if (conflict !== undefined) {
      const changedKey = conflict.keys.find((key) => change[key] !== undefined) ?? conflict.keys[0];
      throw new AppError('setting-invalid', { detail: `${changedKey}: ${conflict.sentence}` });
    }
    await apply?.();
    await writePrivateFile(path, `${JSON.stringify(stored, null, 2)}\n`);

    const before = current;
    current = withDefaults(stored);
    unknownKeys = unknownKeysOf(stored);
    const keys = settingKeys().filter((key) => !isSame(before[key], current[key]));
    if (keys.length > 0) deps.onChange?.(keys);
    return current;
  }

  return {
    dataDir: deps.dataDir,
    current: () => current,
    unknownKeys: () => [...unknownKeys],
    update(change, apply) {
      const update = lastUpdate.then(() => save(change, apply));
      lastUpdate = update.catch(() => undefined);
      return update;
    },
  };
}

async function read(path: string): Promise<Stored> {
  const body = await readIfThere(path);
  if (body === undefined) return {};
  const stored = parse(body);
  const fault = findSettingFault(stored);
  if (fault !== undefined) throw invalid(t('host.settings-fault', { key: fault.key, fault: fault.sentence }));
  return stored;
}

function parse(body: string): Stored {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw invalid(
      error instanceof Error
        ? t('host.settings-not-json-reason', { reason: error.message })
        : t('host.settings-not-json'),
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(t('host.settings-not-an-object'));
  return value as Stored;
}

function invalid(detail: string): AppError {
  return new AppError('settings-invalid', { detail });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new AppError('data-folder-invalid', {
      cause: error,
      detail: () => t('host.settings-file-unreadable'),
    });
  }
}

function settingKeys(): SettingKey[] {
  return Object.keys(defaultSettings).filter(isSettingKey);
}

function unknownKeysOf(stored: Stored): string[] {
  return Object.keys(stored).filter((key) => !isSettingKey(key));
}

function withDefaults(stored: Stored): Settings {
  const known = Object.entries(stored).filter(([key]) => isSettingKey(key));
  const settings = structuredClone({ ...defaultSettings, ...Object.fromEntries(known) });
  for (const value of Object.values(settings)) Object.freeze(value);
  return Object.freeze(settings);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
