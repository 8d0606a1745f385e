// What is too old, for everything that lapses or expires. Lives are compared with the host's clock, which
// `app/time/host-clock.ts` keeps in step with real time.

/** Whether something that began then has lived that long. A start time in the future counts as expired. */
export function isOver(beganAtMs: number, lifeMs: number, nowMs: number): boolean {
  const ageMs = nowMs - beganAtMs;
  return ageMs < 0 || ageMs >= lifeMs;
}
