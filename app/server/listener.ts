// The one listener of the host: opened, looked at, opened again at another address, closed. A save under way is never cut off
// by a change of address.

import { AppError } from '../contract/errors.ts';
import { createKeyedMutex } from '../files/keyed-mutex.ts';
import { formatHost, isWildcard } from '../network/addresses.ts';
import { isHere, outerHost } from '../network/own-hosts.ts';
import type { PeerLists } from './connections.ts';
import { listen, type Handler, type Listener, type ListenerTls } from './http-server.ts';

export interface Listening {
  /** Where this machine reaches it, or reached it last: always plain HTTP. */
  baseUrl(): string;
  /**
   * Where other machines reach it, or reached it last, by HTTPS while TLS is on; null where it takes calls of this machine
   * alone. Of a listener on all addresses it is one of them.
   */
  networkUrl(): string | null;
  /** The address editors are given where none was chosen: the network's where one is listened on alone, else `baseUrl`. */
  editorUrl(): string;
  /** The address or name that is listened on. */
  host(): string;
  /** Why nothing is listened on, when it is so. */
  problem(): AppError | undefined;
  /** The settings name another address than this. */
  needsReopen(): boolean;
  /**
   * If the configured address doesn't exist yet, such as a container bridge after the computer restarts, it listens on loopback and
   * reports `problem` until the address exists.
   * @throws AppError port-taken, address-unavailable, port-forbidden
   */
  open(handler: Handler): Promise<void>;
  /** By the address of now. @throws AppError as `open`; what was open stays open then */
  reopen(): Promise<void>;
  /** Whether the address is still one of this machine; opens again when it is back. */
  look(): Promise<void>;
  close(limitMs: number): Promise<void>;
  /** Running requests get only that long from now on. */
  cutWithin(limitMs: number): void;
}

/** Requests that run on the old listener get this long to end. */
const moveLimitMs = 10 * 60_000;
/** Where a system keeps a port taken until the last connection on it has ended, they get this long. */
const reopenLimitMs = 10_000;

interface Address {
  host: string;
  port: number;
}

export function createListening(deps: {
  address: () => Address;
  /** Whoever asked for the address is there to hear that it isn't: nothing is listened on in its place. */
  isAddressRequired?: boolean;
  tls?: ListenerTls;
  peers?: PeerLists;
  loopbacks?: readonly string[];
  onChange: () => void;
}): Listening {
  let handler: Handler | undefined;
  let listener: Listener | undefined;
  let at = deps.address();
  let last: Pick<Listener, 'baseUrl' | 'networkHost' | 'port'> | undefined;
  let problem: AppError | undefined;
  let isClosed = false;
  const closing = new Map<Listener, Promise<void>>();
  /** One opening after the other: of two at once, one would be a listener that nobody closes. */
  const openings = createKeyedMutex();
  const inTurn = (work: () => Promise<void>): Promise<void> => openings.run('', work);

  const openAt = async (address: Address): Promise<void> => {
    if (handler === undefined || isClosed) return;
    const { tls, peers, loopbacks } = deps;
    const opened = await listen(handler, address, {
      ...(tls !== undefined && { tls }),
      ...(peers !== undefined && { peers }),
      ...(loopbacks !== undefined && { loopbacks }),
    });
    // The host stops meanwhile.
    if (isClosed) return opened.close(0);
    listener = opened;
    at = address;
    last = opened;
    problem = undefined;
  };

  const letGo = (old: Listener, limitMs: number): Promise<void> => {
    const closed = old.close(limitMs).finally(() => closing.delete(old));
    closing.set(old, closed);
    return closed;
  };
  const cutWithin = (limitMs: number): void => {
    for (const one of closing.keys()) one.cutWithin(limitMs);
  };

  /** The same port again. It is free as soon as nothing new is taken on it, and what runs there goes on. */
  const openAgain = async (old: Listener, address: Address): Promise<void> => {
    listener = undefined;
    const closed = letGo(old, moveLimitMs);
    try {
      await openAt(address);
    } catch (error) {
      if (!isPortTaken(error)) throw error;
      old.cutWithin(reopenLimitMs);
      await closed;
      await openAt(address);
    }
  };

  const move = async (old: Listener, address: Address): Promise<void> => {
    try {
      await openAt(address);
      void letGo(old, moveLimitMs);
    } catch (error) {
      if (!isPortTaken(error) || address.port !== old.port) throw error;
      // It may be the old one that has the port: all addresses and one of them exclude each other.
      const before = { host: at.host, port: old.port };
      listener = undefined;
      void letGo(old, moveLimitMs);
      await openAt(address).catch(async (failure: unknown) => {
        await openAt(before);
        throw failure;
      });
    }
  };

  /** A laptop in another network has another address; a name or "all addresses" has none to lose. */
  const isAddressHere = (): boolean => isHere(at.host);

  const reopen = async (): Promise<void> => {
    const old = listener;
    const asked = deps.address();
    // Also where any port was asked for: editors know this one.
    const address = { host: asked.host, port: asked.port === 0 ? (old?.port ?? 0) : asked.port };
    try {
      if (old === undefined) await openAt(address);
      else if (address.host !== at.host || address.port !== old.port) await move(old, address);
      // Nothing is let go for an address that is not there: this machine's own goes on meanwhile.
      else if (!isAddressHere()) throw new AppError('address-unavailable', { detail: at.host });
      else await openAgain(old, address);
    } catch (error) {
      if (listener === undefined) {
        problem = error instanceof AppError ? error : new AppError('address-unavailable', { cause: error });
      }
      throw error;
    } finally {
      deps.onChange();
    }
  };

  const baseUrl = (): string => last?.baseUrl ?? '';
  const networkUrl = (): string | null => {
    if (last === undefined || last.networkHost === null) return null;
    const host = isWildcard(last.networkHost) ? outerHost(last.networkHost) : last.networkHost;
    return `${deps.tls?.isOn() === true ? 'https' : 'http'}://${formatHost(host)}:${last.port}`;
  };

  return {
    baseUrl,
    networkUrl,
    editorUrl: () => (isWildcard(at.host) ? baseUrl() : (networkUrl() ?? baseUrl())),
    host: () => at.host,
    problem: () => problem,

    needsReopen() {
      const { host, port } = deps.address();
      return host !== at.host || (port !== at.port && port !== 0 && port !== listener?.port);
    },

    async open(given) {
      handler = given;
      const address = deps.address();
      if (deps.isAddressRequired === true || isHere(address.host)) return openAt(address);
      await openAt({ ...address, host: '127.0.0.1' });
      problem = new AppError('address-unavailable', { detail: address.host });
    },

    reopen: () => inTurn(reopen),

    look: () =>
      inTurn(async () => {
        if (isClosed) return;
        if (listener === undefined) {
          // What kept it from opening may be over.
          await reopen().catch(() => undefined);
        } else if (isAddressHere()) {
          if (problem !== undefined && isHere(deps.address().host)) await reopen().catch(() => undefined);
        } else if (problem === undefined) {
          problem = new AppError('address-unavailable', { detail: at.host });
          deps.onChange();
        }
      }),

    async close(limitMs) {
      isClosed = true;
      if (listener !== undefined) void letGo(listener, limitMs);
      listener = undefined;
      cutWithin(limitMs);
      await openings.idle();
      await Promise.all(closing.values());
    },

    cutWithin,
  };
}

function isPortTaken(error: unknown): boolean {
  return error instanceof AppError && error.code === 'port-taken';
}
