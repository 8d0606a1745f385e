import { setTimeout as pause } from 'node:timers/promises';

/** Polls until `probe` finds something. @throws Error if it doesn't in that time */
export async function until<Found>(
  what: string,
  probe: () => Promise<Found | undefined | false> | Found | undefined | false,
  limitMs = 120_000,
): Promise<Found> {
  const startedAtMs = Date.now();
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    const waitedMs = Date.now() - startedAtMs;
    if (waitedMs >= limitMs) throw new Error(`Timed out waiting for ${what}.`);
    // Polls often at first; later less often, to leave the processor to other tests.
    await pause(Math.min(20 + waitedMs / 8, 250));
  }
}
