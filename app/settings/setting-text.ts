// Settings as text for the terminal. Valid values are defined in settings-schema.ts.

import { resolve } from 'node:path';
import { settings } from '../contract/settings.ts';
import { isSettingKey, type SettingKey, type Settings } from './settings.ts';

type SettingText = string | number | boolean | null | string[];

/**
 * The typed value, not validated: numbers from digits, lists from commas, null from `none` for optional settings, booleans from
 * `true` or `false`.
 */
export function parseSettingText(key: SettingKey, text: string): SettingText {
  const { kind, initial } = settings[key];
  const isEmpty = text === '' || text === 'none';
  if (kind === 'list') return isEmpty ? [] : text.split(',').map((part) => part.trim());
  if (initial === null && isEmpty) return null;
  if (kind === 'number') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (kind === 'switch' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Like `parseSettingText`, but accepts unknown keys (the host rejects them). Relative paths are resolved against `cwd`. */
export function parseTypedSetting(key: string, text: string, cwd: string): SettingText {
  if (!isSettingKey(key)) return text;
  const value = parseSettingText(key, text);
  const setting = settings[key];
  const isPath = setting.kind === 'text' && setting.format === 'path';
  return isPath && typeof value === 'string' ? resolve(cwd, value) : value;
}

export function formatSetting(value: Settings[SettingKey]): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return String(value);
}
