// What the user can choose, and what counts where nothing was chosen. The rules for each value are in settings-schema.ts.

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
  /** Recovered saves: all together, and those of one access token. One save is kept also where it alone is larger. */
  recoveredMiB: number;
  recoveredTokenMiB: number;
  recoveredDays: number;
  /** With less free space than this nothing new is created, and a save removes the oldest versions of its document. */
  minFreeMiB: number;
  /** What a desktop program's lock file means to an editor's Lock: refuse, allow with a line in the log, or nothing. */
  desktopLocks: 'block' | 'warn' | 'ignore';
  /** Addresses or networks of proxies whose forwarding headers are believed. */
  trustedProxies: string[];
  /** Whether the JSON API answers others than this machine. */
  networkApi: boolean;
  /** Whether the host pages answer others than this machine. */
  networkPages: boolean;
  /** How the listener speaks on the network: plainly, by a certificate of the user's, or by one of the local authority. */
  tls: 'off' | 'files' | 'local-authority';
  /** Absolute path of a PEM file with the certificate and those between it and its authority. */
  tlsCertificate: string | null;
  /** Absolute path of the PEM file with its private key. */
  tlsKey: string | null;
  /** Whether the built-in text editor opens documents. */
  textEditor: boolean;
  /** Of its own listener; null: the one after `port`, or the next free one. */
  textEditorPort: number | null;
  /** Where browsers reach it through a reverse proxy, without a path; null: at the name of the page, on its own port. */
  textEditorUrl: string | null;
  /** Where documents open. */
  openIn: 'browser' | 'window';
  /** Whether the desktop is told of errors. */
  notifyErrors: boolean;
  /** Whether the desktop is told of locks that became stale. */
  notifyStaleLocks: boolean;
  /** Whether the desktop is told of an editor that cannot be reached any more. */
  notifyEditorUnreachable: boolean;
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
  recoveredMiB: 2048,
  recoveredTokenMiB: 256,
  recoveredDays: 30,
  minFreeMiB: 512,
  desktopLocks: 'block',
  trustedProxies: [],
  networkApi: false,
  networkPages: false,
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
