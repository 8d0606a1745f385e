// Whether something has outlived its lifetime, for everything that lapses or expires. Times come from the host's clock, which
// `app/time/host-clock.ts` keeps in step with real time.

/** Whether something that began at `beganAtMs` is older than `lifeMs`. A start time in the future counts as expired. */
export function hasExpired(beganAtMs: number, lifeMs: number, nowMs: number): boolean {
  const ageMs = nowMs - beganAtMs;
  return ageMs < 0 || ageMs >= lifeMs;
}

/** How long an editor can still save after its token has expired. */
export const accessTokenGraceMs = 24 * 60 * 60 * 1000;
