// Finds an address where a container reaches this computer. Rootful, rootless and virtual machines each need another one, and
// firewalls may block it: the addresses are tried, those that open least first, and the first that works is kept.

import { isIP, isIPv4 } from 'node:net';
import {
  testOutcome,
  type ConnectionStep,
  type ConnectionTest,
  type ReachableAddress,
} from '../contract/editors.ts';
import { hostOf } from '../network/addresses.ts';
import type { ContainerEngine } from './engine.ts';

export interface AddressTrial {
  /** The base address for the editor. */
  url: string;
  /** What DocTray must listen on for it; null: no change. */
  listenOn: string | null;
}

/** What the search needs from the running host. */
export interface AddressTrialHost {
  addresses(): ReachableAddress[];
  /** The current listening address: an address, a name, or all addresses. */
  listensOn(): string;
  /** The current base address of that editor. */
  baseUrlOf(editorId: string): string;
  /**
   * Sets the editor's base address and listens there if necessary. No setting changes before `keep`.
   * @throws AppError port-taken, address-unavailable
   */
  tryAddress(editorId: string, url: string, listenOn: string | null): Promise<AddressAttempt>;
  testEditor(editorId: string): Promise<ConnectionTest>;
}

export interface AddressAttempt {
  /** Saves the listening address in the settings, so that it survives a restart. */
  keep(): Promise<void>;
  /** Restores the editor's base address and the listening address; also after `keep`. */
  undo(): Promise<void>;
}

export const dockerName = 'host.docker.internal';
const podmanName = 'host.containers.internal';
const maxNetworks = 4;

/** Every address the container may need in its settings, such as `http://172.17.0.1:8790`. */
export function containerAddresses(addresses: readonly ReachableAddress[]): string[] {
  const usable = addresses.filter(
    ({ kind, url }) =>
      kind === 'public' || kind === 'docker' || (kind === 'interface' && isIPv4(hostOf(url))),
  );
  return [...new Set([...usable.map(({ url }) => url), ...named(addresses, podmanName)])].filter(
    (url) => isIP(hostOf(url)) !== 6,
  );
}

/**
 * In the order they are tried. The engine only determines the order: all are tried before a start fails.
 * @param gateways this computer's addresses in the container's networks
 */
export function addressTrials(input: {
  addresses: readonly ReachableAddress[];
  engine: Pick<ContainerEngine, 'name' | 'mode'>;
  gateways: readonly string[];
}): AddressTrial[] {
  const { addresses, engine, gateways } = input;
  const names = engine.name === 'docker' ? [dockerName, podmanName] : [podmanName, dockerName];
  const [ownName = dockerName] = names;
  const at = (url: string, listenOn: string | null): AddressTrial => ({ url, listenOn });
  const byName = (name: string, listenOn: string | null): AddressTrial[] =>
    named(addresses, name).map((url) => at(url, listenOn));

  const v4 = addresses.filter(({ url }) => isIPv4(hostOf(url)));
  const bridges = v4.filter(({ kind, url }) => kind === 'docker' && gateways.includes(hostOf(url)));
  const networks = v4.filter(({ kind }) => kind === 'interface').slice(0, maxNetworks);
  // A stable name is better than an address that may change, unless it requires opening more. With a bridge the name resolves to
  // that; without one, to an address of this computer.
  const trialsFor = ({ url, kind, neededHost }: ReachableAddress): AddressTrial[] => [
    ...(kind === 'docker' || bridges.length === 0 ? byName(ownName, neededHost) : []),
    at(url, neededHost),
  ];
  const isWide = addresses.every(({ isListening }) => isListening);
  const unchanged =
    engine.mode === 'virtual-machine' || isWide ? names.flatMap((name) => byName(name, null)) : [];
  const wide = isWide ? [] : names.flatMap((name) => byName(name, '0.0.0.0'));
  const trials = [...unchanged, ...bridges.flatMap(trialsFor), ...networks.flatMap(trialsFor), ...wide];
  return trials.filter(
    ({ url, listenOn }, index) =>
      trials.findIndex((other) => other.url === url && other.listenOn === listenOn) === index,
  );
}

export interface WorkingAddress {
  /** The base address for the editor. */
  url: string;
  /** What else the test found; null if both directions work. */
  warning: string | null;
}

