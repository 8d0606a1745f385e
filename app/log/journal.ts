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

/** What a user did in the window or the terminal, rather than by a request. `path`: what it applied to, such as a login. */
export interface UserAction extends Pick<JournalEntry, 'atMs' | 'path' | 'fileId'> {
  operation: UserActionName;
  user: string;
}

const noRequest = { method: '', status: 200, correlationId: '', address: '' };
const noTraffic = { durationMs: 0, bytesIn: 0, bytesOut: 0 };

export type Journal = ReturnType<typeof createJournal>;

/** Keeps the last `capacity` entries. */
export function createJournal({ capacity }: { capacity: number }) {
  let entries: JournalEntry[] = [];
  let sequence = 0;
  let cleared: { sequence: number; atMs?: number } = { sequence };
  const listeners = new Set<() => void>();

  const add = (entry: JournalEntry): void => {
    sequence += 1;
    entries.push(entry);
    // Not at each entry, because it takes as long as the list.
    if (entries.length > 1.1 * capacity) entries.splice(0, entries.length - capacity);
    for (const listener of listeners) listener();
  };

  return {
    add,
    addAction: (action: UserAction): void => add({ ...noRequest, ...noTraffic, ...action }),
    /** The latest `count`, oldest first. */
    newest: (count: number): JournalEntry[] =>
      entries.slice(Math.max(0, entries.length - Math.min(count, capacity))),
    /** The number of the newest entry: how many were ever added. Clearing doesn't reset it. */
    lastSequence: () => sequence,
    /** It has every entry since then; undefined: every entry there ever was. */
    completeSinceMs: (): number | undefined =>
      sequence - cleared.sequence > capacity ? entries.at(-capacity)?.atMs : cleared.atMs,
    /** Called after each entry. @returns a function that removes the listener */
    onAdd(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clear(atMs: number): void {
      entries = [];
      cleared = { sequence, atMs };
    },
  };
}
