// How many copies an access token may create: a burst no person notices, then a slow stream. The answer to each copy brings
// another token; the tokens that come from one share its allowance, or every copy would bring sixty more.

import type { Clock } from '../contract/clock.ts';

export const copiesAtOnce = 60;
export const msPerCopy = 10_000;
/** Allowances are looked through for expired ones after so many. */
const mostBeforeSweep = 1000;

interface Allowance {
  copies: number;
  atMs: number;
  /** When the last token that shares it is forgotten. */
  untilMs: number;
}

export interface CopyLimit {
  /** Takes one copy from the token's allowance. Answers the seconds to wait where nothing is left, else 0. */
  take(token: { id: string; expiresAtMs: number }): number;
  /** The token of a copy goes on with the allowance of the token that created it, and expires with it. */
  share(id: string, copysId: string): void;
}

export function createCopyLimit(deps: { clock: Clock; afterlifeMs: number }): CopyLimit {
  const allowances = new Map<string, Allowance>();
  let sweepAt = mostBeforeSweep;

  const sweep = (nowMs: number): void => {
    if (allowances.size < sweepAt) return;
    for (const [id, { untilMs }] of allowances) if (untilMs <= nowMs) allowances.delete(id);
    sweepAt = allowances.size * 2 + mostBeforeSweep;
  };

  return {
    take({ id, expiresAtMs }) {
      const nowMs = deps.clock();
      sweep(nowMs);
      const known = allowances.get(id);
      const allowance = known ?? {
        copies: copiesAtOnce,
        atMs: nowMs,
        untilMs: expiresAtMs + deps.afterlifeMs,
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
