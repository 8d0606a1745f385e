// Settings as text for the terminal. Valid values are defined in settings-schema.ts.

import { resolve } from 'node:path';
import { defaultSettings, isSettingKey, type SettingKey, type Settings } from './settings.ts';

type SettingText = string | number | boolean | null | string[];

const pathKeys: readonly SettingKey[] = ['folder', 'tlsCertificate', 'tlsKey'];

/** Numbers that are null by default. */
const numbersOrNone: readonly SettingKey[] = ['textEditorPort', 'dashboardPort'];

/**
 * The typed value, not validated: numbers from digits, lists from commas, null from `none` for optional settings, booleans from
 * `true` or `false`.
 */
export function parseSettingText(key: SettingKey, text: string): SettingText {
  const sample: unknown = defaultSettings[key];
  const isEmpty = text === '' || text === 'none';
  if (Array.isArray(sample)) return isEmpty ? [] : text.split(',').map((part) => part.trim());
  if (sample === null && isEmpty) return null;
  if (typeof sample === 'number' || numbersOrNone.includes(key))
    return /^-?\d+$/.test(text) ? Number(text) : text;
  if (typeof sample === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Like `parseSettingText`, but accepts unknown keys (the host rejects them). Relative paths are resolved against `cwd`. */
export function parseTypedSetting(key: string, text: string, cwd: string): SettingText {
  if (!isSettingKey(key)) return text;
  const value = parseSettingText(key, text);
  return pathKeys.includes(key) && typeof value === 'string' ? resolve(cwd, value) : value;
}

export function formatSetting(value: Settings[SettingKey]): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return String(value);
}
