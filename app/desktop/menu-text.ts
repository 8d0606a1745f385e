// Names of files and folders as part of a label. A name is whatever somebody called a file: it may hold line breaks, characters
// that turn the text around it, and more letters than a menu is wide.

import { basename } from 'node:path/posix';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;
/** All that is not drawn, or turns what is drawn, except what joins letters and emoji. */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]+/gu;
/** No letter is longer than this; one built of hundreds of combining marks covers what is around it. */
const longestLetter = 16;
const ellipsis = '…';
const firstStrongIsolate = '\u2068';
const endOfIsolate = '\u2069';

/** One line of at most `most` letters, each of at most 16 UTF-16 units; what is in the middle of a longer name is left out. */
export function nameText(name: string, most = 32): string {
  const seen = name.toWellFormed().replaceAll(unseen, ' ').replaceAll(/\s+/gu, ' ').trim();
  const text = shortenMiddle(seen === '' ? '(no name)' : seen, most);
  return rightToLeft.test(text) ? `${firstStrongIsolate}${text}${endOfIsolate}` : text;
}

/** The last part of a path inside the folder. */
export function fileText(path: string, most?: number): string {
  return nameText(basename(path), most);
}

/** In a menu one ampersand marks the letter after it as the item's key. */
export function menuLabel(text: string): string {
  return text.replaceAll('&', '&&');
}

/** '1 file', '2 files'. */
export function countText(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Up to three names, and how many more there are: 'A, B, C and 2 more'. */
export function namesText(paths: readonly string[], most?: number): string {
  const names = paths.slice(0, 3).map((path) => fileText(path, most));
  const more = paths.length - names.length;
  if (more > 0) return `${names.join(', ')} and ${more} more`;
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/** The end stays longest in view: that is where a name says its kind, and where numbered names differ. */
function shortenMiddle(text: string, most: number): string {
  // Only as much is split into letters as can be shown.
  const reach = most * longestLetter;
  const isCut = text.length > 2 * reach;
  const head = lettersOf(isCut ? text.slice(0, reach) : text);
  const tail = isCut ? lettersOf(text.slice(-reach)) : head;
  if (!isCut && head.length <= most) return head.join('');
  const kept = Math.floor((most - 1) / 2);
  const start = head.slice(0, most - 1 - kept).join('');
  return `${start.trimEnd()}${ellipsis}${tail.slice(tail.length - kept).join('')}`.toWellFormed();
}

function lettersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) =>
    segment.length > longestLetter ? String.fromCodePoint(segment.codePointAt(0) ?? 0x20) : segment,
  );
}
