// Chromium doesn't support custom schemes here, so it gets `https://host.app.standin.test/path` for `app://host/path`: a secure origin
// of its own, like a standard and secure scheme. Everything that comes from Chromium is mapped back.

export function createSchemeAlias() {
  const schemes = new Set<string>();
  return {
    register: (scheme: string) => void schemes.add(scheme),
    isRegistered: (scheme: string) => schemes.has(scheme),
    /** Of addresses in any text, such as a Content-Security-Policy. */
    toChromium: (text: string): string =>
      [...schemes].reduce(
        (all, scheme) =>
          all.replace(
            new RegExp(`\\b${scheme}://([a-z0-9_-][a-z0-9_.-]*)`, 'gi'),
            `https://$1.${scheme}.standin.test`,
          ),
        text,
      ),
    fromChromium: (text: string): string =>
      text.replace(/https:\/\/([a-z0-9_.-]+?)\.([a-z][a-z0-9-]*)\.standin\.test/gi, '$2://$1'),
    isAlias: (url: string) => /^https:\/\/[^/]+\.standin\.test(\/|$|\?|#)/i.test(url),
    pattern: 'https://*.standin.test/*',
  };
}
