// The host's time. In the app's window it is this computer's time; a browser may run on another one, whose clock is set differently.

let aheadMs = 0;

/** @param nowMs the host's time at this moment */
export function setHostTime(nowMs: number): void {
  aheadMs = nowMs - Date.now();
}

/** ms since 1970. */
export function hostTime(): number {
  return Date.now() + aheadMs;
}
