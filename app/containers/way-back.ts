// The way from a container back to this computer. Rootful, rootless and virtual machines each have another address for it, and
// firewalls have their say: the addresses are tried, those that open least first, and the first that works is kept.

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
  /** Given to the editor. */
  url: string;
  /** What DocTray must listen on for it; null: what it listens on anyway. */
  listenOn: string | null;
}

/** What of the running host is needed to give a container an address of DocTray that works. */
export interface WayBackHost {
  addresses(): ReachableAddress[];
  /** What it listens on now: an address, a name, or all addresses. */
  listensOn(): string;
  /** The address that editor is given now. */
  baseUrlOf(editorId: string): string;
  /**
   * Gives the editor that address and listens where it must. No setting changes before `keep`.
   * @throws AppError port-taken, address-unavailable
   */
  tryAddress(editorId: string, url: string, listenOn: string | null): Promise<AddressAttempt>;
  testEditor(editorId: string): Promise<ConnectionTest>;
}

export interface AddressAttempt {
  /** Saves what is listened on in the settings, so that it outlives a restart. */
  keep(): Promise<void>;
  /** Restores the address of the editor and what is listened on; also after `keep`. */
  undo(): Promise<void>;
}

export const dockerName = 'host.docker.internal';
const podmanName = 'host.containers.internal';
const maxNetworks = 4;

/** Every address the container may have to be told of, such as `http://172.17.0.1:8790`. */
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
 * In the order in which they are tried. The engine only orders them: each is tried before a start is given up.
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
  // A name that doesn't change is better than a number that may, as long as no more is opened for it. Where there is a bridge
  // the name stands for that; without one, for an address of this computer.
  const over = ({ url, kind, neededHost }: ReachableAddress): AddressTrial[] => [
    ...(kind === 'docker' || bridges.length === 0 ? byName(ownName, neededHost) : []),
    at(url, neededHost),
  ];
  const isWide = addresses.every(({ isListening }) => isListening);
  const asItIs =
    engine.mode === 'virtual-machine' || isWide ? names.flatMap((name) => byName(name, null)) : [];
  const wide = isWide ? [] : names.flatMap((name) => byName(name, '0.0.0.0'));
  const trials = [...asItIs, ...bridges.flatMap(over), ...networks.flatMap(over), ...wide];
  return trials.filter(
    ({ url, listenOn }, index) =>
      trials.findIndex((other) => other.url === url && other.listenOn === listenOn) === index,
  );
}

export interface WayBack {
  /** Given to the editor. */
  url: string;
  /** What the test found besides; null where both directions work. */
  warning: string | null;
}

export interface WayBackInput {
  host: WayBackHost;
  editorId: string;
  trials: readonly AddressTrial[];
  signal: AbortSignal;
  onTrial(url: string): void;
}

/**
 * Tries one address after the other and keeps the first that works.
 * @returns the first failed step where none works, and then everything is as it was
 * @throws the reason of the signal, with everything as it was; AppError of the host
 */
export async function findWayBack(
  input: WayBackInput,
): Promise<{ found: WayBack & { undo: () => Promise<void> } } | { failure: ConnectionStep | undefined }> {
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
  // Without a browser an older Collabora Online can't be asked to call: it is given the likeliest address.
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
  { found: WayBack & { undo: () => Promise<void> } } | { failure?: ConnectionStep; unsure?: string };

async function tryOne({ host, editorId, signal }: WayBackInput, trial: AddressTrial): Promise<Outcome> {
  let attempt: AddressAttempt;
  try {
    attempt = await host.tryAddress(editorId, trial.url, trial.listenOn);
  } catch (error) {
    // An address may have gone away, or its port be another program's: the next one may do.
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
    const { isReached, warning, failed } = judged(test);
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

/** A test takes up to 30 s: a user who cancels doesn't wait for its end. @throws the reason of the signal */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    // Abort first: where both have ended, nothing is kept.
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The editor called: whatever else is wrong, another address doesn't mend it. */
export function judged(test: ConnectionTest): {
  isReached: boolean;
  warning: string | null;
  failed: ConnectionStep | undefined;
} {
  const callback = test.steps.find(({ name }) => name === 'callback');
  const failed = test.steps.find(({ state }) => state === 'failed');
  if (callback?.state === 'passed') {
    return { isReached: true, warning: failed === undefined ? null : wordsOf(failed), failed };
  }
  const isUnsure = testOutcome(test) === 'partial';
  return { isReached: false, warning: isUnsure && callback !== undefined ? wordsOf(callback) : null, failed };
}

export function wordsOf({ sentence, remedy }: Pick<ConnectionStep, 'sentence' | 'remedy'>): string {
  return remedy === null ? sentence : `${sentence} ${remedy}`;
}

/** This computer's address with that name in place of its own. */
function named(addresses: readonly ReachableAddress[], name: string): string[] {
  const [known] = addresses.filter(({ url }) => hostOf(url) === dockerName);
  if (known === undefined) return [];
  const url = new URL(known.url);
  url.hostname = name;
  return [url.origin];
}
