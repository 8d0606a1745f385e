// Checks the values of settings, for the file on disk, the window and the terminal. The file may have been edited by hand, so each
// fault is a sentence that describes a valid value. Every start checks it, so this uses no library: importing zod takes longer than
// reading the file.

import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { formatSize, megabyte } from '../contract/format.ts';
import { t, type MessageKey } from '../contract/messages.ts';
import { settings, type SettingKind, type TextFormat } from '../contract/settings.ts';
import { isAddressOrNetwork } from '../network/addresses.ts';

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const maxEntries = 1000;

const formats: Readonly<Record<TextFormat, (value: string) => boolean>> = {
  path: (value) => isAbsolute(value) && !value.includes('\0'),
  host: isHost,
  'public-url': isPublicUrl,
  origin: (value) => isPublicUrl(value) && URL.parse(value)?.pathname === '/',
  network: isNetwork,
  proxy: (value) => isNetwork(value) && !value.endsWith('/0'),
};

/** The first invalid value, as a key and a sentence; undefined if all are valid. Ignores other keys. */
export function findSettingFault(
  values: Readonly<Record<string, unknown>>,
): { key: string; sentence: string } | undefined {
  for (const [key, setting] of Object.entries(settings)) {
    const { [key]: value } = values;
    if (value === undefined || (value === null && setting.initial === null)) continue;
    const sentence = faultOf(key, setting, value);
    if (sentence !== undefined) return { key, sentence };
  }
  return undefined;
}

function faultOf(key: string, setting: SettingKind, value: unknown): string | undefined {
  switch (setting.kind) {
    case 'number':
      return isWhole(value, setting) ? undefined : rangeSentence(key, setting);
    case 'switch':
      return oneOf([true, false], value);
    case 'choice':
      return oneOf(setting.values, value);
    case 'text':
      return typeof value === 'string' && formats[setting.format](value) ? undefined : t(setting.sentence);
    case 'list':
      return list(formats[setting.format], setting.sentence, value);
  }
}

function rangeSentence(key: string, { min, max }: { min: number; max: number }): string {
  if (!key.endsWith('MB')) return t('host.enter-whole-number', { min, max });
  return t('host.enter-size', { min: formatSize(min * megabyte), max: formatSize(max * megabyte) });
}

function isWhole(value: unknown, { min, max }: { min: number; max: number }): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

function oneOf(values: readonly (string | boolean)[], value: unknown): string | undefined {
  if (values.some((one) => one === value)) return undefined;
  return t('host.enter-one-of', { values: values.slice(0, -1).join(', '), last: String(values.at(-1)) });
}

function list(isValid: (entry: string) => boolean, sentence: MessageKey, value: unknown): string | undefined {
  if (!Array.isArray(value)) return t('host.enter-a-list');
  if (value.length > maxEntries) return t('host.enter-fewer-entries', { max: maxEntries });
  const wrong = value.findIndex((entry) => !(typeof entry === 'string' && isValid(entry)));
  return wrong === -1
    ? undefined
    : t('host.entry-isnt-one', { sentence: t(sentence), entry: shortened(value[wrong]) });
}

/** A list entry as it was entered, so that the user can find it. */
function shortened(entry: unknown): string {
  const text = typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
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

/** An address may have a zone (`fe80::1%eth0`), which is ignored. */
function isNetwork(value: string): boolean {
  return isAddressOrNetwork(value.replace(/%[^/]*/u, ''));
}
