// Reads the discovery of a connected editor again. What was known of it counts on when that fails, and the failure is told
// of once, until it answers again.
// @see behaviour page section 8

import type { Clock } from '../contract/clock.ts';
import { describeError } from '../contract/errors.ts';
import type { FetchedDiscovery } from './discovery-fetch.ts';
import { faultOf } from './editor-fault.ts';
import { checkPlaces } from './editor-rules.ts';
import type { Editor } from './editor.ts';
import type { RefreshTimes } from './refresh-times.ts';

export interface DiscoveryRefreshDeps {
  clock: Clock;
  /** @throws AppError as `FetchDiscovery` */
  fetchDiscovery: (editor: Editor, signal: AbortSignal) => Promise<FetchedDiscovery>;
  times: RefreshTimes;
  /** @throws AppError editor-unknown */
  byId: (id: string) => Editor;
  keep: (editor: Editor) => Editor;
  /** Ends what is being read; nothing is noted of that. */
  signal: AbortSignal;
  onFailed: (editor: Editor, problem: { sentence: string; remedy: string | undefined }) => void;
  onReached: (editor: Editor) => void;
  onChanged: () => void;
}

export interface DiscoveryRefresh {
  /** One at a time for each editor: who asks meanwhile gets the same answer. @throws AppError as `Editors.refresh` */
  run(id: string): Promise<Editor>;
  isRunning(id: string): boolean;
}

export function createDiscoveryRefresh(deps: DiscoveryRefreshDeps): DiscoveryRefresh {
  const { byId, clock, signal, times } = deps;
  const running = new Map<string, Promise<Editor>>();

  const read = async (id: string): Promise<Editor> => {
    const editor = byId(id);
    times.note(id);
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
    times.succeeded(id);
    // What it did not say this time, it is still taken to be.
    const isSameKind = fetched.kind === before.kind;
    const product = fetched.product ?? (isSameKind ? before.product : null);
    const version = fetched.version ?? (isSameKind ? before.version : null);
    const after = deps.keep({
      ...before,
      ...fetched,
      product,
      version,
      discoveredAtMs: clock(),
      problem: null,
    });
    if (before.problem !== null) deps.onReached(after);
    deps.onChanged();
    return after;
  };

  const noteFailure = (before: Editor, error: unknown): void => {
    times.failed(before.id);
    const fault = faultOf(error);
    const { code, message } = describeError(error);
    const sentence = fault?.sentence ?? message;
    const problem = { code: fault?.code ?? code, sentence, sinceMs: before.problem?.sinceMs ?? clock() };
    if (before.problem?.code === problem.code && before.problem.sentence === sentence) return;
    const after = deps.keep({ ...before, problem });
    if (before.problem === null) deps.onFailed(after, { sentence, remedy: fault?.remedy });
    deps.onChanged();
  };

  return {
    run(id) {
      const current = running.get(id);
      if (current !== undefined) return current;
      const reading = read(id).finally(() => running.delete(id));
      running.set(id, reading);
      return reading;
    },
    isRunning: (id) => running.has(id),
  };
}
