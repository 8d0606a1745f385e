// Finds the address under which a connected editor reaches DocTray, by trying: what works depends on containers, firewalls and
// networks that can't be known from here. Document servers that DocTray starts itself do the same in app/containers.

import { isIP } from 'node:net';
import type { ContainerEngineState, DocumentServersState } from '../contract/document-servers.ts';
import type { FoundAddress, ReachableAddress } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import { createKeyedMutex, type KeyedMutex } from '../files/keyed-mutex.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { addressList, hostOf } from '../network/addresses.ts';
import { addressTrials, hostsOpenedBy } from './address-trials.ts';
import type { Editor } from '../store/editors.ts';
import {
  findReachableAddress,
  unlessAborted,
  type AddressTrial,
  type AddressTrialHost,
} from './reachable-address.ts';

export interface AddressSearchHost extends AddressTrialHost {
  services: {
    emit: EmitEvent;
    editors: { byId(id: string): Pick<Editor, 'url'> | undefined; refresh(id: string): Promise<unknown> };
    documentServers: { state(): Pick<DocumentServersState, 'engines'> };
  };
}

export interface SearchInput {
  id: string;
  isInContainer: boolean;
  /** Whether DocTray may listen on one of these for a trial. */
  confirmOpening(hosts: readonly string[]): Promise<boolean>;
}

export type AddressSearch = ReturnType<typeof createAddressSearch>;

export function createAddressSearch() {
  const running = new Map<string, AbortController>();
  const awaiting = new Set<string>();
  // Each may listen somewhere else for a while.
  const turns = createKeyedMutex();
  const closing = new AbortController();
  return {
    /** A newer search for the same editor ends an older one. Null: it was canceled. @throws AppError as `Editors.refresh` */
    async run(host: AddressSearchHost, input: SearchInput): Promise<FoundAddress | null> {
      const { id } = input;
      running.get(id)?.abort();
      const ending = new AbortController();
      running.set(id, ending);
      const signal = AbortSignal.any([ending.signal, closing.signal]);
      const changed = () => host.services.emit({ event: 'row-changed', table: 'editors' });
      const confirmOpening = async (hosts: readonly string[]): Promise<boolean> => {
        awaiting.add(id);
        changed();
        try {
          return await unlessAborted(input.confirmOpening(hosts), signal);
        } finally {
          awaiting.delete(id);
          changed();
        }
      };
      try {
        const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> =>
          runInTurn(turns, work, signal);
        return await findAddress({ ...input, host, confirmOpening, signal, inTurn });
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      } finally {
        if (running.get(id) === ending) running.delete(id);
        // A test was done that no other event reports.
        changed();
      }
    },

    /** Ends the search, with everything as it was before; does nothing if none runs. */
    cancel: (id: string) => running.get(id)?.abort(),
    /** Ends all searches, also later ones; resolves when everything is as it was before. */
    close(): Promise<void> {
      closing.abort();
      return turns.idle();
    },
    /** The user hasn't answered `confirmOpening` yet. */
    isAwaitingConfirmation: (id: string) => awaiting.has(id),
  };
}

interface Search extends SearchInput {
  host: AddressSearchHost;
  signal: AbortSignal;
  /** Waits until no other search tries an address. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Only the wait ends with the signal: work that has started undoes what it did. */
function runInTurn<Result>(
  turns: KeyedMutex,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const started = Promise.withResolvers<void>();
  const result = turns.run('', () => {
    signal.throwIfAborted();
    started.resolve();
    return work();
  });
  // If it has started, waiting can't fail any more.
  return unlessAborted(started.promise, signal).then(() => result);
}

/** @throws AppError as `Editors.refresh`; the reason of the signal, with everything as it was */
async function findAddress(search: Search): Promise<FoundAddress> {
  const { host, id, signal, inTurn, confirmOpening } = search;
  // No address helps an editor that can't be read.
  await unlessAborted(host.services.editors.refresh(id), signal);
  const tryAll = (trials: readonly AddressTrial[]): ReturnType<typeof findReachableAddress> =>
    findReachableAddress({ host, editorId: id, signal, trials });
  const [harmless, opening] = await inTurn(async () => {
    const trials = trialsOf(search);
    const tried = await tryAll(trials.filter(({ listenOn }) => listenOn === null));
    return [tried, trials.filter(({ listenOn }) => listenOn !== null)] as const;
  });
  const isOver = 'found' in harmless || opening.length === 0;
  // Not in the turn: until the user answers, other searches go on.
  const isDeclined = !isOver && !(await confirmOpening(hostsOpenedBy(opening)));
  const result = isOver || isDeclined ? harmless : await inTurn(() => tryAll(opening));
  if ('found' in result) {
    const { url, openedHost, warning } = result.found;
    return { url, openedHost, warning, failed: null, isDeclined: false };
  }
  const failed = ('failure' in harmless ? harmless.failure : undefined) ?? result.failure ?? null;
  return { url: null, openedHost: null, warning: null, failed, isDeclined };
}

/** The one it uses now is the first, unless that can't work. @throws AppError editor-unknown */
function trialsOf({ host, id, isInContainer }: Search): AddressTrial[] {
  const editor = host.services.editors.byId(id);
  if (editor === undefined) throw new AppError('editor-unknown');
  const current = host.baseUrlOf(id);
  const others = addressesToTry({
    editorUrl: editor.url,
    isInContainer,
    addresses: host.addresses(),
    engines: host.services.documentServers.state().engines ?? [],
  });
  // A container's loopback isn't this computer's.
  if (isInContainer && isLoopbackHost(hostOf(current))) return others;
  return [{ url: current, listenOn: null, isCurrent: true }, ...others.filter(({ url }) => url !== current)];
}

/** The likeliest first, and those that open least before others. */
export function addressesToTry(input: {
  /** Not needed for one in a container. */
  editorUrl?: string;
  isInContainer: boolean;
  addresses: readonly ReachableAddress[];
  engines: readonly ContainerEngineState[];
}): AddressTrial[] {
  const { editorUrl, isInContainer, addresses, engines } = input;
  const editorHost = editorUrl === undefined ? '' : hostOf(editorUrl);
  if (isInContainer || isLoopbackHost(editorHost)) {
    const engine = engines.find(({ status }) => status === 'ready');
    const bridges = addresses.filter(({ kind, url }) => kind === 'docker' && isIP(hostOf(url)) !== 0);
    return addressTrials({
      addresses,
      engine: { name: engine?.name ?? 'docker', mode: engine?.mode ?? 'virtual-machine' },
      // Which of them the container is behind isn't known for one that DocTray didn't start.
      gateways: bridges.map(({ url }) => hostOf(url)),
    });
  }
  const isSameNetwork = ({ network }: ReachableAddress): boolean =>
    network !== null && addressList([network]).has(editorHost);
  const usable = addresses.filter(
    (address) =>
      address.kind === 'public' ||
      address.kind === 'name' ||
      (address.kind === 'interface' && (isIP(hostOf(address.url)) === 4 || isSameNetwork(address))),
  );
  const rank = (address: ReachableAddress): number =>
    address.kind === 'public' ? 0 : isSameNetwork(address) ? 1 : address.kind === 'interface' ? 2 : 3;
  return usable
    .toSorted((left, right) => rank(left) - rank(right))
    .map(({ url, neededHost }) => ({ url, listenOn: neededHost }));
}
