// For a command that waits for work of the running host: Ctrl+C cancels that work.

import { exitCode } from './exit-code.ts';
import { exitNow } from './exit-now.ts';
import { onStopSignal } from './stop-signals.ts';

/**
 * `started` is the host's response that the work has started. A Ctrl+C before it arrives also cancels the work, since the
 * host may have started it already. `done` waits for the cancellation; a second Ctrl+C exits without waiting.
 */
export function cancelOnSignal<Started>(
  started: Promise<Started>,
  cancel: (started: Started) => Promise<unknown>,
): { done(): Promise<unknown>; release(): void } {
  let canceled: Promise<unknown> | undefined;
  const release = onStopSignal(
    // The work may have failed to start, or finished in the meantime. The command itself reports both.
    () => (canceled = started.then(cancel).catch(() => undefined)),
    () => exitNow(exitCode.interrupted),
  );
  return { done: () => canceled ?? Promise.resolve(), release };
}
