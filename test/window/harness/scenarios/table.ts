// For tests of the table: more rows than any view has, in a predictable order.

import type { LockItem } from '../../../../app/contract/state.ts';
import { createBasicAnswers } from '../basic-answers.ts';
import type { Scenario } from '../fake-host.ts';
import { makeLock, makeQuietState, minute } from '../rows.ts';

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

function withLocks(count: number) {
  return (nowMs: number): Scenario => ({
    state: {
      ...makeQuietState(nowMs),
      locks: Array.from({ length: count }, (_, index) => numberedLock(index + 1, nowMs)),
    },
    answers: createBasicAnswers(),
  });
}

export const tableScenarios = { numbered: withLocks(500) };
