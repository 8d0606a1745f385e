// What a host name or an address refers to, whatever its notation. Without `node:net`, which the window doesn't have.

/**
 * A host in the only notation that the URL standard has for it: lower case, IPv6 without brackets and zone, an IPv4-mapped address as
 * IPv4. Empty if it's neither a name nor an address.
 */
export function canonicalHost(host: string): string {
  const [bare = ''] = withoutBrackets(host).split('%');
  if (!/^[\w.:-]+$/u.test(bare)) return '';
  const url = URL.parse(`http://${bare.includes(':') ? `[${bare}]` : bare}`);
  const canonical = withoutBrackets(url?.hostname ?? '');
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/u.exec(canonical);
  if (mapped === null) return canonical;
  const groups = mapped.slice(1).map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

/** Whether a host refers to the computer that uses it. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|::1|127(?:\.\d+){3})$/u.test(canonicalHost(host));
}

/** Browsers don't show an HTTP page inside an HTTPS page, unless it is from their own computer. @param within the outer page's address */
export function isMixedContent(address: string, within: string): boolean {
  const { protocol, hostname } = new URL(address);
  return within.startsWith('https:') && protocol === 'http:' && !isLoopbackHost(hostname);
}

/** All addresses of a computer, as a listening address. */
export function isWildcard(host: string): boolean {
  return /^(?:0\.0\.0\.0|::)$/u.test(canonicalHost(host));
}

export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}
