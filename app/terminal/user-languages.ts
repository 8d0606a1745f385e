// The languages of the user of the terminal.

/** As POSIX says: LC_ALL, LC_MESSAGES or LANG; if macOS or Windows doesn't set them, the system's. Empty for `C` and `POSIX`. */
export function userLanguages(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const { LC_ALL, LC_MESSAGES, LANG } = env;
  const named = [LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value !== '');
  if (named === undefined && (platform === 'win32' || platform === 'darwin'))
    return [new Intl.DateTimeFormat().resolvedOptions().locale];
  // `de_AT.UTF-8@euro` is `de-AT`.
  const [, language, region] = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@]|$)/u.exec(named ?? '') ?? [];
  if (language === undefined) return [];
  return [region === undefined ? language : `${language}-${region}`];
}
