// The rules for every setting, for the file on disk, for the window and for the terminal alike. The file may have been
// edited by hand, so each rule ends in a sentence that says what would be right.
// Every start runs through them, so they need no library: loading zod costs more than all else in reading the file.

import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { isAddressOrNetwork } from '../network/addresses.ts';
import type { SettingKey } from './settings.ts';

/** What would be right; undefined for a value that is. */
type Rule = (value: unknown) => string | undefined;

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const maxEntries = 1000;

const rules: Readonly<Record<SettingKey, Rule>> = {
  folder: orNone(absolutePath('Give the absolute path of a folder.')),
  host: text(isHost, 'Give an address or a name of this computer, such as 127.0.0.1.'),
  port: whole(0, 65_535),
  publicUrl: orNone(
    text(
      isPublicUrl,
      'Give an http or https address without a user name, query, fragment or slash at its end.',
    ),
  ),
  allowedHosts: list(isHost, 'Give host names or addresses, without a port.'),
  allowedAddresses: list(isNetwork, 'Give addresses or networks, such as 192.168.1.7 or 192.168.1.0/24.'),
  maxUploadMiB: whole(1, 1_048_576),
  apiTokenDays: whole(1, 3650),
  accessTokenHours: whole(1, 720),
  versionDays: whole(1, 3650),
  versionCount: whole(1, 100_000),
  recoveredMiB: whole(1, 16_777_216),
  recoveredTokenMiB: whole(1, 16_777_216),
  recoveredDays: whole(1, 3650),
  minFreeMiB: whole(0, 16_777_216),
  desktopLocks: oneOf(['block', 'warn', 'ignore']),
  trustedProxies: list(
    (value) => isNetwork(value) && !value.endsWith('/0'),
    'Give the addresses of proxies, or networks that contain only proxies, such as 192.168.1.7.',
  ),
  networkApi: oneOf([true, false]),
  networkPages: oneOf([true, false]),
  tls: oneOf(['off', 'files', 'local-authority']),
  tlsCertificate: orNone(absolutePath('Give the absolute path of a PEM file.')),
  tlsKey: orNone(absolutePath('Give the absolute path of a PEM file.')),
  textEditor: oneOf([true, false]),
  textEditorPort: orNone(whole(0, 65_535)),
  textEditorUrl: orNone(
    text(isOrigin, 'Give an http or https address without a path, such as https://edit.example.com.'),
  ),
  openIn: oneOf(['browser', 'window']),
  notifyErrors: oneOf([true, false]),
  notifyStaleLocks: oneOf([true, false]),
  notifyEditorUnreachable: oneOf([true, false]),
  appearance: oneOf(['system', 'light', 'dark']),
  windowFirstRunDone: oneOf([true, false]),
};

/** The first thing wrong with a value, as a key and a sentence; undefined when all is right. Other keys are left out. */
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

function whole(least: number, most: number): Rule {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? undefined
      : `Give a whole number from ${least} to ${most}.`;
}

function text(isRight: (value: string) => boolean, sentence: string): Rule {
  return (value) => (typeof value === 'string' && isRight(value) ? undefined : sentence);
}

function oneOf(values: readonly (string | boolean)[]): Rule {
  const [last] = values.slice(-1);
  const sentence = `Give ${values.slice(0, -1).join(', ')} or ${last}.`;
  return (value) => (values.some((one) => one === value) ? undefined : sentence);
}

function orNone(rule: Rule): Rule {
  return (value) => (value === null ? undefined : rule(value));
}

function list(isRight: (value: string) => boolean, sentence: string): Rule {
  const isEntry = (entry: unknown): boolean => typeof entry === 'string' && isRight(entry);
  return (value) => {
    if (!Array.isArray(value)) return 'Give a list of texts.';
    if (value.length > maxEntries) return `Give at most ${maxEntries} entries.`;
    const wrong = value.findIndex((entry) => !isEntry(entry));
    return wrong === -1 ? undefined : `${sentence} ${quoted(value[wrong])} isn’t one.`;
  };
}

/** An entry of a list as it was given, so that it is found again among the others. */
function quoted(entry: unknown): string {
  const text = typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? 'nothing');
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}

function absolutePath(sentence: string): Rule {
  return text((value) => isAbsolute(value) && !value.includes('\0'), sentence);
}

function isHost(value: string): boolean {
  return isIP(value) !== 0 || hostName.test(value);
}

function isPublicUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  return url.username === '' && url.password === '' && !/[?#]|\/$/.test(value);
}

function isOrigin(value: string): boolean {
  return isPublicUrl(value) && URL.parse(value)?.pathname === '/';
}

/** An address may have a zone (`fe80::1%eth0`), which is passed over. */
function isNetwork(value: string): boolean {
  return isAddressOrNetwork(value.replace(/%[^/]*/u, ''));
}
