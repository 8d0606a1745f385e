// Names of files and folders in labels of menus, dialogs and notifications. A name may hold line breaks, characters that change
// the direction of the text around it, and more letters than a menu is wide.

import { currentLocale, t } from '../contract/messages.ts';
import { unsafeCharacters, nameOf } from '../contract/names.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;
/** Letters and symbols without a shape, allowed in names. */
const blank = /[\u115f\u1160\u2800\u3164\uffa0]/gu;
/** No real letter is longer; one of hundreds of combining marks would cover the text around it. */
const maxLetterLength = 16;
const ellipsis = '…';
const firstStrongIsolate = '\u2068';
const endOfIsolate = '\u2069';

/** One line of at most `most` letters, each of at most 16 UTF-16 units; a longer name loses its middle. */
export function nameText(name: string, maxLetters = 32): string {
  const visible = name
    .toWellFormed()
    .replaceAll(unsafeCharacters, ' ')
    .replaceAll(blank, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const text = shortenMiddle(visible === '' ? t('desktop.no-name') : visible, maxLetters);
  return rightToLeft.test(text) ? `${firstStrongIsolate}${text}${endOfIsolate}` : text;
}

/** The last part of a path inside the folder. */
export function fileText(path: string, maxLetters?: number): string {
  return nameText(nameOf(path), maxLetters);
}

/** In a menu, a single ampersand makes the next letter the item's access key. */
export function menuLabel(text: string): string {
  return text.replaceAll('&', '&&');
}

/** Up to three names and the number of others: 'A, B, C and 2 more'. */
export function namesText(paths: readonly string[], maxLetters?: number): string {
  const names = paths.slice(0, 3).map((path) => fileText(path, maxLetters));
  const more = paths.length - names.length;
  const list = more > 0 ? [...names, t('desktop.count-more', { count: more })] : names;
  return new Intl.ListFormat(currentLocale()).format(list);
}

/** Keeps the end: it has the extension, and numbered names differ there. */
function shortenMiddle(text: string, maxLetters: number): string {
  // Splits only as much into letters as can be shown.
  const reach = maxLetters * maxLetterLength;
  const isCut = text.length > 2 * reach;
  const head = lettersOf(isCut ? text.slice(0, reach) : text);
  const tail = isCut ? lettersOf(text.slice(-reach)) : head;
  if (!isCut && head.length <= maxLetters) return head.join('');
  const kept = Math.floor((maxLetters - 1) / 2);
  const start = head.slice(0, maxLetters - 1 - kept).join('');
  return `${start.trimEnd()}${ellipsis}${tail.slice(tail.length - kept).join('')}`.toWellFormed();
}

function lettersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) =>
    segment.length > maxLetterLength ? String.fromCodePoint(segment.codePointAt(0) ?? 0x20) : segment,
  );
}
