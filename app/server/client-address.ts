// Finds out who sent a request, and under which address the client knows this host. Any client can send forwarding headers: they
// are trusted only from a configured proxy. From others they show only that there is a proxy in between, so the request doesn't
// count as local.

import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { isLoopbackHost, withoutBrackets } from '../contract/addresses.ts';
import { isLoopback, plainAddress, type AddressList } from '../network/addresses.ts';

export interface Client {
  /** IPv4-mapped addresses as IPv4; empty if unknown, as for a closed connection. */
  clientAddress: string;
  scheme: 'http' | 'https';
  /** Host name and port as the client sent them. */
  host: string | undefined;
  /** The port of `host` is the one this request arrived on, or a trusted proxy set it. */
  isOwnPort: boolean;
  /** Only this computer can have sent it, and not on behalf of another. */
  isThisComputer: boolean;
  /** Others can read it on the network: plain HTTP from another computer. */
  isExposed: boolean;
}

/** Headers that proxies and tunnels add; more than are evaluated. */
const forwardingHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'via',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-real-ip',
  'cf-connecting-ip',
] as const;

/** The client of a connection's last direct request: usually the same for the next one. */
const directClients = new WeakMap<Socket, Client>();

/** `trusted`: the proxies whose forwarding headers count. */
export function callerOf(request: IncomingMessage, trusted: AddressList): Client {
  const { socket, headers, url = '' } = request;
  // By default, nginx speaks HTTP/1.0 to its upstream, and sends nothing else that shows it.
  const isForwarded = request.httpVersionMinor === 0 || forwardingHeaders.some((name) => name in headers);
  const isPlain = !isForwarded && url.startsWith('/');
  const known = isPlain ? directClients.get(socket) : undefined;
  if (known !== undefined && known.host === headers.host) return known;
  const peer = plainAddress(socket.remoteAddress ?? '');
  const own = plainAddress(socket.localAddress ?? '');
  const isEncrypted = 'encrypted' in socket && socket.encrypted === true;
  const isNear = peer !== '' && (isLoopback(peer) || peer === own);
  const direct: Client = {
    clientAddress: peer,
    scheme: isEncrypted ? 'https' : 'http',
    host: headers.host,
    isOwnPort: portOf(headers.host, isEncrypted) === socket.localPort,
    isThisComputer: isNear && !isForwarded && isOwnHost(request, own),
    isExposed: !isEncrypted && !isNear,
  };
  // Without an address, the connection is closed.
  if (isPlain && peer !== '') directClients.set(socket, direct);
  if (!isForwarded || !trusted.has(peer)) return direct;

  const hops = entriesOf(headers['x-forwarded-for']).map(hopAddress);
  // From the right, since only what a trusted proxy wrote is true: the first address that isn't one.
  const lastUntrusted = hops.findLastIndex((hop) => !trusted.has(hop));
  const clientIndex = Math.max(0, lastUntrusted);
  const forwardedValue = (name: string): string | undefined => {
    const all = entriesOf(headers[name]);
    // Each proxy in a chain may have added a value; a single value describes the client.
    return all.length === hops.length ? all[clientIndex] : all.at(-1);
  };
  const scheme = forwardedValue('x-forwarded-proto')?.toLowerCase();
  return {
    ...direct,
    clientAddress: hops[clientIndex] ?? peer,
    scheme: scheme === 'http' || scheme === 'https' ? scheme : direct.scheme,
    host: forwardedValue('x-forwarded-host') ?? direct.host,
    isOwnPort: true,
  };
}

function portOf(host = '', isEncrypted: boolean): number {
  const colon = host.lastIndexOf(':');
  const hasPort = colon > host.lastIndexOf(']');
  return hasPort && colon >= 0 ? Number(host.slice(colon + 1)) : isEncrypted ? 443 : 80;
}

/** Without a port, which some proxies add; empty if it isn't an address. */
function hopAddress(entry: string): string {
  const match = /^\[([0-9a-f:.]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/iu.exec(entry);
  const plain = plainAddress(match?.[1] ?? match?.[2] ?? entry);
  return isIP(plain) === 0 ? '' : plain;
}

function entriesOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  const text = Array.isArray(header) ? header.join(',') : header;
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** A tunnel's program also runs on this computer, but requests the public name. */
function isOwnHost({ headers, url = '' }: IncomingMessage, own: string): boolean {
  const host = (headers.host ?? '')
    .toLowerCase()
    .replace(/:\d{1,5}$/u, '')
    .replace(/\.$/u, '');
  return url.startsWith('/') && (isLoopbackHost(host) || (own !== '' && withoutBrackets(host) === own));
}
