// Finds an address where an editor reaches DocTray: tries the candidates in order, tests the connection with each, and keeps the
// first that works.

import { problemWords, type ConnectionStep } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import type { AddressAttempt, EditorCommands } from './editor-addresses.ts';

export interface AddressTrial {
  /** The base address for the editor. */
  url: string;
  /** What DocTray must listen on for it; null: no change. */
  listenOn: string | null;
  /** The editor uses it already. */
  isCurrent?: boolean;
}

/** What the search needs from the running host. */
export type AddressTrialHost = Pick<
  EditorCommands,
  'addresses' | 'listensOn' | 'baseUrlOf' | 'tryAddress' | 'testEditor'
>;

export interface WorkingAddress {
  /** The base address for the editor. */
  url: string;
  /** The address DocTray listens on because of it; null if no address was opened. */
  openedHost: string | null;
  /** What else the test found; null if both directions work. */
  warning: string | null;
  /** Restores everything. */
  undo: () => Promise<void>;
}

export interface AddressTrialInput {
  host: AddressTrialHost;
  editorId: string;
  trials: readonly AddressTrial[];
  signal: AbortSignal;
  onTrial?(url: string): void;
}

/**
 * Tries the addresses one after the other and keeps the first that works. One that can't be opened counts as failed.
 * @returns the first failed step if none works, with everything undone
 * @throws the reason of the signal, or AppError editor-unknown, with everything undone
 */
export async function findReachableAddress(
  input: AddressTrialInput,
): Promise<{ found: WorkingAddress } | { failure: ConnectionStep | undefined }> {
  const { host, trials, signal } = input;
  const before = host.listensOn();
  let failure: ConnectionStep | undefined;
  // One at a time: each may listen somewhere else.
  for (const trial of trials) {
    signal.throwIfAborted();
    input.onTrial?.(trial.url);
    const attempt = await begin(input, trial).catch(asFailure);
    // An address may have disappeared, or its port may be taken: try the next one.
    if ('failure' in attempt) failure ??= attempt.failure;
    else {
      let isKept = false;
      try {
        const { steps } = await unlessAborted(host.testEditor(input.editorId), signal);
        const callback = steps.find(({ name }) => name === 'callback');
        const failed = steps.find(({ state }) => state === 'failed');
        // Once the editor has called, another address wouldn't fix whatever else is wrong.
        if (callback?.state === 'passed') {
          const kept = await attempt.keep().catch(asFailure);
          isKept = kept === undefined;
          if (isKept) {
            const warning = failed === undefined ? null : problemWords(failed);
            const after = host.listensOn();
            const openedHost = after === before ? null : after;
            return { found: { url: trial.url, openedHost, warning, undo: attempt.undo } };
          }
          failure ??= kept?.failure;
        } else failure ??= failed ?? callback;
      } finally {
        if (!isKept) await attempt.undo();
      }
    }
  }
  return { failure };
}

const noChange: AddressAttempt = { keep: () => Promise.resolve(), undo: () => Promise.resolve() };

async function begin(
  { host, editorId }: AddressTrialInput,
  { url, listenOn, isCurrent }: AddressTrial,
): Promise<AddressAttempt> {
  return isCurrent === true ? noChange : host.tryAddress(editorId, url, listenOn);
}

/** @throws the error unless it's about the address */
function asFailure(error: unknown): { failure: ConnectionStep } {
  if (!(error instanceof AppError) || error.code === 'editor-unknown') throw error;
  const { message: sentence } = error;
  return {
    failure: { name: 'callback', state: 'failed', code: 'not-listening', sentence, remedy: null, lines: [] },
  };
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
