// What the user can choose, and what counts where nothing was chosen. The rules for each value are in settings-schema.ts,
// which is loaded only when there is something to check.

export interface Settings {
  /** Absolute path of the hosted folder; null until one is chosen. */
  folder: string | null;
  /** Address or name of this machine to listen on. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Address under which editors reach this host, without a slash at its end; null: the one it listens on. */
  publicUrl: string | null;
  /** Further names allowed in the Host header. */
  allowedHosts: string[];
  /** Client addresses or networks (`192.168.1.0/24`); an empty list allows all. */
  allowedAddresses: string[];
  maxUploadMiB: number;
  apiTokenDays: number;
  accessTokenHours: number;
  versionDays: number;
  versionCount: number;
  /** What a desktop program's lock file means to an editor's Lock: refuse, allow with a line in the log, or nothing. */
  desktopLocks: 'block' | 'warn' | 'ignore';
  /** Whether the desktop is told of errors. */
  notifyErrors: boolean;
  /** Whether the desktop is told of locks that became stale. */
  notifyStaleLocks: boolean;
  /** Of the window. */
  appearance: 'system' | 'light' | 'dark';
  /** Whether the window's first steps were finished or skipped. */
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
  maxUploadMiB: 4096,
  apiTokenDays: 30,
  accessTokenHours: 10,
  versionDays: 30,
  versionCount: 100,
  desktopLocks: 'block',
  notifyErrors: true,
  notifyStaleLocks: true,
  appearance: 'system',
  windowFirstRunDone: false,
};

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(defaultSettings, key);
}
