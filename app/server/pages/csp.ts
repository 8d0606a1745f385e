// The headers of every page: nothing is kept, nothing inline runs, nobody frames it, no address leaks to anybody.

/** What a page may do besides showing text by the host's own style. */
export interface PageRights {
  /** The page runs the host's own script, which calls the host. */
  hasScript?: boolean;
  /** Origins that the page's frame may show. */
  frames?: readonly string[];
  /** Where its forms may be sent; 'self' is the host itself. */
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
    `frame-src ${list(frames.map(cspSource))}`,
    `form-action ${list(formSources)}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy.join('; '),
    // A form that is sent to the host itself needs its Origin, which goes with the referrer.
    'Referrer-Policy': forms.length === 1 && forms[0] === 'self' ? 'same-origin' : 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

function list(sources: readonly string[]): string {
  return sources.length === 0 ? "'none'" : [...new Set(sources)].join(' ');
}

/** The grammar of policies has no IPv6 addresses: there the scheme is all that can be said. */
export function cspSource(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return hostname.startsWith('[') ? protocol : origin;
}
