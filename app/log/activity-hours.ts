// What happened in each of the last 24 hours, for the Overview's strip: counted as the journal gets an entry, because the journal keeps
// too few of them for a busy day, and stored, because it forgets them when the host stops. Contains counts and file ids only.

import { isError, isSaveOperation } from '../contract/request-errors.ts';
import type { ActivityHour } from '../contract/results.ts';
import type { JournalEntry } from './journal.ts';

export const hourMs = 60 * 60 * 1000;
export const hoursKept = 24;
/** Of one hour; more documents than this are still shown as this many. */
const maxDocuments = 2000;

interface Counts {
  saves: number;
  errors: number;
  /** File ids. */
  documents: Set<string>;
}

export interface ActivityHours {
  note(entry: Pick<JournalEntry, 'atMs' | 'operation' | 'method' | 'status' | 'code' | 'fileId'>): void;
  /** The current hour last; always 24. */
  list(): ActivityHour[];
  /** Stores what was counted since the last call. */
  flush(): void;
}

export interface ActivityHoursDeps {
  clock: () => number;
  /** What the last `save` got. */
  stored: string | undefined;
  save(text: string): void;
}

export function createActivityHours({ clock, stored, save }: ActivityHoursDeps): ActivityHours {
  const hours = read(stored);
  let isChanged = false;

  const forgetOld = (): void => {
    const first = firstHourMs(clock());
    for (const startMs of hours.keys()) if (startMs < first) hours.delete(startMs);
  };

  return {
    note(entry) {
      const { atMs, operation, method, fileId } = entry;
      const hasFailed = isError(entry);
      // What a user did in the window isn't traffic; Activity shows as an error what failed of it.
      const isAct = method === '';
      if (isAct && !hasFailed) return;
      const startMs = atMs - (atMs % hourMs);
      let counts = hours.get(startMs);
      if (counts === undefined) {
        counts = { saves: 0, errors: 0, documents: new Set() };
        hours.set(startMs, counts);
        forgetOld();
      }
      isChanged = true;
      if (hasFailed) counts.errors += 1;
      else if (isSaveOperation(operation)) counts.saves += 1;
      if (!isAct && fileId !== undefined && counts.documents.size < maxDocuments)
        counts.documents.add(fileId);
    },

    list() {
      const first = firstHourMs(clock());
      return Array.from({ length: hoursKept }, (_, index) => {
        const startMs = first + index * hourMs;
        const { saves = 0, errors = 0, documents } = hours.get(startMs) ?? {};
        return { startMs, saves, documents: documents?.size ?? 0, errors };
      });
    },

    flush() {
      if (!isChanged) return;
      isChanged = false;
      forgetOld();
      const rows = [...hours].map(([startMs, { saves, errors, documents }]) => [
        startMs,
        saves,
        errors,
        [...documents],
      ]);
      save(JSON.stringify(rows));
    },
  };
}

function firstHourMs(nowMs: number): number {
  return nowMs - (nowMs % hourMs) - (hoursKept - 1) * hourMs;
}

/** Written by this module; if it can't be read, the day starts empty. */
function read(stored: string | undefined): Map<number, Counts> {
  try {
    const rows = JSON.parse(stored ?? '[]') as [number, number, number, string[]][];
    return new Map(
      rows.map(([startMs, saves, errors, documents]) => [
        startMs,
        { saves, errors, documents: new Set(documents) },
      ]),
    );
  } catch {
    return new Map();
  }
}
