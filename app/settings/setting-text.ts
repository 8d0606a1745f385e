// Settings as a person types and reads them in a terminal. What the values may be is settings-schema.ts's to say.

import { defaultSettings, type SettingKey, type Settings } from './settings.ts';

/** Numbers whose default is none. */
const numbersOrNone: readonly SettingKey[] = ['textEditorPort'];

/**
 * The typed value, unchecked: numbers from digits, lists from commas, null from `none` where a setting can be empty, yes or
 * no from `true` or `false`.
 */
export function parseSettingText(key: SettingKey, text: string): unknown {
  const sample: unknown = defaultSettings[key];
  const isEmpty = text === '' || text === 'none';
  if (Array.isArray(sample)) return isEmpty ? [] : text.split(',').map((part) => part.trim());
  if (sample === null && isEmpty) return null;
  if (typeof sample === 'number' || numbersOrNone.includes(key))
    return /^-?\d+$/.test(text) ? Number(text) : text;
  if (typeof sample === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

export function formatSetting(value: Settings[SettingKey]): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return String(value);
}
