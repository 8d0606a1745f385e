// Names and paths of documents: what is wrong with a name while it is typed. The host checks again by the same rules
// (app/wopi/names.ts).

import { t } from '../../../app/contract/messages.ts';

const forbidden = /[/\\:*?"<>|]/u;
const unseen =
  /[\p{Cc}\p{Cs}\u2028\u2029\p{Noncharacter_Code_Point}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/u;
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/iu;
const obeyedOnSight = /^(?:desktop\.ini|autorun\.inf)$/iu;
const maxBytes = 255;

/** `.docx`; '' where there is none. @see app/wopi/names.ts, extensionOf */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || dot === name.length - 1) return '';
  const extension = name.slice(dot);
  return /\s/u.test(extension) || extension.length > 32 ? '' : extension;
}

/** The sentence next to the field; null if the name is valid. `taken` are the names in the folder. */
export function nameProblem(stem: string, extension: string, taken: readonly string[]): string | null {
  const name = fullName(stem, extension);
  const bad = forbidden.exec(name)?.[0];
  if (bad !== undefined) return t('A name can’t contain “{character}”.', { character: bad });
  if (unseen.test(name)) return t('This name contains invisible characters. Type it again.');
  if (stem.trim() === '') return t('Type a name.');
  if (name.startsWith('.')) return t('A name can’t start with a dot: the file would be hidden.');
  if (name.startsWith('~$')) return t('Names that start with ~$ are reserved for lock files.');
  if (name.endsWith('.')) return t('A name can’t end with a dot.');
  if (windowsDevice.test(name) || obeyedOnSight.test(name)) {
    return t('Windows reserves this name. Choose another.');
  }
  if (new TextEncoder().encode(name).length > maxBytes) return t('This name is too long. Shorten it.');
  const key = name.toLowerCase();
  const same = taken.find((other) => other.normalize('NFC').toLowerCase() === key);
  return same === undefined ? null : t('“{name}” already exists. Choose another name.', { name: same });
}

/** As it is sent. */
export function fullName(stem: string, extension: string): string {
  return `${stem.trim()}${extension}`.normalize('NFC');
}

/** The folder that a path is in; '' is the hosted folder. */
export function parentOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? '' : path.slice(0, cut);
}
