// One name for one network peer, so that it cannot get fresh attempts by changing how its address is written: an IPv4
// address mapped into IPv6 is that IPv4 address, and a whole IPv6 /64 is one peer, as any household holds one.

import { isIPv6 } from 'node:net';

export function addressKey(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!isIPv6(bare)) return bare;
  const [head = '', tail] = bare.split('::');
  const groups = splitGroups(head);
  if (tail !== undefined) {
    const end = splitGroups(tail);
    groups.push(...Array<string>(8 - groups.length - end.length).fill('0'), ...end);
  }
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
}

function splitGroups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