export interface AddressTrialInput {
  host: AddressTrialHost;
  editorId: string;
  trials: readonly AddressTrial[];
  signal: AbortSignal;
  onTrial(url: string): void;
}

/**
 * Tries the addresses one after the other and keeps the first that works.
 * @returns the first failed step if none works, with everything undone
 * @throws the reason of the signal, with everything undone; AppError of the host
 */
export async function findReachableAddress(
  input: AddressTrialInput,
): Promise<
  { found: WorkingAddress & { undo: () => Promise<void> } } | { failure: ConnectionStep | undefined }
> {
  const { host, editorId, trials, signal, onTrial } = input;
  let failure: ConnectionStep | undefined;
  let unsure: { trial: AddressTrial; warning: string } | undefined;
  // One at a time: each may listen somewhere else.
  for (const trial of trials) {
    signal.throwIfAborted();
    onTrial(trial.url);
    // oxlint-disable-next-line no-await-in-loop
    const outcome = await tryOne(input, trial);
    if ('found' in outcome) return outcome;
    failure ??= outcome.failure;
    if (outcome.unsure !== undefined) unsure ??= { trial, warning: outcome.unsure };
  }
  if (unsure === undefined) return { failure };
  // Without a browser an older Collabora Online can't be asked to call: use the likeliest address.
  const attempt = await host.tryAddress(editorId, unsure.trial.url, unsure.trial.listenOn);
  try {
    await attempt.keep();
  } catch (error) {
    await attempt.undo();
    throw error;
  }
  return { found: { url: unsure.trial.url, warning: unsure.warning, undo: attempt.undo } };
}

type Outcome =
  { found: WorkingAddress & { undo: () => Promise<void> } } | { failure?: ConnectionStep; unsure?: string };

async function tryOne({ host, editorId, signal }: AddressTrialInput, trial: AddressTrial): Promise<Outcome> {
  let attempt: AddressAttempt;
  try {
    attempt = await host.tryAddress(editorId, trial.url, trial.listenOn);
  } catch (error) {
    // An address may have disappeared, or its port may be taken: try the next one.
    const sentence = error instanceof Error ? error.message : String(error);
    return {
      failure: {
        name: 'callback',
        state: 'failed',
        code: 'not-listening',
        sentence,
        remedy: null,
        lines: [],
      },
    };
  }
  let isKept = false;
  try {
    const test = await unlessAborted(host.testEditor(editorId), signal);
    const { isReached, warning, failed } = trialResult(test);
    if (isReached) {
      await attempt.keep();
      isKept = true;
      return { found: { url: trial.url, warning, undo: attempt.undo } };
    }
    return warning === null ? { ...(failed !== undefined && { failure: failed }) } : { unsure: warning };
  } finally {
    if (!isKept) await attempt.undo();
  }
}

/** A test takes up to 30 s: a user who cancels doesn't wait for it. @throws the reason of the signal */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    // Abort first: if both have ended, nothing is kept.
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The editor called: another address wouldn't fix whatever else is wrong. */
export function trialResult(test: ConnectionTest): {
  isReached: boolean;
  warning: string | null;
  failed: ConnectionStep | undefined;
} {
  const callback = test.steps.find(({ name }) => name === 'callback');
  const failed = test.steps.find(({ state }) => state === 'failed');
  if (callback?.state === 'passed') {
    return { isReached: true, warning: failed === undefined ? null : sentencesOf(failed), failed };
  }
  const isUnsure = testOutcome(test) === 'partial';
  return {
    isReached: false,
    warning: isUnsure && callback !== undefined ? sentencesOf(callback) : null,
    failed,
  };
}

export function sentencesOf({ sentence, remedy }: Pick<ConnectionStep, 'sentence' | 'remedy'>): string {
  return remedy === null ? sentence : `${sentence} ${remedy}`;
}

/** This computer's addresses with that name instead of the IP address. */
function named(addresses: readonly ReachableAddress[], name: string): string[] {
  const [known] = addresses.filter(({ url }) => hostOf(url) === dockerName);
  if (known === undefined) return [];
  const url = new URL(known.url);
  url.hostname = name;
  return [url.origin];
}
