// Chromium doesn't support custom schemes here, so it gets `https://host.app.standin.test/path` for `app://host/path`: a secure origin
// of its own, like a standard and secure scheme. Everything that comes from Chromium is mapped back.

const suffix = 'standin.test';

export interface SchemeAlias {
  register(scheme: string): void;
  isRegistered(scheme: string): boolean;
  schemes(): string[];
  toChromium(text: string): string;
  fromChromium(text: string): string;
  /** The same for a Content-Security-Policy, where `app:` means the whole scheme. */
  policyToChromium(policy: string): string;
  isAlias(url: string): boolean;
  pattern: string;
}

export function createSchemeAlias(): SchemeAlias {
  const schemes = new Set<string>();
  let forward: RegExp | undefined;
  const backward = new RegExp(
    `https://([a-z0-9_.-]+?)\\.([a-z][a-z0-9-]*)\\.${suffix.replace('.', '\\.')}`,
    'gi',
  );

  return {
    register(scheme) {
      schemes.add(scheme);
      forward = new RegExp(`\\b(${[...schemes].join('|')})://([a-z0-9_-][a-z0-9_.-]*)`, 'gi');
    },
    isRegistered: (scheme) => schemes.has(scheme),
    schemes: () => [...schemes],
    toChromium: (text) =>
      forward
        ? text.replace(
            forward,
            (_whole, scheme: string, host: string) => `https://${host}.${scheme.toLowerCase()}.${suffix}`,
          )
        : text,
    fromChromium: (text) =>
      text.replace(backward, (_whole, host: string, scheme: string) => `${scheme}://${host}`),
    policyToChromium(policy) {
      const hosts = forward
        ? policy.replace(
            forward,
            (_whole, scheme: string, host: string) => `https://${host}.${scheme.toLowerCase()}.${suffix}`,
          )
        : policy;
      return [...schemes].reduce(
        (text, scheme) =>
          text.replace(
            new RegExp(`(^|[\\s;])${scheme}:(?=[\\s;]|$)`, 'g'),
            `$1https://*.${scheme}.${suffix}`,
          ),
        hosts,
      );
    },
    isAlias: (url) => /^https:\/\/[^/]+\.standin\.test(\/|$|\?|#)/i.test(url),
    pattern: `https://*.${suffix}/*`,
  };
}
