// Everything about IP addresses and host names: formatting, whether one is local, private or in a list, and whether DocTray may
// connect to it. They come from sockets, from headers any client can send, from settings and from name servers.

import { BlockList, isIP, isIPv6 } from 'node:net';
import { withoutBrackets } from '../contract/addresses.ts';

/** An IPv4-mapped IPv6 address as IPv4, without a zone (`%eth0`). */
export function plainAddress(address: string): string {
  const zone = address.indexOf('%');
  const bare = zone < 0 ? address : address.slice(0, zone);
  // In the notation of sockets.
  if (bare.startsWith('::ffff:') && bare.includes('.')) return bare.slice(7);
  if (!/:ffff:/iu.test(bare) || !isIPv6(bare)) return bare;
  const groups = addressGroups(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? ipv4At(groups, 6) : bare;
}

/** Also if it's the scheme's default port. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

/** @param plain see `plainAddress` */
export function isLoopback(plain: string): boolean {
  return plain === '::1' || (plain.startsWith('127.') && isIP(plain) === 4);
}

/** It means something else on every network, and IPv6 needs an interface name with it. */
export function isLinkLocal(plain: string): boolean {
  return /^(?:169\.254\.|fe[89ab][0-9a-f]:)/iu.test(plain);
}

/** Containers refer to their host computer by a name that it doesn't know itself. */
export function isContainerName(host: string): boolean {
  return /^(host|gateway)\.(docker|containers|lima|minikube)\.internal$/u.test(host);
}

/** The host of a URL, in lower case and IPv6 without brackets; empty if invalid. */
export function hostOf(url: string): string {
  return withoutBrackets(URL.parse(url)?.hostname.toLowerCase() ?? '');
}

/** As in a URL: IPv6 in brackets. */
export function formatHost(host: string): string {
  return host.includes(':') ? `[${withoutBrackets(host)}]` : host;
}

/** One key per client, so that limits can't be avoided by writing an address differently: a whole IPv6 /64 is one household. */
export function addressKey(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain.toLowerCase();
  const network = addressGroups(plain).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The eight groups of an IPv6 address without a zone. */
export function addressGroups(address: string): number[] {
  // The URL parser knows all notations, including a trailing IPv4 address.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const start = numbers(head);
  const end = numbers(tail ?? '');
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => 0), ...end];
}

export interface AddressList {
  /** False for an unknown address. */
  has(address: string): boolean;
}

/** `192.168.1.7`, `192.168.1.0/24`, `fd00::/8`. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return false;
  return prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** Entries as accepted by `isAddressOrNetwork`. */
export function addressList(entries: readonly string[]): AddressList {
  if (entries.length === 0) return { has: () => false };
  const list = new BlockList();
  for (const entry of entries) {
    const [written = '', prefix] = entry.split('/');
    const plain = plainAddress(written);
    if (prefix === undefined) list.addAddress(plain, family(plain));
    else {
      const [address = ''] = written.split('%');
      list.addSubnet(address, Number(prefix), family(address));
    }
  }
  return {
    has(address) {
      const plain = plainAddress(address);
      return isIP(plain) !== 0 && list.check(plain, family(plain));
    },
  };
}

/** Parses each list once; a list is identified by being the same array. */
export function createAddressLists(): (entries: readonly string[]) => AddressList {
  const lists = new WeakMap<readonly string[], AddressList>();
  return (entries) => {
    let list = lists.get(entries);
    if (list === undefined) {
      list = addressList(entries);
      lists.set(entries, list);
    }
    return list;
  };
}

/** Addresses and names that no site on the internet can have. @see RFC 1918, RFC 6598, RFC 4193, RFC 6762, RFC 8375 */
export const privateNetworks: readonly string[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
];
export const privateDomains: readonly string[] = ['localhost', 'local', 'internal', 'lan', 'home.arpa'];

/** Whether a host isn't on the internet; names without a dot, and those that only home networks use, count too. */
export function isPrivateHost(host: string): boolean {
  const bare = withoutBrackets(host);
  if (isIP(bare) !== 0) return isLinkLocal(bare) || addressList(privateNetworks).has(bare);
  return (
    !bare.includes('.') || [...privateDomains, 'home', 'test'].some((domain) => bare.endsWith(`.${domain}`))
  );
}

const forbiddenNetworks: readonly string[] = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  // Cloud metadata services outside the link-local range.
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.0/3',
  '::',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  'fd00:ec2::/32',
  'fd20:ce::254',
];

/**
 * Addresses that DocTray never connects to, whatever name resolves to them: link-local ones and those of cloud metadata services.
 * This computer and private networks are allowed: that is where most document servers are.
 * @returns true as well for anything that isn't an address without brackets
 */
export function createForbiddenAddresses(): (address: string) => boolean {
  const list = addressList(forbiddenNetworks);
  return (address) => {
    const plain = plainAddress(address);
    return isIP(plain) === 0 || list.has(plain) || embeddedAddresses(plain).some((one) => list.has(one));
  };
}

/** The IPv4 addresses that a translator, a relay or the system may reach by this IPv6 address. */
function embeddedAddresses(plain: string): string[] {
  if (!isIPv6(plain)) return [];
  const groups = addressGroups(plain);
  const [first = 0, second = 0, third = 0] = groups;
  // 6to4, RFC 3056.
  if (first === 0x2002) return [ipv4At(groups, 1)];
  if (first === 0x64 && second === 0xff9b) {
    // NAT64's well-known prefix has 96 bits; a local one inside its /48 may be shorter. @see RFC 6052 section 2.2, RFC 8215
    return third === 1 ? translatedAddresses(groups) : [ipv4At(groups, 6)];
  }
  // IPv4-compatible, RFC 4291 section 2.5.5.1; `::1` isn't one.
  const isCompatible = groups.slice(0, 6).every((group) => group === 0) && groups[6] !== 0;
  return isCompatible ? [ipv4At(groups, 6)] : [];
}

/** For prefixes of 48, 56, 64 and 96 bits: only zeros follow the address, and it isn't all zeros itself. */
function translatedAddresses(groups: readonly number[]): string[] {
  const bytes = groups.flatMap((group) => [group >> 8, group & 0xff]);
  const places = [
    [6, 7, 9, 10],
    [7, 9, 10, 11],
    [9, 10, 11, 12],
    [12, 13, 14, 15],
  ];
  return places
    .filter((place) => bytes.slice((place[3] ?? 0) + 1).every((byte) => byte === 0))
    .map((place) => place.map((at) => bytes[at] ?? 0).join('.'))
    .filter((address) => address !== '0.0.0.0');
}

/** Of two groups. */
function ipv4At(groups: readonly number[], at: number): string {
  return groups
    .slice(at, at + 2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
