// For what the host may do shortly after its answer.

import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** Repeats the check until it passes. @throws with its last failure if it doesn't pass in time (120 s by default). */
export async function eventually(
  what: string,
  check: () => void | Promise<void>,
  withinMs = 120_000,
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
