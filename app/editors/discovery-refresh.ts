// Reads the discovery of a connected editor again: every 12 hours, or every 2 minutes while it doesn't respond. If that fails, the
// old discovery stays in use, and the failure is reported once, until the editor responds again.

import { isDeepStrictEqual } from 'node:util';
import { hasExpired } from '../contract/age.ts';
import type { Clock } from '../contract/clock.ts';
import { describeError, messageFor } from '../contract/errors.ts';
import type { FetchedDiscovery } from './discovery-fetch.ts';
import { faultOf, problemOf } from './editor-fault.ts';
import { checkPlaces } from './editor-rules.ts';
import type { Editor } from '../store/editors.ts';

export interface DiscoveryRefreshDeps {
  clock: Clock;
  /** @throws AppError as `FetchDiscovery` */
  fetchDiscovery: (editor: Editor, signal: AbortSignal) => Promise<FetchedDiscovery>;
  /** @throws AppError editor-unknown */
  byId: (id: string) => Editor;
  keep: (editor: Editor) => Editor;
  /** Aborts the request, without recording a failure. */
  signal: AbortSignal;
  /** @param why in English */
  onFailed: (editor: Editor, why: string) => void;
  onReached: (editor: Editor) => void;
  onChanged: () => void;
}

export function createDiscoveryRefresh(deps: DiscoveryRefreshDeps) {
  const { byId, clock, signal } = deps;
  const running = new Map<string, Promise<Editor>>();
  const triedAtMs = new Map<string, number>();
  const isOlder = (atMs: number | undefined, ageMs: number): boolean =>
    atMs === undefined || hasExpired(atMs, ageMs, clock());

  const read = async (id: string): Promise<Editor> => {
    const editor = byId(id);
    triedAtMs.set(id, clock());
    let fetched: FetchedDiscovery;
    try {
      fetched = await deps.fetchDiscovery(editor, signal);
      checkPlaces(fetched.discovery, byId(id));
    } catch (error) {
      if (!signal.aborted) noteFailure(byId(id), error);
      throw error;
    }
    signal.throwIfAborted();
    const before = byId(id);
    // If it doesn't report a product this time, keep the known one.
    const known = fetched.kind === before.kind ? before : { product: null, version: null };
    const product = fetched.product ?? known.product;
    const version = fetched.version ?? known.version;
    const read = { ...fetched, product, version, discoveredAtMs: clock(), problem: null };
    const after = deps.keep({ ...before, ...read });
    if (before.problem !== null) deps.onReached(after);
    deps.onChanged();
    return after;
  };

  const noteFailure = (before: Editor, error: unknown): void => {
    const fault = faultOf(error);
    const { code, message } = describeError(error);
    const sinceMs = before.problem?.sinceMs ?? clock();
    const problem =
      fault === undefined
        ? { code, sentence: messageFor('window', error), sinceMs }
        : problemOf(fault, sinceMs);
    if (isDeepStrictEqual(before.problem, problem)) return;
    const after = deps.keep({ ...before, problem });
    if (before.problem === null) deps.onFailed(after, fault?.message ?? message);
    deps.onChanged();
  };

  return {
    /** One at a time for each editor: concurrent callers share the result. @throws AppError as `Editors.refresh` */
    run(id: string): Promise<Editor> {
      const current = running.get(id);
      if (current !== undefined) return current;
      const reading = read(id).finally(() => running.delete(id));
      running.set(id, reading);
      return reading;
    },
    isRunning: (id: string) => running.has(id),
    isDue(editor: Editor): boolean {
      return editor.problem === null
        ? isOlder(editor.discoveredAtMs, refreshAfterMs)
        : isOlder(triedAtMs.get(editor.id), retryAfterMs);
    },
    /** It was read, or attempted, within the last minute. */
    isRecent: (id: string) => !isOlder(triedAtMs.get(id), minuteMs),
    forget: (id: string) => void triedAtMs.delete(id),
  };
}

const minuteMs = 60_000;
const refreshAfterMs = 12 * 60 * minuteMs;
const retryAfterMs = 2 * minuteMs;
