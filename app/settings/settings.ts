// The settings and their defaults. The rules for each value are in settings-schema.ts.

export interface Settings {
  /** Absolute path of the hosted folder; null until one is chosen. */
  folder: string | null;
  /** Listening address, or a name of this computer. */
  host: string;
  /** 0: any free port. */
  port: number;
  /** The base address for editors, without a trailing slash; null: the listening address. */
  publicUrl: string | null;
  /** Additional names allowed in the Host header. */
  allowedHosts: string[];
  /** Client addresses or networks (`192.168.1.0/24`); an empty list allows all. */
  allowedAddresses: string[];
  maxUploadMiB: number;
  apiTokenDays: number;
  accessTokenHours: number;
  versionDays: number;
  versionCount: number;
  /** For all recovered saves, and for those of one access token. One save is kept even if it exceeds a limit by itself. */
  recoveredMiB: number;
  recoveredTokenMiB: number;
  recoveredDays: number;
  /** With less free space than this, nothing new is created, and a save removes the oldest versions of its document. */
  minFreeMiB: number;
  /** What a desktop program's lock file means to an editor's Lock: refuse, allow with a warning in the log, or nothing. */
  desktopLocks: 'block' | 'warn' | 'ignore';
  /** Addresses or networks of proxies whose forwarding headers are trusted. */
  trustedProxies: string[];
  /** Whether other computers may call the JSON API. */
  networkApi: boolean;
  /** Whether other computers may open the host pages. */
  networkPages: boolean;
  /** The listener's protocol on the network: plain HTTP, or HTTPS with the user's certificate or one of the local authority. */
  tls: 'off' | 'files' | 'local-authority';
  /** Absolute path of a PEM file with the certificate and its intermediate certificates. */
  tlsCertificate: string | null;
  /** Absolute path of the PEM file with its private key. */
  tlsKey: string | null;
  /** Whether the built-in text editor opens documents. */
  textEditor: boolean;
  /** Port of its own listener; null: the one after `port`, or the next free one. */
  textEditorPort: number | null;
  /** Where browsers reach it through a reverse proxy, without a path; null: the page's host name, on its own port. */
  textEditorUrl: string | null;
  /** Where documents open. */
  openIn: 'browser' | 'window';
  /** Whether errors show a desktop notification. */
  notifyErrors: boolean;
  /** Whether stale locks show a desktop notification. */
  notifyStaleLocks: boolean;
  /** Whether an unreachable editor shows a desktop notification. */
  notifyEditorUnreachable: boolean;
  /** Whether the installed app looks for newer versions of itself. */
  checkForUpdates: boolean;
  /** The window's theme. */
  appearance: 'system' | 'light' | 'dark';
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
