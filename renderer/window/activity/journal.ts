// The requests as this window holds them: the last 10,000, fed by pushes, read again as a whole when some were too many for
// a push. Outside React, so that a push costs the same whether or not it is drawn at once. Runs only while it is shown.
//
// While paused nothing is kept here but a number: the host keeps the last 10,000 anyway, and they are read when it goes on.

import type { ActivityItem, Pushes } from '../../../app/contract/pushes.ts';

export const mostEntries = 10_000;
/** A flood that outruns the pushes is read again no oftener than this. */
export const readAgainAfterMs = 2000;

export interface Entry extends ActivityItem {
  /** The sequence, as long as every other one. */
  id: string;
}

export interface JournalSnapshot {
  /** Undefined until they were read for the first time. Oldest first; another array whenever something changed. */
  entries: readonly Entry[] | undefined;
  /** Why they could not be read. */
  problem: unknown;
  isPaused: boolean;
  /** How many came since it was paused; those beyond 10,000 are gone by now. */
  waiting: number;
}

export interface Journal {
  snapshot(): JournalSnapshot;
  subscribe(listener: () => void): () => void;
  /** Begins to watch and reads the whole. */
  open(): void;
  /** Stops watching. */
  close(): void;
  take(added: Pushes['activity-added']): void;
  read(): Promise<void>;
  pause(): void;
  resume(): Promise<void>;
  /** Hides all current entries. */
  clear(): void;
}

export interface JournalDeps {
  watch(isWatching: boolean): Promise<unknown>;
  list(): Promise<{ items: ActivityItem[] }>;
  after(ms: number, run: () => void): () => void;
}

export function createJournal(deps: JournalDeps): Journal {
  const listeners = new Set<() => void>();
  let snapshot: JournalSnapshot = { entries: undefined, problem: undefined, isPaused: false, waiting: 0 };
  /** The newest that is known of, shown or not. */
  let last = 0;
  /** Up to here it was cleared. */
  let clearedUntil = 0;
  let isOpen = false;
  let reading: Promise<void> | undefined;
  /** Pushed while the first reading, or the one that ends a pause, is on its way. */
  let early: Entry[] = [];
  let isResuming = false;
  let cancelReadAgain: (() => void) | undefined;

  const show = (change: Partial<JournalSnapshot>): void => {
    snapshot = { ...snapshot, ...change };
    for (const listener of listeners) listener();
  };

  const newestShown = (): number => snapshot.entries?.at(-1)?.sequence ?? clearedUntil;

  const readNow = async (): Promise<void> => {
    try {
      const { items } = await deps.list();
      const read = items.filter(({ sequence }) => sequence > clearedUntil).map(entryOf);
      const until = read.at(-1)?.sequence ?? clearedUntil;
      last = Math.max(last, until);
      if (snapshot.isPaused && !isResuming) {
        show({ waiting: Math.max(0, last - newestShown()), problem: undefined });
        return;
      }
      // what was pushed while the answer was on its way
      const known = snapshot.isPaused ? early : [...(snapshot.entries ?? []), ...early];
      const later = known.filter(({ sequence }) => sequence > until);
      early = [];
      show({ entries: bounded([...read, ...later]), problem: undefined, isPaused: false, waiting: 0 });
    } catch (problem) {
      // what is there already is better than nothing
      show({ problem: snapshot.entries === undefined ? problem : undefined });
      throw problem;
    }
  };

  const read = async (): Promise<void> => {
    reading ??= readNow().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  const readAgainSoon = (): void => {
    cancelReadAgain ??= deps.after(readAgainAfterMs, () => {
      cancelReadAgain = undefined;
      if (isOpen) read().catch(ignore);
    });
  };

  return {
    snapshot: () => snapshot,

    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    open() {
      if (isOpen) return;
      isOpen = true;
      // watching first: what comes in between is in both, and counted once
      deps.watch(true).catch(ignore);
      read().catch(ignore);
    },

    close() {
      if (!isOpen) return;
      isOpen = false;
      cancelReadAgain?.();
      cancelReadAgain = undefined;
      deps.watch(false).catch(ignore);
    },

    take({ items, dropped }) {
      const fresh = items.filter(({ sequence }) => sequence > last);
      const [first] = fresh;
      if (first === undefined) return;
      const hasGap = dropped > 0 || (last > 0 && first.sequence > last + 1);
      last = fresh.at(-1)?.sequence ?? last;
      const isWaited = snapshot.entries === undefined || isResuming;
      if (isWaited) early = bounded([...early, ...fresh.map(entryOf)]);
      if (snapshot.isPaused) {
        show({ waiting: Math.max(0, last - newestShown()) });
        return;
      }
      if (hasGap) readAgainSoon();
      if (!isWaited) show({ entries: bounded([...(snapshot.entries ?? []), ...fresh.map(entryOf)]) });
    },

    read,

    pause() {
      if (!snapshot.isPaused && snapshot.entries !== undefined) show({ isPaused: true, waiting: 0 });
    },

    async resume() {
      if (snapshot.waiting === 0) return show({ isPaused: false });
      // one that began before the pause was ended may be of an older time
      await reading?.catch(ignore);
      isResuming = true;
      try {
        await read();
      } finally {
        isResuming = false;
        early = [];
      }
    },

    clear() {
      clearedUntil = Math.max(last, newestShown());
      show({ entries: [], waiting: 0 });
    },
  };
}

function bounded(entries: Entry[]): Entry[] {
  return entries.length > mostEntries ? entries.slice(entries.length - mostEntries) : entries;
}

function entryOf(item: ActivityItem): Entry {
  return { ...item, id: String(item.sequence).padStart(12, '0') };
}

function ignore(): void {
  // told where it matters
}
