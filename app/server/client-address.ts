// Who sent a request, and under which address they know this host. Everybody may write forwarding headers: they are believed
// from a configured proxy alone. From anybody else they say only that something stands in between, and that the request may
// not pass for one of this machine's own user.

import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import {
  isLoopback,
  isLoopbackHost,
  plainAddress,
  withoutBrackets,
  type AddressList,
} from '../network/addresses.ts';

export interface Client {
  /** IPv4 as such; empty where it cannot be told, as of a connection that is gone. */
  clientAddress: string;
  scheme: 'http' | 'https';
  /** Name and port as the caller wrote them. */
  host: string | undefined;
  /** The port of `host` is the one this came in by, or a trusted proxy wrote it. */
  isOwnPort: boolean;
  /** By a proxy, a trusted one or not. */
  isForwarded: boolean;
  /** Nobody but this machine can have sent it, and it was not sent for somebody else. */
  isThisMachine: boolean;
  /** What lies on the wire can be read on the way: plain HTTP that came from another machine. */
  isExposed: boolean;
}

/** Whatever a proxy or a tunnel adds; more than is read. */
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

/** Who sent the last request of a connection directly: the next one is mostly the same. */
const directClients = new WeakMap<Socket, Client>();

export function callerOf(request: IncomingMessage, trusted: AddressList): Client {
  const { socket, headers, url = '' } = request;
  // nginx speaks HTTP/1.0 to what lies behind it unless told otherwise, and then nothing else gives it away.
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
    isForwarded,
    isThisMachine: isNear && !isForwarded && isOwnHost(request, own),
    isExposed: !isEncrypted && !isNear,
  };
  // Without an address the connection is gone.
  if (isPlain && peer !== '') directClients.set(socket, direct);
  if (!isForwarded || !trusted.has(peer)) return direct;

  const hops = entriesOf(headers['x-forwarded-for']).map(hopAddress);
  // From the right, since only what a trusted proxy wrote is true: the first that is none of them.
  const stranger = hops.findLastIndex((hop) => !trusted.has(hop));
  const place = Math.max(0, stranger);
  const said = (name: string): string | undefined => {
    const all = entriesOf(headers[name]);
    // A chain of proxies may have noted each hop; what only one of them said is said of the client.
    return all.length === hops.length ? all[place] : all.at(-1);
  };
  const scheme = said('x-forwarded-proto')?.toLowerCase();
  return {
    ...direct,
    clientAddress: hops[place] ?? peer,
    scheme: scheme === 'http' || scheme === 'https' ? scheme : direct.scheme,
    host: said('x-forwarded-host') ?? direct.host,
    isOwnPort: true,
  };
}

function portOf(host = '', isEncrypted: boolean): number {
  const colon = host.lastIndexOf(':');
  const hasPort = colon > host.lastIndexOf(']');
  return hasPort && colon >= 0 ? Number(host.slice(colon + 1)) : isEncrypted ? 443 : 80;
}

/** Without a port, which some proxies add; empty where it is no address. */
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

/** A tunnel's program runs on this machine too, but asks for the name it is known by. */
function isOwnHost({ headers, url = '' }: IncomingMessage, own: string): boolean {
  const host = (headers.host ?? '')
    .toLowerCase()
    .replace(/:\d{1,5}$/u, '')
    .replace(/\.$/u, '');
  return url.startsWith('/') && (isLoopbackHost(host) || (own !== '' && withoutBrackets(host) === own));
}
