// When an editor's discovery is to be read again: every 12 hours, and sooner and sooner less often while it does not answer.

import { isOver } from '../contract/age.ts';
import type { Clock } from '../contract/clock.ts';
import type { Editor } from './editor.ts';

const minuteMs = 60_000;
const keptMs = 12 * 60 * minuteMs;
const retryMinutes = [1, 5, 15, 60] as const;
const lastRetryMinutes = 60;

export interface RefreshTimes {
  /** It is read now. */
  note(id: string): void;
  failed(id: string): void;
  succeeded(id: string): void;
  forget(id: string): void;
  isDue(editor: Editor): boolean;
  /** It was read, or tried to be, within the last minute. */
  isRecent(id: string): boolean;
}

export function createRefreshTimes(clock: Clock): RefreshTimes {
  const triedAtMs = new Map<string, number>();
  const failures = new Map<string, number>();
  const isOlder = (atMs: number | undefined, ageMs: number): boolean =>
    atMs === undefined || isOver(atMs, ageMs, clock());
  return {
    note: (id) => void triedAtMs.set(id, clock()),
    failed: (id) => void failures.set(id, (failures.get(id) ?? 0) + 1),
    succeeded: (id) => void failures.delete(id),
    forget(id) {
      triedAtMs.delete(id);
      failures.delete(id);
    },
    isDue(editor) {
      if (editor.problem === null) return isOlder(editor.discoveredAtMs, keptMs);
      const count = failures.get(editor.id) ?? 0;
      // Not tried yet since the host was started.
      if (count === 0) return true;
      return isOlder(triedAtMs.get(editor.id), (retryMinutes[count - 1] ?? lastRetryMinutes) * minuteMs);
    },
    isRecent: (id) => !isOlder(triedAtMs.get(id), minuteMs),
  };
}
