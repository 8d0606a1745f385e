// The rules for every setting, shared by the file on disk, the window and the terminal. The file may have been edited by hand, so
// each rule has a sentence that describes a valid value. Every start runs them, so they use no library: importing zod takes
// longer than reading the file.

import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { t, type MessageKey } from '../contract/messages.ts';
import { isAddressOrNetwork } from '../network/addresses.ts';
import type { SettingKey } from './settings.ts';

/** Describes a valid value; undefined if the value is valid. */
type Rule = (value: unknown) => string | undefined;

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const maxEntries = 1000;

const rules: Readonly<Record<SettingKey, Rule>> = {
  folder: orNone(absolutePath('host.enter-absolute-folder')),
  host: text(isHost, 'host.enter-address-or-name'),
  port: wholeNumber(0, 65_535),
  publicUrl: orNone(text(isPublicUrl, 'host.enter-public-url')),
  allowedHosts: list(isHost, 'host.enter-host-names'),
  allowedAddresses: list(isNetwork, 'host.enter-networks'),
  maxUploadMB: wholeNumber(1, 1_000_000),
  apiTokenDays: wholeNumber(1, 3650),
  accessTokenHours: wholeNumber(1, 720),
  versionDays: wholeNumber(1, 3650),
  versionCount: wholeNumber(1, 100_000),
  recoveredMB: wholeNumber(1, 16_000_000),
  recoveredTokenMB: wholeNumber(1, 16_000_000),
  recoveredDays: wholeNumber(1, 3650),
  minFreeMB: wholeNumber(0, 16_000_000),
  desktopLocks: oneOf(['block', 'warn', 'ignore']),
  checkSaves: oneOf([true, false]),
  trustedProxies: list((value) => isNetwork(value) && !value.endsWith('/0'), 'host.enter-proxies'),
  networkApi: oneOf([true, false]),
  networkPages: oneOf([true, false]),
  networkDashboard: oneOf([true, false]),
  dashboardPort: orNone(wholeNumber(0, 65_535)),
  tls: oneOf(['off', 'files', 'local-authority']),
  tlsCertificate: orNone(absolutePath('host.enter-pem-file')),
  tlsKey: orNone(absolutePath('host.enter-pem-file')),
  textEditor: oneOf([true, false]),
  textEditorPort: orNone(wholeNumber(0, 65_535)),
  textEditorUrl: orNone(text(isOrigin, 'host.enter-origin')),
  openIn: oneOf(['browser', 'window']),
  notifyErrors: oneOf([true, false]),
  notifyStaleLocks: oneOf([true, false]),
  notifyEditorUnreachable: oneOf([true, false]),
  checkForUpdates: oneOf([true, false]),
  appearance: oneOf(['system', 'light', 'dark']),
  windowFirstRunDone: oneOf([true, false]),
};

/** The first invalid value, as a key and a sentence; undefined if all are valid. Ignores other keys. */
export function findSettingFault(
  values: Readonly<Record<string, unknown>>,
): { key: string; sentence: string } | undefined {
  for (const [key, rule] of Object.entries(rules)) {
    const { [key]: value } = values;
    const sentence = value === undefined ? undefined : rule(value);
    if (sentence !== undefined) return { key, sentence };
  }
  return undefined;
}

function wholeNumber(min: number, max: number): Rule {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? undefined
      : t('host.enter-whole-number', { min, max });
}

function text(isValid: (value: string) => boolean, sentence: MessageKey): Rule {
  return (value) => (typeof value === 'string' && isValid(value) ? undefined : t(sentence));
}

function oneOf(values: readonly (string | boolean)[]): Rule {
  const shown = { values: values.slice(0, -1).join(', '), last: String(values.at(-1)) };
  return (value) => (values.some((one) => one === value) ? undefined : t('host.enter-one-of', shown));
}

function orNone(rule: Rule): Rule {
  return (value) => (value === null ? undefined : rule(value));
}

function list(isValid: (value: string) => boolean, sentence: MessageKey): Rule {
  const isEntry = (entry: unknown): boolean => typeof entry === 'string' && isValid(entry);
  return (value) => {
    if (!Array.isArray(value)) return t('host.enter-a-list');
    if (value.length > maxEntries) return t('host.enter-fewer-entries', { max: maxEntries });
    const wrong = value.findIndex((entry) => !isEntry(entry));
    return wrong === -1
      ? undefined
      : t('host.entry-isnt-one', { sentence: t(sentence), entry: shortened(value[wrong]) });
  };
}

/** A list entry as it was entered, so that the user can find it. */
function shortened(entry: unknown): string {
  const text = typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function absolutePath(sentence: MessageKey): Rule {
  return text((value) => isAbsolute(value) && !value.includes('\0'), sentence);
}

function isHost(value: string): boolean {
  if (isIP(value) !== 0) return true;
  // URLs don't keep every name: a last part such as 1 or 0x7f makes it an IPv4 address.
  const url = hostName.test(value) ? URL.parse(`http://${value}`) : null;
  return url?.hostname === value.toLowerCase();
}

function isPublicUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  return url.username === '' && url.password === '' && !/[?#]|\/$/.test(value);
}

function isOrigin(value: string): boolean {
  return isPublicUrl(value) && URL.parse(value)?.pathname === '/';
}

/** An address may have a zone (`fe80::1%eth0`), which is ignored. */
function isNetwork(value: string): boolean {
  return isAddressOrNetwork(value.replace(/%[^/]*/u, ''));
}
