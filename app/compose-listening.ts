// The one listener of the host: opened, looked at, opened again at another address, closed. A save under way is never cut off
// by a change of address.

import { networkInterfaces } from 'node:os';
import { isIP } from 'node:net';
import { AppError } from './contract/errors.ts';
import { listen, type Handler, type Listener } from './server/listen.ts';

export interface Listening {
  /** Where it listens, or listened last. */
  baseUrl(): string;
  /** The address or name that is listened on. */
  host(): string;
  /** Why nothing is listened on, when it is so. */
  problem(): AppError | undefined;
  /** The settings name another address than this. */
  isElsewhere(): boolean;
  /** @throws AppError port-taken, address-unavailable, port-forbidden */
  open(handler: Handler): Promise<void>;
  /** By the address of now. @throws AppError as `open`; what was open stays open when the new address is another one */
  reopen(): Promise<void>;
  /** Whether the address is still one of this machine; opens again when it is back. */
  look(): Promise<void>;
  close(limitMs: number): Promise<void>;
  /** Running requests get only that long from now on. */
  cutWithin(limitMs: number): void;
}

/** Requests that run on the old address get this long to end when the address changes. */
const moveLimitMs = 10 * 60_000;
/** On the same address the port must be free first; running requests get this long. */
const reopenLimitMs = 10_000;

export function createListening(deps: {
  address: () => { host: string; port: number };
  onChange: () => void;
}): Listening {
  let handler: Handler | undefined;
  let listener: Listener | undefined;
  let at = deps.address();
  let lastBaseUrl = '';
  let problem: AppError | undefined;
  const closing = new Map<Listener, Promise<void>>();

  const openAt = async (address: { host: string; port: number }): Promise<void> => {
    if (handler === undefined) return;
    listener = await listen(handler, address);
    at = address;
    lastBaseUrl = listener.baseUrl;
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

  const reopen = async (): Promise<void> => {
    const address = deps.address();
    const old = listener;
    try {
      if (old !== undefined && address.host === at.host && (address.port === at.port || address.port === 0)) {
        listener = undefined;
        await letGo(old, reopenLimitMs);
        // The same port again, also where any was asked for: editors know it.
        await openAt({ host: address.host, port: old.port });
      } else {
        await openAt(address);
        if (old !== undefined) void letGo(old, moveLimitMs);
      }
    } catch (error) {
      if (listener === undefined) {
        problem = error instanceof AppError ? error : new AppError('address-unavailable', { cause: error });
      }
      throw error;
    } finally {
      deps.onChange();
    }
  };

  /** A laptop in another network has another address; a name or "all addresses" has none to lose. */
  const isAddressHere = (): boolean => {
    if (isIP(at.host) === 0 || ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(at.host)) return true;
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    return own.some(({ address }) => address === at.host);
  };

  return {
    baseUrl: () => lastBaseUrl,
    host: () => at.host,
    problem: () => problem,

    isElsewhere() {
      const { host, port } = deps.address();
      return host !== at.host || (port !== at.port && port !== 0 && port !== listener?.port);
    },

    async open(given) {
      handler = given;
      await openAt(deps.address());
    },

    reopen,

    async look() {
      if (listener === undefined) {
        // What kept it from opening may be over.
        await reopen().catch(() => undefined);
      } else if (isAddressHere()) {
        if (problem !== undefined) await reopen().catch(() => undefined);
      } else if (problem === undefined) {
        problem = new AppError('address-unavailable', { detail: `It listened on ${at.host}.` });
        deps.onChange();
      }
    },

    async close(limitMs) {
      if (listener !== undefined) void letGo(listener, limitMs);
      listener = undefined;
      cutWithin(limitMs);
      await Promise.all(closing.values());
    },

    cutWithin,
  };
}
