// What is too old, for everything that lapses, expires or is pruned. Lives are compared with the host's clock, which
// `app/time/host-clock.ts` keeps in step with real time.

const dayMs = 24 * 60 * 60 * 1000;

/** Whether something that began then has lived that long. A start time in the future counts as expired. */
export function isOver(beganAtMs: number, lifeMs: number, nowMs: number): boolean {
  const ageMs = nowMs - beganAtMs;
  return ageMs < 0 || ageMs >= lifeMs;
}

/**
 * What the user's data is pruned by: everything kept before this moment has been kept for more than `keepMs`. Its age counts
 * from the newest thing that was kept a day ago or earlier, not from the clock, so a clock that is wrong by weeks makes nothing
 * old, and neither does what is kept on the first day under such a clock. -Infinity: nothing is too old.
 *
 * @param newestBy when the newest thing kept by that moment was kept
 */
export function prunedBefore(
  keepMs: number,
  nowMs: number,
  newestBy: (atMs: number) => number | undefined,
): number {
  const newestMs = newestBy(nowMs - dayMs);
  return newestMs === undefined ? Number.NEGATIVE_INFINITY : newestMs - keepMs;
}
