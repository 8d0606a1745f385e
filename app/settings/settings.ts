// The settings' defaults, and which of them belong together. contract/settings.ts describes each.

import { settings, type SettingKey, type Settings } from '../contract/settings.ts';

export type { SettingKey, Settings } from '../contract/settings.ts';

export const defaultSettings = Object.fromEntries(
  Object.entries(settings).map(([key, { initial }]) => [key, initial]),
) as unknown as Readonly<Settings>;

/** What the text editor's port and addresses depend on. */
export const textEditorKeys: ReadonlySet<string> = new Set<SettingKey>([
  'textEditor',
  'textEditorPort',
  'textEditorUrl',
  'allowedAddresses',
  'publicUrl',
]);

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(defaultSettings, key);
}
