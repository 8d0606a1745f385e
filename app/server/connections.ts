// Limits the listener's connections, and runs the requests of one connection in order. Any client may open connections and send
// nothing, or send requests without reading the responses: that must not block this computer, or other clients.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey, createAddressLists, isLoopback, plainAddress } from '../network/addresses.ts';

export interface ConnectionLimits {
  /** From this computer; a proxy or a tunnel may run here too. */
  local: number;
  /** From all others together. */
  network: number;
  perAddress: number;
  /** From a trusted proxy, which is one address for many clients. */
  perProxy: number;
  /** From all addresses that `allowedAddresses` excludes: enough to answer them 403. */
  notAllowed: number;
}

/** Far more than editors need in total, and far below the process's limit of descriptors. */
const defaultLimits: ConnectionLimits = {
  local: 192,
  network: 320,
  perAddress: 96,
  perProxy: 288,
  notAllowed: 16,
};
/** Pipelined requests on one connection. Editors, browsers and proxies send none. */
const maxWaiting = 64;

/** The lists from the settings: the same array while the value is unchanged. */
export interface PeerLists {
  trustedProxies: () => readonly string[];
  allowedAddresses: () => readonly string[];
}

export interface Connections {
  /** At a limit, closes an idle connection to make room; destroys the socket and returns false if none is idle. */
  admit(socket: Socket): boolean;
  /** The same connection continues with another socket. */
  replace(socket: Socket, by: Socket): void;
  /**
   * Starts a request once the previous one on the same socket is answered. Until then nothing more is read from the socket. After
   * an answer that closes the connection nothing is started.
   */
  inTurn(socket: Socket, response: ServerResponse, start: () => void): void;
  /** It speaks another protocol from now on, so only `closeAll` closes it. */
  hold(socket: Socket): void;
  closeIdle(): void;
  closeAll(): void;
}

interface Connection {
  group: Group;
  socket: Socket;
  isBusy: boolean;
  hasSentRequest: boolean;
  idleSinceMs: number;
  waiting: { response: ServerResponse; start: () => void }[];
  /** Paused while requests wait. */
  isPaused: boolean;
}

interface Group {
  key: string;
  limit: number;
  isLocal: boolean;
  members: Set<Connection>;
}

export function createConnections(
  lists: PeerLists = { trustedProxies: () => [], allowedAddresses: () => [] },
  limits: ConnectionLimits = defaultLimits,
): Connections {
  const listOf = createAddressLists();
  const bySocket = new Map<Socket, Connection>();
  const groups = new Map<string, Group>();
  let networkCount = 0;

  const groupOf = (socket: Socket): Group => {
    const peer = plainAddress(socket.remoteAddress ?? '');
    const isLocal = isLoopback(peer) || peer === plainAddress(socket.localAddress ?? '');
    const allowed = lists.allowedAddresses();
    const isProxy = listOf(lists.trustedProxies()).has(peer);
    const [key, limit] = isLocal
      ? ['local', limits.local]
      : isProxy
        ? [peer, limits.perProxy]
        : allowed.length > 0 && !listOf(allowed).has(peer)
          ? ['not-allowed', limits.notAllowed]
          : [addressKey(peer), limits.perAddress];
    let group = groups.get(key);
    if (group === undefined) {
      group = { key, limit, isLocal, members: new Set() };
      groups.set(key, group);
    }
    // The settings may have changed.
    group.limit = limit;
    return group;
  };

  const forget = (connection: Connection): void => {
    const { group } = connection;
    if (!group.members.delete(connection)) return;
    if (!group.isLocal) networkCount -= 1;
    if (group.members.size === 0) groups.delete(group.key);
    bySocket.delete(connection.socket);
    connection.waiting = [];
  };

  const follow = (connection: Connection, socket: Socket): void => {
    connection.socket = socket;
    bySocket.set(socket, connection);
    socket.once('close', () => {
      if (connection.socket === socket) forget(connection);
    });
  };

  /** Closes connections that never sent a request first. */
  const evictFrom = (group: Group): boolean => {
    let idlest: Connection | undefined;
    for (const one of group.members) {
      if (one.isBusy) continue;
      const isIdler =
        idlest === undefined || one.hasSentRequest === idlest.hasSentRequest
          ? one.idleSinceMs < (idlest?.idleSinceMs ?? Infinity)
          : idlest.hasSentRequest;
      if (isIdler) idlest = one;
    }
    if (idlest === undefined) return false;
    forget(idlest);
    idlest.socket.destroy();
    return true;
  };

  const hasRoom = (group: Group): boolean => {
    if (group.members.size >= group.limit && !evictFrom(group)) return false;
    if (group.isLocal || networkCount < limits.network) return true;
    // The address with the most connections loses one.
    return [...groups.values()]
      .filter(({ isLocal }) => !isLocal)
      .toSorted((left, right) => right.members.size - left.members.size)
      .some(evictFrom);
  };

  const run = (connection: Connection, { response, start }: Connection['waiting'][number]): void => {
    connection.isBusy = true;
    connection.hasSentRequest = true;
    response.once('close', () => {
      // The answer closed the connection.
      if (connection.socket.writableEnded) {
        for (const { response } of connection.waiting.splice(0)) response.req.resume();
      }
      const next = connection.waiting.shift();
      if (next !== undefined) {
        run(connection, next);
        return;
      }
      connection.isBusy = false;
      connection.idleSinceMs = performance.now();
      if (!connection.isPaused) return;
      connection.isPaused = false;
      connection.socket.resume();
    });
    start();
  };

  return {
    admit(socket) {
      const group = groupOf(socket);
      if (!hasRoom(group)) {
        if (group.members.size === 0) groups.delete(group.key);
        socket.destroy();
        return false;
      }
      // It may have been emptied to make room.
      groups.set(group.key, group);
      const connection: Connection = {
        group,
        socket,
        isBusy: false,
        hasSentRequest: false,
        idleSinceMs: performance.now(),
        waiting: [],
        isPaused: false,
      };
      group.members.add(connection);
      if (!group.isLocal) networkCount += 1;
      follow(connection, socket);
      return true;
    },

    replace(socket, by) {
      const connection = bySocket.get(socket);
      if (connection === undefined) return;
      bySocket.delete(socket);
      follow(connection, by);
    },

    inTurn(socket, response, start) {
      const connection = bySocket.get(socket);
      // Closed while its last bytes were being parsed.
      if (connection === undefined) return;
      // No answer is possible any more; the body is discarded, so that the client can read the last answer.
      if (socket.writableEnded) {
        response.req.resume();
        return;
      }
      if (!connection.isBusy) run(connection, { response, start });
      else if (connection.waiting.length < maxWaiting) {
        connection.waiting.push({ response, start });
        connection.isPaused = true;
        socket.pause();
      } else {
        forget(connection);
        socket.destroy();
      }
    },

    hold(socket) {
      const connection = bySocket.get(socket);
      if (connection !== undefined) connection.isBusy = true;
    },
    closeIdle() {
      for (const { socket, isBusy } of bySocket.values()) if (!isBusy) socket.destroy();
    },

    closeAll() {
      for (const { socket } of bySocket.values()) socket.destroy();
    },
  };
}
