// For a command that waits for work of the running host: Ctrl+C cancels that work.

import { exitCode } from './exit-code.ts';
import { exitNow } from './exit-now.ts';

/** npm passes on a Ctrl+C that the terminal has sent to the process as well: not a second one. */
const sameSignalMs = 300;

/**
 * `started` is the host's answer that the work has started. A Ctrl+C before it comes cancels the work too, as the host may be at it
 * already. `done` waits until the cancelling is done; a second Ctrl+C doesn't wait.
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
    // It may have failed to start or ended at this very moment; the command says so anyway.
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
