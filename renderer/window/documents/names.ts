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
    return t('window.a-name-cant-contain-character', { character: bad });
  if (bad !== undefined || name.search(invisibleCharacters) !== -1)
    return t('window.this-name-contains-invisible-characters');
  if (withoutExtension(stem.trim(), extension) === '') return t('window.type-a-name');
  if (name.startsWith('.')) return t('window.names-that-start-with-a');
  if (name.startsWith('~$')) return t('window.names-that-start-with-are');
  if (name.endsWith('.')) return t('window.a-name-cant-end-with');
  if (windowsDevice.test(name) || windowsSpecialFile.test(name)) {
    return t('window.windows-reserves-this-name-choose');
  }
  if (byteLength(name) > maxNameBytes) return t('window.this-name-is-too-long');
  const key = name.toLowerCase();
  const same = taken.find((other) => other.normalize('NFC').toLowerCase() === key);
  return same === undefined ? null : t('window.name-already-exists-choose-another', { name: same });
}

/** As it is sent: an extension that was typed as well counts once. */
export function fullName(stem: string, extension: string): string {
  return `${withoutExtension(stem.trim(), extension)}${extension}`.normalize('NFC');
}
