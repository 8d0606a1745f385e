// The languages in `locales/`, for the processes with a file system, and whose language is spoken: a call's answer is in its caller's.

import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLanguage, followCaller, type Catalog, type Language } from './contract/messages.ts';
import { findProjectRoot } from './project-root.ts';

const catalogs = new Map<string, Catalog | undefined>();
const languages = new Map<string, Language>();
const caller = new AsyncLocalStorage<Language>();
followCaller(() => caller.getStore());

/** @param preferred the user's languages, best first: `de-AT`, `en` */
export function languageFor(preferred: readonly string[]): Language {
  const tags = preferred.slice(0, maxTags);
  const key = tags.join();
  const known = languages.get(key);
  if (known !== undefined) return known;
  if (languages.size >= maxLanguages) languages.clear();
  const language = findLanguage(tags, catalogOf);
  languages.set(key, language);
  return language;
}

const maxTags = 10;
/** Of callers, who may send any tags. */
const maxLanguages = 50;

function catalogOf(language: string): Catalog | undefined {
  // What a browser sends must not name a file elsewhere.
  if (!/^[a-z]{2,3}$/u.test(language)) return undefined;
  if (!catalogs.has(language)) catalogs.set(language, readCatalog(language));
  return catalogs.get(language);
}

function readCatalog(language: string): Catalog | undefined {
  try {
    return JSON.parse(
      readFileSync(join(findProjectRoot(), 'locales', `${language}.json`), 'utf8'),
    ) as Catalog;
  } catch {
    return undefined;
  }
}

/** What `work` says, also later, is in the first of these languages that there is. */
export function speaking<Result>(preferred: readonly string[], work: () => Result): Result {
  return caller.run(languageFor(preferred), work);
}

/** The languages in an Accept-Language header, best first: `de-AT,de;q=0.9,en;q=0.8` → `de-AT`, `de`, `en`. */
export function acceptedLanguages(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const weight = parameters.find((one) => /^q=/iu.test(one));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ tag, weight }) => /^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/iu.test(tag) && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
