// Opens the port on the configured address, and on loopback too, so that this computer can always reach DocTray.

import { createServer, isIPv4, type Server, type Socket } from 'node:net';
import { AppError, errorCode } from '../contract/errors.ts';
import { isLoopback } from '../network/addresses.ts';

/** How often to look for a port that is free on all addresses. */
const portTries = 10;

export interface Opened {
  server: Server;
  /** As bound. */
  address: string;
  port: number;
}

/**
 * The first is the configured one. `loopbacks`: addresses of this computer to open as well, unless it already covers them.
 * @throws AppError port-taken, address-unavailable, port-forbidden
 */
export async function openServers(
  accept: (socket: Socket) => void,
  at: { host: string; port: number },
  loopbacks?: readonly string[],
): Promise<[Opened, ...Opened[]]> {
  for (let tries = 1; ; tries += 1) {
    const first = await openPort(accept, at);
    const opened: [Opened, ...Opened[]] = [first];
    try {
      for (const host of extraLoopbacks(first.address, loopbacks)) {
        const other = await openIfHere(accept, { host, port: first.port });
        if (other !== undefined) opened.push(other);
      }
      return opened;
    } catch (error) {
      await Promise.all(opened.map(({ server }) => closeServer(server)));
      const isTaken = error instanceof AppError && error.code === 'port-taken';
      if (!isTaken || at.port !== 0 || tries === portTries) throw error;
    }
  }
}

function extraLoopbacks(address: string, wanted: readonly string[] | undefined): readonly string[] {
  // `::` accepts IPv4 too.
  if (address === '::') return [];
  if (wanted !== undefined) {
    return wanted.filter((one) => one !== address && !(address === '0.0.0.0' && isIPv4(one)));
  }
  return isLoopback(address) || address === '0.0.0.0' ? [] : ['127.0.0.1'];
}

/** Undefined if this computer doesn't have the address, such as `::1` without IPv6. */
async function openIfHere(
  accept: (socket: Socket) => void,
  at: { host: string; port: number },
): Promise<Opened | undefined> {
  try {
    return await openPort(accept, at);
  } catch (error) {
    if (error instanceof AppError && error.code === 'address-unavailable') return undefined;
    throw error;
  }
}

/** @throws AppError port-taken, port-forbidden, address-unavailable */
export function openPort(
  accept: (socket: Socket) => void,
  { host, port }: { host: string; port: number },
): Promise<Opened> {
  return new Promise((resolve, reject) => {
    // The same options as an HTTP server's.
    const server = createServer({ allowHalfOpen: true, noDelay: true }, accept);
    server.once('error', (error) => {
      const code = errorCode(error);
      if (code === 'EADDRINUSE') reject(new AppError('port-taken', { cause: error, detail: String(port) }));
      else if (code === 'EACCES') {
        reject(new AppError('port-forbidden', { cause: error, detail: String(port) }));
      } else if (['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EINVAL'].includes(code)) {
        reject(new AppError('address-unavailable', { cause: error, detail: host }));
      } else reject(error);
    });
    server.listen({ host, port }, () => {
      const bound = server.address();
      resolve(
        typeof bound === 'object' && bound !== null
          ? { server, address: bound.address, port: bound.port }
          : { server, address: host, port },
      );
    });
  });
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
