// The requests as this window holds them: the last 10,000, fed by pushes, read again as a whole when some were too many for
// a push. Outside React, so that a push costs the same whether or not it is drawn at once. Runs only while it is shown.
// While paused nothing is kept here but a number: the host keeps the last 10,000 anyway, and they are read when it goes on.
// And what is shown of them: a sentence for each request, and groups by document, user and time.

import { formatElapsed, formatSize, formatTime, isSameDay } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { ActivityItem, Pushes } from '../../../app/contract/pushes.ts';
import { isError, isExpectedRefusal, isSaveOperation } from '../../../app/contract/request-errors.ts';
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

const statuses: Record<number, string> = {
  400: t('window.bad-request'),
  401: t('window.not-authorized'),
  403: t('window.forbidden'),
  404: t('window.not-found'),
  405: t('window.method-not-allowed'),
  408: t('window.timed-out'),
  409: t('window.conflict'),
  412: t('window.changed'),
  413: t('window.too-large'),
  415: t('window.unsupported-type'),
  421: t('window.unknown-host-name'),
  429: t('window.too-many-requests'),
  500: t('window.error'),
  501: t('window.not-supported'),
  503: t('common.not-serving'),
};

/** `OK`, `Conflict`, `Lock refused`; `Done` for what the user did. */
export function statusWords(entry: ActivityItem): string {
  if (isAct(entry)) return isError(entry) ? t('window.failed') : t('window.done-2');
  if (entry.status < 400) return t('common.ok');
  return refusalWords(entry) ?? statuses[entry.status] ?? String(entry.status);
}

/** Why it was refused, where more is known than the status. A save that was refused for the same reason is an error. */
function refusalWords(entry: ActivityItem): string | undefined {
  if (entry.status === 401 && entry.code === 'session-over') return t('window.session-ended');
  if (!isExpectedRefusal(entry)) return undefined;
  if (entry.status === 401) return t('window.sign-in-required');
  return entry.code === 'file-locked' ? t('window.document-is-locked') : t('window.lock-refused');
}

export function statusTone(entry: ActivityItem): 'muted' | 'bad' {
  return isError(entry) ? 'bad' : 'muted';
}

const requestLabels: Record<string, string> = {
  CheckFileInfo: t('window.read-details'),
  ConnectionTest: t('window.connection-test'),
  Dashboard: t('window.dashboard-page'),
  DeleteFile: t('window.delete'),
  Discovery: t('window.editor-discovery'),
  GetFile: t('window.read-document'),
  GetLock: t('window.read-lock'),
  HelpPage: t('window.help-page'),
  HostPageCopyVersion: t('common.save-copy'),
  HostPageDownload: t('common.download'),
  HostPageKeepFile: t('common.keep-the-file'),
  HostPageOpen: t('window.open-document'),
  HostPageRename: t('common.rename'),
  HostPageRestore: t('window.restore-recovered-save'),
  HostPageRestoreVersion: t('window.restore-version'),
  HostPageSaveAnyway: t('window.save-anyway'),
  HostPageSignIn: t('window.sign-in'),
  ListFiles: t('window.list-documents'),
  Lock: t('window.lock'),
  OpenDocument: t('window.open-document'),
  OpenVersion: t('window.open-version'),
  PutFile: t('common.save'),
  PutRelativeFile: t('common.save-copy'),
  PutUserInfo: t('window.save-editor-preferences'),
  ReadProfile: t('window.read-profile'),
  RefreshLock: t('window.refresh-lock'),
  RenameFile: t('common.rename'),
  SignIn: t('window.sign-in'),
  SignOut: t('window.sign-out'),
  TextEditorAsset: t('window.text-editor'),
  TextEditorCall: t('window.text-editor'),
  TextEditorPage: t('window.text-editor'),
  Unlock: t('window.unlock'),
  UnlockAndRelock: t('window.replace-lock'),
  Unsupported: t('window.unsupported-request'),
  Upload: t('window.upload'),
};

/** `Save` for a PutFile; operations that aren't listed keep their name. */
export function requestWords(operation: string): string {
  const words = Object.hasOwn(requestLabels, operation) ? requestLabels[operation] : undefined;
  if (words !== undefined) return words;
  return operation.startsWith('HostPage') ? t('window.document-page') : operationWords(operation);
}

/** For the filter: also the name that the specification has for it, and what only the side panel shows. */
export function requestSearchText({ operation, address, correlationId }: ActivityItem): string {
  return `${requestWords(operation)} ${operation} ${address} ${correlationId}`;
}

/** What an editor asks for to show a document. */
const readsToOpen: ReadonlySet<string> = new Set(['CheckFileInfo', 'GetFile']);

