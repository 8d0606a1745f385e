// The headers of every page: no caching, no inline scripts, no framing, no referrer.

/** What a page may do besides showing text in the host's own style. */
export interface PageRights {
  /** The page runs the host's own script, which calls the host. */
  hasScript?: boolean;
  /** Origins that may be shown in the page's frame. */
  frames?: readonly string[];
  /** Where its forms may be submitted; 'self' is the host itself. */
  forms?: readonly ('self' | (string & {}))[];
}

export function pageHeaders(rights: PageRights = {}): Record<string, string> {
  const { hasScript = false, frames = [], forms = [] } = rights;
  const self = hasScript ? "'self'" : "'none'";
  const formSources = forms.map((origin) => (origin === 'self' ? "'self'" : cspSource(origin)));
  const policy = [
    "default-src 'none'",
    `script-src ${self}`,
    `connect-src ${self}`,
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `frame-src ${list(frames.map(cspSource))}`,
    `form-action ${list(formSources)}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy.join('; '),
    // A form that is submitted to the host itself needs its Origin, which depends on the referrer policy.
    'Referrer-Policy': forms.length === 1 && forms[0] === 'self' ? 'same-origin' : 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

function list(sources: readonly string[]): string {
  return sources.length === 0 ? "'none'" : [...new Set(sources)].join(' ');
}

/** The CSP grammar has no IPv6 addresses: for those, only the scheme can be allowed. */
export function cspSource(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return hostname.startsWith('[') ? protocol : origin;
}
