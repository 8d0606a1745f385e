// The listener: opens the port, bounds what one connection may take, and closes without cutting off a save.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { AppError } from '../contract/errors.ts';
import { diskErrorCode } from '../files/disk-error.ts';

/** Resolves when nothing is left to do for the request, also where its connection was cut. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Listener {
  /** Address and port that were opened, as a URL without a final '/'. */
  baseUrl: string;
  port: number;
  /**
   * Takes no new connections, lets running requests finish, and cuts what is left after that time; resolves when the cut
   * ones have cleared up after themselves too.
   */
  close(limitMs: number): Promise<void>;
  /** Running requests get only that long from now on. */
  cutWithin(limitMs: number): void;
}

/** Silence on a connection, in the middle of an upload too, for which it is given up. */
const idleMs = 120_000;
/** Far more than editors need, far fewer than the descriptors of the process. */
const maxConnections = 512;

/** @throws AppError port-taken, address-unavailable */
export async function listen(handler: Handler, at: { host: string; port: number }): Promise<Listener> {
  const running = new Set<Promise<void>>();
  /** Open connections, with the number of requests that run on each. */
  const connections = new Map<Socket, number>();
  const server = createServer(
    { requestTimeout: 0, headersTimeout: 20_000, keepAliveTimeout: 65_000 },
    (request, response) => {
      const { socket } = request;
      connections.set(socket, (connections.get(socket) ?? 0) + 1);
      response.once('close', () => {
        if (connections.has(socket)) connections.set(socket, (connections.get(socket) ?? 1) - 1);
      });
      const work = handler(request, response).finally(() => running.delete(work));
      running.add(work);
    },
  );
  // An upload may take as long as its network needs, so only silence ends one.
  server.setTimeout(idleMs);
  server.on('connection', (socket) => {
    connections.set(socket, 0);
    socket.once('close', () => connections.delete(socket));
  });
  server.maxConnections = maxConnections;
  server.on('clientError', (error, socket) => {
    if (!socket.writable || diskErrorCode(error) === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status =
      diskErrorCode(error) === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : diskErrorCode(error) === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  server.on('connect', (_request, socket) => {
    socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  await open(server, at);

  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : at.port;
  const host =
    at.host === '0.0.0.0'
      ? '127.0.0.1'
      : at.host === '::'
        ? '[::1]'
        : isIPv6(at.host)
          ? `[${at.host}]`
          : at.host;
  return {
    baseUrl: `http://${host}:${port}`,
    port,
    cutWithin(limitMs) {
      setTimeout(() => server.closeAllConnections(), limitMs).unref();
    },
    async close(limitMs) {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      // Those that never asked for anything, too, and those whose last request ends meanwhile.
      const closeIdle = (): void => {
        for (const [socket, requests] of connections) if (requests === 0) socket.destroy();
      };
      closeIdle();
      const idle = setInterval(closeIdle, 50);
      const limit = setTimeout(() => server.closeAllConnections(), limitMs);
      await closed;
      clearInterval(idle);
      clearTimeout(limit);
      await Promise.allSettled(running);
    },
  };
}

function open(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = diskErrorCode(error);
      if (code === 'EADDRINUSE')
        reject(new AppError('port-taken', { cause: error, detail: `Port ${port} on ${host}.` }));
      else if (code === 'EACCES') {
        reject(new AppError('port-forbidden', { cause: error, detail: `Port ${port}.` }));
      } else if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EINVAL') {
        reject(new AppError('address-unavailable', { cause: error, detail: `Asked for: ${host}.` }));
      } else reject(error);
    });
    server.listen({ host, port }, () => resolve());
  });
}
