// What this computer is called on its networks, as the system has it at this moment: a laptop elsewhere has other addresses.

import { isIP, isIPv4 } from 'node:net';
import { hostname, networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import { isLinkLocal, isLoopback, isWildcard } from './addresses.ts';

/** Its name and its addresses, in lower case; IPv6 without brackets. */
export function ownHosts(): string[] {
  return [hostname(), ...interfaceAddresses().map(({ address }) => address)].map((host) =>
    host.toLowerCase(),
  );
}

/** Whether it can be listened on: a name and all addresses always can, one address while an interface has it. */
export function isHere(host: string): boolean {
  if (isIP(host) === 0 || isWildcard(host) || isLoopback(host)) return true;
  return ownHosts().includes(host.toLowerCase());
}

/** One that others may know, where a wildcard is listened on: of its family, rather IPv4; else this computer's name. */
export function outerHost(wildcard: string): string {
  const outer = interfaceAddresses().filter(({ address, internal }) => !internal && !isLinkLocal(address));
  const v4 = outer.find(({ address }) => isIPv4(address));
  return (v4 ?? (wildcard === '::' ? outer[0] : undefined))?.address ?? hostname();
}

function interfaceAddresses(): NetworkInterfaceInfo[] {
  return Object.values(networkInterfaces()).flatMap((all) => all ?? []);
}
