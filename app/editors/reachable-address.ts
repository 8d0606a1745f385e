// Finds an address where an editor reaches DocTray: tries several, tests the connection with each, and keeps the first that works.

import { testOutcome, type ConnectionStep, type ConnectionTest } from '../contract/editors.ts';
import type { AddressAttempt, EditorCommands } from './editor-addresses.ts';

export interface AddressTrial {
  /** The base address for the editor. */
  url: string;
  /** What DocTray must listen on for it; null: no change. */
  listenOn: string | null;
}

/** What the search needs from the running host. */
export type AddressTrialHost = Pick<
  EditorCommands,
  'addresses' | 'listensOn' | 'baseUrlOf' | 'tryAddress' | 'testEditor'
>;

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
