// Every setting, described once: its value, its default and what a valid value is. The settings file, the terminal and the fields of the
// window follow from it. What a text must look like is checked in settings/settings-schema.ts, with Node.

import type { MessageKey } from './messages.ts';

export type TextFormat = 'path' | 'host' | 'public-url' | 'origin' | 'network' | 'proxy';

export type SettingKind =
  /** Whole. */
  | { kind: 'number'; min: number; max: number }
  | { kind: 'switch' }
  | { kind: 'choice'; values: readonly string[] }
  /** `sentence` describes a valid text, or a valid list. */
  | { kind: 'text' | 'list'; format: TextFormat; sentence: MessageKey };

type Setting<Value> = SettingKind & { initial: Value };

const number = (initial: number, min: number, max: number): Setting<number> => ({
  kind: 'number',
  initial,
  min,
  max,
});
const isOn = (initial: boolean): Setting<boolean> => ({ kind: 'switch', initial });
/** The first is the default. */
const oneOf = <Value extends string>(...values: [Value, ...Value[]]): Setting<Value> => ({
  kind: 'choice',
  initial: values[0],
  values,
});
const text = (initial: string, format: TextFormat, sentence: MessageKey): Setting<string> => ({
  kind: 'text',
  initial,
  format,
  sentence,
});
const list = (format: TextFormat, sentence: MessageKey): Setting<string[]> => ({
  kind: 'list',
  initial: [],
  format,
  sentence,
});
/** Null by default: none. */
const orNone = <Value>(setting: Setting<Value>): Setting<Value | null> => ({ ...setting, initial: null });

/** By the names that they have in settings.json. */
export const settings = {
  /** Absolute path of the hosted folder; null until one is chosen. */
  folder: orNone(text('', 'path', 'host.enter-absolute-folder')),
  /** Listening address, or a name of this computer. */
  host: text('127.0.0.1', 'host', 'host.enter-address-or-name'),
  /** 0: any free port. */
  port: number(8790, 0, 65_535),
  /** The base address for editors, without a trailing slash; null: the listening address. */
  publicUrl: orNone(text('', 'public-url', 'host.enter-public-url')),
  /** Additional names allowed in the Host header. */
  allowedHosts: list('host', 'host.enter-host-names'),
  /** Client addresses or networks (`192.168.1.0/24`); an empty list allows all. */
  allowedAddresses: list('network', 'host.enter-networks'),
  maxUploadMB: number(4000, 1, 1_000_000),
  apiTokenDays: number(30, 1, 3650),
  accessTokenHours: number(10, 1, 720),
  versionDays: number(30, 1, 3650),
  versionCount: number(100, 1, 100_000),
  /** For all recovered saves, and for those of one access token. One save is kept even if it exceeds a limit by itself. */
  recoveredMB: number(2000, 1, 16_000_000),
  recoveredTokenMB: number(250, 1, 16_000_000),
  recoveredDays: number(30, 1, 3650),
  /** With less free space than this, nothing new is created, and a save removes the oldest versions of its document. */
  minFreeMB: number(500, 0, 16_000_000),
  /** What a desktop program's lock file means to an editor's Lock: refuse, allow with a warning in the log, or nothing. */
  desktopLocks: oneOf('block', 'warn', 'ignore'),
  /** Whether a save that isn't a readable document is kept as a recovered save, instead of replacing one that is. */
  checkSaves: isOn(true),
  /** Addresses or networks of proxies whose forwarding headers are trusted. */
  trustedProxies: list('proxy', 'host.enter-proxies'),
  /** Whether other computers may call the JSON API. */
  networkApi: isOn(false),
  /** Whether other computers may open the host pages. */
  networkPages: isOn(false),
  /** Whether other computers may open the dashboard, over HTTPS only. */
  networkDashboard: isOn(false),
  /** Port of the dashboard; null: 11 above `port`, or the next free one. */
  dashboardPort: orNone(number(0, 0, 65_535)),
  /** The listener's protocol on the network: plain HTTP, or HTTPS with the user's certificate or one of the local authority. */
  tls: oneOf('off', 'local-authority', 'files'),
  /** Absolute path of a PEM file with the certificate and its intermediate certificates. */
  tlsCertificate: orNone(text('', 'path', 'host.enter-pem-file')),
  /** Absolute path of the PEM file with its private key. */
  tlsKey: orNone(text('', 'path', 'host.enter-pem-file')),
  /** Whether the built-in text editor opens documents. */
  textEditor: isOn(true),
  /** Port of its own listener; null: the one after `port`, or the next free one. */
  textEditorPort: orNone(number(0, 0, 65_535)),
  /** Where browsers reach it through a reverse proxy, without a path; null: the page's host name, on its own port. */
  textEditorUrl: orNone(text('', 'origin', 'host.enter-origin')),
  /** Where documents open. */
  openIn: oneOf('browser', 'window'),
  /** Whether errors show a desktop notification. */
  notifyErrors: isOn(true),
  /** Whether stale locks show a desktop notification. */
  notifyStaleLocks: isOn(true),
  /** Whether an unreachable editor shows a desktop notification. */
  notifyEditorUnreachable: isOn(true),
  /** Whether the installed app looks for newer versions of itself. */
  checkForUpdates: isOn(true),
  /** The window's theme. */
  appearance: oneOf('system', 'light', 'dark'),
  /** Whether the window's first-run steps were finished or skipped. The window doesn't show it. */
  windowFirstRunDone: isOn(false),
};

export type Settings = { [Key in keyof typeof settings]: (typeof settings)[Key]['initial'] };

export type SettingKey = keyof Settings;

/** The settings that the window shows. */
export type SettingsState = Omit<Settings, 'windowFirstRunDone'>;
