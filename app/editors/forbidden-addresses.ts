// Addresses that are never connected to, whatever name leads there: link-local ones and those where cloud machines keep
// their secrets. This machine and private networks are allowed: that is where most document servers are.
// @see behaviour page section 8

import { BlockList, isIP } from 'node:net';

const networks: readonly (readonly [address: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  // Metadata of clouds outside the link-local range.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['224.0.0.0', 3],
  ['::', 128],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  // Link-local IPv4 by way of NAT64 and 6to4.
  ['64:ff9b::a9fe:0', 112],
  ['2002:a9fe::', 32],
];

/** @returns whether an address, without brackets, must not be connected to; true as well for what is no address. */
export function createForbiddenAddresses(): (address: string) => boolean {
  const list = new BlockList();
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, family(address));
  return (address) => {
    const [plain = ''] = address.split('%');
    return isIP(plain) === 0 || list.check(plain, family(plain));
  };
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
