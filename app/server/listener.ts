// The host's one listener: opens it, checks it, reopens it at another address, closes it. A change of address never interrupts a
// running save.

import { AppError } from '../contract/errors.ts';
import { createKeyedMutex } from '../files/keyed-mutex.ts';
import { isWildcard } from '../contract/addresses.ts';
import { formatHost } from '../network/addresses.ts';
import { isHere, outerHost } from '../network/own-hosts.ts';
import { closeServer, openServers } from './bind-port.ts';
import type { PeerLists } from './connections.ts';
import { listen, type Handler, type Listener, type ListenerTls, type UpgradeHandler } from './http-server.ts';

export interface Listening {
  /** Where this computer reaches it, now or last: always plain HTTP. */
  baseUrl(): string;
  /**
   * Where other computers reach it, now or last, by HTTPS if TLS is on; null if it accepts only local calls. For a listener on
   * all addresses, one of them.
   */
  networkUrl(): string | null;
  /** The default base address for editors: the network's if one is configured, else `baseUrl`. */
  editorUrl(): string;
  /** The listening address or host name. */
  host(): string;
  /** Why it isn't listening, if it isn't. */
  problem(): AppError | undefined;
  /** The settings contain another address than this one. */
  needsReopen(): boolean;
  /**
   * If the configured address doesn't exist yet, such as a container bridge after a reboot, it listens on loopback and reports
   * `problem` until the address exists.
   * @throws AppError port-taken, address-unavailable, port-forbidden
   */
  open(handler: Handler): Promise<void>;
  /** With the current address settings. @throws AppError as `open`; then the old listener stays open */
  reopen(): Promise<void>;
  /** Checks whether the address still exists; reopens once it is back. */
  check(): Promise<void>;
  close(limitMs: number): Promise<void>;
  /** Running requests have only `limitMs` left. */
  cutWithin(limitMs: number): void;
}

/** Requests on the old listener have this long to finish. */
const moveLimitMs = 10 * 60_000;
/** The same, on systems where the port stays taken until its last connection is closed. */
const reopenLimitMs = 10_000;

interface Address {
  host: string;
  port: number;
}

export function createListening(deps: {
  address: () => Address;
  /** The user asked for this address on the command line, so starting fails if it doesn't exist. */
  isAddressRequired?: boolean;
  tls?: ListenerTls;
  peers?: PeerLists;
  loopbacks?: readonly string[];
  onUpgrade?: UpgradeHandler;
  onChange: () => void;
}): Listening {
  let handler: Handler | undefined;
  let listener: Listener | undefined;
  let at = deps.address();
  let last: Pick<Listener, 'baseUrl' | 'networkHost' | 'port'> | undefined;
  let problem: AppError | undefined;
  let isClosed = false;
  const closing = new Map<Listener, Promise<void>>();
  /** One at a time: two at once could leave a listener that is never closed. */
  const openings = createKeyedMutex();
  const inTurn = (work: () => Promise<void>): Promise<void> => openings.run('', work);

  const openAt = async (address: Address): Promise<void> => {
    if (handler === undefined || isClosed) return;
    const { tls, peers, loopbacks, onUpgrade } = deps;
    const opened = await listen(handler, address, { tls, peers, loopbacks, onUpgrade });
    // The host is stopping.
    if (isClosed) return opened.close(0);
    listener = opened;
    at = address;
    last = opened;
    problem = undefined;
  };

  const closeListener = (old: Listener, limitMs: number): Promise<void> => {
    const closed = old.close(limitMs).finally(() => closing.delete(old));
    closing.set(old, closed);
    return closed;
  };
  const cutWithin = (limitMs: number): void => {
    for (const one of closing.keys()) one.cutWithin(limitMs);
  };

  /** Reopens on the same port. It is free as soon as the old listener stops listening, and running requests continue. */
  const openAgain = async (old: Listener, address: Address): Promise<void> => {
    listener = undefined;
    const closed = closeListener(old, moveLimitMs);
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
      void closeListener(old, moveLimitMs);
    } catch (error) {
      // If another program has the port, closing the old listener wouldn't free it.
      if (!isPortTaken(error) || address.port !== old.port || !mayHave(old, error)) throw error;
      const before = { host: at.host, port: old.port };
      listener = undefined;
      void closeListener(old, moveLimitMs);
      await openAt(address).catch(async (failure: unknown) => {
        await openAt(before);
        throw failure;
      });
    }
  };

  /** A laptop in another network has another address; a name or "all addresses" can't disappear. */
  const isAddressHere = (): boolean => isHere(at.host);

  const reopen = async (): Promise<void> => {
    const old = listener;
    const wanted = deps.address();
    // Also if any port was requested: editors know this one.
    const address = { host: wanted.host, port: wanted.port === 0 ? (old?.port ?? 0) : wanted.port };
    try {
      if (old === undefined) await openAt(address);
      else if (address.host !== at.host || address.port !== old.port) await move(old, address);
      // The old listener stays open if the new address doesn't exist.
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
    editorUrl() {
      const url = networkUrl();
      return url === null || isWildcard(at.host) ? baseUrl() : url;
    },
    host: () => at.host,
    problem: () => problem,

    needsReopen() {
      const { host, port } = deps.address();
      return host !== at.host || (port !== at.port && port !== 0 && port !== listener?.port);
    },

    async open(given) {
      handler = given;
      const address = deps.address();
      const first = firstAddress(address, deps.isAddressRequired);
      await openAt(first);
      if (first !== address) problem = new AppError('address-unavailable', { detail: address.host });
    },

    reopen: () => inTurn(reopen),

    check: () =>
      inTurn(async () => {
        if (isClosed) return;
        if (listener === undefined) {
          // The reason why it couldn't open may be gone.
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
      if (listener !== undefined) void closeListener(listener, limitMs);
      listener = undefined;
      cutWithin(limitMs);
      await openings.idle();
      await Promise.all(closing.values());
    },

    cutWithin,
  };
}

/** Where it listens at the start: if the address may exist later, on this computer only until then. */
function firstAddress(address: Address, isRequired = false): Address {
  return isRequired || isHere(address.host) ? address : { ...address, host: '127.0.0.1' };
}

/** Opens what a start would open, and closes it. @throws AppError port-taken, address-unavailable, port-forbidden */
export async function tryListening(address: Address, isRequired: boolean): Promise<void> {
  const opened = await openServers((socket) => socket.destroy(), firstAddress(address, isRequired));
  await Promise.all(opened.map(({ server }) => closeServer(server)));
}

function isPortTaken(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'port-taken';
}

/** Whether this listener may be what occupies the port: listening on all addresses and on one of them exclude each other. */
function mayHave({ addresses }: Listener, { cause }: AppError): boolean {
  const { address } = cause as { address?: string };
  return (
    address === undefined ||
    isWildcard(address) ||
    addresses.some((own) => own === address || isWildcard(own))
  );
}
