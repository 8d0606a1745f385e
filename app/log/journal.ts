// The latest requests and user actions, in memory, for the window's Activity view. Entries contain no secrets.

import type { UserActionName } from '../contract/user-actions.ts';

export interface JournalEntry {
  atMs: number;
  operation: string;
  method: string;
  /** Without the query, which contains tokens. */
  path: string;
  status: number;
  durationMs: number;
  /** Why it was refused: the code of an AppError, or `session-over`. */
  code?: string | undefined;
  fileId?: string | undefined;
  /** Of an earlier version of that document. */
  isVersion?: boolean | undefined;
  user?: string | undefined;
  sessionId?: string | undefined;
  /** The decision about a lock. */
  lock?: string | undefined;
  /** The beginnings of the lock ids in the request. The window shows them, the log doesn't. */
  lockHeaders?: string | undefined;
  correlationId: string;
  address: string;
  bytesIn: number;
  bytesOut: number;
}

/** What a user did in the window or the terminal, rather than by a request. */
export interface UserAction {
  atMs: number;
  operation: UserActionName;
  /** What it applied to: a document's path, a login. */
  path: string;
  fileId?: string;
  user: string;
}

export interface Journal {
  add(entry: JournalEntry): void;
  addAction(action: UserAction): void;
  /** The latest `count`, oldest first. */
  newest(count: number): JournalEntry[];
  /** The number of the newest entry: how many were ever added. Clearing doesn't reset it. */
  lastSequence(): number;
  /** Called after each entry. Returns a function that removes the listener. */
  onAdd(listener: () => void): () => void;
  clear(): void;
}

/** Keeps the last `capacity` entries; adding one takes constant time. */
export function createJournal(options: {
  capacity: number;
  /** Called with each entry, before the listeners. */
  onEntry?: (entry: JournalEntry) => void;
}): Journal {
  let ring: JournalEntry[] = [];
  let next = 0;
  let sequence = 0;
  let listeners: readonly (() => void)[] = [];

  const add = (entry: JournalEntry): void => {
    sequence += 1;
    if (options.capacity >= 1) {
      ring[next] = entry;
      next = (next + 1) % options.capacity;
    }
    options.onEntry?.(entry);
    for (const listener of listeners) listener();
  };

  const newest = (count: number): JournalEntry[] => {
    const from = next - Math.min(count, ring.length);
    return from >= 0 ? ring.slice(from, next) : [...ring.slice(from), ...ring.slice(0, next)];
  };

  return {
    add,
    addAction: (action) =>
      add({
        method: '',
        status: 200,
        durationMs: 0,
        correlationId: '',
        address: '',
        bytesIn: 0,
        bytesOut: 0,
        ...action,
      }),
    newest,
    lastSequence: () => sequence,
    onAdd(listener) {
      listeners = [...listeners, listener];
      return () => {
        listeners = listeners.filter((other) => other !== listener);
      };
    },
    clear() {
      ring = [];
      next = 0;
    },
  };
}
