// The last requests, in memory, for the window's Activity view. Nothing in an entry opens anything.

export interface JournalEntry {
  atMs: number;
  operation: string;
  method: string;
  /** Without the query, which carries tokens. */
  path: string;
  status: number;
  durationMs: number;
  fileId?: string;
  user?: string;
  lock?: string;
  correlationId: string;
  address: string;
  bytesIn: number;
  bytesOut: number;
}

export interface Journal {
  add(entry: JournalEntry): void;
  /** Oldest first. */
  entries(): JournalEntry[];
  clear(): void;
}

/** Keeps the last `capacity` entries; adding one costs the same however many there are. */
export function createJournal(options: { capacity: number }): Journal {
  let ring: JournalEntry[] = [];
  let next = 0;
  return {
    add(entry) {
      if (options.capacity < 1) return;
      ring[next] = entry;
      next = (next + 1) % options.capacity;
    },
    entries: () =>
      ring.length < options.capacity ? [...ring] : [...ring.slice(next), ...ring.slice(0, next)],
    clear() {
      ring = [];
      next = 0;
    },
  };
}
