// The address under which a browser sees the host pages. The host guard has checked the request's headers, and a proxy's headers
// count only if it is trusted; a path prefix is known only from the configured addresses.

import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../contract/errors.ts';

/** Scheme and host as the browser sent them. */
export interface PageClient {
  scheme: 'http' | 'https';
  /** With the port, unless it is the scheme's default. */
  host: string | undefined;
}

/**
 * `https://docs.example/doctray`, without a trailing slash.
 * @param knownBases configured addresses of this host, which may have a path
 */
export function pageBase(
  { scheme, host = 'localhost' }: PageClient,
  knownBases: readonly string[],
  headers: IncomingHttpHeaders = {},
): string {
  const known = knownBases.map((base) => URL.parse(base)).filter((url) => url !== null);
  const origin = URL.parse(headers.origin ?? '');
  // Behind a proxy that DocTray doesn't know of, only the browser knows that it uses TLS.
  const isOurs = origin?.host === host || known.some((url) => url.origin === origin?.origin);
  const own = origin !== null && isOurs ? origin : URL.parse(`${scheme}://${host}`);
  if (own === null) return `${scheme}://${host}`;
  const path = known.find((url) => url.host === own.host)?.pathname.replace(/\/+$/u, '') ?? '';
  return own.origin + path;
}

/**
 * Checks that a POST was sent by a page of this host. The cookie's SameSite attribute can't show it: another port of the same
 * computer, such as an editor's, is the same site.
 * @throws AppError origin-not-allowed
 */
export function requireOwnOrigin(
  headers: IncomingHttpHeaders,
  client: PageClient,
  knownBases: readonly string[],
): void {
  const site = headers['sec-fetch-site'];
  // Browsers send this header on secure connections, and pages can't set it.
  if (site !== undefined) {
    if (site !== 'same-origin') throw new AppError('origin-not-allowed');
    return;
  }
  const own = URL.parse(pageBase(client, knownBases));
  if (own === null || headers.origin !== own.origin) throw new AppError('origin-not-allowed');
}
