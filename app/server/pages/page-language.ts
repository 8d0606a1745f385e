// A page is in its reader's language, not in this process's: each request names the browser's languages.

export interface PageLanguage {
  /** For the page's `lang`. */
  tag: 'en' | 'de';
  /** A message of the pages. */
  t: (message: string) => string;
  /** A sentence of the host, with its values in it. */
  translated: (sentence: string) => string;
}

const unchanged = (text: string): string => text;
const english: PageLanguage = { tag: 'en', t: unchanged, translated: unchanged };
let german: Promise<PageLanguage> | undefined;

/** The first of the browser's languages that the pages have, as their scripts choose it. */
export async function pageLanguage(acceptLanguage: string | undefined): Promise<PageLanguage> {
  const chosen = languagesIn(acceptLanguage ?? '').find((language) => language === 'en' || language === 'de');
  if (chosen !== 'de') return english;
  try {
    return await (german ??= loadGerman());
  } catch {
    // For example, because of too many open files. The next page tries again.
    german = undefined;
    return english;
  }
}

/** Imported when it's first needed, so that it doesn't slow down the start. */
async function loadGerman(): Promise<PageLanguage> {
  const [{ createTranslator }, { pagesGerman }] = await Promise.all([
    import('../../contract/translator.ts'),
    import('./german.ts'),
  ]);
  const translated = createTranslator(pagesGerman);
  return { tag: 'de', t: translated, translated };
}

/** `de-AT,de;q=0.9,en;q=0.8` → `de`, `de`, `en` */
function languagesIn(header: string): string[] {
  const weighted = header
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/u);
      const weight = parameters.find((one) => one.startsWith('q='));
      return {
        language: tag.split('-')[0] ?? '',
        weight: weight === undefined ? 1 : Number(weight.slice(2)),
      };
    });
  return weighted
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language);
}
