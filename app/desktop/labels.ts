// Names of files and folders in labels of menus, dialogs and notifications. A name may hold line breaks, characters that change
// the direction of the text around it, and more letters than a menu is wide.

import { currentLocale, t } from '../contract/messages.ts';
import { unsafeCharacters, nameOf } from '../contract/names.ts';

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;
const firstStrongIsolate = '\u2068';
const endOfIsolate = '\u2069';

/** One line of at most that many code points. A longer name loses its middle: its end has the extension, and numbered names differ there. */
export function nameText(name: string, maxLength = 32): string {
  const visible = name.toWellFormed().replaceAll(unsafeCharacters, ' ').replaceAll(/\s+/gu, ' ').trim();
  const letters = Array.from(visible === '' ? t('desktop.no-name') : visible);
  const kept = Math.floor((maxLength - 1) / 2);
  const start = letters.slice(0, maxLength - 1 - kept).join('');
  const isLong = letters.length > maxLength;
  const text = isLong ? `${start.trimEnd()}…${letters.slice(-kept).join('')}` : letters.join('');
  return rightToLeft.test(text) ? `${firstStrongIsolate}${text}${endOfIsolate}` : text;
}

/** The last part of a path inside the folder. */
export function fileText(path: string, maxLength?: number): string {
  return nameText(nameOf(path), maxLength);
}

/** In a menu, a single ampersand makes the next letter the item's access key. */
export function menuLabel(text: string): string {
  return text.replaceAll('&', '&&');
}

/** Up to three names and the number of others: 'A, B, C and 2 more'. */
export function namesText(paths: readonly string[], maxLength?: number): string {
  const names = paths.slice(0, 3).map((path) => fileText(path, maxLength));
  const more = paths.length - names.length;
  const list = more > 0 ? [...names, t('desktop.count-more', { count: more })] : names;
  return new Intl.ListFormat(currentLocale()).format(list);
}
