// Under which address a browser sees the host pages. What a request says of it was checked by the host guard, and a proxy's
// word counts only where the proxy is trusted; a path before the pages is known from the configured addresses alone.

import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../contract/errors.ts';

/** Scheme and host as the browser used them. */
export interface PageClient {
  scheme: 'http' | 'https';
  /** With its port, where it is not the scheme's own. */
  host: string | undefined;
}

/**
 * `https://docs.example/doctray`, without a slash at its end.
 * @param knownBases addresses of this host as they were configured, which may have a path
 */
export function pageBase(
  { scheme, host = 'localhost' }: PageClient,
  knownBases: readonly string[],
  headers: IncomingHttpHeaders = {},
): string {
  const known = knownBases.map((base) => URL.parse(base)).filter((url) => url !== null);
  const origin = URL.parse(headers.origin ?? '');
  // Behind a proxy that nobody told DocTray of, the browser alone knows that it speaks TLS.
  const isOurs = origin?.host === host || known.some((url) => url.origin === origin?.origin);
  const own = origin !== null && isOurs ? origin : URL.parse(`${scheme}://${host}`);
  if (own === null) return `${scheme}://${host}`;
  const path = known.find((url) => url.host === own.host)?.pathname.replace(/\/+$/u, '') ?? '';
  return own.origin + path;
}

/**
 * Whether a POST was sent by a page of this host. The cookie's SameSite does not tell: another port of the same machine, such
 * as an editor's, is the same site.
 * @throws AppError origin-not-allowed
 */
export function requireOwnOrigin(
  headers: IncomingHttpHeaders,
  client: PageClient,
  knownBases: readonly string[],
): void {
  const site = headers['sec-fetch-site'];
  // Browsers send it where they trust the connection, and no page can choose it.
  if (site !== undefined) {
    if (site !== 'same-origin') throw new AppError('origin-not-allowed');
    return;
  }
  const own = URL.parse(pageBase(client, knownBases));
  if (own === null || headers.origin !== own.origin) throw new AppError('origin-not-allowed');
}
