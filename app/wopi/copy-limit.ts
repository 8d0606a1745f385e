// Limits how many copies an access token may create: a burst no person notices, then a slow refill. The answer to each copy
// contains another token; tokens derived from one share its allowance, or every copy would allow sixty more.

import type { Clock } from '../contract/clock.ts';

export const copiesAtOnce = 60;
export const msPerCopy = 10_000;
/** Expired allowances are swept once there are this many. */
const sweepThreshold = 1000;

interface Allowance {
  copies: number;
  atMs: number;
  /** When the last token that shares it expires. */
  untilMs: number;
}

export interface CopyLimit {
  /** Takes one copy from the token's allowance. Returns the seconds to wait if it is used up, else 0. */
  take(token: { id: string; expiresAtMs: number }): number;
  /** The token of a copy shares the allowance of the token that created it, until it expires. */
  share(id: string, copysId: string): void;
}

export function createCopyLimit(deps: { clock: Clock; graceMs: number }): CopyLimit {
  const allowances = new Map<string, Allowance>();
  let sweepAt = sweepThreshold;

  const sweep = (nowMs: number): void => {
    if (allowances.size < sweepAt) return;
    for (const [id, { untilMs }] of allowances) if (untilMs <= nowMs) allowances.delete(id);
    sweepAt = allowances.size * 2 + sweepThreshold;
  };

  return {
    take({ id, expiresAtMs }) {
      const nowMs = deps.clock();
      sweep(nowMs);
      const known = allowances.get(id);
      const allowance = known ?? {
        copies: copiesAtOnce,
        atMs: nowMs,
        untilMs: expiresAtMs + deps.graceMs,
      };
      if (known === undefined) allowances.set(id, allowance);
      const grown = allowance.copies + Math.max(0, nowMs - allowance.atMs) / msPerCopy;
      Object.assign(allowance, { copies: Math.min(copiesAtOnce, grown), atMs: nowMs });
      if (allowance.copies < 1) return Math.ceil(((1 - allowance.copies) * msPerCopy) / 1000);
      allowance.copies -= 1;
      return 0;
    },

    share(id, copysId) {
      const allowance = allowances.get(id);
      if (allowance !== undefined) allowances.set(copysId, allowance);
    },
  };
}
