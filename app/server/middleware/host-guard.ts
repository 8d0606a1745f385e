// The first thing asked of every request: whether it was meant for this host at all, and comes from where it may. A web page
// that points its own name at this machine (DNS rebinding) fails here.

import { BlockList, isIP } from 'node:net';
import type { Middleware } from 'koa';
import { AppError } from '../../contract/errors.ts';

export interface HostGuardDeps {
  /** Whether a Host header may carry this name or address, given in lower case and without a port. */
  isAllowedHost: (host: string) => boolean;
  /** Client addresses and networks; an empty list allows all. */
  allowedAddresses: () => readonly string[];
}

export function createHostGuard(deps: HostGuardDeps): Middleware {
  let listed: readonly string[] = [];
  let block = new BlockList();
  return (context, next) => {
    const host = hostName(context.req.headers.host);
    if (host === undefined || !deps.isAllowedHost(host)) throw new AppError('host-not-allowed');
    // An absolute request line names a host of its own, which counts for more than the header (RFC 9112 section 3.2.2).
    const named = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/iu.exec(context.req.url ?? '');
    if (named !== null && !deps.isAllowedHost(hostName(named[1]) ?? ''))
      throw new AppError('host-not-allowed');
    const addresses = deps.allowedAddresses();
    if (addresses.length > 0) {
      if (addresses !== listed) {
        listed = addresses;
        block = blockListOf(addresses);
      }
      if (!isListed(block, context.req.socket.remoteAddress)) throw new AppError('address-not-allowed');
    }
    return next();
  };
}

/** The name of a Host header without its port; undefined when it is not one. */
export function hostName(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/iu.exec(header ?? '');
  return match?.[1]?.toLowerCase().replace(/\.$/u, '');
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

function isListed(list: BlockList, address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}