/** `Save failed`, `Lock failed`: an error in the few words of a column. */
export function errorWords(entry: ActivityItem): string {
  if (readsToOpen.has(entry.operation)) return t('window.opening-failed');
  const operation = requestWords(entry.operation);
  return isAct(entry)
    ? t('window.failed-operation', { operation })
    : t('window.operation-failed', { operation });
}

export function durationWords(entry: ActivityItem): string {
  if (isAct(entry)) return '–';
  return entry.durationMs < 1 ? t('window.1-ms') : formatElapsed(entry.durationMs);
}

export function bytesWords(bytes: number): string {
  return bytes === 0 ? '–' : formatSize(bytes);
}

/** What a user did to one document, without a long break. */
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
export function canExpand(row: ActivityRow, expanded: ReadonlySet<string>): boolean {
  return isGroup(row) && (row.entries.length > 1 || expanded.has(row.id));
}

export function isSave(entry: ActivityItem): boolean {
  return isSaveOperation(entry.operation) && entry.status < 400;
}

interface ResultWords {
  /** The first and most important one. */
  error: string | undefined;
  done: string | undefined;
  rest: string | undefined;
}

/** What came of a group: `Saved 3 times`, `Save failed`, `Opened`; and how many requests it took. */
export function resultWords({ entries, errorCount, saveCount }: Group): ResultWords {
  const [newest] = entries;
  const isSingle = entries.length === 1;
  const rest = isSingle ? undefined : t('window.requests-2', { count: entries.length });
  const failed = entries.find(isError);
  if (failed === undefined) {
    const isOpened = entries.some(({ operation, status }) => operation === 'GetFile' && status < 400);
    const saved = saveCount === 0 ? undefined : t('window.saved-times', { count: saveCount });
    const other =
      isSingle && newest !== undefined ? (refusalWords(newest) ?? requestWords(newest.operation)) : undefined;
    return { error: undefined, done: saved ?? (isOpened ? t('window.opened') : other), rest };
  }
  const error = errorCount === 1 ? errorWords(failed) : t('window.errors-2', { count: errorCount });
  // Whether the text that wasn't saved is in the file by now. A copy saved later doesn't count.
  const isSavedLater =
    failed.operation === 'PutFile' &&
    entries
      .slice(0, entries.indexOf(failed))
      .some(({ operation, status }) => operation === 'PutFile' && status < 400);
  return isSavedLater
    ? { error, done: t('window.saved-later'), rest: undefined }
    : { error, done: undefined, rest };
}

/** Longer than the time between two requests of an editor with an open document, which refreshes its lock. */
const visitEndsAfterMs = 30 * 60_000;

interface Visit {
  id: string;
  /** Sequences. */
  first: number;
  last: number;
}

/**
 * Requests for the same document by the same user are one group, whatever sessions they belong to, until that user does nothing for half an
 * hour. `isShown` leaves requests out of groups, and changes no group otherwise. Groups that didn't change stay the same objects, so that
 * their rows aren't drawn again.
 */
export function createGrouping(): (
  entries: readonly Entry[],
  isShown?: (entry: Entry) => boolean,
) => Group[] {
  let known = new Map<string, Group>();
  let shownBefore: unknown;
  let visitsBefore = new Map<string, Visit[]>();
  return (entries, isShown) => {
    const lists = new Map<string, Entry[][]>();
    for (const entry of entries) {
      const key = `${entry.fileId ?? ''}|${entry.isVersion ? 'version' : ''}|${entry.user ?? ''}`;
      const ofKey = lists.get(key);
      const list = ofKey?.at(-1);
      const latest = list?.at(-1);
      if (list !== undefined && latest !== undefined && entry.atMs - latest.atMs < visitEndsAfterMs)
        list.push(entry);
      else if (ofKey === undefined) lists.set(key, [[entry]]);
      else ofKey.push([entry]);
    }
    const next = new Map<string, Group>();
    const visits = new Map<string, Visit[]>();
    for (const [key, ofKey] of lists) {
      const before = visitsBefore.get(key);
      const ownVisits: Visit[] = [];
      visits.set(key, ownVisits);
      for (const list of ofKey) {
        const first = list[0]?.sequence ?? 0;
        // The oldest requests go when new ones come, so the first one says which group it is only while it's there.
        const id =
          before?.find((visit) => visit.first <= first && first <= visit.last)?.id ?? `${key}|${first}`;
        ownVisits.push({ id, first, last: list.at(-1)?.sequence ?? first });
        const shown = isShown === undefined ? list : list.filter(isShown);
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
    visitsBefore = visits;
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
