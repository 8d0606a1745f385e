// This computer's current names and addresses: a laptop in another network has others.

import { isIP, isIPv4 } from 'node:net';
import { hostname, networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import { canonicalHost, isWildcard } from '../contract/addresses.ts';
import { isLinkLocal, isLoopback } from './addresses.ts';

/** An address that this computer has in one of its networks. */
export interface NetworkAddress {
  address: string;
  interfaceName: string;
}

/** Its name and its addresses, in lower case; IPv6 without brackets. */
export function ownHosts(): string[] {
  return [hostname(), ...interfaceAddresses().map(({ address }) => address)].map((host) =>
    host.toLowerCase(),
  );
}

/** Whether DocTray can listen on it: always on a name or all addresses, on one address only while an interface has it. */
export function isHere(host: string): boolean {
  const wanted = canonicalHost(host);
  if (isIP(wanted) === 0 || isWildcard(wanted) || isLoopback(wanted)) return true;
  return interfaceAddresses().some(({ address }) => canonicalHost(address) === wanted);
}

/** One that others may use when DocTray listens on a wildcard: of the same family, preferably IPv4; else this computer's name. */
export function outerHost(wildcard: string): string {
  const outer = networkAddresses();
  const v4 = outer.find(({ address }) => isIPv4(address));
  return (v4 ?? (canonicalHost(wildcard) === '::' ? outer[0] : undefined))?.address ?? hostname();
}

/** Those that others may use. */
export function networkAddresses(): NetworkAddress[] {
  return interfaceAddresses()
    .filter(({ address, internal }) => !internal && !isLinkLocal(address))
    .map(({ address, interfaceName }) => ({ address, interfaceName }));
}

function interfaceAddresses(): (NetworkInterfaceInfo & NetworkAddress)[] {
  return Object.entries(networkInterfaces()).flatMap(([interfaceName, all]) =>
    (all ?? []).map((info) => ({ ...info, interfaceName })),
  );
}
