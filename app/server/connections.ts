// Which connections the listener holds, and in which order their requests run. Anyone may open connections and send nothing, or
// send requests without waiting for answers: neither may keep this computer, or another address, from getting an answer.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey, createAddressLists, isLoopback, plainAddress } from '../network/addresses.ts';

export interface ConnectionLimits {
  /** Of this computer; a proxy or a tunnel may run here too. */
  local: number;
  /** Of all others together. */
  network: number;
  perAddress: number;
  /** Of a trusted proxy, which is one address for many clients. */
  perProxy: number;
  /** Of all together that `allowedAddresses` leaves out: enough to answer them 403. */
  notAllowed: number;
}

/** Together far more than editors need, and far fewer than the descriptors of the process. */
const defaultLimits: ConnectionLimits = {
  local: 192,
  network: 320,
  perAddress: 96,
  perProxy: 288,
  notAllowed: 16,
};
/** Requests that were sent ahead on one connection. Editors, browsers and proxies send none. */
const maxWaiting = 64;

/** The lists of the settings: the same array for as long as it says the same. */
export interface PeerLists {
  trustedProxies: () => readonly string[];
  allowedAddresses: () => readonly string[];
}

export interface Connections {
  /** Makes room by closing an idle connection where a limit is reached; destroys the socket and returns false where none is idle. */
  admit(socket: Socket): boolean;
  /** The same connection goes on as this socket. */
  replace(socket: Socket, by: Socket): void;
  /**
   * Starts a request when the one before it on the same socket is answered. Until then nothing more is read from the socket. After
   * an answer that closes the connection nothing is started.
   */
  inTurn(socket: Socket, response: ServerResponse, start: () => void): void;
  closeIdle(): void;
  closeAll(): void;
}

interface Connection {
  group: Group;
  socket: Socket;
  isBusy: boolean;
  hasAsked: boolean;
  idleSinceMs: number;
  waiting: { response: ServerResponse; start: () => void }[];
  /** Not read from while requests wait. */
  isHeld: boolean;
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
    // The settings may have changed since.
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

  /** Connections that never sent a request go first. */
  const evictFrom = (group: Group): boolean => {
    let idlest: Connection | undefined;
    for (const one of group.members) {
      if (one.isBusy) continue;
      const isIdler =
        idlest === undefined || one.hasAsked === idlest.hasAsked
          ? one.idleSinceMs < (idlest?.idleSinceMs ?? Infinity)
          : idlest.hasAsked;
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
    // Whoever holds the most gives way.
    return [...groups.values()]
      .filter(({ isLocal }) => !isLocal)
      .toSorted((left, right) => right.members.size - left.members.size)
      .some(evictFrom);
  };

  const run = (connection: Connection, { response, start }: Connection['waiting'][number]): void => {
    connection.isBusy = true;
    connection.hasAsked = true;
    response.once('close', () => {
      // The answer was the connection's last one.
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
      if (!connection.isHeld) return;
      connection.isHeld = false;
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
        hasAsked: false,
        idleSinceMs: performance.now(),
        waiting: [],
        isHeld: false,
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
      // Closed while its last bytes were parsed.
      if (connection === undefined) return;
      // Nothing can be answered any more; the body is read past, so that the client gets to see the last answer.
      if (socket.writableEnded) {
        response.req.resume();
        return;
      }
      if (!connection.isBusy) run(connection, { response, start });
      else if (connection.waiting.length < maxWaiting) {
        connection.waiting.push({ response, start });
        connection.isHeld = true;
        socket.pause();
      } else {
        forget(connection);
        socket.destroy();
      }
    },

    closeIdle() {
      for (const { socket, isBusy } of bySocket.values()) if (!isBusy) socket.destroy();
    },

    closeAll() {
      for (const { socket } of bySocket.values()) socket.destroy();
    },
  };
}
