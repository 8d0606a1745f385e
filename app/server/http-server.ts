// The listener: opens the port, distinguishes TLS from plain HTTP, limits what one connection may use, and closes without
// interrupting a save. Clients may send anything, or nothing at all.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCode } from '../contract/errors.ts';
import { isLoopback } from '../network/addresses.ts';
import { createConnections, type PeerLists } from './connections.ts';
import { closeServer, openServers } from './bind-port.ts';

/** Resolves when the request is fully handled, also if its connection was cut. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Called for every connection, so that a new certificate applies to the next one. */
export interface ListenerTls {
  /** Whether connections may use TLS; then the first byte of each is checked. */
  isOn(): boolean;
  /** Returns the TLS socket; undefined if there is no certificate. Bytes that were already read are `unshift`ed. */
  secure(socket: Socket): Socket | undefined;
}

export interface Listener {
  /** Where this computer reaches it, as a URL without a trailing '/'. */
  baseUrl: string;
  port: number;
  /** The bound address, if other computers can reach it: an address, `0.0.0.0` or `::`. */
  networkHost: string | null;
  /** All bound addresses. */
  addresses: readonly string[];
  /**
   * Accepts no new connections, lets running requests finish, and closes the rest after `limitMs`; resolves when those have
   * cleaned up too.
   */
  close(limitMs: number): Promise<void>;
  /** Running requests have only `limitMs` left. */
  cutWithin(limitMs: number): void;
}

/** A connection without traffic for this long is closed, even during an upload. */
const idleMs = 120_000;
/** How long a connection has for its last answer before it is destroyed. */
const lastAnswerMs = 1000;
/** How long, and how much, of a body is discarded after the answer, so that a client that sends before it reads can see the answer. */
const defaultDrainLimitMs = 10_000;
const maxDiscardedBytes = 256 * 1024 * 1024;
/** The first byte of a TLS handshake. */
const handshakeByte = 0x16;

/** Takes over the connection: nothing else answers or closes it. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface ListenOptions {
  tls?: ListenerTls | undefined;
  /** For requests that ask for another protocol; without it, they are handled like all others. */
  onUpgrade?: UpgradeHandler | undefined;
  peers?: PeerLists | undefined;
  /** @see openServers */
  loopbacks?: readonly string[] | undefined;
  /** The time limit for the first byte, for the handshake and for a request's head. */
  headersTimeoutMs?: number;
  /** The time limit for the rest of a body after its answer. */
  drainLimitMs?: number;
}

/**
 * Listens on an address or a name of this computer; one that is neither loopback nor a wildcard gets 127.0.0.1 on the same port
 * too.
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
  /** Doesn't listen itself: it receives connections. */
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
          if (!request.complete) discardRest(request, drainLimitMs);
        });
        const work = handler(request, response).finally(() => running.delete(work));
        running.add(work);
      });
    },
  );
  // Node enforces headersTimeout only once its server listens.
  http.emit('listening');
  // An upload may take as long as its network needs; only inactivity ends it.
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
    // If a handshake doesn't complete, nothing is sent or ended.
    setTimeout(() => socket.destroy(), lastAnswerMs).unref();
  });
  const { onUpgrade } = options;
  if (onUpgrade !== undefined) {
    http.on('upgrade', (request, socket, head) => {
      connections.hold(request.socket);
      onUpgrade(request, socket, head);
    });
  }
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
    onFirstByte(socket, headersTimeoutMs, (firstByte) => {
      if (firstByte !== handshakeByte) {
        serve(socket);
        return;
      }
      const secured = tls.secure(socket);
      if (secured === undefined) {
        socket.destroy();
        return;
      }
      // From here on the TLS socket counts, and closes this one.
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
    addresses: servers.map((opened) => opened.address),
    cutWithin(limitMs) {
      setTimeout(connections.closeAll, limitMs).unref();
    },
    async close(limitMs) {
      const closed = Promise.all(servers.map(({ server }) => closeServer(server)));
      http.close();
      // Including those that never sent a request, and those whose last request ends now.
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
 * Closing a socket while the client still sends resets the connection, and the client may never read its answer. So the end of
 * the answer is sent first, and the rest of the body is read until the client closes too. @see RFC 9112 section 9.6
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

/** Limited: a client could otherwise send forever, or keep the connection open with a byte now and then. */
function discardRest(request: IncomingMessage, limitMs: number): void {
  const { socket } = request;
  const maxBytesRead = socket.bytesRead + maxDiscardedBytes;
  const endMs = performance.now() + limitMs;
  const timer = setInterval(() => {
    if (performance.now() > endMs || socket.bytesRead > maxBytesRead) socket.destroy();
  }, 100).unref();
  request.once('end', () => clearInterval(timer)).once('close', () => clearInterval(timer));
  // The handler may have paused it.
  request.resume();
}

/** Peeks at the first byte. */
function onFirstByte(socket: Socket, limitMs: number, then: (firstByte: number) => void): void {
  const fail = (): void => void socket.destroy();
  const timer = setTimeout(fail, limitMs);
  timer.unref();
  const end = (): void => clearTimeout(timer);
  socket.once('error', fail).once('end', fail).once('close', end);
  socket.once('data', (firstChunk: Buffer) => {
    end();
    socket.off('error', fail).off('end', fail).off('close', end);
    socket.pause();
    socket.unshift(firstChunk);
    then(firstChunk[0] ?? 0);
    // Once the new owner has added its listeners.
    process.nextTick(() => socket.resume());
  });
}

/** The loopback host name for the configured address, as used in a URL. */
function loopbackHost(configured: string, bound: string): string {
  // `::` accepts IPv4 too, and editors allow framing by the name of 127.0.0.1.
  if (!isLoopback(bound)) return '127.0.0.1';
  return isIPv6(configured) ? `[${configured}]` : configured;
}
