// The requests as this window holds them: the last 10,000, fed by pushes, read again as a whole when some were too many for
// a push. Outside React, so that a push costs the same whether or not it is drawn at once. Runs only while it is shown.
// While paused nothing is kept here but a number: the host keeps the last 10,000 anyway, and they are read when it goes on.
// And what is shown of them: a sentence for each request, and groups by document and session.

import { formatElapsed, formatSize, formatTime, isSameDay } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { ActivityItem, Pushes } from '../../../app/contract/pushes.ts';
import { isErrorStatus } from '../../../app/contract/request-errors.ts';
import { operationWords } from '../../../app/contract/user-actions.ts';

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

interface JournalDeps {
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
  // shown where it matters
}

/** `14:05:12.345` of today, `26 Jul, 14:05` before: entries are matched with the editor's own log by the clock. */
export function clockWords(atMs: number, nowMs: number): string {
  return formatTime(isSameDay(atMs, nowMs) ? 'clockToMs' : 'dayAndClock', atMs);
}

/** An action by the user in the window or the terminal; not a request. */
export function isAct(entry: ActivityItem): boolean {
  return entry.method === '';
}

export function isFailed(entry: ActivityItem): boolean {
  return isErrorStatus(entry.status);
}

const statuses: Record<number, string> = {
  400: t('Bad request'),
  401: t('Not authorized'),
  403: t('Forbidden'),
  404: t('Not found'),
  405: t('Method not allowed'),
  408: t('Timed out'),
  409: t('Conflict'),
  412: t('Changed'),
  413: t('Too large'),
  415: t('Unsupported type'),
  421: t('Unknown host name'),
  429: t('Too many requests'),
  500: t('Error'),
  501: t('Not supported'),
  503: t('Not serving'),
};

/** `200`, `409 Conflict`; `Done` for what the user did. */
export function statusWords(entry: ActivityItem): string {
  if (isAct(entry)) return isFailed(entry) ? t('Failed') : t('Done');
  const words = statuses[entry.status];
  return words === undefined ? String(entry.status) : `${entry.status} ${words}`;
}

export function statusTone(entry: ActivityItem): 'muted' | 'bad' {
  return isFailed(entry) ? 'bad' : 'muted';
}

const requestLabels: Record<string, string> = {
  CheckFileInfo: t('Details request'),
  ConnectionTest: t('Connection test'),
  Dashboard: t('Dashboard page'),
  DeleteFile: t('Delete'),
  GetFile: t('File request'),
  GetLock: t('Read lock'),
  HelpPage: t('Help page'),
  HostPageCopyVersion: t('Save copy'),
  HostPageDownload: t('Download'),
  HostPageOpen: t('Open document'),
  HostPageRename: t('Rename'),
  HostPageRestore: t('Restore recovered save'),
  HostPageRestoreVersion: t('Restore version'),
  HostPageSignIn: t('Sign-in'),
  ListFiles: t('List documents'),
  Lock: t('Lock'),
  OpenDocument: t('Open document'),
  OpenVersion: t('Open version'),
  PutFile: t('Save'),
  PutRelativeFile: t('Save copy'),
  PutUserInfo: t('Save editor preferences'),
  ReadProfile: t('Read profile'),
  RefreshLock: t('Refresh lock'),
  RenameFile: t('Rename'),
  SignIn: t('Sign-in'),
  SignOut: t('Sign-out'),
  TextEditorPage: t('Text editor'),
  Unlock: t('Unlock'),
  UnlockAndRelock: t('Replace lock'),
  Upload: t('Upload'),
};

/** `Read details` for a CheckFileInfo; operations that aren't listed keep their name. */
export function requestWords(operation: string): string {
  const words = Object.hasOwn(requestLabels, operation) ? requestLabels[operation] : undefined;
  if (words !== undefined) return words;
  return operation.startsWith('HostPage') ? t('Document page') : operationWords(operation);
}

/** `Save failed`, `Lock failed`: an error in the few words of a column. */
export function errorWords(entry: ActivityItem): string {
  const operation = requestWords(entry.operation);
  return isAct(entry) ? t('Failed: {operation}', { operation }) : t('{operation} failed', { operation });
}

export function durationWords(entry: ActivityItem): string {
  if (isAct(entry)) return '–';
  return entry.durationMs < 1 ? t('< 1 ms') : formatElapsed(entry.durationMs);
}

export function bytesWords(bytes: number): string {
  return bytes === 0 ? '–' : formatSize(bytes);
}

export interface Group {
  id: string;
  /** Null: sign-ins and other requests without a document. */
  fileId: string | null;
  user: string | null;
  /** Null: host pages, programs, and what users do in DocTray. */
  sessionId: string | null;
  /** Newest first. */
  entries: readonly Entry[];
  errorCount: number;
  saveCount: number;
  firstAtMs: number;
  lastAtMs: number;
  /** What the filter searches besides document and user: operations, results, and paths of requests without a document. */
  text: string;
}

export type ActivityRow = Group | Entry;

export function isGroup(row: ActivityRow): row is Group {
  return 'entries' in row;
}

/** A group of one request has nothing more to show, unless it is open and a filter hides its other requests. */
export function canExpand(row: ActivityRow, expanded: ReadonlySet<string>): boolean {
  return isGroup(row) && (row.entries.length > 1 || expanded.has(row.id));
}

function isSaving({ operation }: Pick<Entry, 'operation'>): boolean {
  return operation === 'PutFile' || operation === 'PutRelativeFile';
}

export function isSave(entry: Pick<Entry, 'operation' | 'status'>): boolean {
  return isSaving(entry) && !isErrorStatus(entry.status);
}

/** At most, from a request of the page that opens a document to the first one of its session. */
const opensWithinMs = 60_000;

/** Groups that didn't change stay the same objects, so that their rows aren't drawn again. */
export function createGrouping(): (entries: readonly Entry[]) => Group[] {
  let known = new Map<string, Group>();
  return (entries) => {
    const lists = new Map<string, Entry[]>();
    for (const entry of entries) {
      const id = `${entry.fileId ?? ''}|${entry.sessionId ?? ''}|${entry.user ?? ''}`;
      const list = lists.get(id);
      if (list !== undefined) {
        list.push(entry);
        continue;
      }
      lists.set(id, [entry]);
      if (entry.fileId === null || entry.sessionId === null) continue;
      // The page that opened the document sent its requests before there was a session.
      const pageId = `${entry.fileId}||${entry.user ?? ''}`;
      const { opening = [], earlier } = Object.groupBy(lists.get(pageId) ?? [], ({ atMs }) =>
        entry.atMs - atMs < opensWithinMs ? 'opening' : 'earlier',
      );
      lists.set(id, [...opening, entry]);
      if (earlier === undefined) lists.delete(pageId);
      else lists.set(pageId, earlier);
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
    words.add(requestWords(entry.operation));
    words.add(statusWords(entry));
    if (entry.fileId === null) words.add(entry.path);
  }
  return {
    id,
    fileId: newest?.fileId ?? null,
    user: newest?.user ?? null,
    sessionId: newest?.sessionId ?? null,
    entries,
    errorCount: entries.filter(isFailed).length,
    saveCount: entries.filter(isSave).length,
    firstAtMs: entries.at(-1)?.atMs ?? 0,
    lastAtMs: newest?.atMs ?? 0,
    text: [...words].join(' '),
  };
}
