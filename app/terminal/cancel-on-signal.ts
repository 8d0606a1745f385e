// For a command that waits for work of the running host: Ctrl+C cancels that work.

import { exitCode } from './exit-code.ts';
import { exitNow } from './exit-now.ts';

/** npm forwards a Ctrl+C that the terminal also sends to this process; both arrive within this time and count as one. */
const sameSignalMs = 300;

/**
 * `started` is the host's response that the work has started. A Ctrl+C before it arrives also cancels the work, since the
 * host may have started it already. `done` waits for the cancellation; a second Ctrl+C exits without waiting.
 */
export function cancelOnSignal<Started>(
  started: Promise<Started>,
  cancel: (started: Started) => Promise<unknown>,
): { done(): Promise<void>; release(): void } {
  let cancelled: Promise<void> | undefined;
  let cancelledAtMs = 0;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (): void => {
    if (cancelled !== undefined) {
      if (performance.now() - cancelledAtMs > sameSignalMs) exitNow(exitCode.interrupted);
      return;
    }
    cancelledAtMs = performance.now();
    // The work may have failed to start, or finished in the meantime. The command itself reports both.
    cancelled = started.then(cancel).then(
      () => undefined,
      () => undefined,
    );
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    done: async () => cancelled,
    release: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
