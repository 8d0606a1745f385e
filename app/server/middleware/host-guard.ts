// The first thing asked of every request: who sent it, whether it was meant for this host at all, and comes from where it
// may. A web page that points its own name at this machine (DNS rebinding) fails here.

import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { AppError } from '../../contract/errors.ts';
import { createAddressLists } from '../../network/addresses.ts';
import { callerOf, type Client } from '../client-address.ts';
import type { RequestState } from '../request-state.ts';

export interface HostGuardDeps {
  /** Whether a Host header may carry this name or address, given in lower case and without a port. */
  isAllowedHost: (host: string) => boolean;
  /** Whether it was one that editors were given, since the host was started. */
  wasAllowedHost: (host: string) => boolean;
  /** Client addresses and networks; an empty list allows all. The same list for as long as it says the same. */
  allowedAddresses: () => readonly string[];
  /** Proxies whose forwarding headers are believed. The same list for as long as it says the same. */
  trustedProxies: () => readonly string[];
  /** Whether other machines must use HTTPS. */
  isTlsOn: () => boolean;
}

/** Where editors call. Their documents are open under the address of then, which may not be one of this host any more. */
const editorsPath = /^\/wopi\/files\//u;

/** @throws AppError plain-http-refused, host-not-allowed, address-not-allowed */
export function createHostGuard(deps: HostGuardDeps): Middleware<RequestState> {
  const listOf = createAddressLists();
  return (context, next) => {
    const { req } = context;
    const client = callerOf(req, listOf(deps.trustedProxies()));
    // First of all, since the journal shows it whatever comes of the request.
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

/** Every host the request was meant for; undefined for what is none. */
function namedHosts({ host }: Client, { headers, url = '' }: IncomingMessage): (string | undefined)[] {
  const hosts = [hostName(headers.host)];
  // What a trusted proxy was asked for.
  if (host !== headers.host) hosts.push(hostName(host));
  // An absolute request line names a host of its own, which counts for more than the header (RFC 9112 section 3.2.2).
  const named = url.startsWith('/') ? null : /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/iu.exec(url);
  if (named !== null) hosts.push(hostName(named[1]));
  return hosts;
}

/** The name of a Host header without its port; undefined when it is not one. */
export function hostName(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/iu.exec(header ?? '');
  return match?.[1]?.toLowerCase().replace(/\.$/u, '');
}
