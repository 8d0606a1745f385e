// What happened in each of the last 24 hours, for the Overview and `activity --summary`: counted as the journal gets an entry, because
// the journal keeps too few of them for a busy day, and stored, because it forgets them when the host stops. Counts and file ids only.

import { isError, isSaveOperation } from '../contract/request-errors.ts';
import type { ActivityHour } from '../contract/results.ts';
import type { JournalEntry } from './journal.ts';

export const hourMs = 60 * 60 * 1000;
export const hoursKept = 24;
/** Of one hour; more documents than this are still shown as this many. */
const maxDocuments = 2000;

type Counts = Pick<ActivityHour, 'saves' | 'errors'> & { fileIds: Set<string> };

export type ActivityHours = ReturnType<typeof createActivityHours>;

/** @param stored what the last `save` got */
export function createActivityHours(deps: {
  clock: () => number;
  stored: string | undefined;
  save(text: string): void;
}) {
  const { clock, stored, save } = deps;
  const counted = read(stored);
  let isChanged = false;
  const hourOf = (atMs: number): number => atMs - (atMs % hourMs);
  const lastHours = (): number[] =>
    Array.from({ length: hoursKept }, (_, index) => hourOf(clock()) - (hoursKept - 1 - index) * hourMs);

  return {
    note(entry: Pick<JournalEntry, 'atMs' | 'operation' | 'method' | 'status' | 'code' | 'fileId'>): void {
      const { atMs, operation, method, fileId } = entry;
      const hasFailed = isError(entry);
      // What a user did in the window isn't traffic; Activity shows as an error what failed of it.
      const isAct = method === '';
      if (isAct && !hasFailed) return;
      const startMs = hourOf(atMs);
      const counts = counted.get(startMs) ?? { saves: 0, errors: 0, fileIds: new Set() };
      counted.set(startMs, counts);
      isChanged = true;
      if (hasFailed) counts.errors += 1;
      else if (isSaveOperation(operation)) counts.saves += 1;
      const { fileIds } = counts;
      if (!isAct && fileId !== undefined && fileIds.size < maxDocuments) fileIds.add(fileId);
    },

    /** The current hour last; always 24. */
    list: (): ActivityHour[] =>
      lastHours().map((startMs) => {
        const { saves = 0, errors = 0, fileIds } = counted.get(startMs) ?? {};
        return { startMs, saves, documents: fileIds?.size ?? 0, errors };
      }),

    /** Stores what was counted since the last call, and forgets what is older than a day. */
    flush(): void {
      if (!isChanged) return;
      isChanged = false;
      const [first = 0] = lastHours();
      for (const startMs of counted.keys()) if (startMs < first) counted.delete(startMs);
      save(
        JSON.stringify(
          [...counted].map(([at, { saves, errors, fileIds }]) => [at, saves, errors, [...fileIds]]),
        ),
      );
    },
  };
}

/** Written by this module; if it can't be read, the day starts empty. */
function read(stored = '[]'): Map<number, Counts> {
  try {
    const rows = JSON.parse(stored) as [number, number, number, string[]][];
    return new Map(rows.map(([at, saves, errors, ids]) => [at, { saves, errors, fileIds: new Set(ids) }]));
  } catch {
    return new Map();
  }
}
