// Lists of addresses and networks as they stand in the settings, made ready to be asked on every request.

import { BlockList, isIP } from 'node:net';

export interface AddressList {
  /** An address that is not known is in no list. */
  has(address: string): boolean;
}

/** Entries like `192.168.1.7`, `192.168.1.0/24` and `2001:db8::/32`; checked by settings-schema.ts before. */
export function addressList(entries: readonly string[]): AddressList {
  if (entries.length === 0) return { has: () => false };
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return {
    has(address) {
      const plain = plainAddress(address);
      const family = isIP(plain);
      return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
    },
  };
}

/** Keeps what `make` gave for a list of the settings until another list is in force. */
export function followed(entries: () => readonly string[]): () => AddressList {
  let of: readonly string[] | undefined;
  let list = addressList([]);
  return () => {
    const now = entries();
    if (now !== of) {
      of = now;
      list = addressList(now);
    }
    return list;
  };
}

/** An IPv4 address that came through an IPv6 socket as itself, and no name of an interface after it. */
export function plainAddress(address: string): string {
  const bare = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  const zone = bare.indexOf('%');
  return zone < 0 ? bare : bare.slice(0, zone);
}

/** `plain`: see `plainAddress`. */
export function isLoopback(plain: string): boolean {
  return plain === '::1' || (plain.startsWith('127.') && isIP(plain) === 4);
}
