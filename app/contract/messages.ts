// The language of this process: every sentence a person sees in the window, the tray and on pages is an ICU message
// (https://unicode-org.github.io/icu/userguide/format_parse/messages/). The English message is written where it is used and is the key
// of the other languages' catalogs, so code reads as what it shows. test/unit/contract/catalogs.test.ts keeps the catalogs complete.

import { IntlMessageFormat } from 'intl-messageformat';
import { createTranslator } from './translator.ts';

/** English message → the same message in another language. */
export type Catalog = Readonly<Record<string, string>>;

export type MessageValues = Readonly<Record<string, string | number | Date>>;

const english = 'en-GB';
let locale = english;
const noCatalog: Catalog = {};
let catalog = noCatalog;
let sentences = noCatalog;
let translate: ((text: string) => string) | undefined;
let formats = new Map<string, IntlMessageFormat>();

/**
 * Chooses the language, before anything is shown.
 * @param preferred the user's languages, best first: `de-AT`, `en`
 * @param catalogs by language: `de`
 * @param sentencesOfOthers by language, what `translated` knows: only what other processes send. A message of the window such as
 *   `{shown} of {all}` would otherwise rewrite names and paths in what they send.
 */
export function chooseLanguage(
  preferred: readonly string[],
  catalogs: Readonly<Record<string, Catalog>>,
  sentencesOfOthers: Readonly<Record<string, Catalog>> = catalogs,
): void {
  const languageOf = (tag: string): string => tag.split('-')[0] ?? '';
  const chosen = preferred.find(
    (tag) => languageOf(tag) === 'en' || Object.hasOwn(catalogs, languageOf(tag)),
  );
  locale = chosen ?? english;
  catalog = catalogs[languageOf(locale)] ?? noCatalog;
  sentences = sentencesOfOthers[languageOf(locale)] ?? noCatalog;
  translate = undefined;
  formats = new Map();
}

/** For dates, numbers and sorting: a BCP 47 tag, with the user's region if it is known. */
export function currentLocale(): string {
  return locale;
}

/**
 * A message in the user's language.
 * @example t('{count, plural, one {# lock is stale} other {# locks are stale}}', { count: 3 })
 */
export function t(message: string, values?: MessageValues): string {
  const words = catalog[message] ?? message;
  return values === undefined ? words : String(formatOf(words).format(values));
}

/**
 * What another process sent, perhaps in English: in the user's language as far as the catalog has its sentences, also with values
 * in them. It's for text that is shown as it comes, never for a name or a path.
 */
export function translated(text: string): string {
  if (text === '' || sentences === noCatalog) return text;
  translate ??= createTranslator(sentences);
  return translate(withoutCommands(text));
}

/** Whether the user's language isn't the one that the messages are written in. */
export function hasCatalog(): boolean {
  return catalog !== noCatalog;
}

/** Without the hints for the terminal, such as ` (\`editors refresh\`)`, which the window and pages don't show. */
export function withoutCommands(text: string): string {
  return text.replaceAll(/ \([^()`]*`[^()]*\)/gu, '');
}

/** The same with values that aren't text, such as elements: the parts in the language's order. */
export function messageParts<Part>(
  message: string,
  values: Readonly<Record<string, string | number | Part>>,
): (string | Part)[] {
  const parts = formatOf(catalog[message] ?? message).formatToParts<Part>(values);
  return parts.map(({ value }) => value);
}

function formatOf(words: string): IntlMessageFormat {
  const known = formats.get(words);
  if (known !== undefined) return known;
  // Tags aren't used, so that a name with < needs no quotes.
  const format = new IntlMessageFormat(words, locale, undefined, { ignoreTag: true });
  formats.set(words, format);
  return format;
}
