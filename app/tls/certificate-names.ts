// The names and addresses for a certificate of the local authority: everything an editor or a browser may use for this host.

import { isIP } from 'node:net';
import { isWildcard } from '../contract/addresses.ts';
import { hostOf, isLinkLocal } from '../network/addresses.ts';
import { plainName } from './key-and-certificate.ts';

export interface CertificateNamesInput {
  /** This computer's name and addresses. */
  ownHosts: readonly string[];
  /** Every base address of an editor. */
  baseUrls: readonly string[];
  allowedHosts: readonly string[];
}

const dnsName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/u;
/** More than any computer has; settings and networks don't limit it otherwise. */
const maxNames = 200;

/** In lower case, sorted, without duplicates. */
export function certificateNames(input: CertificateNamesInput): string[] {
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    // how containers refer to this computer
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
