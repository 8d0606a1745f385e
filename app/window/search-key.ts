// How names are compared with what somebody typed: without case, accents and normalisation form.

/** The same for `Résumé` in either form, `resume` and `RESUME`. */
export function searchKey(text: string): string {
  if (/^[\0-\x7f]*$/u.test(text)) return text.toUpperCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase().normalize('NFC');
}

/** What was typed, as keys of its words; none for white space. */
export function searchWords(text: string): string[] {
  return [...new Set(searchKey(text).split(/\s+/u))].filter((word) => word !== '');
}

/**
 * How well a name's key fits: 0 begins with the first word, 1 every word begins one of its words, 2 all are somewhere in it;
 * undefined when one is not.
 */
export function searchRank(key: string, words: readonly string[]): 0 | 1 | 2 | undefined {
  let areStarts = true;
  for (const word of words) {
    const at = key.indexOf(word);
    if (at < 0) return undefined;
    areStarts &&= startsWord(key, word, at);
  }
  if (key.startsWith(words[0] ?? '')) return 0;
  return areStarts ? 1 : 2;
}

function startsWord(key: string, word: string, first: number): boolean {
  for (let at = first; at >= 0; at = key.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(key.charAt(at - 1))) return true;
  }
  return false;
}
