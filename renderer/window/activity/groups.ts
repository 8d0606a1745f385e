// Requests grouped by document, user and time, and what came of each group.

import { t } from '../../../app/contract/messages.ts';
import { isError } from '../../../app/contract/request-errors.ts';
import type { Entry } from './journal.ts';
import { causeWords, errorWords, isSave, requestWords } from './words.ts';

/** What a user did to one document, or what else was about the same, without a long break. */
export interface Group {
  id: string;
  /** Null: sign-ins and other requests without a document. */
  fileId: string | null;
  /** Of an earlier version of that document. */
  isVersion: boolean;
  user: string | null;
  /** The latest one; null: only host pages, programs, and what users do in DocTray. */
  sessionId: string | null;
  /** Newest first. */
  entries: readonly Entry[];
  errorCount: number;
  saveCount: number;
  firstAtMs: number;
  lastAtMs: number;
}

export type ActivityRow = Group | Entry;

export function isGroup(row: ActivityRow): row is Group {
  return 'entries' in row;
}

/** A group of one request has nothing more to show, unless it is open and a filter hides its other requests. */
export function canExpand(row: ActivityRow, expanded: ReadonlySet<string>): row is Group {
  return isGroup(row) && (row.entries.length > 1 || expanded.has(row.id));
}

type ResultWords = Partial<Record<'error' | 'done' | 'rest', string | undefined>>;

/**
 * What came of a group, the first and most important one first: `Saved 3 times`, `Save failed`, `Opened`; and how many requests it took.
 * @param holder who holds the lock that the failed request met
 */
export function resultWords({ fileId, entries, errorCount, saveCount }: Group, holder?: string): ResultWords {
  const [newest] = entries;
  const rest = entries.length === 1 ? undefined : t('window.count-requests', { count: entries.length });
  const failed = entries.find(isError);
  if (failed === undefined) {
    if (saveCount > 0) return { done: t('window.saved-times', { count: saveCount }), rest };
    const isOpened = entries.some(({ operation, status }) => operation === 'GetFile' && status < 400);
    if (isOpened || rest !== undefined || newest === undefined)
      return { done: isOpened ? t('window.opened') : undefined, rest };
    if (newest.status >= 400) return { done: causeWords(newest, holder) };
    // The name of the group says what it was.
    if (fileId === null) return { done: t('window.done') };
    // An editor’s RenameFile and a rename in the window have the same word: `Renamed`.
    return { done: requestWords(/Rename/u.test(newest.operation) ? 'Rename' : newest.operation) };
  }
  const words = fileId === null && rest === undefined ? t('window.failed') : errorWords(failed);
  const error = errorCount === 1 ? words : t('window.count-failed', { count: errorCount });
  return isSavedLater(entries, failed)
    ? { error, done: t('window.saved-later') }
    : { error, done: errorCount === 1 ? causeWords(failed, holder) : undefined, rest };
}

/** The text that wasn't saved is in the file by now. A copy saved later doesn't count. */
export function isSavedLater(entries: readonly Entry[], failed: Entry): boolean {
  const later = failed.operation === 'PutFile' ? entries.slice(0, entries.indexOf(failed)) : [];
  return later.some(({ operation, status }) => operation === 'PutFile' && status < 400);
}

/** Longer than the time between two requests of an editor with an open document, which refreshes its lock. */
const visitEndsAfterMs = 30 * 60_000;

/**
 * Requests for the same document by the same user are one group, whatever sessions they belong to, until that user does nothing for half an
 * hour; without a document, those from the same address. `isShown` leaves requests out of groups, and changes no group otherwise. Groups that
 * didn't change stay the same objects, so that their rows aren't drawn again.
 */
export function createGrouping(): (
  entries: readonly Entry[],
  isShown?: (entry: Entry) => boolean,
) => Group[] {
  let known = new Map<string, Group>();
  let shownBefore: unknown;
  /** By document and user: the sequences that each group began and ended with. */
  let spansBefore = new Map<string, { id: string; first: number; last: number }[]>();
  return (entries, isShown) => {
    const visits = new Map<string, Entry[][]>();
    for (const entry of entries) {
      const key = [entry.fileId ?? (entry.address || entry.path), entry.isVersion, entry.user].join('|');
      const own = visits.get(key) ?? [];
      visits.set(key, own);
      const latest = own.at(-1);
      if (latest !== undefined && entry.atMs - (latest.at(-1)?.atMs ?? 0) < visitEndsAfterMs)
        latest.push(entry);
      else own.push([entry]);
    }
    const next = new Map<string, Group>();
    const spans: typeof spansBefore = new Map();
    for (const [key, own] of visits) {
      for (const visit of own) {
        const [first, last] = [visit[0]?.sequence ?? 0, visit.at(-1)?.sequence ?? 0];
        // The oldest requests go when new ones come, so the first one says which group it is only while it's there.
        const before = spansBefore.get(key)?.find((span) => span.first <= first && first <= span.last);
        const id = before?.id ?? `${key}|${first}`;
        spans.set(key, [...(spans.get(key) ?? []), { id, first, last }]);
        const shown = isShown === undefined ? visit : visit.filter(isShown);
        if (shown.length === 0) continue;
        const group = shownBefore === isShown ? known.get(id) : undefined;
        const isSame =
          group?.entries.length === shown.length &&
          group.entries[0]?.id === shown.at(-1)?.id &&
          group.entries.at(-1)?.id === shown[0]?.id;
        next.set(id, isSame ? group : groupOf(id, shown));
      }
    }
    known = next;
    shownBefore = isShown;
    spansBefore = spans;
    return [...next.values()];
  };
}

/** @param list oldest first, not empty */
function groupOf(id: string, list: readonly Entry[]): Group {
  const entries = list.toReversed();
  const [newest] = entries;
  return {
    id,
    fileId: newest?.fileId ?? null,
    isVersion: newest?.isVersion ?? false,
    user: newest?.user ?? null,
    sessionId: entries.find(({ sessionId }) => sessionId !== null)?.sessionId ?? null,
    entries,
    errorCount: entries.filter(isError).length,
    saveCount: entries.filter(isSave).length,
    firstAtMs: entries.at(-1)?.atMs ?? 0,
    lastAtMs: newest?.atMs ?? 0,
  };
}
