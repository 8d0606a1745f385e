// Finds the address under which a connected editor reaches DocTray, by trying: what works depends on containers, firewalls and
// networks that can't be known from here. Document servers that DocTray starts itself do the same in app/containers.

import { isIP } from 'node:net';
import type { ContainerEngineState, DocumentServersState } from '../contract/document-servers.ts';
import type { ConnectionStep, FoundAddress, ReachableAddress } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import { createKeyedMutex } from '../files/keyed-mutex.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { addressList, hostOf } from '../network/addresses.ts';
import { addressTrials, hostsOpenedBy } from './address-trials.ts';
import type { Editor } from '../store/editors.ts';
import {
  findReachableAddress,
  trialResult,
  unlessAborted,
  type AddressTrial,
  type AddressTrialHost,
} from './reachable-address.ts';

export interface AddressSearchHost extends AddressTrialHost {
  services: {
    emit: EmitEvent;
    editors: { byId(id: string): Pick<Editor, 'url'> | undefined };
    documentServers: { state(): Pick<DocumentServersState, 'engines'> };
  };
}

export interface SearchInput {
  id: string;
  isInContainer: boolean;
  /** Whether DocTray may listen on one of these for a trial. */
  confirmOpening(hosts: readonly string[]): Promise<boolean>;
}

export interface AddressSearch {
  /** A newer search for the same editor ends an older one. Null: it was canceled. @throws AppError editor-unknown */
  run(host: AddressSearchHost, input: SearchInput): Promise<FoundAddress | null>;
  /** Ends the search, with everything as it was before; does nothing if none runs. */
  cancel(editorId: string): void;
  /** The user hasn't answered `confirmOpening` yet. */
  isAwaitingConfirmation(editorId: string): boolean;
}

export function createAddressSearch(): AddressSearch {
  const running = new Map<string, AbortController>();
  const awaiting = new Set<string>();
  // Each may listen somewhere else for a while.
  const turns = createKeyedMutex();
  return {
    async run(host, input) {
      const { id } = input;
      running.get(id)?.abort();
      const ending = new AbortController();
      running.set(id, ending);
      const changed = () => host.services.emit({ event: 'row-changed', table: 'editors' });
      const confirmOpening = async (hosts: readonly string[]): Promise<boolean> => {
        awaiting.add(id);
        changed();
        try {
          return await unlessAborted(input.confirmOpening(hosts), ending.signal);
        } finally {
          awaiting.delete(id);
          changed();
        }
      };
      try {
        return await findAddress({
          ...input,
          host,
          confirmOpening,
          signal: ending.signal,
          inTurn: (work) => turns.run('', work),
        });
      } catch (error) {
        if (ending.signal.aborted) return null;
        throw error;
      } finally {
        if (running.get(id) === ending) running.delete(id);
        // A test was done that no other event reports.
        changed();
      }
    },

    cancel: (id) => running.get(id)?.abort(),
    isAwaitingConfirmation: (id) => awaiting.has(id),
  };
}

interface Search extends SearchInput {
  host: AddressSearchHost;
  signal: AbortSignal;
  /** Waits until no other search runs. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** @throws AppError editor-unknown; the reason of the signal, with everything as it was */
async function findAddress(search: Search): Promise<FoundAddress> {
  const { inTurn, confirmOpening } = search;
  const harmless = await inTurn(() => tryHarmless(search));
  if ('url' in harmless) return harmless;
  const { first, given, opening } = harmless;
  let { failure } = harmless;
  let isDeclined = false;
  if (opening.length > 0) {
    // Not in the turn: until the user answers, other searches go on.
    isDeclined = !(await confirmOpening(hostsOpenedBy(opening)));
    const opened = isDeclined ? {} : await inTurn(() => tryTrials(search, opening));
    if ('url' in opened) return opened;
    failure ??= opened.failure;
  }
  // Nothing failed, and without a browser no more can be known.
  if (first !== undefined && first.warning !== null) {
    return { ...none, url: given, warning: first.warning };
  }
  return { ...none, failed: first?.failed ?? failure ?? null, isDeclined };
}

const none: FoundAddress = { url: null, openedHost: null, warning: null, failed: null, isDeclined: false };

interface HarmlessResult {
  /** The address that the editor uses now. */
  given: string;
  /** Its test; undefined if it can't work. */
  first: ReturnType<typeof trialResult> | undefined;
  failure?: ConnectionStep | undefined;
  /** What is left to try: DocTray must listen on more for these. */
  opening: AddressTrial[];
}

/** Tries the addresses at which DocTray listens already. */
async function tryHarmless(search: Search): Promise<FoundAddress | HarmlessResult> {
  const { host, id, isInContainer, signal } = search;
  const editor = host.services.editors.byId(id);
  if (editor === undefined) throw new AppError('editor-unknown');
  signal.throwIfAborted();
  const given = host.baseUrlOf(id);
  const first =
    isInContainer && isLoopbackHost(hostOf(given))
      ? undefined
      : trialResult(await unlessAborted(host.testEditor(id), signal));
  if (first?.isReached === true) return { ...none, url: given, warning: first.warning };
  const trials = addressesToTry({
    editorUrl: editor.url,
    isInContainer,
    addresses: host.addresses(),
    engines: host.services.documentServers.state().engines ?? [],
  }).filter(({ url }) => first === undefined || url !== given);
  const [opening = [], harmless = []] = [true, false].map((isOpening) =>
    trials.filter(({ listenOn }) => (listenOn !== null) === isOpening),
  );
  const result = await tryTrials(search, harmless);
  return 'url' in result ? result : { given, first, opening, failure: result.failure };
}

async function tryTrials(
  { host, id, signal }: Search,
  trials: readonly AddressTrial[],
): Promise<FoundAddress | { failure?: ConnectionStep | undefined }> {
  const before = host.listensOn();
  const result = await findReachableAddress({ host, editorId: id, signal, trials, onTrial: () => undefined });
  if (!('found' in result)) return result;
  const { url, warning } = result.found;
  const after = host.listensOn();
  return { ...none, url, warning, openedHost: after === before ? null : after };
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
