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

export interface CheckedRequest {
  client: Client;
  refusal?: AppError;
  /** Refused only because an address changed: the editor of an open document may still call. */
  isFormerAddress?: boolean;
}

/** For a request that Koa doesn't handle, such as the start of a WebSocket. */
export function createHostCheck(deps: HostGuardDeps): (request: IncomingMessage) => CheckedRequest {
  const listOf = createAddressLists();
  const isEver = (host: string): boolean => deps.isAllowedHost(host) || deps.wasAllowedHost(host);
  return (request) => {
    const client = callerOf(request, listOf(deps.trustedProxies()));
    const isPlain = client.isExposed && deps.isTlsOn();
    const hosts = namedHosts(client, request);
    const isAllowed = hosts.every((host) => host !== undefined && deps.isAllowedHost(host));
    const isFormerAddress = isAllowed || hosts.every((host) => host !== undefined && isEver(host));
    const refusal =
      isPlain || !isAllowed ? new AppError(isPlain ? 'plain-http-refused' : 'host-not-allowed') : undefined;
    if (refusal !== undefined && !isFormerAddress) return { client, refusal };
    const allowed = deps.allowedAddresses();
    if (allowed.length > 0 && !listOf(allowed).has(client.clientAddress)) {
      return { client, refusal: new AppError('address-not-allowed') };
    }
    return refusal === undefined ? { client } : { client, refusal, isFormerAddress };
  };
}

/** @throws AppError plain-http-refused, host-not-allowed, address-not-allowed */
export function createHostGuard(deps: HostGuardDeps): Middleware<RequestState> {
  const check = createHostCheck(deps);
  return (context, next) => {
    const { client, refusal, isFormerAddress } = check(context.req);
    // First, because the journal shows it for every request.
    context.state.client = client;
    if (refusal !== undefined) {
      if (refusal.code === 'plain-http-refused') context.set('Connection', 'close');
      if (isFormerAddress !== true || !editorsPath.test(context.req.url ?? '')) throw refusal;
      context.state.refusal = refusal;
    }
    return next();
  };
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
