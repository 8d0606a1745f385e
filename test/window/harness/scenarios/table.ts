// For tests of the table: more rows than any view has, in a predictable order.

import type { LockItem } from '../../../../app/contract/state.ts';
import { quiet } from '../basic-answers.ts';
import { makeLock, minute } from '../rows.ts';

/** `Document 0001.odt` and so on, locked a minute apart; the first is the newest. */
export function numberedLock(index: number, nowMs: number, over: Partial<LockItem> = {}): LockItem {
  const takenAtMs = nowMs - index * minute;
  return makeLock(index, nowMs, {
    path: `Document ${String(index).padStart(4, '0')}.odt`,
    takenAtMs,
    refreshedAtMs: takenAtMs,
    lastCallAtMs: takenAtMs,
    expiresAtMs: takenAtMs + 30 * minute,
    ...over,
  });
}

const numbered = (nowMs: number) =>
  quiet(nowMs, { locks: Array.from({ length: 500 }, (_, index) => numberedLock(index + 1, nowMs)) });

export const tableScenarios = { numbered };
