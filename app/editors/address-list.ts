// Addresses and networks as the user wrote them, asked at every call.

import { BlockList, isIP } from 'node:net';

/** `192.168.1.7`, `192.168.1.0/24`, `fd00::/8`. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return false;
  return prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** Reads each list once; a list is known again by being the very same array. */
export function createAddressLists(): (entries: readonly string[], address: string) => boolean {
  const lists = new WeakMap<readonly string[], BlockList>();
  return (entries, address) => {
    let list = lists.get(entries);
    if (list === undefined) {
      list = blockListOf(entries);
      lists.set(entries, list);
    }
    const [scoped = ''] = address.split('%');
    const plain = scoped.startsWith('::ffff:') && scoped.includes('.') ? scoped.slice(7) : scoped;
    return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  };
}

function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
