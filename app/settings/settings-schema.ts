// The rules for every setting, for the file on disk, for the window and for the terminal alike. The file may have been
// edited by hand, so each rule ends in a sentence that says what would be right.

import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { SettingKey, Settings } from './settings.ts';

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;

function whole(least: number, most: number): z.ZodType<number> {
  const sentence = `Give a whole number from ${least} to ${most}.`;
  return z.int({ error: sentence }).min(least, { error: sentence }).max(most, { error: sentence });
}

function text(isRight: (value: string) => boolean, sentence: string): z.ZodType<string> {
  return z.string({ error: sentence }).refine(isRight, { error: sentence });
}

function list(item: z.ZodType<string>): z.ZodType<string[]> {
  return z.array(item, { error: 'Give a list of texts.' }).max(1000, { error: 'Give at most 1000 entries.' });
}

function absolutePath(sentence: string): z.ZodType<string> {
  return text((value) => isAbsolute(value) && !value.includes('\0'), sentence);
}

function yesOrNo(): z.ZodType<boolean> {
  return z.boolean({ error: 'Give true or false.' });
}

const settingRules: { readonly [Key in SettingKey]: z.ZodType<Settings[Key]> } = {
  folder: absolutePath('Give the absolute path of a folder.').nullable(),
  host: text(isHost, 'Give an address or a name of this computer, such as 127.0.0.1.'),
  port: whole(0, 65_535),
  publicUrl: text(
    isPublicUrl,
    'Give an http or https address without a user name, query, fragment or slash at its end.',
  ).nullable(),
  allowedHosts: list(text(isHost, 'Give host names or addresses, without a port.')),
  allowedAddresses: list(
    text(isNetwork, 'Give addresses or networks, such as 192.168.1.7 or 192.168.1.0/24.'),
  ),
  maxUploadMiB: whole(1, 1_048_576),
  apiTokenDays: whole(1, 3650),
  accessTokenHours: whole(1, 720),
  versionDays: whole(1, 3650),
  versionCount: whole(1, 100_000),
  recoveredMiB: whole(1, 16_777_216),
  recoveredTokenMiB: whole(1, 16_777_216),
  recoveredDays: whole(1, 3650),
  minFreeMiB: whole(0, 16_777_216),
  desktopLocks: z.enum(['block', 'warn', 'ignore'], { error: 'Give block, warn or ignore.' }),
  trustedProxies: list(
    text(
      (value) => isNetwork(value) && !value.endsWith('/0'),
      'Give the addresses of proxies, or networks that contain only proxies, such as 192.168.1.7.',
    ),
  ),
  networkApi: yesOrNo(),
  networkPages: yesOrNo(),
  tls: z.enum(['off', 'files', 'local-authority'], { error: 'Give off, files or local-authority.' }),
  tlsCertificate: absolutePath('Give the absolute path of a PEM file.').nullable(),
  tlsKey: absolutePath('Give the absolute path of a PEM file.').nullable(),
  textEditor: yesOrNo(),
  textEditorPort: whole(0, 65_535).nullable(),
  textEditorUrl: text(
    isOrigin,
    'Give an http or https address without a path, such as https://edit.example.com.',
  ).nullable(),
  openIn: z.enum(['browser', 'window'], { error: 'Give browser or window.' }),
  notifyErrors: yesOrNo(),
  notifyStaleLocks: yesOrNo(),
  notifyEditorUnreachable: yesOrNo(),
  appearance: z.enum(['system', 'light', 'dark'], { error: 'Give system, light or dark.' }),
  windowFirstRunDone: yesOrNo(),
};

/** Settings by key; keys this version does not know are left out. */
export const partialSettingsSchema = z.object(settingRules).partial();

/** The first thing wrong with a value, as a key and a sentence; undefined when all is right. */
export function findSettingFault(
  values: Readonly<Record<string, unknown>>,
): { key: string; sentence: string } | undefined {
  const issue = partialSettingsSchema.safeParse(values).error?.issues[0];
  if (issue === undefined) return undefined;
  const [key = '', index] = issue.path;
  const { [String(key)]: value } = values;
  const isEntry = typeof index === 'number' && Array.isArray(value);
  const sentence = isEntry ? `${issue.message} ${quoted(value[index])} isn’t one.` : issue.message;
  return { key: String(key), sentence };
}

/** An entry of a list as it was given, so that it is found again among the others. */
function quoted(entry: unknown): string {
  const text = typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? 'nothing');
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
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

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
