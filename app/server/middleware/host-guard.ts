// The first thing asked of every request: who sent it, whether it was meant for this host at all, and comes from where it
// may. A web page that points its own name at this machine (DNS rebinding) fails here.

import type { Middleware } from 'koa';
import { AppError } from '../../contract/errors.ts';
import { followed } from '../address-list.ts';
import { callerOf } from '../client-address.ts';
import type { RequestState } from '../request-state.ts';

export interface HostGuardDeps {
  /** Whether a Host header may carry this name or address, given in lower case and without a port. */
  isAllowedHost: (host: string) => boolean;
  /** Client addresses and networks; an empty list allows all. The same list for as long as it says the same. */
  allowedAddresses: () => readonly string[];
  /** Proxies whose forwarding headers are believed. The same list for as long as it says the same. */
  trustedProxies: () => readonly string[];
  /** Whether other machines must use HTTPS. */
  isTlsOn: () => boolean;
}

/** @throws AppError plain-http-refused, host-not-allowed, address-not-allowed */
export function createHostGuard(deps: HostGuardDeps): Middleware<RequestState> {
  const trusted = followed(deps.trustedProxies);
  const allowed = followed(deps.allowedAddresses);
  return (context, next) => {
    const { req } = context;
    const client = callerOf(req, trusted());
    // First of all, since the journal shows it whatever comes of the request.
    context.state.client = client;
    if (client.isExposed && deps.isTlsOn()) {
      context.set('Connection', 'close');
      throw new AppError('plain-http-refused');
    }
    requireAllowed(hostName(req.headers.host));
    // What a trusted proxy was asked for.
    if (client.host !== req.headers.host) requireAllowed(hostName(client.host));
    // An absolute request line names a host of its own, which counts for more than the header (RFC 9112 section 3.2.2).
    const named = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/iu.exec(req.url ?? '');
    if (named !== null) requireAllowed(hostName(named[1]));
    if (deps.allowedAddresses().length > 0 && !allowed().has(client.clientAddress)) {
      throw new AppError('address-not-allowed');
    }
    return next();
  };

  function requireAllowed(host: string | undefined): void {
    if (host === undefined || !deps.isAllowedHost(host)) throw new AppError('host-not-allowed');
  }
}

/** The name of a Host header without its port; undefined when it is not one. */
export function hostName(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/iu.exec(header ?? '');
  return match?.[1]?.toLowerCase().replace(/\.$/u, '');
}
