// The listener: opens the port, tells TLS from plain HTTP, bounds what one connection may take, and closes without cutting off
// a save. Strangers may send anything, or nothing at all.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { errorCode } from '../contract/errors.ts';
import { isLoopback } from '../network/addresses.ts';
import { createConnections, type PeerLists } from './connections.ts';
import { closeServer, openServers } from './bind-port.ts';

/** Resolves when nothing is left to do for the request, also where its connection was cut. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Asked for every connection, so that a new certificate counts with the next one. */
export interface ListenerTls {
  /** Whether connections may speak TLS; then the first byte of each is looked at. */
  isOn(): boolean;
  /**
   * The socket, secured; undefined while there is no certificate. What was read of it already is its `unshift`ed beginning.
   */
  secure(socket: Socket): Socket | undefined;
}

export interface Listener {
  /** Address and port where this machine reaches it, as a URL without a final '/'. */
  baseUrl: string;
  port: number;
  /** The address that is bound, when others than this machine can reach it: an address, `0.0.0.0` or `::`. */
  networkHost: string | null;
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
/** How long a connection that is given up has to take its last answer. */
const goodbyeMs = 1000;
/** How long what comes of a body after the answer is read past, so that whoever sends first and reads then gets to see it. */
const defaultDrainLimitMs = 10_000;
/** What the first record of a TLS handshake begins with. */
const handshakeByte = 0x16;

export interface ListenOptions {
  tls?: ListenerTls;
  peers?: PeerLists;
  /** @see openServers */
  loopbacks?: readonly string[];
  /** The time for the first byte, for the handshake and for a request's head. */
  headersTimeoutMs?: number;
  /** The time for a body to end after its answer. */
  drainLimitMs?: number;
}

/**
 * An address or a name of this machine; one that is neither loopback nor a wildcard has 127.0.0.1 beside it on the same port.
 * @throws AppError port-taken, address-unavailable, port-forbidden
 */
export async function listen(
  handler: Handler,
  at: { host: string; port: number },
  options: ListenOptions = {},
): Promise<Listener> {
  const { tls, headersTimeoutMs = 20_000, drainLimitMs = defaultDrainLimitMs } = options;
  const running = new Set<Promise<void>>();
  const connections = createConnections(options.peers);
  /** It listens nowhere itself: connections are handed to it. */
  const http = createHttpServer(
    {
      requestTimeout: 0,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: headersTimeoutMs,
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      connections.inTurn(request.socket, response, () => {
        response.once('finish', () => {
          if (!request.complete) endWithin(request, drainLimitMs);
        });
        const work = handler(request, response).finally(() => running.delete(work));
        running.add(work);
      });
    },
  );
  // Node begins to watch over the time that a request's head takes when its server listens.
  http.emit('listening');
  // An upload may take as long as its network needs, so only silence ends one.
  http.setTimeout(idleMs);
  http.on('clientError', (error, socket) => {
    const code = errorCode(error);
    if (!socket.writable || code === 'ECONNRESET' || code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
      socket.destroy();
      return;
    }
    const status =
      code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    // In a handshake that does not go on, nothing is ever sent, nor ended.
    setTimeout(() => socket.destroy(), goodbyeMs).unref();
  });
  http.on('connect', (_request, socket) => {
    socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });

  const serve = (socket: Socket): void => {
    lingerOnClose(socket, drainLimitMs);
    http.emit('connection', socket);
  };
  const accept = (socket: Socket): void => {
    if (!connections.admit(socket)) return;
    if (tls?.isOn() !== true) {
      serve(socket);
      return;
    }
    whenBegun(socket, headersTimeoutMs, (firstByte) => {
      if (firstByte !== handshakeByte) {
        serve(socket);
        return;
      }
      const secured = tls.secure(socket);
      if (secured === undefined) {
        socket.destroy();
        return;
      }
      // From here on the secured one counts, and takes this one with it.
      connections.replace(socket, secured);
      serve(secured);
    });
  };

  const servers = await openServers(accept, at, options.loopbacks);
  const [first] = servers;
  const { address, port } = first;
  return {
    baseUrl: `http://${loopbackHost(at.host, address)}:${port}`,
    port,
    networkHost: isLoopback(address) ? null : address,
    cutWithin(limitMs) {
      setTimeout(connections.closeAll, limitMs).unref();
    },
    async close(limitMs) {
      const closed = Promise.all(servers.map(({ server }) => closeServer(server)));
      http.close();
      // Those that never asked for anything, too, and those whose last request ends meanwhile.
      connections.closeIdle();
      const idle = setInterval(connections.closeIdle, 50);
      const limit = setTimeout(connections.closeAll, limitMs);
      await closed;
      clearInterval(idle);
      clearTimeout(limit);
      await Promise.allSettled(running);
    },
  };
}

/**
 * A socket that is closed while the client still sends resets the connection, and the client may never read its answer. So the
 * answer's end is sent first, and the rest of the body is read until the client closes too. @see RFC 9112 section 9.6
 */
function lingerOnClose(socket: Socket, limitMs: number): void {
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (socket.readableEnded) {
      close();
      return;
    }
    socket.end();
    const timer = setTimeout(() => socket.destroy(), limitMs).unref();
    socket.once('end', close).once('close', () => clearTimeout(timer));
  };
}

/** A stranger who was refused could hold the connection for ever otherwise, by a byte now and then. */
function endWithin(request: IncomingMessage, limitMs: number): void {
  const timer = setTimeout(() => request.socket.destroy(), limitMs);
  timer.unref();
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/** Looks at the first byte without taking it. */
function whenBegun(socket: Socket, limitMs: number, then: (firstByte: number) => void): void {
  const fail = (): void => void socket.destroy();
  const timer = setTimeout(fail, limitMs);
  timer.unref();
  const end = (): void => clearTimeout(timer);
  socket.once('error', fail).once('end', fail).once('close', end);
  socket.once('data', (beginning: Buffer) => {
    end();
    socket.off('error', fail).off('end', fail).off('close', end);
    socket.pause();
    socket.unshift(beginning);
    then(beginning[0] ?? 0);
    // Once whoever has it now listens.
    process.nextTick(() => socket.resume());
  });
}

/** Where this machine reaches what was asked for, as it stands in an address. */
function loopbackHost(asked: string, bound: string): string {
  // `::` takes IPv4 too, and the name by which editors let themselves be framed is that of 127.0.0.1.
  if (!isLoopback(bound)) return '127.0.0.1';
  return isIPv6(asked) ? `[${asked}]` : asked;
}
