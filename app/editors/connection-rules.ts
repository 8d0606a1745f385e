// Which addresses a document server may have, and whose certificates are trusted. A name may resolve to anything, so the address
// is checked at the moment of the connection.

import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import { createForbiddenAddresses, hostOf } from '../network/addresses.ts';
import { forbiddenFault } from './fetch-faults.ts';

/** All addresses of a name. */
export type LookupAll = (
  name: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface ConnectionRules {
  /** For a URL with an IP address, which is never looked up. @throws EditorFault forbidden */
  check(url: URL): void;
  /** Returns only allowed addresses, so that nothing can change between the check and the connection. */
  lookup: LookupFunction;
}

export function createConnectionRules(lookupAll: LookupAll = lookupBySystem): ConnectionRules {
  const isForbidden = createForbiddenAddresses();
  return {
    check(url) {
      const host = hostOf(url.href);
      if (isIP(host) !== 0 && isForbidden(host)) throw forbiddenFault(url.hostname);
    },
    lookup(name, options, done) {
      lookupAll(name, (error, addresses) => {
        const allowed = (addresses ?? []).filter(({ address }) => !isForbidden(address));
        const [first] = allowed;
        if (error !== null) done(error, '', 0);
        else if (first === undefined) done(forbiddenFault(name), '', 0);
        else if (options.all === true) done(null, allowed);
        else done(null, first.address, first.family);
      });
    },
  };
}

let trusted: Promise<SecureContext> | undefined;

/**
 * Trusts the system's authorities too: a company's, or one created for a document server at home. Read once, because it takes long;
 * changes need a restart.
 */
export function trustedContext(): Promise<SecureContext> {
  return (trusted ??= readTrusted());
}

async function readTrusted(): Promise<SecureContext> {
  const { createSecureContext, getCACertificates } = await import('node:tls');
  try {
    return createSecureContext({ ca: [...getCACertificates('default'), ...getCACertificates('system')] });
  } catch {
    return createSecureContext(); // the system's store can't be read: use the bundled ones
  }
}

function lookupBySystem(...[name, done]: Parameters<LookupAll>): void {
  systemLookup(name, { all: true }, done);
}
