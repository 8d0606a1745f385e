// For what the host may do shortly after its answer, within a bound that the issue promises.

import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** Repeats the check until it passes. @throws its last failure when it has not passed within the time (30 s when not given). */
export async function eventually(
  what: string,
  check: () => void | Promise<void>,
  withinMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error(`${what}: not within ${withinMs} ms`, { cause: error });
    }
    await delay(20);
  }
}
