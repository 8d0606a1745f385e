// The commands about settings need nothing of the host but the settings, so they also work where it cannot start: to choose
// another folder when the one served before is not there any more, say.

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { notAFolder } from '../files/folder-access.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import { isSettingKey, type SettingKey, type Settings } from '../settings/settings.ts';
import { parseSettingText } from '../settings/setting-text.ts';

export interface SettingValue {
  key: SettingKey;
  value: Settings[SettingKey];
}

/** Read when the host starts. All else takes effect at once: guards, TLS and its files, limits, the window. */
const restartKeys: readonly SettingKey[] = ['folder', 'host', 'port'];
/** Paths a person types as they see them from where they stand. */
const fileKeys: readonly SettingKey[] = ['tlsCertificate', 'tlsKey'];

/** @throws AppError setting-invalid */
export function getSetting(settings: SettingsStore, { key: name }: { key: string }): SettingValue {
  const key = knownKey(name);
  return { key, value: settings.current()[key] };
}

/** The value is text as it was typed. @throws AppError setting-invalid, folder-invalid, settings-invalid */
export async function setSetting(
  settings: SettingsStore,
  args: { key: string; value: string; cwd: string },
  isRunning: boolean,
): Promise<SettingValue & { needsRestart: boolean }> {
  const key = knownKey(args.key);
  const value = await typedValue(key, args, settings.dataDir);
  if (key === 'tls' && value === 'files') requireFiles(settings.current());
  const changed = await settings.update({ [key]: value });
  return { key, value: changed[key], needsRestart: isRunning && restartKeys.includes(key) };
}

function knownKey(key: string): SettingKey {
  if (!isSettingKey(key)) {
    throw new AppError('setting-invalid', { detail: `There is no setting ${key}. \`settings\` shows them.` });
  }
  return key;
}

async function typedValue(
  key: SettingKey,
  args: { value: string; cwd: string },
  dataDir: string,
): Promise<unknown> {
  const value = parseSettingText(key, args.value);
  if (fileKeys.includes(key) && typeof value === 'string') return existingFile(key, resolve(args.cwd, value));
  if (key !== 'folder' || typeof value !== 'string') return value;
  const folder = resolve(args.cwd, value);
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw notAFolder(folder, { exists: stats !== undefined });
  await assertDisjoint(folder, dataDir);
  return folder;
}

async function existingFile(key: SettingKey, path: string): Promise<string> {
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isFile) throw new AppError('setting-invalid', { detail: `${key}: There is no file at ${path}.` });
  return path;
}

/** Other machines would get no answer at all. */
function requireFiles({ tlsCertificate, tlsKey }: Settings): void {
  if (tlsCertificate !== null && tlsKey !== null) return;
  throw new AppError('setting-invalid', { detail: 'tls: Set tlsCertificate and tlsKey first.' });
}
