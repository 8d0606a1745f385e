// What is wrong with a document's name while it is typed. The host checks again by the same rules (app/wopi/names.ts).

import { t } from '../../../app/contract/messages.ts';
import {
  byteLength,
  forbiddenCharacters,
  invisibleCharacters,
  maxNameBytes,
  windowsDevice,
  windowsSpecialFile,
  withoutExtension,
} from '../../../app/contract/names.ts';

/** The sentence next to the field; null if the name is valid. `taken` are the names in the folder. */
export function nameProblem(stem: string, extension: string, taken: readonly string[]): string | null {
  const name = fullName(stem, extension);
  const [bad] = name.match(forbiddenCharacters) ?? [];
  if (bad !== undefined && /[\p{P}\p{S}]/u.test(bad))
    return t('A name can’t contain “{character}”.', { character: bad });
  if (bad !== undefined || name.search(invisibleCharacters) !== -1)
    return t('This name contains invisible characters. Type it again.');
  if (withoutExtension(stem.trim(), extension) === '') return t('Type a name.');
  if (name.startsWith('.')) return t('Names that start with a dot are hidden. Choose another.');
  if (name.startsWith('~$')) return t('Names that start with ~$ are reserved for lock files.');
  if (name.endsWith('.')) return t('A name can’t end with a dot.');
  if (windowsDevice.test(name) || windowsSpecialFile.test(name)) {
    return t('Windows reserves this name. Choose another.');
  }
  if (byteLength(name) > maxNameBytes) return t('This name is too long. Shorten it.');
  const key = name.toLowerCase();
  const same = taken.find((other) => other.normalize('NFC').toLowerCase() === key);
  return same === undefined ? null : t('“{name}” already exists. Choose another name.', { name: same });
}

/** As it is sent: an extension that was typed as well counts once. */
export function fullName(stem: string, extension: string): string {
  return `${withoutExtension(stem.trim(), extension)}${extension}`.normalize('NFC');
}
