// What people read, by key: `t('common.saved')`. `locales/` has one file per language, with ICU messages
// (https://unicode-org.github.io/icu/userguide/format_parse/messages/); the English one has every key, and what another lacks is in
// English. test/unit/contract/locales.test.ts keeps them complete. The log and the answers of the APIs are always in English.

import { IntlMessageFormat } from 'intl-messageformat';
import english from '../../locales/en.json' with { type: 'json' };

export type MessageKey = keyof typeof english;

/** Key → message. */
export type Catalog = Readonly<Record<string, string>>;

export type MessageValues = Readonly<Record<string, string | number | Date>>;

export interface Language {
  /** For dates, numbers and sorting: a BCP 47 tag, with the user's region if it is known. */
  locale: string;
  t(key: MessageKey, values?: MessageValues): string;
  /** The same with values that aren't text, such as elements: the parts in the language's order. */
  parts<Part>(key: MessageKey, values: Readonly<Record<string, string | number | Part>>): (string | Part)[];
}

/**
 * The first of the preferred languages that there is a catalog for, or English.
 * @param preferred the user's languages, best first: `de-AT`, `en`
 * @param catalogOf returns the catalog of a language without a region, such as `de`; undefined if there is none
 */
export function findLanguage(
  preferred: readonly string[],
  catalogOf: (language: string) => Catalog | undefined,
): Language {
  for (const tag of preferred) {
    const language = (tag.split('-')[0] ?? '').toLowerCase();
    const catalog = language === 'en' ? english : catalogOf(language);
    if (catalog !== undefined) return createLanguage(localeOf(tag) ?? language, catalog);
  }
  return inEnglish;
}

/** Browsers and headers have tags that `Intl` rejects, such as `en-US@posix`. */
function localeOf(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

function createLanguage(locale: string, catalog: Catalog): Language {
  const formats = new Map<MessageKey, IntlMessageFormat>();
  const wordsOf = (key: MessageKey): string => catalog[key] ?? english[key];
  const formatOf = (key: MessageKey): IntlMessageFormat => {
    // Tags aren't used, so that a name with < needs no quotes.
    const format =
      formats.get(key) ?? new IntlMessageFormat(wordsOf(key), locale, undefined, { ignoreTag: true });
    formats.set(key, format);
    return format;
  };
  return {
    locale,
    t: (key, values) => (values === undefined ? wordsOf(key) : String(formatOf(key).format(values))),
    parts: <Part>(key: MessageKey, values: Readonly<Record<string, string | number | Part>>) =>
      formatOf(key)
        .formatToParts<Part>(values)
        .map(({ value }) => value),
  };
}

export const inEnglish = createLanguage('en-GB', english);

let chosen = inEnglish;
let current = (): Language => chosen;

/** What `work` says is in English, for the log. It must not be asynchronous. */
export function sayInEnglish<Result>(work: () => Result): Result {
  const before = current;
  current = () => inEnglish;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** The language of this process, before anything is shown. */
export function chooseLanguage(language: Language): void {
  chosen = language;
}

/** @param ofCaller the language of the one who is waiting for what is said now; undefined: nobody is, so it is the process's */
export function followCaller(ofCaller: () => Language | undefined): void {
  current = () => ofCaller() ?? chosen;
}

/** For dates, numbers and sorting: a BCP 47 tag, with the user's region if it is known. */
export function currentLocale(): string {
  return current().locale;
}

/**
 * A message in the user's language.
 * @example t('window.locks-are-stale', { count: 3 })
 */
export function t(key: MessageKey, values?: MessageValues): string {
  return current().t(key, values);
}

/** The same with values that aren't text, such as elements. */
export function messageParts<Part>(
  key: MessageKey,
  values: Readonly<Record<string, string | number | Part>>,
): (string | Part)[] {
  return current().parts(key, values);
}

/** Whether there is such a message, for keys that are put together. */
export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(english, key);
}
