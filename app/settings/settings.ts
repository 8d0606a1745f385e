// The settings' defaults, and what the window doesn't show. contract/state.ts describes the settings, settings-schema.ts has the rules for
// their values.

import type { SettingsState } from '../contract/state.ts';

export interface Settings extends SettingsState {
  /** Whether the window's first-run steps were finished or skipped. */
  windowFirstRunDone: boolean;
}

export type SettingKey = keyof Settings;

export const defaultSettings: Readonly<Settings> = {
  folder: null,
  host: '127.0.0.1',
  port: 8790,
  publicUrl: null,
  allowedHosts: [],
  allowedAddresses: [],
  maxUploadMB: 4000,
  apiTokenDays: 30,
  accessTokenHours: 10,
  versionDays: 30,
  versionCount: 100,
  recoveredMB: 2000,
  recoveredTokenMB: 250,
  recoveredDays: 30,
  minFreeMB: 500,
  desktopLocks: 'block',
  checkSaves: true,
  trustedProxies: [],
  networkApi: false,
  networkPages: false,
  networkDashboard: false,
  dashboardPort: null,
  tls: 'off',
  tlsCertificate: null,
  tlsKey: null,
  textEditor: true,
  textEditorPort: null,
  textEditorUrl: null,
  openIn: 'browser',
  notifyErrors: true,
  notifyStaleLocks: true,
  notifyEditorUnreachable: true,
  checkForUpdates: true,
  appearance: 'system',
  windowFirstRunDone: false,
};

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
