// Whether a page's own headers allow it in a frame. A document server that forbids it shows an empty frame, and browsers show the
// reason only in their developer tools.

import type { IncomingHttpHeaders } from 'node:http';
import { portOf } from '../network/addresses.ts';

/**
 * @param pageUrl of the page in the frame.
 * @param withinOrigin of the page around it.
 */
export function allowsFraming(headers: IncomingHttpHeaders, pageUrl: string, withinOrigin: string): boolean {
  const page = new URL(pageUrl);
  const within = new URL(withinOrigin);
  const policies = listOf(headers['content-security-policy'])
    .flatMap((header) => header.split(','))
    .map(frameAncestors)
    .filter((sources) => sources !== undefined);
  // With such a policy, browsers ignore the older header.
  if (policies.length > 0) {
    return policies.every((sources) => sources.some((source) => matches(source, page, within)));
  }
  const older = listOf(headers['x-frame-options']).join(',').trim().toLowerCase();
  if (older === 'deny') return false;
  return older === 'sameorigin' ? page.origin === within.origin : true;
}

function frameAncestors(policy: string): string[] | undefined {
  const directive = policy
    .split(';')
    .map((part) => part.trim().split(/\s+/u))
    .find(([name = '']) => name.toLowerCase() === 'frame-ancestors');
  return directive?.slice(1);
}

const hostSource =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(\d+|\*))?(?:\/.*)?$/iu;

function matches(source: string, page: URL, within: URL): boolean {
  const wanted = source.toLowerCase();
  if (wanted === '*') return true;
  if (wanted === "'none'") return false;
  if (wanted === "'self'") return page.origin === within.origin;
  const scheme = /^([a-z][a-z0-9+.-]*):$/u.exec(wanted)?.[1];
  if (scheme !== undefined) return isScheme(scheme, within);
  const match = hostSource.exec(wanted);
  // An unknown syntax: the browser decides.
  if (match === null) return true;
  const [, givenScheme, host = '', port] = match;
  if (!isScheme(givenScheme ?? page.protocol.slice(0, -1), within)) return false;
  const isHost =
    host === '*' ||
    host === within.hostname ||
    (host.startsWith('*.') && within.hostname.endsWith(host.slice(1)));
  const usual = portOf({ port: '', protocol: within.protocol });
  return isHost && (port === '*' || portOf(within) === (port ?? usual));
}

/** HTTPS also matches `http:` sources. */
function isScheme(scheme: string, { protocol }: URL): boolean {
  return protocol === `${scheme}:` || (scheme === 'http' && protocol === 'https:');
}

function listOf(header: string | string[] | undefined): string[] {
  return header === undefined ? [] : [header].flat();
}
