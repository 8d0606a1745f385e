// The first check of every request: who sent it, whether it is meant for this host, and whether its address is allowed. A web
// page that points its own name at this computer (DNS rebinding) fails here.

import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { AppError } from '../../contract/errors.ts';
import { createAddressLists } from '../../network/addresses.ts';
import { callerOf, type Client } from '../client-address.ts';
import type { RequestState } from '../request-state.ts';

export interface HostGuardDeps {
  /** Whether a Host header may contain this name or address, in lower case and without a port. */
  isAllowedHost: (host: string) => boolean;
  /** Whether it was a base address of an editor since the host was started. */
  wasAllowedHost: (host: string) => boolean;
  /** Client addresses and networks; an empty list allows all. The same array while the value is unchanged. */
  allowedAddresses: () => readonly string[];
  /** Proxies whose forwarding headers are trusted. The same array while the value is unchanged. */
  trustedProxies: () => readonly string[];
  /** Whether other computers must use HTTPS. */
  isTlsOn: () => boolean;
}

/** Where editors call. Documents stay open under an address that may no longer be one of this host. */
const editorsPath = /^\/wopi\/files\//u;

/** @throws AppError plain-http-refused, host-not-allowed, address-not-allowed */
export function createHostGuard(deps: HostGuardDeps): Middleware<RequestState> {
  const listOf = createAddressLists();
  return (context, next) => {
    const { req } = context;
    const client = callerOf(req, listOf(deps.trustedProxies()));
    // First, because the journal shows it for every request.
    context.state.client = client;
    const isPlain = client.isExposed && deps.isTlsOn();
    const hosts = namedHosts(client, req);
    const isAllowed = hosts.every((host) => host !== undefined && deps.isAllowedHost(host));
    if (isPlain || !isAllowed) {
      if (isPlain) context.set('Connection', 'close');
      const refusal = new AppError(isPlain ? 'plain-http-refused' : 'host-not-allowed');
      const isFormer = isAllowed || hosts.every((host) => host !== undefined && isEver(host));
      if (!isFormer || !editorsPath.test(req.url ?? '')) throw refusal;
      context.state.refusal = refusal;
    }
    const allowed = deps.allowedAddresses();
    if (allowed.length > 0 && !listOf(allowed).has(client.clientAddress)) {
      throw new AppError('address-not-allowed');
    }
    return next();
  };

  function isEver(host: string): boolean {
    return deps.isAllowedHost(host) || deps.wasAllowedHost(host);
  }
}

/** Every host the request names; undefined for an invalid one. */
function namedHosts({ host }: Client, { headers, url = '' }: IncomingMessage): (string | undefined)[] {
  const hosts = [hostName(headers.host)];
  // The host that a trusted proxy was asked for.
  if (host !== headers.host) hosts.push(hostName(host));
  // An absolute request line names its own host, which overrides the header (RFC 9112 section 3.2.2).
  const named = url.startsWith('/') ? null : /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/iu.exec(url);
  if (named !== null) hosts.push(hostName(named[1]));
  return hosts;
}

/** The name in a Host header without its port; undefined if invalid. */
export function hostName(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/iu.exec(header ?? '');
  return match?.[1]?.toLowerCase().replace(/\.$/u, '');
}
