// The system's language as Chromium finds it on Linux: `de_DE.UTF-8` is `de`.

/** A BCP 47 tag. Chromium has translations for English with a region, and for most other languages without. */
export function systemLocale(env: NodeJS.ProcessEnv): string {
  const given = [env['LANGUAGE'], env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find(
    (value) => value !== undefined && value !== '',
  );
  const [language = '', region] = (given ?? '').split(/[:.@]/u)[0]?.split('_') ?? [];
  if (!/^[a-z]{2,3}$/u.test(language)) return 'en-US';
  return language === 'en' ? `en-${region === undefined || region === 'US' ? 'US' : 'GB'}` : language;
}
