// The requests as this window holds them: the last 10,000, fed by pushes, read again as a whole when some were too many for a push.
// Outside React, so that a push costs the same whether or not it is drawn at once. Runs only while it is shown.

import type { ActivityItem, Pushes } from '../../../app/contract/pushes.ts';

export const mostEntries = 10_000;
/** A flood that outruns the pushes is read again no oftener than this. */
export const readAgainAfterMs = 2000;

export interface Entry extends ActivityItem {
  /** The sequence, as long as every other one. */
  id: string;
}

interface JournalSnapshot {
  /** Undefined until they were read for the first time. Oldest first; another array whenever something changed. */
  entries: readonly Entry[] | undefined;
  /** Why they could not be read. */
  problem: unknown;
}

export type Journal = ReturnType<typeof createJournal>;

export function createJournal(deps: {
  watch(isWatching: boolean): Promise<unknown>;
  list(): Promise<{ items: ActivityItem[] }>;
  after(ms: number, run: () => void): () => void;
}) {
  const listeners = new Set<() => void>();
  let snapshot: JournalSnapshot = { entries: undefined, problem: undefined };
  /** Also those that were pushed before the first reading ended. */
  let known: Entry[] = [];
  /** Up to here it was cleared. */
  let clearedUntil = 0;
  let isOpen = false;
  let reading: Promise<void> | undefined;
  let cancelReadAgain: (() => void) | undefined;

  const show = (next: JournalSnapshot): void => {
    snapshot = next;
    for (const listener of listeners) listener();
  };
  const last = (): number => known.at(-1)?.sequence ?? clearedUntil;
  const keep = (entries: Entry[]): void => {
    known = entries.length > mostEntries ? entries.slice(-mostEntries) : entries;
  };

  const readNow = async (): Promise<void> => {
    try {
      const { items } = await deps.list();
      const read = items.filter(({ sequence }) => sequence > clearedUntil).map(entryOf);
      const until = read.at(-1)?.sequence ?? clearedUntil;
      // What was pushed while the answer was on its way comes after it.
      keep([...read, ...known.filter(({ sequence }) => sequence > until)]);
      show({ entries: known, problem: undefined });
    } catch (problem) {
      // What is there already is better than nothing.
      show({ ...snapshot, problem: snapshot.entries === undefined ? problem : undefined });
    }
  };
  /** Never throws: `snapshot` has the problem. */
  const read = async (): Promise<void> => {
    reading ??= readNow().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  /** A host that is away watches nothing, which `read` notices. */
  const watch = (isWatching: boolean): void => void deps.watch(isWatching).catch(() => undefined);

  return {
    snapshot: () => snapshot,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Begins to watch and reads the whole. */
    open() {
      if (isOpen) return;
      isOpen = true;
      // Watching first: what comes in between is in both, and counted once.
      watch(true);
      void read();
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      cancelReadAgain?.();
      cancelReadAgain = undefined;
      watch(false);
    },
    take({ items, dropped }: Pushes['activity-added']) {
      const before = last();
      const fresh = items.filter(({ sequence }) => sequence > before);
      const [first] = fresh;
      if (first === undefined) return;
      if (dropped > 0 || (before > 0 && first.sequence > before + 1)) {
        cancelReadAgain ??= deps.after(readAgainAfterMs, () => {
          cancelReadAgain = undefined;
          if (isOpen) void read();
        });
      }
      keep([...known, ...fresh.map(entryOf)]);
      if (snapshot.entries !== undefined) show({ ...snapshot, entries: known });
    },
    read,
    /** Hides all current entries. */
    clear() {
      clearedUntil = last();
      known = [];
      show({ ...snapshot, entries: known });
    },
  };
}

function entryOf(item: ActivityItem): Entry {
  return { ...item, id: String(item.sequence).padStart(12, '0') };
}
