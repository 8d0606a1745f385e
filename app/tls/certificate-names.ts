// The names and addresses a certificate of the local authority is for: whatever an editor or a browser may call this host by.

import { isIP } from 'node:net';
import type { networkInterfaces } from 'node:os';
import { plainName } from './key-and-certificate.ts';

export interface CertificateNamesInput {
  hostname: string;
  interfaces: ReturnType<typeof networkInterfaces>;
  /** Every address under which an editor reaches this host. */
  baseUrls: readonly string[];
  allowedHosts: readonly string[];
}

const dnsName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/u;
/** More than any machine has; what settings and networks bring is not bounded otherwise. */
const maxNames = 200;

/** In lower case, sorted, each once. */
export function certificateNames(input: CertificateNamesInput): string[] {
  const addresses = Object.values(input.interfaces)
    .flatMap((all) => all ?? [])
    .map(({ address }) => address);
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    // how containers call the machine they run on
    'host.docker.internal',
    input.hostname,
    ...input.baseUrls.map((url) => URL.parse(url)?.hostname.replaceAll(/[[\]]/gu, '') ?? ''),
    ...input.allowedHosts,
    ...addresses,
  ].map((name) => plainName(name.replace(/\.$/u, '')));
  return [...new Set(names.filter(isName))].slice(0, maxNames).toSorted();
}

/** Link-local addresses mean something else on every network, and stand in no address without the name of an interface. */
function isName(name: string): boolean {
  if (isIP(name) !== 0) return !/^fe[89ab]/u.test(name) && name !== '0.0.0.0' && name !== '::';
  return dnsName.test(name);
}
