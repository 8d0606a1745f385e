// Requests grouped by document and user: what a session did to a document is one row, and its requests are shown on demand. Pure.

import { operationWords } from '../../../app/contract/user-actions.ts';
import type { Entry } from './journal.ts';
import { isFailed, statusWords } from './words.ts';

export interface Group {
  id: string;
  /** Null: sign-ins and other requests without a document. */
  fileId: string | null;
  user: string | null;
  /** Newest first. */
  entries: readonly Entry[];
  errorCount: number;
  saveCount: number;
  lastAtMs: number;
  /** What the filter searches besides document and user: operations, results, and paths of requests without a document. */
  text: string;
}

export type ActivityRow = Group | Entry;

export function isGroup(row: ActivityRow): row is Group {
  return 'entries' in row;
}

export function isSave({ operation, status }: Pick<Entry, 'operation' | 'status'>): boolean {
  return (operation === 'PutFile' || operation === 'PutRelativeFile') && status < 400;
}

/** Groups that didn't change stay the same objects, so that their rows aren't drawn again. */
export function createGrouping(): (entries: readonly Entry[]) => Group[] {
  let known = new Map<string, Group>();
  return (entries) => {
    const lists = new Map<string, Entry[]>();
    for (const entry of entries) {
      const id = `${entry.fileId ?? ''}|${entry.user ?? ''}`;
      const list = lists.get(id);
      if (list === undefined) lists.set(id, [entry]);
      else list.push(entry);
    }
    const next = new Map<string, Group>();
    for (const [id, list] of lists) {
      const before = known.get(id);
      const isSame =
        before?.entries.length === list.length &&
        before.entries[0]?.id === list.at(-1)?.id &&
        before.entries.at(-1)?.id === list[0]?.id;
      next.set(id, isSame ? before : groupOf(id, list));
    }
    known = next;
    return [...next.values()];
  };
}

/** @param list oldest first, not empty */
function groupOf(id: string, list: readonly Entry[]): Group {
  const entries = list.toReversed();
  const [newest] = entries;
  const words = new Set<string>();
  for (const entry of entries) {
    words.add(operationWords(entry.operation));
    words.add(statusWords(entry));
    if (entry.fileId === null) words.add(entry.path);
  }
  return {
    id,
    fileId: newest?.fileId ?? null,
    user: newest?.user ?? null,
    entries,
    errorCount: entries.filter(isFailed).length,
    saveCount: entries.filter(isSave).length,
    lastAtMs: newest?.atMs ?? 0,
    text: [...words].join(' '),
  };
}
