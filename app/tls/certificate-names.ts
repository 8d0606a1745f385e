// The names and addresses a certificate of the local authority is for: whatever an editor or a browser may call this host by.

import { isIP } from 'node:net';
import { hostOf, isLinkLocal, isWildcard } from '../network/addresses.ts';
import { plainName } from './key-and-certificate.ts';

export interface CertificateNamesInput {
  /** This computer's name and addresses. */
  ownHosts: readonly string[];
  /** Every address under which an editor reaches this host. */
  baseUrls: readonly string[];
  allowedHosts: readonly string[];
}

const dnsName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/u;
/** More than any machine has; what settings and networks bring is not bounded otherwise. */
const maxNames = 200;

/** In lower case, sorted, each once. */
export function certificateNames(input: CertificateNamesInput): string[] {
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    // how containers call the machine they run on
    'host.docker.internal',
    ...input.baseUrls.map(hostOf),
    ...input.allowedHosts,
    ...input.ownHosts,
  ].map((name) => plainName(name.replace(/\.$/u, '')));
  return [...new Set(names.filter(isName))].slice(0, maxNames).toSorted();
}

function isName(name: string): boolean {
  if (isIP(name) === 6 && isLinkLocal(name)) return false;
  if (isIP(name) !== 0) return !isWildcard(name);
  return dnsName.test(name);
}
